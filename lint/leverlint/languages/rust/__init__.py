"""Rust, read by tree-sitter: what the `Language` protocol asks for."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from leverlint.languages.rust.api import (
    API,
    CLOSURES_RUN_LATER,
    IMPORTS_BIND_VALUES,
    NAME,
    SUFFIXES,
    concerns,
)
from leverlint.languages.rust.extract import extract
from leverlint.languages.rust.modules import locate, parents, pulled_in

if TYPE_CHECKING:
    from leverlint.languages import Substitution, Tree, Wanted, Way

__all__ = [
    "API",
    "CLOSURES_RUN_LATER",
    "IMPORTS_BIND_VALUES",
    "NAME",
    "SUFFIXES",
    "concerns",
    "extract",
    "locate",
    "parents",
    "pulled_in",
    "rewritten",
    "way",
]


def way(wanted: "Wanted", tree: "Tree", read: Callable[[str], bytes]) -> "Way | None":
    # What fixes need is imported when there is something to fix.
    from leverlint.languages.rust.ways import way

    return way(wanted, tree, read)


def rewritten(path: str, source: bytes, substitutions: "Sequence[Substitution]") -> bytes | None:
    from leverlint.languages.rust.rewriting import rewritten

    return rewritten(path, source, substitutions)
