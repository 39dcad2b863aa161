"""What was parsed of a file that is being typed in: most of a tree is what it was before a stroke.

Spares work and changes nothing: the tree of a text without errors is the same whether it is made
from an earlier one or not, and a text with errors is always parsed afresh.
"""

from collections.abc import Iterable

from tree_sitter import Point, Tree

from leverlint import changes
from leverlint.languages.syntax import parser

WHOLE = "whole"
"""The part of a file that is all of it."""


class Memory:
    """One file, as one language has read it so far."""

    def __init__(self) -> None:
        self._sound: dict[str, tuple[bytes, Tree]] = {}
        """By part of the file: the last text without errors, and its tree."""
        self._last: dict[str, tuple[bytes, Tree]] = {}
        self._marked: tuple[bytes, frozenset[int]] = (b"", frozenset())

    def tree(self, language: str, source: bytes, part: str = WHOLE) -> Tree:
        """Parse a text; other `part`s of a file are other texts."""
        text, tree = self._last.get(part, (None, None))
        if tree is None or text != source:
            earlier = self.earlier(part, source)
            tree = parser(language).parse(source, earlier) if earlier is not None else None
            if tree is None or tree.root_node.has_error:
                tree = parser(language).parse(source)
            self.keep(part, source, tree)
        return tree

    def earlier(self, part: str, source: bytes) -> Tree | None:
        """Give the last sound tree of a part, told what makes its text that of `source`."""
        if part not in self._sound:
            return None
        text, tree = self._sound[part]
        change = changes.between(text, source)
        edited = tree.copy()
        edited.edit(
            change.start,
            change.end,
            change.end + change.shift,
            _point(text, change.start),
            _point(text, change.end),
            _point(source, change.end + change.shift),
        )
        return edited

    def keep(self, part: str, source: bytes, tree: Tree) -> None:
        self._last[part] = source, tree
        if not tree.root_node.has_error:
            self._sound[part] = source, tree

    def mark(self, source: bytes, places: Iterable[int]) -> None:
        """Remember places of a text."""
        self._marked = source, frozenset(places)

    def marked(self, source: bytes) -> frozenset[int]:
        """Give the places that were marked, where `source` has them; without those that have changed."""
        text, places = self._marked
        start, end, shift = changes.between(text, source)
        return frozenset(at if at <= start else at + shift for at in places if at <= start or at >= end)


def _point(text: bytes, at: int) -> Point:
    return Point(text.count(b"\n", 0, at), at - (text.rfind(b"\n", 0, at) + 1))
