"""How many findings each rule has: an extra table behind a report for people, a key of the JSON."""

from typing import NamedTuple

from leverlint.report import Report
from leverlint.reporters import Style
from leverlint.reporters.color import SEVERITY, painted
from leverlint.sources import Sources


class Count(NamedTuple):
    code: str
    rule: str
    severity: str
    count: int  # type: ignore[assignment]  # a tuple has a method of that name
    fixable: int


def counts(report: Report) -> list[Count]:
    """Count by rule and severity: the most frequent first, equals by code."""
    found: dict[tuple[str, str, str], list[bool]] = {}
    for finding in report.findings:
        key = (finding.code, finding.rule, finding.severity)
        found.setdefault(key, []).append(finding.fix is not None)
    rows = [Count(*key, len(fixes), sum(fixes)) for key, fixes in found.items()]
    return sorted(rows, key=lambda row: (-row.count, row))


def render(report: Report, sources: Sources, style: Style) -> str:
    rows = counts(report)
    digits = max((len(str(row.count)) for row in rows), default=0)
    names = max((len(row.rule) for row in rows), default=0)
    marked = any(row.fixable for row in rows)
    return "".join(
        f"{row.count:>{digits}}  {row.code}  {_mark(row) if marked else ''}{row.rule:<{names}}  "
        f"{painted(row.severity, SEVERITY[row.severity], style.color)}\n"
        for row in rows
    )


def _mark(row: Count) -> str:
    """Say whether there are fixes, in the signs of ruff: for all, for some, for none."""
    return "[*] " if row.fixable == row.count else "[-] " if row.fixable else "[ ] "
