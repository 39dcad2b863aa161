"""For programs. The keys are a contract: they are added to, never renamed; `version` says when that fails."""

from leverlint.diagnostics import Diagnostic, Related
from leverlint.report import Report
from leverlint.reporters import Style
from leverlint.reporters.places import Placed, place, placed, shown
from leverlint.reporters.unicode import json_text
from leverlint.sources import Sources

VERSION = 1


def render(report: Report, sources: Sources, style: Style) -> str:
    """One line a finding: reports compare well, and the encoder without indentation is far faster."""
    findings = ",\n".join(json_text(_finding(one, sources, style)) for one in placed(report, sources, style))
    summary = {
        "files": report.files,
        "findings": len(report.findings),
        "suppressed": report.suppressed,
        "baselined": report.baselined,
    }
    if report.fixed:
        summary["fixed"] = report.fixed
    listed = f"[\n{findings}\n]" if findings else "[]"
    counted = f',\n"statistics": {_statistics(report)}' if style.statistics else ""
    return f'{{"version": {VERSION},\n"findings": {listed},\n"summary": {json_text(summary)}{counted}}}\n'


def _statistics(report: Report) -> str:
    from leverlint.reporters.statistics import counts

    return json_text([row._asdict() for row in counts(report)])


def _finding(one: Placed, sources: Sources, style: Style) -> dict[str, object]:
    at, finding = one
    return {
        "code": finding.code,
        "rule": finding.rule,
        "severity": finding.severity,
        "path": at.path,
        "line": at.line,
        "column": at.column,
        "end_line": at.end_line,
        "end_column": at.end_column,
        "lever": finding.lever,
        "message": finding.message,
        "help": finding.help,
        "related": [_related(related, sources, style) for related in finding.related],
        "fix": _fix(finding, sources, style),
        "fingerprint": finding.fingerprint,
    }


def _fix(finding: Diagnostic, sources: Sources, style: Style) -> dict[str, object] | None:
    if finding.fix is None:
        return None
    # Making edits takes what a plain check can do without.
    from leverlint.fixes import edits

    made = [
        {"path": shown(edit.path, style), "start": edit.span.start, "end": edit.span.end, "text": edit.text}
        for edit in edits(finding, sources)
    ]
    return {"applicability": finding.fix.applicability, "edits": made} if made else None


def _related(related: Related, sources: Sources, style: Style) -> dict[str, object]:
    at = place(related.path, related.span, sources, style)
    return {"path": at.path, "line": at.line, "column": at.column, "message": related.message}
