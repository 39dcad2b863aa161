"""The catalogue of levers as a table, JSON, Markdown or HTML, and one lever as a page.

A listing turns rows into text; like the reporters it knows lines, and prints nothing.
"""

from collections.abc import Sequence
from importlib import import_module
from typing import NamedTuple, Protocol, cast

from leverlint.catalogue import Row
from leverlint.reporters import PLAIN, Style
from leverlint.sources import Sources


class View(NamedTuple):
    """How the reader wants it, and where lines come from."""

    sources: Sources
    style: Style = PLAIN
    width: int = 0
    """Cells of the terminal; 0: as many as it takes."""


class Listing(Protocol):
    def render(self, rows: Sequence[Row], view: View) -> str: ...


FORMATS = {
    "table": "leverlint.listings.table",
    "json": "leverlint.listings.json",
    "markdown": "leverlint.listings.markdown",
    "html": "leverlint.listings.html",
}
"""Modules by the name of the format, imported when asked for."""


def get(name: str) -> Listing:
    return cast(Listing, import_module(FORMATS[name]))
