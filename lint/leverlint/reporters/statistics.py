"""How many findings each rule has: an extra table behind a report for people."""

from leverlint.report import Report
from leverlint.reporters import Style
from leverlint.reporters.color import SEVERITY, painted
from leverlint.sources import Sources


def render(report: Report, sources: Sources, style: Style) -> str:
    counts: dict[tuple[str, str, str], int] = {}
    for finding in report.findings:
        key = (finding.code, finding.rule, finding.severity)
        counts[key] = counts.get(key, 0) + 1
    # The most frequent first; equals by code.
    rows = sorted(counts.items(), key=lambda row: (-row[1], row[0]))
    digits = max((len(str(count)) for _, count in rows), default=0)
    name_width = max((len(rule) for (_, rule, _), _ in rows), default=0)
    return "".join(
        f"{count:>{digits}}  {code}  {rule:<{name_width}}  "
        f"{painted(severity, SEVERITY[severity], style.color)}\n"
        for (code, rule, severity), count in rows
    )
