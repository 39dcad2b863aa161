"""Places in the tree of a file, and where the local variable that takes a result is used."""

from collections.abc import Iterator
from typing import NamedTuple

from tree_sitter import Node

from leverlint.languages.python.scopes import Scope
from leverlint.languages.python.values import Values
from leverlint.languages.python.words import words
from leverlint.languages.syntax import text

_USES = 60
"""Uses of one local variable that are followed."""


class Place(NamedTuple):
    """A node with all that is around it."""

    chain: list[Node]
    along: list[Scope]


class Places:
    def __init__(self, values: Values) -> None:
        self._values = values
        self._source = values.source

    def place(self, chain: list[Node]) -> Place:
        return Place(chain, self._values.scopes.along(chain))

    def local_uses(self, place: Place) -> Iterator[Place]:
        """Give the places where the local variable that takes a result is used."""
        chain, along = place
        for position in range(len(chain) - 2, 0, -1):
            node = chain[position]
            if node.type in ("block", "lambda", "function_definition", "class_definition"):
                return
            if node.type in ("assignment", "named_expression"):
                target = node.child_by_field_name("left") or node.child_by_field_name("name")
                scope = along[position]
                while scope.kind == "comprehension" and scope.parent is not None:
                    scope = scope.parent
                if target is not None and target.type == "identifier" and scope.kind == "function":
                    yield from self._uses(text(target, self._source), node.end_byte, scope)
                return

    def _uses(self, name: str, after: int, scope: Scope) -> Iterator[Place]:
        for offset in words(self._source, name.encode(), after, scope.node.end_byte, _USES):
            chain = self._values.scopes.chain(offset)
            if chain[-1].type == "identifier":
                place = self.place(chain)
                found = self._values.scopes.lookup(name, place.along[-1])
                if found is not None and found.scope is scope:
                    yield place
