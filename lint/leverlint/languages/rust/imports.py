"""The names that a `use` declaration brings in."""

from collections.abc import Iterator

from tree_sitter import Node

from leverlint.facts import Path


def used_names(declaration: Node, text: bytes) -> Iterator[tuple[str, Path]]:
    """Give each name with the path that it is short for; the name of a glob is `*`."""
    argument = declaration.child_by_field_name("argument")
    if argument is not None:
        yield from _names(argument, (), text)


def _names(node: Node, prefix: Path, text: bytes) -> Iterator[tuple[str, Path]]:
    match node.type:
        case "use_list":
            for child in node.named_children:
                yield from _names(child, prefix, text)
        case "scoped_use_list":
            path, inner = node.child_by_field_name("path"), node.child_by_field_name("list")
            if inner is not None:
                head = _segments(path, text) if path is not None else () if prefix else ("::",)
                yield from _names(inner, prefix + head, text)
        case "use_as_clause":
            path, alias = node.child_by_field_name("path"), node.child_by_field_name("alias")
            if path is not None and alias is not None:
                yield (
                    text[alias.start_byte : alias.end_byte].decode("utf-8", "replace"),
                    _joined(prefix, path, text),
                )
        case "use_wildcard":
            path = node.named_children[0] if node.named_children else None
            target = prefix + (_segments(path, text) if path is not None else ())
            if target:
                yield "*", target
        case "identifier" | "scoped_identifier" | "self" | "crate" | "super":
            target = _joined(prefix, node, text)
            if target:
                yield target[-1], target


def _joined(prefix: Path, node: Node, text: bytes) -> Path:
    segments = _segments(node, text)
    # `use std::env::{self, var}`: `self` is the module itself.
    return prefix if prefix and segments == ("self",) else prefix + segments


def _segments(node: Node, text: bytes) -> Path:
    segments = tuple(
        part.strip() for part in text[node.start_byte : node.end_byte].decode("utf-8", "replace").split("::")
    )
    return ("::", *segments[1:]) if segments[0] == "" else segments
