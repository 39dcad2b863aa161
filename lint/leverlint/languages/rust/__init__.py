"""Rust, read by tree-sitter: what the `Language` protocol asks for."""

from leverlint.languages.rust.api import (
    API,
    CLOSURES_RUN_LATER,
    COMMENT_SIGN,
    IMPORTS_BIND_VALUES,
    NAME,
    SUFFIXES,
    concerns,
)
from leverlint.languages.rust.extract import extract
from leverlint.languages.rust.modules import locate, parents, pulled_in

__all__ = [
    "API",
    "CLOSURES_RUN_LATER",
    "COMMENT_SIGN",
    "IMPORTS_BIND_VALUES",
    "NAME",
    "SUFFIXES",
    "concerns",
    "extract",
    "locate",
    "parents",
    "pulled_in",
    "text_at",
]


def text_at(source: bytes, offset: int) -> str:
    """See `leverlint.languages.Language.text_at`."""
    from leverlint.languages import texts  # only editors ask

    strings = dict.fromkeys(("string_literal", "raw_string_literal"), texts.STRING)
    comments = dict.fromkeys(("line_comment", "block_comment"), texts.COMMENT)
    return texts.text_at(NAME, {**strings, **comments}, COMMENT_SIGN, source, offset)
