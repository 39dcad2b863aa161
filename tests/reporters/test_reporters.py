import json

import pytest

from leverlint.diagnostics import Diagnostic, Fix, Related, UseField
from leverlint.facts import Span
from leverlint.report import Report
from leverlint.reporters import FORMATS, PLAIN, Style, get, statistics
from leverlint.reporters.cells import expanded, harmless, width
from leverlint.reporters.color import wants_color
from leverlint.sources import Sources


def finding(content, text, path="a.py", **changes):
    start = content.index(text)
    return Diagnostic(
        "LVR101",
        "raw-read",
        "error",
        path,
        Span(start, start + len(text)),
        "ATLAS_X",
        "`ATLAS_X` is read here",
        "carry it",
    )._replace(**changes)


def render(name, report, content, style=PLAIN):
    return get(name).render(report, Sources("/nowhere", {"a.py": content, "b.py": content}), style)


def frame(content, text):
    """Give the frame of a finding alone."""
    content = content.encode()
    report = Report((finding(content, text.encode(), help=""),), 1)
    lines = render("text", report, content, PLAIN._replace(summary=False)).splitlines()
    return [line.rstrip() for line in lines[3:] if line]


def test_text():
    content = b"import os\n\nNAME = 'ATLAS_X'\nx = os.getenv(NAME)\n"
    related = (Related("b.py", Span(18, 27), "the name is spelt here"),)
    report = Report((finding(content, b"os.getenv(NAME)", related=related),), 3, suppressed=2)
    assert (
        render("text", report, content)
        == """\
error[LVR101] raw-read: `ATLAS_X` is read here
 --> a.py:4:5
  |
4 | x = os.getenv(NAME)
  |     ^^^^^^^^^^^^^^^
note: the name is spelt here
 --> b.py:3:8
  |
3 | NAME = 'ATLAS_X'
  |        ---------
help: carry it

1 finding in 1 file: 1 error (3 files checked, 2 suppressed)
"""
    )


def test_text_without_findings():
    assert render("text", Report(files=1), b"") == "no findings (1 file checked)\n"
    assert render("text", Report(files=1), b"", PLAIN._replace(summary=False)) == ""


def test_text_of_a_file_that_has_gone():
    report = Report((finding(b"x", b"x", path="gone.py", help=""),), 1)
    text = render("text", report, b"", PLAIN._replace(summary=False))
    assert text == "error[LVR101] raw-read: `ATLAS_X` is read here\n --> gone.py:1:1\n\n"


def test_colour_is_only_added():
    content = b"x = 1\n"
    report = Report((finding(content, b"x"),), 1)
    for name in ("text", "concise"):
        painted = render(name, report, content, Style(color=True))
        assert "\x1b[1;31m" in painted
        plain = painted
        for code in ("1;31", "1;34", "1;32", "1", "0"):
            plain = plain.replace(f"\x1b[{code}m", "")
        assert plain == render(name, report, content)


def test_marks_stand_under_wide_characters_and_tabs():
    assert frame("\tx = '漢字', y\n", "y") == ["1 |     x = '漢字', y", "  |                 ^"]
    assert frame("a\tb\n", "b") == ["1 | a   b", "  |     ^"]
    assert frame("e\u0301 = x\n", "x") == ["1 | e\u0301 = x", "  |     ^"]
    assert frame("x = '漢字'\n", "'漢字'") == ["1 | x = '漢字'", "  |     ^^^^^^"]


def test_marks_over_several_lines():
    assert frame("x = f(\n    1,\n\n)  # end\n", "f(\n    1,\n\n)") == [
        "1 | x = f(",
        "  |     ^^",
        "2 |     1,",
        "  |     ^^",
        "3 |",
        "4 | )  # end",
        "  | ^",
    ]
    long = "f(" + "\n1," * 20 + ")"
    assert frame(long, long)[-3:] == [" 4 | 1,", "   | ^^", "..."]


def test_a_mark_of_no_width():
    content = b"x = 1\n"
    report = Report((finding(content, b"x", span=Span(6, 6), help=""),), 1)
    assert render("text", report, content, PLAIN._replace(summary=False)).splitlines()[3:] == [
        "2 |",
        "  | ^",
        "",
    ]
    report = Report((finding(content, b"x", span=Span(4, 4), help=""),), 1)
    assert render("text", report, content, PLAIN._replace(summary=False)).splitlines()[4] == "  |     ^"


def test_a_line_without_end_is_shown_in_part():
    shown = frame("a" * 5000 + "READ" + "b" * 5000, "READ")
    assert [len(line) < 220 for line in shown] == [True, True]
    mark = shown[1].index("^")
    assert shown[0][mark : mark + 5] == "READb"
    assert shown[1].count("^") == 4
    assert frame("READ" * 5000, "READ" * 5000)[1].count("^") == 200


def test_sources_cannot_drive_the_terminal():
    assert frame("x = '\x1b[31m\u202e' + y\n", "y")[0] == "1 | x = '\ufffd[31m\ufffd' + y"
    content = b"x\n"
    report = Report((finding(content, b"x", message="\x1b]0;title\x07"),), 1)
    assert "\x1b" not in render("text", report, content) + render("concise", report, content)


def test_concise():
    content = "é = x\n".encode()
    report = Report((finding(content, b"x"),), 1)
    assert render("concise", report, content) == "a.py:1:5: LVR101 `ATLAS_X` is read here\n"


def test_json():
    content = "\ufeffé = f(\n 'x')\n".encode()
    related = (Related("b.py", Span(3, 5), "there"),)
    report = Report(
        (finding(content, b"f(\n 'x')", related=related, fingerprint="abc"),), 7, suppressed=2, baselined=1
    )
    text = render("json", report, content, Style(root="/up", here="/here"))
    assert json.loads(text) == {
        "version": 1,
        "findings": [
            {
                "code": "LVR101",
                "rule": "raw-read",
                "severity": "error",
                "path": "../up/a.py",
                "line": 1,
                "column": 5,
                "end_line": 2,
                "end_column": 6,
                "lever": "ATLAS_X",
                "message": "`ATLAS_X` is read here",
                "help": "carry it",
                "related": [{"path": "../up/b.py", "line": 1, "column": 1, "message": "there"}],
                "fix": None,
                "fingerprint": "abc",
            }
        ],
        "summary": {"files": 7, "findings": 1, "suppressed": 2, "baselined": 1},
    }


def test_json_without_findings():
    assert json.loads(render("json", Report(files=2), b""))["findings"] == []


def test_json_of_names_that_are_no_text():
    report = Report((finding(b"x", b"x", path="bad\udcff.py"),), 1)
    data = render("json", report, b"x").encode("utf-8", "backslashreplace")
    assert json.loads(data)["findings"][0]["path"] == "bad\udcff.py"


@pytest.mark.parametrize("name", FORMATS)
def test_order_does_not_depend_on_how_findings_come(name):
    content = b"x = 1\ny = 2\n"
    findings = [
        finding(content, b"y"),
        finding(content, b"x", code="LVR103"),
        finding(content, b"x"),
        finding(content, b"x", path="b.py"),
    ]
    one = render(name, Report(tuple(findings), 2), content)
    assert one == render(name, Report(tuple(reversed(findings)), 2), content)


def test_paths_are_those_of_the_working_directory():
    report = Report((finding(b"x", b"x", path="sub/a.py"),), 1)
    assert render("concise", report, b"x", Style(root="/root", here="/root/other")).startswith("../sub/a.py:")
    assert render("concise", report, b"x", Style(root="/r", here="/r/sub")).startswith("a.py:")
    report = Report((finding(b"x", b"x", path="../a.py"),), 1)
    assert render("concise", report, b"x", Style(root="/root/sub", here="/root")).startswith("a.py:")


def test_statistics():
    content = b"x y z"
    findings = (
        finding(content, b"x", code="LVR107", rule="env-write", severity="warning"),
        *[finding(content, b"y")] * 10,
        finding(content, b"z", code="LVR105", rule="duplicate-read", severity="hint"),
    )
    assert statistics.render(Report(findings, 1), Sources("/nowhere"), PLAIN) == (
        "10  LVR101  raw-read        error\n"
        " 1  LVR105  duplicate-read  hint\n"
        " 1  LVR107  env-write       warning\n"
    )
    assert statistics.render(Report(), Sources("/nowhere"), PLAIN) == ""
    fix = Fix("safe", "t", UseField(Span(0, 1), "F.get().x", "F", "m"))
    fixable = (findings[0]._replace(fix=fix), findings[1]._replace(fix=fix), *findings[2:])
    assert statistics.render(Report(fixable, 1), Sources("/nowhere"), PLAIN) == (
        "10  LVR101  [-] raw-read        error\n"
        " 1  LVR105  [ ] duplicate-read  hint\n"
        " 1  LVR107  [*] env-write       warning\n"
    )


class Stream:
    def __init__(self, terminal):
        self.isatty = lambda: terminal


@pytest.mark.parametrize(
    ("mode", "environment", "terminal", "color"),
    [
        ("auto", {}, True, True),
        ("auto", {}, False, False),
        ("always", {"NO_COLOR": "1"}, False, True),
        ("never", {"FORCE_COLOR": "1"}, True, False),
        ("auto", {"NO_COLOR": "1", "FORCE_COLOR": "1"}, True, False),
        ("auto", {"NO_COLOR": ""}, True, True),
        ("auto", {"FORCE_COLOR": "1", "CLICOLOR": "0"}, False, True),
        ("auto", {"FORCE_COLOR": "0"}, True, False),
        ("auto", {"FORCE_COLOR": ""}, True, True),
        ("auto", {"CLICOLOR_FORCE": "1"}, False, True),
        ("auto", {"CLICOLOR_FORCE": "0"}, False, False),
        ("auto", {"CLICOLOR": "0"}, True, False),
        ("auto", {"TERM": "dumb"}, True, False),
    ],
)
def test_when_to_use_colour(mode, environment, terminal, color):
    assert wants_color(mode, Stream(terminal), environment) is color


def test_cells():
    assert [width(text) for text in ("ab", "漢", "e\u0301", "👍\ufe0f", "")] == [2, 2, 1, 2, 0]
    assert expanded("漢\tx") == "漢  x"
    assert harmless("a\tb\x00\x9b") == "a\tb\ufffd\ufffd"
