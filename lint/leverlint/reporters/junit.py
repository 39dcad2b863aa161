"""JUnit XML, for the test pages of CI servers: a file is a suite, a finding a failed test.

The names of tests hold no lines: servers follow a test by its name from run to run.
"""

from collections.abc import Iterable, Iterator

from leverlint.diagnostics import Diagnostic
from leverlint.report import Report
from leverlint.reporters import Style
from leverlint.reporters.cells import HARMFUL
from leverlint.reporters.places import Placed, placed
from leverlint.sources import Sources

_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'

_ESCAPED = {
    # XML 1.0 has no way to spell these.
    **dict.fromkeys((*range(0x20), *range(0xD800, 0xE000), 0xFFFE, 0xFFFF), "\ufffd"),
    # A parser would turn these into spaces or other ends of lines.
    **{ord(sign): f"&#{ord(sign)};" for sign in "\t\n\r"},
    # A terminal on which the file is shown would act on these.
    **{number: f"&#{number};" for number in HARMFUL if number >= 0x7F},
    ord("&"): "&amp;",
    ord("<"): "&lt;",
    ord(">"): "&gt;",
    ord('"'): "&quot;",
}


def render(report: Report, sources: Sources, style: Style) -> str:
    by_path: dict[str, list[Placed]] = {}
    for one in placed(report, sources, style):
        by_path.setdefault(one.place.path, []).append(one)
    suites = [_suite(path, _cases(path, found), len(found)) for path, found in by_path.items()]
    found = len(report.findings)
    if not suites:
        # Servers take a report without any test for one that has got lost.
        suites = [_suite("leverlint", [_element("testcase", name="no findings", classname="leverlint")], 0)]
    counts = {"tests": max(found, 1), "failures": found, "errors": 0}
    return _HEAD + _element("testsuites", suites, name="leverlint", **counts) + "\n"


def _suite(name: str, cases: Iterable[str], failures: int) -> str:
    counts = {"tests": max(failures, 1), "failures": failures, "errors": 0, "skipped": 0}
    return _element("testsuite", cases, name=name, **counts)


def _cases(path: str, found: Iterable[Placed]) -> Iterator[str]:
    seen: dict[str, int] = {}
    for at, finding in found:
        name = _name(finding)
        seen[name] = seen.get(name, 0) + 1
        if seen[name] > 1:
            name = f"{name} ({seen[name]})"
        text = f"{path}:{at.line}:{at.column}: {finding.message}"
        if finding.help:
            text += f"\nhelp: {finding.help}"
        failure = _tag("failure", {"type": finding.severity, "message": finding.message})
        yield _element("testcase", [f"{failure}{_text(text)}</failure>"], name=name, classname=path)


def _name(finding: Diagnostic) -> str:
    return " ".join(filter(None, (finding.code, finding.rule, finding.lever)))


def _element(tag: str, content: Iterable[str] = (), /, **attributes: object) -> str:
    inner = "".join(f"\n{one}" for one in content)
    return f"{_tag(tag, attributes)}{inner}\n</{tag}>" if inner else f"{_tag(tag, attributes)}</{tag}>"


def _tag(name: str, attributes: dict[str, object]) -> str:
    listed = "".join(f' {key}="{_text(str(value))}"' for key, value in attributes.items())
    return f"<{name}{listed}>"


def _text(text: str) -> str:
    return text.translate(_ESCAPED)
