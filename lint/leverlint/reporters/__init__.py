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
    statistics: bool = False
    """Count the findings of each rule as well, in a format for programs that has a place for it."""
    unsafe_fixes: bool = False
    """Count fixes that change what some values mean among those that can be made."""


PLAIN = Style()


class Reporter(Protocol):
    def render(self, report: Report, sources: Sources, style: Style) -> str: ...


class Format(NamedTuple):
    module: str
    """Imported when asked for."""
    for_people: bool = False
    """May have colour, a line that sums up and a table behind it, in the encoding of the terminal."""
    from_repository: bool = False
    """Paths are relative to the repository, because what takes them in looks there."""


FORMATS = {
    "text": Format("leverlint.reporters.text", for_people=True),
    "concise": Format("leverlint.reporters.concise", for_people=True),
    "json": Format("leverlint.reporters.json"),
    "sarif": Format("leverlint.reporters.sarif", from_repository=True),
    "github": Format("leverlint.reporters.github", from_repository=True),
    "gitlab": Format("leverlint.reporters.gitlab", from_repository=True),
    "junit": Format("leverlint.reporters.junit"),
    "rdjson": Format("leverlint.reporters.rdjson"),
    "cargo": Format("leverlint.reporters.cargo"),
}


def get(name: str) -> Reporter:
    return cast(Reporter, import_module(FORMATS[name].module))
