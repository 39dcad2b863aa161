"""For people: each finding with its source line, related places and help, as rustc and ruff show it."""

from leverlint.diagnostics import SEVERITIES
from leverlint.facts import Span
from leverlint.report import Report
from leverlint.reporters import Style
from leverlint.reporters.cells import harmless
from leverlint.reporters.color import BOLD, GUTTER, SEVERITY, painted
from leverlint.reporters.frame import frame
from leverlint.reporters.places import Placed, place, placed
from leverlint.sources import Sources


def render(report: Report, sources: Sources, style: Style) -> str:
    findings = placed(report, sources, style)
    blocks = [_finding(one, sources, style) for one in findings]
    if style.summary:
        blocks.append(_summary(report, style))
    return "".join(block + "\n" for block in blocks)


def _finding(one: Placed, sources: Sources, style: Style) -> str:
    finding = one.finding
    kind = painted(f"{finding.severity}[{finding.code}]", SEVERITY[finding.severity], style.color)
    sign = " [*]" if finding.is_fixable(style.unsafe_fixes) else ""
    head = painted(f"{sign} {finding.rule}: {harmless(finding.message)}", BOLD, style.color)
    lines = [kind + head]
    lines += _place(finding.path, finding.span, "^", SEVERITY[finding.severity], sources, style)
    for related in finding.related:
        lines.append(f"{painted('note', GUTTER, style.color)}: {harmless(related.message)}")
        lines += _place(related.path, related.span, "-", GUTTER, sources, style)
    if finding.help:
        lines.append(f"{painted('help', SEVERITY['hint'], style.color)}: {harmless(finding.help)}")
    return "\n".join(lines) + "\n"


def _place(path: str, span: Span, sign: str, code: str, sources: Sources, style: Style) -> list[str]:
    at = place(path, span, sources, style)
    margin = " " * len(str(at.end_line))
    arrow = painted("-->", GUTTER, style.color)
    where = f"{margin}{arrow} {harmless(at.path)}:{at.line}:{at.column}"
    if not sources.content_or_nothing(path):
        return [where]
    # A few more lines than a frame shows tell it that it must leave some out.
    last = min(at.end_line, at.line + 8)
    text = [sources.line_text(path, number) for number in range(at.line, last + 1)]
    return [where, *frame(at, text, sign, code, style.color)]


def _summary(report: Report, style: Style) -> str:
    found = len(report.findings)
    checked = f"{_counted(report.files, 'file')} checked"
    if report.suppressed:
        checked += f", {report.suppressed} suppressed"
    if report.fixed:
        checked += f", {report.fixed} fixed"
    if report.baselined:
        checked += f", {report.baselined} in the baseline"
    if report.unchanged:
        checked += f", {report.unchanged} on unchanged lines"
    if not found:
        return painted("no findings", BOLD, style.color) + f" ({checked})"
    by_severity = [
        _counted(count, severity, plural=severity if severity == "info" else "")
        for severity in SEVERITIES
        if (count := sum(finding.severity == severity for finding in report.findings))
    ]
    files = len({finding.path for finding in report.findings})
    total = painted(_counted(found, "finding"), BOLD, style.color)
    summary = f"{total} in {_counted(files, 'file')}: {', '.join(by_severity)} ({checked})"
    return summary + _fixable(report, style)


def _fixable(report: Report, style: Style) -> str:
    """Say how many findings go away by themselves; they have a `[*]`."""
    safe = sum(finding.is_fixable(style.unsafe_fixes) for finding in report.findings)
    more = sum(finding.fix is not None for finding in report.findings) - safe
    both = "`--fix --unsafe-fixes`"
    parts = [f"[*] {_counted(safe, 'finding')} can be fixed with {both if style.unsafe_fixes else '`--fix`'}"]
    if more:
        parts += (
            [f"{more} more with {both}"]
            if safe
            else [f"{_counted(more, 'finding')} can be fixed with {both}"]
        )
    return "\n" + ", ".join(parts if safe else parts[1:]) if safe or more else ""


def _counted(number: int, noun: str, plural: str = "") -> str:
    return f"{number} {noun if number == 1 else plural or noun + 's'}"
