import io
import json
import os
import stat
import sys

import pytest

from leverlint.cli import main
from leverlint.commands import fix

RESOLVER = """\
import os
from typing import NamedTuple


class Levers(NamedTuple):
    trace: bool
    tile: int

    @classmethod
    def get(cls):
        return cls(
            trace=os.environ.get("ATLAS_TRACE") == "1",
            tile=int(os.environ.get("ATLAS_TILE", "64")),
        )
"""
SOURCE = """\
import os


def trace():
    return os.environ.get("ATLAS_TRACE") == "1"


def loose():
    return os.environ.get("ATLAS_TRACE") in ("1", "true")


def tile():
    return int(os.environ.get("ATLAS_TILE", "64"))
"""
FIXED = """\
import os
from levers import Levers


def trace():
    return Levers.get().trace


def loose():
    return os.environ.get("ATLAS_TRACE") in ("1", "true")


def tile():
    return int(os.environ.get("ATLAS_TILE", "64"))
"""
FIXED_UNSAFE = FIXED.replace('os.environ.get("ATLAS_TRACE") in ("1", "true")', "Levers.get().trace")
DIFF = "\n".join(
    [
        "--- app.py",
        "+++ app.py",
        "@@ -1,8 +1,9 @@",
        " import os",
        "+from levers import Levers",
        " ",
        " ",
        " def trace():",
        '-    return os.environ.get("ATLAS_TRACE") == "1"',
        "+    return Levers.get().trace",
        " ",
        " ",
        " def loose():",
        "",
    ]
)
RULES = ("--select", "raw-read", "--no-cache")


@pytest.fixture
def project(root):
    (root / "levers.py").write_text(RESOLVER)
    (root / "app.py").write_text(SOURCE)
    return root


def test_a_check_says_what_can_be_fixed(project, capsys):
    assert main(["check", *RULES]) == 1
    out = capsys.readouterr().out
    assert out.splitlines()[-1] == (
        "[*] 1 finding can be fixed with `--fix`, 1 more with `--fix --unsafe-fixes`"
    )
    assert out.count("error[LVR101] [*] raw-read:") == 1
    assert "use `Levers.get().trace`, which decides otherwise for `true`\n" in out
    assert (project / "app.py").read_text() == SOURCE


def test_fixing_leaves_what_is_not_safe(project, capsys):
    (project / "app.py").chmod(0o750)
    assert main(["check", *RULES, "--fix"]) == 1
    assert (project / "app.py").read_text() == FIXED
    assert stat.S_IMODE((project / "app.py").stat().st_mode) == 0o750
    assert sorted(os.listdir(project)) == [".git", "app.py", "levers.py"]
    out = capsys.readouterr().out
    assert out.splitlines()[-2:] == [
        "2 findings in 1 file: 2 errors (2 files checked, 1 fixed)",
        "1 finding can be fixed with `--fix --unsafe-fixes`",
    ]
    assert main(["check", *RULES, "--fix"]) == 1
    assert (project / "app.py").read_text() == FIXED
    assert "1 fixed" not in capsys.readouterr().out


def test_unsafe_fixes(project, capsys):
    assert main(["check", *RULES, "--fix", "--unsafe-fixes", "--output-format", "json"]) == 1
    assert (project / "app.py").read_text() == FIXED_UNSAFE
    report = json.loads(capsys.readouterr().out)
    assert report["summary"] == {"files": 2, "findings": 1, "suppressed": 0, "baselined": 0, "fixed": 2}


def test_nothing_remains(project, capsys):
    (project / "app.py").write_text(SOURCE.partition("\n\n\ndef loose")[0] + "\n")
    assert main(["check", *RULES, "--fix"]) == 0
    assert capsys.readouterr().out == "no findings (2 files checked, 1 fixed)\n"
    assert main(["check", *RULES, "--fix"]) == 0
    assert capsys.readouterr().out == "no findings (2 files checked)\n"


@pytest.mark.parametrize(("options", "code"), [((), 1), (("--exit-zero",), 0), (("--fix",), 1)])
def test_a_diff_changes_nothing(project, capsys, options, code):
    assert main(["check", *RULES, "--diff", *options]) == code
    output = capsys.readouterr()
    assert output.out == DIFF
    assert output.err == "leverlint: note: 1 finding would be fixed\n"
    assert (project / "app.py").read_text() == SOURCE


def test_a_diff_without_changes(project, capsys):
    (project / "app.py").write_text("x = 1\n")
    assert main(["check", *RULES, "--diff", "-q"]) == 0
    assert capsys.readouterr() == ("", "")


def test_the_last_line_without_an_end(project, capsys):
    (project / "app.py").write_text('import os\ndef f():\n    return os.environ.get("ATLAS_TRACE") == "1"')
    assert main(["check", *RULES, "--diff", "-q"]) == 1
    assert capsys.readouterr().out == (
        "--- app.py\n+++ app.py\n@@ -1,3 +1,3 @@\n-import os\n+from levers import Levers\n def f():\n"
        '-    return os.environ.get("ATLAS_TRACE") == "1"\n\\ No newline at end of file\n'
        "+    return Levers.get().trace\n\\ No newline at end of file\n"
    )


def test_standard_input_comes_back_fixed(project, capsysbinary, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(SOURCE.encode())))
    (project / "app.py").write_text("x = 1\n")
    assert main(["check", *RULES, "--fix", "--stdin-filename", "app.py", "-"]) == 1
    output = capsysbinary.readouterr()
    assert output.out == FIXED.encode()
    assert b"2 findings in 1 file: 2 errors (1 file checked, 1 fixed)\n" in output.err
    assert (project / "app.py").read_text() == "x = 1\n"


def test_standard_input_that_needs_no_fix_comes_back(project, capsysbinary, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"x = 1\r\n")))
    assert main(["check", *RULES, "--fix", "-q", "-"]) == 0
    assert capsysbinary.readouterr() == (b"x = 1\r\n", b"")


def test_what_is_suppressed_or_not_asked_for_stays(project):
    (project / "other.py").write_text(SOURCE)
    (project / "app.py").write_text(SOURCE.replace('== "1"', '== "1"  # noqa: LVR101'))
    assert main(["check", *RULES, "--fix", "app.py"]) == 1
    assert (project / "app.py").read_text().count("ATLAS_TRACE") == 2
    assert (project / "other.py").read_text() == SOURCE


def test_the_rest_goes_to_the_output_file(project, capsys):
    assert main(["check", *RULES, "--fix", "--output-format", "concise", "--output-file", "out"]) == 1
    assert capsys.readouterr().out == ""
    assert len((project / "out").read_text().splitlines()) == 2


def test_what_was_fixed_is_not_remembered(project, capsys):
    select = ("--select", "raw-read")
    assert main(["check", *select]) == 1
    assert main(["check", *select, "--fix"]) == 1
    capsys.readouterr()
    assert main(["check", *select]) == 1
    cached = capsys.readouterr().out
    assert main(["check", *select, "--no-cache"]) == 1
    assert capsys.readouterr().out == cached


def test_a_link_is_followed_within_the_project(project):
    (project / "real").mkdir()
    (project / "app.py").rename(project / "real" / "code.txt")
    (project / "app.py").symlink_to("real/code.txt")
    main(["check", *RULES, "--fix"])
    assert (project / "app.py").is_symlink()
    assert (project / "real" / "code.txt").read_text() == FIXED


@pytest.mark.parametrize("early", [True, False], ids=["before it is fixed", "before it is written"])
def test_a_file_that_changes_meanwhile_is_left_alone(project, capsys, monkeypatch, early):
    changed = "changed = True\n" + SOURCE
    fixing = fix.fix_all

    def change(*arguments):
        fixed = None if early else fixing(*arguments)
        (project / "app.py").write_text(changed)
        return fixed or fixing(*arguments)

    monkeypatch.setattr(fix, "fix_all", change)
    assert main(["check", *RULES, "--fix"]) == 1
    assert (project / "app.py").read_text() == changed
    output = capsys.readouterr()
    assert output.err == (
        "leverlint: error: app.py has changed since it was checked, and is left alone: run the fix again\n"
    )
    assert "3 findings" in output.out


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anything")
def test_a_directory_that_cannot_be_written(project, capsys):
    project.chmod(0o555)
    try:
        assert main(["check", *RULES, "--fix"]) == 1
    finally:
        project.chmod(0o755)
    assert "app.py cannot be written: permission denied" in capsys.readouterr().err
    assert (project / "app.py").read_text() == SOURCE


def test_json_has_the_edits(project, capsys):
    os.makedirs("sub")
    os.chdir("sub")
    assert main(["check", *RULES, "--output-format", "json", ".."]) == 1
    first, second, third = json.loads(capsys.readouterr().out)["findings"]
    assert first["fix"] == {
        "applicability": "safe",
        "edits": [
            {"path": "../app.py", "start": 10, "end": 10, "text": "from levers import Levers\n"},
            {"path": "../app.py", "start": 36, "end": 72, "text": "Levers.get().trace"},
        ],
    }
    assert second["fix"]["applicability"] == "unsafe"
    assert third["fix"] is None
