import pytest

from leverlint import config, engine
from leverlint.discovery import discover
from leverlint.scouting.families import beginnings, families
from leverlint.sources import Sources


@pytest.fixture
def seen(tmp_path):
    def look(code, *names, path="a.py"):
        """Give prefix, names, reads and whether it is chosen, for each family in a file."""
        (tmp_path / path).write_text(code)
        settings = config.load(str(tmp_path), isolated=True)
        found = discover(settings.root, (), settings)
        sought = beginnings(found.files, Sources(settings.root), names)
        index, _ = engine.survey(settings, found, sought)
        return [
            (family.prefix, family.names, family.reads, family.chosen)
            for family in families(index.reads, names)
        ]

    return look


def reading(*names):
    return "import os\n\n\ndef f():\n" + "".join(f"    os.getenv('{name}')\n" for name in names)


def test_the_projects_own_comes_before_larger_ones(seen):
    code = reading("APP_A", "APP_B", "APP_C", "NCCL_A", "NCCL_B", "NCCL_C", "NCCL_D", "NCCL_D")
    assert seen(code, "APP") == [("NCCL_", 4, 5, False), ("APP_", 3, 3, True)]


def test_without_a_name_the_largest_that_is_nobody_elses(seen):
    code = reading(
        "ZED_A", "ZED_B", "ZED_C", "CUDA_A", "CUDA_B", "CUDA_C", "CUDA_D", "MAX_A", "MAX_B", "MAX_C"
    )
    assert [prefix for prefix, _, _, chosen in seen(code) if chosen] == ["ZED_"]
    assert not any(chosen for *_, chosen in seen(reading("ZED_A", "CUDA_A", "CUDA_B", "CUDA_C")))


def test_a_prefix_may_have_two_words(seen):
    code = reading("MY_APP_A", "MY_APP_B", "MY_APP_C_D", "MY_APP_C_E")
    assert seen(code, "MY_APP") == [("MY_APP_", 4, 4, True)]
    assert seen(reading("ZED_X_A", "ZED_X_B", "ZED_X_C", "ZED_Y"), "ZED")[0][0] == "ZED_"
    assert seen(reading("ZED_X_A", "ZED_X_B", "ZED_X_C"))[0][0] == "ZED_X_"


@pytest.mark.parametrize("name", ["CARGO", "MAX"])
def test_what_is_others_may_be_the_projects_own(seen, name):
    code = reading(*(f"{name}_{letter}" for letter in "ABC"))
    assert seen(code, name) == [(f"{name}_", 3, 3, True)]
    assert seen(code) == [(f"{name}_", 3, 3, False)]


def test_what_has_hardly_any_names_is_chosen_for_want_of_others_only(seen):
    assert seen(reading("APP_A"), "APP") == [("APP_", 1, 1, True)]
    code = reading("_APP_A", "APP_A", "APP_B", "APP_C")
    assert seen(code, "APP") == [("APP_", 3, 3, True), ("_APP_", 1, 1, False)]


def test_tests_and_names_without_a_beginning_do_not_count(seen):
    assert seen(reading("HOME", "http_proxy", "PATH"), "APP") == []
    assert seen(reading("APP_A"), "APP", path="test_a.py") == []


def test_names_in_a_registry_of_lambdas(seen):
    code = "import os\n\nvariables = {\n" + "".join(
        f"    'ZED_{name}': lambda: os.getenv('ZED_{name}'),\n" for name in "ABC"
    )
    assert seen(code + "}\n") == [("ZED_", 3, 3, True)]


def test_names_in_descriptors(seen):
    code = """\
import os


class EnvBool:
    def __init__(self, name):
        self.name = name

    def get(self):
        return os.getenv(self.name) == "1"


class Envs:
    A = EnvBool("ZED_A")
    B = EnvBool("ZED_B")
    C = EnvBool("ZED_C")
"""
    assert seen(code) == [("ZED_", 3, 3, True)]


def test_names_in_constants_of_another_file(seen, tmp_path):
    (tmp_path / "Cargo.toml").write_text('[package]\nname = "zed"\n')
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "names.rs").write_text(
        "pub struct Names;\nimpl Names {\n"
        + "".join(f'    pub const {name}: &\'static str = "ZED_{name}";\n' for name in ("ONE", "TWO", "SIX"))
        + "}\n"
    )
    code = "mod names;\nuse names::Names;\npub fn f() {\n" + "".join(
        f"    std::env::var_os(Names::{name});\n" for name in ("ONE", "TWO", "SIX")
    )
    assert seen(code + "}\n", path="src/lib.rs") == [("ZED_", 3, 3, True)]
