"""What import statements bind.

Most names of most files come from them, so that statements of the common shape are read
without asking the tree for every name.
"""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from tree_sitter import Node

from leverlint.facts import Path
from leverlint.languages.syntax import text

if TYPE_CHECKING:
    from leverlint.languages.python.scopes import Scopes


class Word(NamedTuple):
    """A name in a statement that was read without the tree."""

    start_byte: int
    end_byte: int
    parent: Node
    text: str


_ITEM = rb"[\w.]+(?:\s+as\s+\w+)?"
_COMMON = re.compile(
    rb"((?:from\s+(\.*)([\w.]*)\s+)?import\s*(?:\(\s*)?)%s(?:\s*,\s*%s)*\s*,?\s*\)?\Z" % (_ITEM, _ITEM)
)
_EACH = re.compile(rb"([\w.]+)(?:\s+as\s+(\w+))?")


def imported(node: Node, scopes: "Scopes") -> Iterator[tuple[Node | Word, Path]]:
    """Give the names that a statement binds, and the paths that they lead to."""
    common = _COMMON.match(scopes.source, node.start_byte, node.end_byte)
    if common is None or node.has_error:
        return _from_tree(node, scopes)
    return _from_text(node, scopes, common)


def _from_text(node: Node, scopes: "Scopes", common: re.Match[bytes]) -> Iterator[tuple[Word, Path]]:
    dots, module = common[2], common[3]
    prefix: Path = tuple(module.decode().split(".")) if module else ()
    if dots:
        prefix = (_directory(scopes, len(dots)), *prefix)
    for item in _EACH.finditer(scopes.source, common.end(1), node.end_byte):
        name, alias = item[1].decode(), item[2]
        start, end = item.span()
        if alias is not None:
            yield Word(end - len(alias), end, node, alias.decode()), prefix + tuple(name.split("."))
        elif module is None:
            first = name.partition(".")[0]
            yield Word(start, start + len(first), node, first), (first,)
        else:
            yield Word(start, end, node, name), (*prefix, name)


def _from_tree(node: Node, scopes: "Scopes") -> Iterator[tuple[Node, Path]]:
    prefix = module_of(node, scopes)
    for child in node.children_by_field_name("name"):
        dotted = child
        alias = None
        if child.type == "aliased_import":
            alias = child.child_by_field_name("alias")
            dotted = child.child_by_field_name("name") or child
        segments = _dotted_path(dotted, scopes.source)
        if not dotted.named_children:
            continue
        if alias is None and node.type == "import_statement":
            yield dotted.named_children[0], segments[:1]
        else:
            yield alias or dotted.named_children[-1], prefix + segments


def module_of(node: Node, scopes: "Scopes") -> Path:
    """Give the module of a `from … import`; relative ones start at a directory of the tree."""
    module = node.child_by_field_name("module_name")
    if module is None:
        return ()
    if module.type != "relative_import":
        return _dotted_path(module, scopes.source)
    directory = _directory(scopes, 1)
    segments: Path = ()
    for child in module.named_children:
        if child.type == "import_prefix":
            directory = _directory(scopes, text(child, scopes.source).count("."))
        else:
            segments = _dotted_path(child, scopes.source)
    return (directory, *segments)


def _directory(scopes: "Scopes", dots: int) -> str:
    """Give where a relative import with so many dots starts."""
    names = scopes.directory.split("/") if scopes.directory else []
    return "/" + "/".join(names[: len(names) - (dots - 1)] if dots > 1 else names)


def _dotted_path(node: Node, source: bytes) -> Path:
    """Give the names of `a.b.c`; blanks and line continuations between them are legal."""
    return tuple("".join(text(node, source).replace("\\", "").split()).split("."))
