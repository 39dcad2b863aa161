"""Builders of libraries, whose methods give the builder back: `Env::new().filter("X").write_style("Y")`."""

from typing import TYPE_CHECKING

from tree_sitter import Node

from leverlint.facts import Path
from leverlint.languages.rust.api import API
from leverlint.languages.rust.nodes import method_of
from leverlint.languages.rust.source import Source

if TYPE_CHECKING:
    from leverlint.languages.rust.types import Types

BUILDERS: frozenset[Path] = frozenset(path[:-1] for path, api in API.items() if api.builds)

MADE_BY: dict[Path, Path] = {
    ("env_logger", "builder"): ("env_logger", "Builder"),
    ("pretty_env_logger", "formatted_builder"): ("env_logger", "Builder"),
    ("pretty_env_logger", "formatted_timed_builder"): ("env_logger", "Builder"),
}
"""Functions that make one and are not called after it."""
MADE_BY_MACRO: dict[str, Path] = {"arg": ("clap", "Arg"), "clap::arg": ("clap", "Arg")}


def builder_of(node: Node, types: "Types", source: Source, depth: int) -> Path | None:
    """Give the builder that a chain of method calls begins with."""
    method = method_of(node, source)
    while method is not None:
        node = method[0]
        method = method_of(node, source)
    owner = types.of(node, depth)
    return owner if owner in BUILDERS else None
