"""What an occurrence of a field's name in some code says about whether anybody wants its value."""

from collections.abc import Collection, Iterable
from functools import lru_cache
from typing import NamedTuple, Protocol

from tree_sitter import Node

from leverlint.languages.memory import Memory
from leverlint.languages.syntax import nodes_around, parser

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


class Room(Protocol):
    """What the module of each language knows; `nodes` lead from the root of a tree to an occurrence."""

    def places(self, source: bytes, name: str) -> Iterable[int]:
        """Give where the name stands as a word of its own."""

    def how(self, nodes: list[Node], source: bytes) -> str | None:
        """Say whether an occurrence asks for a value, and how."""

    def only_shows(self, nodes: list[Node], source: bytes) -> bool:
        """Say whether it stands in code that looks at every field because it is there."""

    def is_registered(self, nodes: list[Node], source: bytes) -> bool:
        """Say whether it defines a function that is called by others than those who name it."""

    def into(self, nodes: list[Node], source: bytes) -> str:
        """Give the field of the resolver that takes what is computed at the end of `nodes`."""

    def plainly_read(self, names: Collection[str], source: bytes) -> set[str]:
        """See the function of that name below."""


def consumers(
    language: str, source: bytes, names: Collection[str], resolver: bool, memory: Memory | None = None
) -> set[Consumer]:
    """Say which of `names` some code consults, and how; `resolver` says that it declares them itself."""
    room = _room(language)
    root = memory.tree(language, source).root_node if memory else _parsed(language, source)
    found: set[Consumer] = set()
    for name in names:
        for offset in room.places(source, name):
            nodes = nodes_around(root, offset, _DEEPEST)
            # Of code that is broken all over, the root is all that there is.
            if len(nodes) < 2:
                continue
            how = room.how(nodes, source)
            if how and not room.only_shows(nodes, source):
                found.add(Consumer(name, how, room.into(nodes, source) if resolver else ""))
            elif resolver and how is None and room.is_registered(nodes, source):
                found.add(Consumer(name, NAME))
    return found


def plainly_read(language: str, names: Collection[str], source: bytes) -> set[str]:
    """Give the names that stand as `.name` in what can be nothing but code that reads it, without parsing.

    The code must not be that of a resolver.
    """
    return _room(language).plainly_read(names, source)


def _room(language: str) -> Room:
    if language == "python":
        from leverlint.languages.python import consumers as python

        return python
    from leverlint.languages.rust import consumers as rust

    return rust


def groups(language: str, source: bytes) -> set[str]:
    """Give the last words of expressions of which every member is taken: `levers` for `asdict(levers)`.

    Found without parsing: a docstring may add some.
    """
    if language != "python":
        return set()
    from leverlint.languages.python.consumers import groups as find

    return find(source)


@lru_cache(maxsize=2)
def _parsed(language: str, source: bytes) -> Node:
    """Parse code; a resolver is asked about several times in a row."""
    return parser(language).parse(source).root_node
