"""Rust, read by tree-sitter: what the `Language` protocol asks for."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from leverlint.languages.rust.api import (
    API,
    CLOSURES_RUN_LATER,
    COMMENT_SIGN,
    IMPORTS_BIND_VALUES,
    MEMBERS_ARE_ASKED_FOR,
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
    "COMMENT_SIGN",
    "IMPORTS_BIND_VALUES",
    "MEMBERS_ARE_ASKED_FOR",
    "NAME",
    "SUFFIXES",
    "concerns",
    "extract",
    "locate",
    "parents",
    "pulled_in",
    "rewritten",
    "text_at",
    "way",
]


def text_at(source: bytes, offset: int) -> str:
    """See `leverlint.languages.Language.text_at`."""
    from leverlint.languages import texts  # only editors ask

    strings = dict.fromkeys(("string_literal", "raw_string_literal"), texts.STRING)
    comments = dict.fromkeys(("line_comment", "block_comment"), texts.COMMENT)
    return texts.text_at(NAME, {**strings, **comments}, COMMENT_SIGN, source, offset)


def way(wanted: "Wanted", tree: "Tree", read: Callable[[str], bytes]) -> "Way | None":
    # What fixes need is imported when there is something to fix.
    from leverlint.languages.rust.ways import way

    return way(wanted, tree, read)


def rewritten(path: str, source: bytes, substitutions: "Sequence[Substitution]") -> bytes | None:
    from leverlint.languages.rust.rewriting import rewritten

    return rewritten(path, source, substitutions)
