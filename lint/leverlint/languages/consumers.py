"""What an occurrence of a field's name in some code says about whether anybody wants its value."""

from collections.abc import Collection
from functools import lru_cache
from typing import NamedTuple

from tree_sitter import Node

from leverlint.languages.syntax import parser

MEMBER = "member"
"""`levers.fused`, a pattern that takes the field out, `getattr(levers, "fused")`."""
NAME = "name"
"""`fused`, `fused()`, `levers::fused`: the name on its own, or at the end of a path."""
KEY = "key"
"""`readers["fused"]`, `readers.get("fused")`."""

_DEEPEST = 300


class Consumer(NamedTuple):
    name: str
    how: str
    into: str = ""
    """The field that is computed from it, where nothing else is done with it."""


def consumers(language: str, source: bytes, names: Collection[str], resolver: bool) -> set[Consumer]:
    """Say which of `names` some code consults, and how; `resolver` says that it declares them itself."""
    if language == "python":
        from leverlint.languages.python.consumers import consumers as find
    else:
        from leverlint.languages.rust.consumers import consumers as find
    return find(source, names, resolver)


def plainly_read(language: str, names: Collection[str], source: bytes) -> set[str]:
    """Give the names that stand as `.name` in what can be nothing but code that reads it, without parsing.

    The code must not be that of a resolver.
    """
    if language == "python":
        from leverlint.languages.python.consumers import plainly_read as find
    else:
        from leverlint.languages.rust.consumers import plainly_read as find
    return find(names, source)


def groups(language: str, source: bytes) -> set[str]:
    """Give the last words of expressions of which every member is taken: `levers` for `asdict(levers)`.

    Found without parsing: a docstring may add some.
    """
    if language != "python":
        return set()
    from leverlint.languages.python.consumers import groups as find

    return find(source)


@lru_cache(maxsize=2)
def parsed(language: str, source: bytes) -> Node:
    """Parse code; a resolver is asked about several times in a row."""
    return parser(language).parse(source).root_node


def chain(root: Node, offset: int) -> list[Node]:
    """Give the nodes around a byte, from the root down to the token."""
    cursor = root.walk()
    nodes = [root]
    while len(nodes) < _DEEPEST and cursor.goto_first_child_for_byte(offset) is not None:
        node = cursor.node
        if node is None or node.start_byte > offset:
            break
        nodes.append(node)
    return nodes
