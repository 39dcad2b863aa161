"""Report formats. A reporter turns a report into text; it is the only room that knows lines and columns."""

from importlib import import_module
from typing import NamedTuple, Protocol, cast

from leverlint.report import Report
from leverlint.sources import Sources


class Style(NamedTuple):
    """How the reader wants it."""

    color: bool = False
    root: str = ""
    """Absolute path of the project."""
    here: str = ""
    """Absolute path that shown paths are relative to; the same as `root` shows them as they are."""
    summary: bool = True
    """Close a format for people with a line that sums up."""
    unsafe_fixes: bool = False
    """Count fixes that change what some values mean among those that can be made."""


PLAIN = Style()


class Reporter(Protocol):
    def render(self, report: Report, sources: Sources, style: Style) -> str: ...


FORMATS = {
    "text": "leverlint.reporters.text",
    "concise": "leverlint.reporters.concise",
    "json": "leverlint.reporters.json",
}
"""Modules by the name of the format, imported when asked for."""


def get(name: str) -> Reporter:
    return cast(Reporter, import_module(FORMATS[name]))
