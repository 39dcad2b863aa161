"""Rust, read by tree-sitter: what the `Language` protocol asks for."""

from leverlint.languages.rust.api import API, IMPORTS_BIND_VALUES, NAME, SUFFIXES, concerns
from leverlint.languages.rust.extract import extract
from leverlint.languages.rust.modules import locate, parents

__all__ = ["API", "IMPORTS_BIND_VALUES", "NAME", "SUFFIXES", "concerns", "extract", "locate", "parents"]
