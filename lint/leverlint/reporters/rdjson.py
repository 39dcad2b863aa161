"""Reviewdog's Diagnostic Format, whose columns count bytes of UTF-8."""

from leverlint.facts import Span
from leverlint.report import Report
from leverlint.reporters import Style
from leverlint.reporters.changes import changes
from leverlint.reporters.places import Placed, placed, shown
from leverlint.reporters.unicode import json_text, well_formed
from leverlint.sources import Sources

_SOURCE = {"name": "leverlint"}
_SEVERITIES = {"error": "ERROR", "warning": "WARNING", "info": "INFO", "hint": "INFO"}


def render(report: Report, sources: Sources, style: Style) -> str:
    found = [_diagnostic(one, sources, style) for one in placed(report, sources, style)]
    listed = ",\n".join(json_text(one) for one in found)
    inner = f"\n{listed}\n" if listed else ""
    return well_formed(f'{{"source": {json_text(_SOURCE)},\n"diagnostics": [{inner}]}}\n')


def _diagnostic(one: Placed, sources: Sources, style: Style) -> dict[str, object]:
    finding = one.finding
    diagnostic: dict[str, object] = {
        "message": f"{finding.message}\nhelp: {finding.help}" if finding.help else finding.message,
        "location": {"path": one.place.path, "range": _range(finding.path, finding.span, sources)},
        "severity": _SEVERITIES[finding.severity],
        "source": _SOURCE,
        "code": {"value": finding.code},
    }
    if suggestions := _suggestions(one, sources, style):
        diagnostic["suggestions"] = suggestions
    if finding.related:
        diagnostic["related_locations"] = [
            {
                "message": related.message,
                "location": {
                    "path": shown(related.path, style),
                    "range": _range(related.path, related.span, sources),
                },
            }
            for related in finding.related
        ]
    return diagnostic


def _suggestions(one: Placed, sources: Sources, style: Style) -> list[dict[str, object]]:
    """Suggestions are taken over one by one and unseen: only a safe fix in one piece is one."""
    fix = one.finding.fix
    if fix is None or fix.applicability != "safe":
        return []
    made = changes(one.finding, sources, style)
    if len(made) != 1 or made[0].edit.path != one.finding.path:
        return []
    edit = made[0].edit
    return [{"range": _range(edit.path, edit.span, sources), "text": edit.text}]


def _range(path: str, span: Span, sources: Sources) -> dict[str, object]:
    return {"start": _position(path, span.start, sources), "end": _position(path, span.end, sources)}


def _position(path: str, offset: int, sources: Sources) -> dict[str, int]:
    line, _ = sources.position(path, offset)
    start, _ = sources.line_bounds(path, line)
    length = len(sources.content_or_nothing(path))
    return {"line": line, "column": max(0, min(offset, length)) - start + 1}
