"""Rust, read by tree-sitter: what the `Language` protocol asks for."""

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
]
