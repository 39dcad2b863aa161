"""Where findings are for a reader: paths from the working directory, lines and columns from 1."""

import os
from functools import lru_cache
from typing import NamedTuple

from leverlint.diagnostics import Diagnostic
from leverlint.facts import Span
from leverlint.report import Report
from leverlint.reporters import Style
from leverlint.sources import Sources


class Place(NamedTuple):
    path: str
    line: int
    column: int
    """In Unicode characters."""
    end_line: int
    end_column: int
    """The first column behind the span."""


class Placed(NamedTuple):
    place: Place
    finding: Diagnostic


def placed(report: Report, sources: Sources, style: Style) -> list[Placed]:
    """Give the findings with their places, sorted by path, line, column and code."""
    found = [
        Placed(place(finding.path, finding.span, sources, style), finding) for finding in report.findings
    ]
    return sorted(found, key=_order)


def _order(one: Placed) -> tuple[str, int, int, str, int, int, str, str]:
    place, finding = one
    return (
        place.path,
        place.line,
        place.column,
        finding.code,
        place.end_line,
        place.end_column,
        finding.lever or "",
        finding.message,
    )


def place(path: str, span: Span, sources: Sources, style: Style) -> Place:
    line, column = sources.position(path, span.start)
    end_line, end_column = sources.position(path, span.end)
    return Place(shown(path, style), line, column, end_line, end_column)


def shown(path: str, style: Style) -> str:
    """Give a path of the project as seen from the working directory."""
    if style.root == style.here:
        return path
    return _relative(os.path.join(style.root, path), style.here)


@lru_cache(maxsize=1024)
def _relative(path: str, start: str) -> str:
    try:
        return os.path.relpath(path, start).replace(os.sep, "/")
    except ValueError:  # another drive
        return path.replace(os.sep, "/")
