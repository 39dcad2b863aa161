"""One report with everything that has to be escaped or counted, in every format for programs.

`tests/reporters/validate.py` holds the golden files against the schemas and validators of others.
"""

import json
from pathlib import Path
from urllib.parse import unquote_to_bytes
from xml.etree import ElementTree

import pytest

from leverlint import __version__, packs
from leverlint.diagnostics import Diagnostic, Edit, Fix, Related, UseField
from leverlint.facts import Span
from leverlint.report import Report, Skipped
from leverlint.reporters import FORMATS, PLAIN, Style, get, sarif
from leverlint.reporters.rule_texts import rule_texts
from leverlint.sources import Sources

EXPECTED = Path(__file__).parent / "expected"
MACHINES = [name for name, form in FORMATS.items() if not form.for_people and name != "json"]

CRAB = "crab.rs"
ODD = "dir a/100%,:=\n\"<&>'é漢.py"
BROKEN = "bad\udcff\x1b.py"
FILES = {
    CRAB: '\ufefffn é() { g("ATLAS_B") }\r\n\tlet x = ("🦀", g("ATLAS_X"));\r\n}\r\n'.encode(),
    ODD: b"x = (\n    1,\n\n)\n",
    BROKEN: b"y",
}
HOSTILE = "100% of `[x](1)`, {0} <b>&amp;\"'\\ ]]> :: ##[error] a\tb\r\nc\x00\x1b[31m\u2028\ufffe é漢🦀\udcff"


def span(path, text, start=0):
    content = FILES[path]
    at = content.index(text.encode(), start)
    return Span(at, at + len(text.encode()))


def finding(path, text, **changes):
    found = Diagnostic(
        *("LVR999", "made-up", "error", path, span(path, text), "ATLAS_X", "`ATLAS_X` is read", "carry it")
    )
    return found._replace(fingerprint=f"{path} {text}", **changes)


def fix(title, applicability="safe"):
    return Fix(applicability, title, UseField(Span(0, 0), "", "", ""))


READ = 'g("ATLAS_X")'
FINDINGS = (
    finding(CRAB, READ, fix=fix("replace with `L::get().x`"), related=(Related(ODD, Span(0, 1), HOSTILE),)),
    finding(CRAB, 'g("ATLAS_B")', severity="warning", lever="ATLAS_*", fix=fix("try", "unsafe"), help=""),
    finding(ODD, "(\n    1,\n\n)", severity="info", message=HOSTILE, help=HOSTILE, lever=None),
    finding(ODD, "x", severity="hint", fix=fix("import it")),
    finding(ODD, "x", code="LVR998", rule="else"),
    finding(BROKEN, "y", fix=fix("cannot be made")),
    finding(BROKEN, "y", span=Span(1, 1)),
)
EDITS = {
    "replace with `L::get().x`": (Edit(CRAB, span(CRAB, READ), "L::get().x"),),
    "try": (Edit(CRAB, span(CRAB, 'g("ATLAS_B")'), 'h("é🦀\n")'),),
    "import it": (Edit(ODD, Span(0, 0), "import y\n"), Edit(CRAB, Span(3, 5), "")),
}
REPORT = Report(FINDINGS, 3, skipped=(Skipped("pic.py", "is binary"),))


@pytest.fixture
def render(edits):
    edits.update(EDITS)

    def render(name, report=REPORT, style=PLAIN):
        return get(name).render(report, Sources("/nowhere", FILES), style)

    return render


@pytest.mark.parametrize("name", MACHINES)
def test_everything_that_is_hard(name, render, bless):
    text = render(name).replace(f'"{__version__}"', '"0.0.0"')
    golden = EXPECTED / name
    if bless:
        golden.write_bytes(text.encode())
    assert text.encode() == golden.read_bytes()


@pytest.mark.parametrize("name", MACHINES)
def test_a_report_without_findings(name, render, bless):
    text = render(name, Report(files=1)).replace(f'"{__version__}"', '"0.0.0"')
    golden = EXPECTED / f"{name}-empty"
    if bless:
        golden.write_bytes(text.encode())
    assert text.encode() == golden.read_bytes()


@pytest.mark.parametrize("name", MACHINES)
def test_colour_and_summary_are_for_people(name, render):
    # What rust-analyzer shows of a terminal is the one place for colour.
    style = Style(color=name != "cargo", summary=True)
    assert render(name, style=style) == render(name)


def sarif_places(text):
    for result in json.loads(text)["runs"][0]["results"]:
        at = result["locations"][0]["physicalLocation"]
        path = unquote_to_bytes(at["artifactLocation"]["uri"]).decode("utf-8", "replace")
        region = at["region"]
        yield path, region["startLine"], region["startColumn"], region["endLine"], region["endColumn"]


def gitlab_places(text):
    for issue in json.loads(text):
        begin, end = issue["location"]["positions"]["begin"], issue["location"]["positions"]["end"]
        yield issue["location"]["path"], begin["line"], begin["column"], end["line"], end["column"]


def messages(text):
    """Read one message a line; JSON may hold signs that Python takes for ends of lines."""
    return [json.loads(line) for line in text.removesuffix("\n").split("\n")]


def cargo_places(text):
    for message in messages(text):
        [at] = message["spans"]
        yield at["file_name"], at["line_start"], at["column_start"], at["line_end"], at["column_end"]


@pytest.mark.parametrize("places", [sarif_places, gitlab_places, cargo_places])
def test_formats_agree_on_places(places, render):
    listed = json.loads(render("json"))["findings"]
    keys = ("path", "line", "column", "end_line", "end_column")
    expected = [tuple(one[key] for key in keys) for one in listed]
    found = list(places(render(places.__name__.partition("_")[0])))
    assert found == [(path.replace("\udcff", "\ufffd"), *numbers) for path, *numbers in expected]


def test_columns_of_rdjson_count_bytes(render):
    diagnostics = json.loads(render("rdjson"))["diagnostics"]
    [read] = [one for one in diagnostics if one["location"]["range"]["start"]["line"] == 2]
    line = FILES[CRAB].split(b"\r\n")[1]
    start, end = read["location"]["range"]["start"], read["location"]["range"]["end"]
    assert line[start["column"] - 1 : end["column"] - 1] == READ.encode()


def test_only_a_safe_fix_in_one_piece_is_a_suggestion_of_rdjson(render):
    diagnostics = json.loads(render("rdjson"))["diagnostics"]
    assert [one["suggestions"] for one in diagnostics if "suggestions" in one] == [
        [
            {
                "range": {"start": {"line": 2, "column": 19}, "end": {"line": 2, "column": 31}},
                "text": "L::get().x",
            }
        ]
    ]


def test_fixes_of_cargo_are_the_edits(render):
    children = [child for message in messages(render("cargo")) for child in message["children"]]
    made = [
        [
            (one["file_name"], one["byte_start"], one["byte_end"], one["suggested_replacement"])
            for one in spans
        ]
        for spans in (child["spans"] for child in children)
        if any(one["suggested_replacement"] is not None for one in spans)
    ]
    assert sorted(made) == sorted(
        [(one.path, *one.span, one.text) for one in edits] for edits in EDITS.values()
    )


def test_messages_of_github_stay_on_their_line(render):
    lines = render("github").split("\n")
    assert lines.pop() == ""
    assert len(lines) == len(FINDINGS)
    assert all(line.startswith(("::error title=", "::warning title=", "::notice title=")) for line in lines)
    assert not any("\r" in line for line in lines)


def test_fingerprints_of_gitlab_are_unique_where_those_of_findings_are_not(render):
    issues = json.loads(render("gitlab"))
    assert len({issue["fingerprint"] for issue in issues}) == len(issues)


def test_fingerprints_of_gitlab_tell_projects_of_a_repository_apart(render):
    one = json.loads(render("gitlab", style=Style(root="/up/a", here="/up")))
    other = json.loads(render("gitlab", style=Style(root="/up/b", here="/up")))
    assert not {issue["fingerprint"] for issue in one} & {issue["fingerprint"] for issue in other}


def test_fingerprints_outlive_moved_lines(render):
    def fingerprints(name, content):
        start = content.index(b"y")
        found = Diagnostic(
            "LVR999", "made-up", "error", "a.py", Span(start, start + 1), None, "m", "", (), "f"
        )
        return get(name).render(Report((found,), 1), Sources("/nowhere", {"a.py": content}), PLAIN)

    before, after = ({"sarif": [], "gitlab": []} for _ in range(2))
    for kept, content in ((before, b"y"), (after, b"\n\n  y")):
        for result in json.loads(fingerprints("sarif", content))["runs"][0]["results"]:
            kept["sarif"].append(result["partialFingerprints"])
        kept["gitlab"] += [issue["fingerprint"] for issue in json.loads(fingerprints("gitlab", content))]
    assert before == after == {"sarif": [{"leverlint/v1": "f"}], "gitlab": before["gitlab"]}


def test_xml_is_well_formed_and_holds_the_text(render):
    suites = ElementTree.fromstring(render("junit"))
    failures = suites.findall(".//failure")
    assert len(failures) == len(FINDINGS)
    [hostile] = [one for one in failures if "100%" in one.get("message")]
    illegal = str.maketrans(dict.fromkeys("\x00\x1b\ufffe\udcff", "\ufffd"))
    assert hostile.get("message") == HOSTILE.translate(illegal)
    assert hostile.text.endswith("help: " + HOSTILE.translate(illegal))
    names = [(case.get("classname"), case.get("name")) for case in suites.findall(".//testcase")]
    assert len(set(names)) == len(names)


def test_sarif_describes_rules(render):
    rule = next(rule for rule in packs.rules() if rule.name == "raw-read")
    found = FINDINGS[0]._replace(code=rule.code, rule=rule.name, severity="hint")
    [run] = json.loads(render("sarif", Report((FINDINGS[4], found), 1)))["runs"]
    described, unknown = run["tool"]["driver"]["rules"]
    page = packs.documentation(rule)
    assert described["id"] == "LVR101"
    assert described["name"] == "RawRead"
    assert described["shortDescription"] == {"text": page.partition("\n")[0]}
    assert described["help"] == {"text": page, "markdown": page}
    assert described["defaultConfiguration"] == {"level": rule.severity}
    assert unknown["id"] == "LVR998"
    assert {result["ruleId"]: result["ruleIndex"] for result in run["results"]} == {"LVR101": 0, "LVR998": 1}
    assert {result["ruleId"]: result["level"] for result in run["results"]} == {
        "LVR101": "note",
        "LVR998": "error",
    }


def test_rule_texts():
    page = "A headline.\n\nWhy: it is\nso.\n\nBad: x"
    assert rule_texts("made-up", page) == ("A headline.", "It is so.", page)
    assert rule_texts("made-up", "Only this.").full == "Only this."
    assert rule_texts("made-up", "") == ("Made up.", "Made up.", "Made up.")
    full = rule_texts("made-up", "A.\n\nWhy: " + "word " * 1000).full
    assert len(full) < 1000
    assert full.endswith("word …")


def test_sarif_tells_which_project_it_is_about(render):
    for root, name in (("/up", "leverlint/"), ("/up/services/billing", "leverlint/services/billing/")):
        [run] = json.loads(render("sarif", style=Style(root=root, here="/up")))["runs"]
        assert run["automationDetails"] == {"id": name}


def test_sarif_says_when_nothing_could_be_read(render):
    skipped = (Skipped("a.py", "cannot be read: permission denied"),)
    [run] = json.loads(render("sarif", Report(skipped=skipped)))["runs"]
    assert run["invocations"] == [
        {
            "executionSuccessful": False,
            "toolExecutionNotifications": [
                {"level": "warning", "message": {"text": "a.py cannot be read: permission denied; skipped."}}
            ],
        }
    ]


def test_sarif_leaves_out_the_least_severe_findings_where_there_are_too_many(render, monkeypatch):
    monkeypatch.setattr(sarif, "MOST_RESULTS", 4)
    [run] = json.loads(render("sarif"))["runs"]
    assert [result["level"] for result in run["results"]] == ["error", "error", "error", "error"]
    notes = [one["message"]["text"] for one in run["invocations"][0]["toolExecutionNotifications"]]
    assert notes[1].startswith("the 3 least severe of 7 findings are left out")


def test_cargo_shows_the_terminals_view_in_colour_when_asked(render):
    plain = messages(render("cargo"))[0]
    colored = messages(render("cargo", style=Style(color=True)))[0]
    assert "\x1b[1;31m" in colored.pop("rendered")
    assert plain.pop("rendered").startswith("error[LVR999] made-up: ")
    assert plain == colored


def test_files_that_have_gone(edits):
    found = Diagnostic("LVR999", "made-up", "error", "gone.rs", Span(7, 9), None, "m", "", (), "f")
    for name in MACHINES:
        assert "gone.rs" in get(name).render(Report((found,), 1), Sources("/nowhere"), PLAIN)
