import pytest

from leverlint.documentation import Passage, passages
from leverlint.sources import Sources


@pytest.fixture
def said(tmp_path):
    def of(text, *levers, name="a.md"):
        """Give line and text of every passage about the levers, by default `ATLAS_X`."""
        (tmp_path / name).write_text(text)
        found = passages(Sources(str(tmp_path)), [name], levers or ["ATLAS_X"])
        return [(one.line, one.text) for named in found.values() for one in named]

    return of


@pytest.mark.parametrize(
    "text",
    ["ATLAS_XY", "MY_ATLAS_X", "ATLAS_X_2", "éATLAS_X", "ATLAS\\_X\\_2", "atlas_x"],
)
def test_a_part_of_a_longer_word_is_no_name(said, text):
    assert said(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Set ATLAS_X.", "Set ATLAS_X."),
        ("Set `ATLAS_X=1` to **trace** it.", "Set ATLAS_X=1 to trace it."),
        ("ATLAS\\_X traces", "ATLAS_X traces"),
        ("$ATLAS_X and ${ATLAS_X}", "$ATLAS_X and ${ATLAS_X}"),
        ("[ATLAS_X](b.md#ATLAS_X) is *on*", "ATLAS_X is on"),
        ("<code>ATLAS_X</code> takes <N>", "ATLAS_X takes <N>"),
        ("``ATLAS_X``, see :ref:`levers <x>`", "ATLAS_X, see levers"),
        ("> ATLAS_X is quoted", "ATLAS_X is quoted"),
        ("a * ATLAS_X * b", "a * ATLAS_X * b"),
    ],
)
def test_markup_is_taken_off(said, text, expected):
    assert said(text) == [(1, expected)]


def test_a_paragraph_is_kept_together_and_apart_from_others(said):
    assert said("One.\n\nTwo has\nATLAS_X in\nit.\n\nThree.") == [(4, "Two has ATLAS_X in it.")]


def test_list_items(said):
    text = "Levers:\n- `ATLAS_X`: traces\n  a lot\n- `ATLAS_Y`: more\n  1. ATLAS_X again\n"
    assert said(text) == [(2, "ATLAS_X: traces a lot"), (5, "ATLAS_X again")]


def test_table_rows_leave_out_the_name_itself(said):
    text = "| lever | what |\n|:--|--:|\n| `ATLAS_X` | traces \\| logs | off |\n| ATLAS_X=1 | too |\n"
    assert said(text) == [(3, "traces | logs · off"), (4, "ATLAS_X=1 · too")]


def test_tables_without_bars_at_the_edges(said):
    assert said("lever | what\n---|---\nATLAS_X | traces\nATLAS_Y | more\n\nATLAS_X | no\n") == [
        (3, "traces"),
        (6, "ATLAS_X | no"),
    ]


@pytest.mark.parametrize(
    "heading",
    ["### `ATLAS_X`\n", "ATLAS_X\n=======\n", ".. envvar:: ATLAS_X\n", "* - ``ATLAS_X``\n"],
)
def test_a_bare_name_is_explained_by_what_follows(said, heading):
    assert said(f"{heading}\nTraces a\nlot.\n\nOther.") == [(1, "Traces a lot.")]


def test_a_heading_with_words_of_its_own(said):
    assert said("# Turn ATLAS_X off\nIt is slow.\n") == [(1, "Turn ATLAS_X off: It is slow.")]
    assert said("# ATLAS_X\n# Next\n") == [(1, "ATLAS_X")]


def test_code_is_taken_by_line(tmp_path):
    (tmp_path / "a.md").write_text("```sh\nexport A=1\nexport ATLAS_X=1 \\\n```\nATLAS_X\n")
    found = passages(Sources(str(tmp_path)), ["a.md"], ["ATLAS_X"])
    assert found == {"ATLAS_X": (Passage("a.md", 3, "export ATLAS_X=1", True), Passage("a.md", 5, "ATLAS_X"))}


def test_long_texts_are_cut_to_what_is_near(said):
    text = f"{'Before it. ' * 60}The switch ATLAS_X traces. {'After it. ' * 60}"
    ((_, found),) = said(text)
    assert found.startswith("… The switch ATLAS_X traces. After it.")
    assert found.endswith(" …")
    assert len(found) < 410
    ((_, found),) = said("word " * 300 + "ATLAS_X " + "word " * 300)
    assert "ATLAS_X" in found
    assert len(found) < 410


def test_several_levers_files_and_line_ends(tmp_path):
    (tmp_path / "b.rst").write_bytes(b"\xef\xbb\xbfATLAS_X\r\nATLAS_Y ATLAS_Y\r\n")
    (tmp_path / "a.md").write_bytes(b"\xff ATLAS_X\rATLAS_Z")
    (tmp_path / "c.md").write_bytes(b"\0ATLAS_X")
    found = passages(Sources(str(tmp_path)), ["a.md", "b.rst", "c.md", "d.md"], ["ATLAS_Y", "ATLAS_X"])
    assert {name: [(one.path, one.line) for one in named] for name, named in found.items()} == {
        "ATLAS_X": [("a.md", 1), ("b.rst", 1)],
        "ATLAS_Y": [("b.rst", 2)],
    }


@pytest.mark.parametrize("text", ["*" * 30_000, "[" * 30_000, "`a" * 15_000, "<!--" * 8_000, "|-" * 15_000])
def test_hostile_text_ends(said, text):
    assert said(f"ATLAS_X {text}\nATLAS_X\n{text}")
