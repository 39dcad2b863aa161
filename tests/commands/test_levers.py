import html.parser
import json
import subprocess
import sys

import pytest

from leverlint import cli
from leverlint.catalogue import LeverField, Reader, Row
from leverlint.decoding import PROBES
from leverlint.facts import Span
from leverlint.listings import View, table
from leverlint.sources import Sources

RESOLVER = """\
import os


def flag(name):
    return os.environ.get(name) == "1"


class ModelLevers:
    @classmethod
    def from_env(cls):
        return cls(trace=flag("ATLAS_TRACE"), width=int(os.environ.get("ATLAS_WIDTH", "4")))
"""
USER = 'fn f() -> bool {\n    std::env::var("ATLAS_TRACE").is_ok()\n}\n'
DYNAMIC = 'import os\n\nFOUND = [os.environ.get(f"ATLAS_DEV_{n}") for n in range(3)]\n'


@pytest.fixture
def project(root):
    write(root, "levers.py", RESOLVER)
    write(root, "src/use.rs", USER)
    write(root, "tests/test_x.py", 'import os\n\nX = os.environ.get("ATLAS_ONLY_TESTED")\n')
    write(root, "docs/a.md", "# Levers\n\n- `ATLAS_TRACE`: traces\n")
    return root


def write(root, path, text):
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(text)


@pytest.fixture
def levers(capfd):
    def run(*arguments):
        """Give exit code, standard output, standard error."""
        code = cli.main(["levers", "--no-cache", *arguments])
        return code, *capfd.readouterr()

    return run


def rows(levers, *arguments):
    code, out, err = levers("--format", "json", *arguments)
    assert (code, err) == (0, "")
    return json.loads(out)


def places(row):
    return [(one["path"], one["line"], one["test"]) for one in row["readers"]]


def test_json(project, levers):
    found = {row["lever"]: row for row in rows(levers)}
    assert list(found) == ["ATLAS_ONLY_TESTED", "ATLAS_TRACE", "ATLAS_WIDTH"]
    trace = found["ATLAS_TRACE"]
    assert list(trace) == ["lever", "readers", "fields", "documented"]
    assert places(trace) == [("levers.py", 11, False), ("src/use.rs", 2, False)]
    assert trace["fields"] == ["ModelLevers.trace"]
    assert trace["documented"] == ["docs/a.md:3"]
    assert places(found["ATLAS_ONLY_TESTED"]) == [("tests/test_x.py", 3, True)]
    assert found["ATLAS_WIDTH"]["fields"] == ["ModelLevers.width"]
    for row in found.values():
        for reader in row["readers"]:
            assert list(reader) == ["path", "line", "decoding", "default", "outcomes", "test"]
            assert list(reader["outcomes"]) == ["unset", *PROBES[1:-1], "<not UTF-8>"]
            assert reader["outcomes"]["unset"] == reader["default"]


def test_json_of_what_values_do(root, levers):
    write(root, "a.rs", 'fn f() -> bool { std::env::var("ATLAS_X").is_ok() }\n')
    (row,) = rows(levers)
    outcomes = row["readers"][0]["outcomes"]
    assert [outcomes[value] for value in ("unset", "", "0", "<not UTF-8>")] == [False, True, True, False]


def test_paths_filter_readers_and_the_whole_project_is_read(project, levers, monkeypatch):
    write(project, "src/names.py", "from levers import flag\n\nX = flag('ATLAS_TRACE')\n")
    assert [(row["lever"], places(row)) for row in rows(levers, "src")] == [
        ("ATLAS_TRACE", [("src/names.py", 3, False), ("src/use.rs", 2, False)])
    ]
    monkeypatch.chdir(project / "src")
    (row,) = rows(levers)
    assert places(row) == [("names.py", 3, False), ("use.rs", 2, False)]
    assert row["documented"] == ["../docs/a.md:3"]


def test_settings_options(project, levers):
    assert [row["lever"] for row in rows(levers, "--prefix", "ATLAS_W")] == ["ATLAS_WIDTH"]
    assert all(row["fields"] == [] for row in rows(levers, "--resolver", ""))
    write(project, "leverlint.toml", 'prefixes = ["OTHER_"]\n')
    assert len(rows(levers, "--isolated")) == 3
    write(project, "other.toml", 'prefixes = ["ATLAS_T"]\n')
    assert [row["lever"] for row in rows(levers, "--config", "other.toml")] == ["ATLAS_TRACE"]


def test_documentation_as_configured(project, levers):
    write(project, ".gitignore", "/private/\n")
    write(project, "private/b.md", "ATLAS_TRACE")
    write(project, "notes/c.txt", "ATLAS_TRACE")
    write(project, "leverlint.toml", 'docs = ["*.txt", "private/**"]\n')
    trace = next(row for row in rows(levers) if row["lever"] == "ATLAS_TRACE")
    assert trace["documented"] == ["notes/c.txt:1"]


def test_table(project, levers):
    code, out, err = levers()
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0].split() == [
        "lever",
        "decoding",
        "default",
        "0",
        "1",
        "true",
        "false",
        "field",
        "read",
        "at",
    ]
    assert [line.split()[0] for line in lines[1:4]] == ["ATLAS_ONLY_TESTED", "ATLAS_TRACE", "ATLAS_WIDTH"]
    assert lines[1].endswith("tests/test_x.py:3 test")
    assert "  ModelLevers.trace  " in lines[2]
    assert lines[2].endswith(":2 (+1)") or lines[2].endswith(":11 (+1)")
    assert lines[5] == "3 levers; 1 read in tests only"
    assert (
        len(
            {line.index("read at") if "read at" in line else line.index("ModelLevers") for line in lines[2:4]}
        )
        == 1
    )


def test_patterns_are_listed_apart(root, levers):
    write(root, "a.py", DYNAMIC)
    write(root, "b.py", 'import os\n\nos.environ.get("ATLAS_X")\n')
    out = levers()[1]
    assert out.split("\n\n")[1] == (
        "Read by pattern, whatever the name turns out to be:\n  ATLAS_DEV_*  a.py:3\n"
    ).rstrip("\n")
    assert "1 lever, 1 pattern\n" in out


def test_color(project, levers, monkeypatch):
    assert "\x1b[" not in levers()[1]
    assert "\x1b[1mATLAS_TRACE\x1b[0m" in levers("--color", "always")[1]
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[" in levers()[1]
    assert "\x1b[" not in levers("--format", "markdown")[1]


def test_markdown(project, levers):
    lines = levers("--format", "markdown")[1].splitlines()
    assert lines[0].startswith("| lever | decoding | default | `0` | `1` | `true` | `false` | field |")
    assert set(lines[1]) == set("| -")
    assert lines[3].startswith("| `ATLAS_TRACE` | ")
    assert lines[3].endswith(" | `docs/a.md:3` |")
    assert {line.count("|") for line in lines[:5]} == {11}


class Page(html.parser.HTMLParser):
    """Collects tags, the text in them, and where the page would fetch something from."""

    def __init__(self):
        super().__init__()
        self.text, self.rows, self.fetched = "", [], []

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        self.fetched += [found[name] for name in ("src", "href") if name in found]
        if tag == "tr" and "id" in found:
            self.rows.append(found["id"])

    def handle_data(self, data):
        self.text += data


def test_html_is_escaped_and_needs_nothing_else(project, levers):
    write(project, "docs/b.md", "ATLAS_TRACE is <script>alert(1)</script> & more\n")
    write(project, 'src/a<b>"&.py', 'import os\n\nos.environ.get("ATLAS_TRACE")\n')
    code, out, _ = levers("--format", "html")
    assert code == 0
    page = Page()
    page.feed(out)
    assert page.rows == ["ATLAS_ONLY_TESTED", "ATLAS_TRACE", "ATLAS_WIDTH"]
    assert page.fetched == []
    assert "<script>alert(1)" in page.text
    assert "<script>alert(1)" not in out
    assert 'src/a<b>"&.py:3' in page.text


def test_nothing_to_show_says_why(root, levers):
    code, out, err = levers()
    assert (code, out) == (0, "")
    assert "no Python or Rust file in this directory" in err
    write(root, "a.py", "X = 1\n")
    code, out, err = levers()
    assert (code, out) == (0, "")
    assert "no lever is read in this directory; levers start with `ATLAS_`" in err
    assert "`--prefix`" in err
    assert levers("--format", "json")[:2] == (0, "[]\n")
    write(root, "sub/b.py", 'import os\n\nos.environ.get("ATLAS_X")\n')
    assert "no lever is read in `a.py`, though one is elsewhere" in levers("a.py")[2]


def test_a_path_that_is_not_there(root, levers):
    assert levers("nowhere")[0] == 2


def test_the_cache_of_a_check_gives_the_same(project, capfd):
    cli.main(["levers", "--format", "json"])
    expected = capfd.readouterr().out
    assert not (project / ".leverlint_cache").exists()
    cli.main(["check"])
    capfd.readouterr()
    assert cli.main(["levers", "--format", "json"]) == 0
    assert capfd.readouterr().out == expected


def test_a_check_does_not_load_any_of_it(project):
    code = (
        "import sys; from leverlint import cli; cli.main(['check', '--exit-zero', '.']);"
        "print([name for name in sys.modules if name.startswith("
        "('leverlint.listings', 'leverlint.catalogue', 'leverlint.documentation',"
        " 'leverlint.commands.levers', 'leverlint.commands.survey'))])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def row(lever, path):
    reader = Reader(path, Span(0, 1), (), "opt_in", (False,) * len(PROBES), False, False, "")
    return Row(lever, (reader,), (LeverField("ModelLevers", "field", "levers.py"),), ())


@pytest.mark.parametrize(
    ("columns", "left_out", "place"),
    [
        (0, None, "  some/deep/directory/of/the/tree/reads.py:1"),
        (118, None, "  …/of/the/tree/reads.py:1"),
        (108, "`field`", "  …/deep/directory/of/the/tree/reads.py:1"),
        (80, "`field`, `read at`", "off"),
        (20, "`decoding`, `default`, `0`, `1`, `true`, `false`, `field`, `read at`", "NAME"),
    ],
)
def test_a_narrow_terminal_loses_directories_and_columns_but_no_name(columns, left_out, place):
    deep = "some/deep/directory/of/the/tree/reads.py"
    rows = [row("ATLAS_A_RATHER_LONG_NAME", deep), row("ATLAS_B", "b.py")]
    lines = table.render(rows, View(Sources("/"), width=columns)).splitlines()
    assert lines[1].startswith("ATLAS_A_RATHER_LONG_NAME")
    assert lines[1].endswith(place)
    if left_out:
        assert lines[3] == f"(the terminal is too narrow for {left_out})"
    else:
        assert "  ModelLevers.field  " in lines[1]
    if columns > 30:
        assert max(map(len, lines[:3])) <= columns


def test_outcomes_are_cut_where_there_is_little_room():
    long = row("ATLAS_B", "b.py")
    url = long.readers[0]._replace(outcomes=("http://localhost:8000/v1", *long.readers[0].outcomes[1:]))
    lines = table.render([long._replace(readers=(url,))], View(Sources("/"), width=70)).splitlines()
    assert lines[1].split()[2] == "'http:/…"


@pytest.mark.parametrize(
    ("text", "cells", "expected"),
    [
        ("a/very/long/way/that/reads.py:12", 40, "a/very/long/way/that/reads.py:12"),
        ("a/very/long/way/that/reads.py:12", 20, "…/that/reads.py:12"),
        ("a/very/long/way/that/reads.py:12", 13, "…/reads.py:12"),
        ("a/very/long/way/that/reads.py:12", 9, "…ds.py:12"),
        ("reads.py:12", 11, "reads.py:12"),
        ("reads.py:12", 10, "…ads.py:12"),
    ],
)
def test_places_are_cut_from_the_front(text, cells, expected):
    assert table._shortened(text, cells) == expected
