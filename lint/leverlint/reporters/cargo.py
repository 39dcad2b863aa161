"""Diagnostics as rustc prints them with `--error-format=json`, one a line: what rust-analyzer reads."""

from leverlint.diagnostics import Diagnostic, Related
from leverlint.facts import Span
from leverlint.report import Report
from leverlint.reporters import Style, text
from leverlint.reporters.changes import Change, changes
from leverlint.reporters.places import Place, place, placed
from leverlint.reporters.unicode import json_text, well_formed
from leverlint.sources import Sources

_LEVELS = {"error": "error", "warning": "warning", "info": "note", "hint": "help"}
_APPLICABILITIES = {"safe": "MachineApplicable", "unsafe": "MaybeIncorrect"}


def render(report: Report, sources: Sources, style: Style) -> str:
    found = (_diagnostic(one.finding, sources, style) for one in placed(report, sources, style))
    return well_formed("".join(json_text(one) + "\n" for one in found))


def _diagnostic(finding: Diagnostic, sources: Sources, style: Style) -> dict[str, object]:
    children = [_related(related, sources, style) for related in finding.related]
    if finding.help:
        children.append(_message(finding.help, "help"))
    if made := changes(finding, sources, style):
        children.append(_suggestion(finding, made, sources))
    # The fix has a place of its own, and `--fix` is not at hand.
    alone = Report((finding._replace(fix=None),))
    at = place(finding.path, finding.span, sources, style)
    return {
        "$message_type": "diagnostic",
        "message": finding.message,
        # The part before the colons is shown as the source of the diagnostic.
        "code": {"code": f"leverlint::{finding.code}", "explanation": None},
        "level": _LEVELS[finding.severity],
        "spans": [_span(finding.path, finding.span, at, sources)],
        "children": children,
        "rendered": text.render(alone, sources, style._replace(summary=False)),
    }


def _related(related: Related, sources: Sources, style: Style) -> dict[str, object]:
    at = place(related.path, related.span, sources, style)
    return _message(related.message, "note", [_span(related.path, related.span, at, sources)])


def _suggestion(finding: Diagnostic, made: list[Change], sources: Sources) -> dict[str, object]:
    """All changes in one message: they are applied together or not at all."""
    assert finding.fix is not None
    applicability = _APPLICABILITIES[finding.fix.applicability]
    spans = [
        {
            **_span(edit.path, edit.span, at, sources),
            "suggested_replacement": edit.text,
            "suggestion_applicability": applicability,
        }
        for at, edit in made
    ]
    title = finding.fix.title
    # What is put in is shown behind the message anyway.
    for _, edit in made:
        title = title.removesuffix(f" `{edit.text}`")
    return _message(title, "help", spans)


def _message(message: str, level: str, spans: list[dict[str, object]] | None = None) -> dict[str, object]:
    return {
        "message": message,
        "code": None,
        "level": level,
        "spans": spans or [],
        "children": [],
        "rendered": None,
    }


def _span(path: str, span: Span, at: Place, sources: Sources) -> dict[str, object]:
    return {
        "file_name": at.path,
        "byte_start": span.start,
        "byte_end": span.end,
        "line_start": at.line,
        "line_end": at.end_line,
        "column_start": at.column,
        "column_end": at.end_column,
        "is_primary": True,
        # Without the lines rust-analyzer could not tell where columns of UTF-16 are.
        "text": [_line(path, number, at, sources) for number in range(at.line, at.end_line + 1)],
        "label": None,
        "suggested_replacement": None,
        "suggestion_applicability": None,
        "expansion": None,
    }


def _line(path: str, number: int, at: Place, sources: Sources) -> dict[str, object]:
    line = sources.line_text(path, number)
    return {
        "text": line,
        "highlight_start": at.column if number == at.line else 1,
        "highlight_end": at.end_column if number == at.end_line else len(line) + 1,
    }
