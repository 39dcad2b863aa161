import pytest

from leverlint.scouting.ownership import FOREIGN, WORDS, names, own


@pytest.mark.parametrize(
    ("stem", "name", "why"),
    [
        ("UV", "UV", "the project is called `uv`"),
        ("MY_APP", "MY_APP", "the project is called `my-app`"),
        ("MYAPP", "MY_APP", "the project is called `my-app`"),
        ("__CARGO", "CARGO", "the project is called `cargo`"),
        ("TGI", "TEXT_GENERATION_INFERENCE", "the initials of `text-generation-inference`"),
        ("SGL", "SGLANG", "the beginning of `sglang`"),
        ("SG", "SGLANG", ""),
        ("LANG", "SGLANG", ""),
        ("TG", "TEXT_GENERATION", ""),
        ("OTHER", "MY_APP", ""),
    ],
    ids=lambda value: value,
)
def test_own(stem, name, why):
    assert own(stem, [name]) == why


def test_names_come_from_manifests_directories_and_crates(tmp_path):
    root = tmp_path / "My-Checkout"
    for package in ("engine", "tests", "src/inner"):
        (root / package).mkdir(parents=True)
        (root / package / "__init__.py").touch()
    (root / "pyproject.toml").write_text('[project]\nname = "Some.Project"\n')
    (root / "Cargo.toml").write_text("[package]\nname = 'crate-name'\n")
    crates = ["spark-core", "spark_io", "alone", *(f"x{number}" for number in range(6))]
    assert names(str(root), crates) == (
        "SOME_PROJECT",
        "CRATE_NAME",
        "MY_CHECKOUT",
        "ENGINE",
        "INNER",
        "SPARK",
    )
    assert names(str(root), [*crates, *"abcdefgh"]) == names(str(root), [])


def test_no_word_is_in_both_lists():
    assert not FOREIGN & WORDS
