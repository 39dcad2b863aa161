"""One Rust file being read: its bytes, its tree, and the nodes around a place.

The bytes are those of the file or, once macros were opened, a copy of the same length.
"""

from collections.abc import Iterable, Iterator

from tree_sitter import Node, Point, Tree

from leverlint.facts import Span
from leverlint.languages.memory import Memory
from leverlint.languages.rust.grammar_gaps import differences, without_gaps
from leverlint.languages.rust.omissions import Omission, Omissions, omission_at, ranges_around
from leverlint.languages.syntax import parser

Chain = tuple[Node, ...]
"""The nodes around a place, from the root inwards."""

DEEPEST = 600
"""Nesting beyond this is generated or hostile; nothing in it is looked at."""


def span_of(node: Node) -> Span:
    return Span(node.start_byte, node.end_byte)


def parse(source: bytes, omitted: Omissions = (), earlier: Tree | None = None) -> Tree:
    """Parse a text; an `earlier` tree that was told what has changed makes it faster."""
    rust = parser("rust")
    rust.included_ranges = ranges_around(omitted, len(source)) if omitted else []
    try:
        return rust.parse(source) if earlier is None else rust.parse(source, earlier)
    finally:
        if omitted:
            rust.included_ranges = []


_WORD_BYTES = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")


def words(text: bytes, word: str, start: int, end: int) -> Iterator[int]:
    """Give the places where `word` stands as a word of its own."""
    sought = word.encode()
    at = text.find(sought, start, end)
    while at >= 0:
        after = at + len(sought)
        if (not at or text[at - 1] not in _WORD_BYTES) and (
            after >= len(text) or text[after] not in _WORD_BYTES
        ):
            yield at
        at = text.find(sought, after, end)


def _read(
    text: bytes, omitted: Omissions, earlier: Tree | None, memory: Memory | None
) -> tuple[bytes, Omissions, Tree]:
    """Parse a text; what has errors is read anew, and in full."""
    if memory and not omitted and earlier is None:
        tree = memory.tree("rust", text)
    else:
        tree = parse(text, omitted, earlier)
    if not tree.root_node.has_error:
        return text, omitted, tree
    repaired = without_gaps(text)
    if repaired != text and omitted and earlier is not None:
        tree = parse(repaired, omitted, _edited(earlier, differences(text, repaired)))
    elif repaired != text or (earlier is not None and not omitted):
        tree = parse(repaired, omitted)
    if tree.root_node.has_error and omitted:
        return _read(text, (), None, memory)
    return repaired, omitted, tree


def _edited(tree: Tree, changed: Iterable[Span]) -> Tree:
    """Tell a copy of a tree what is another text of the same length."""
    edited = tree.copy()
    for start, end in changed:
        edited.edit(start, end, end, Point(start, 0), Point(end, 0), Point(end, 0))
    return edited


class Source:
    """The text and tree that an extraction works on."""

    def __init__(
        self,
        text: bytes,
        omitted: Omissions = (),
        earlier: Tree | None = None,
        memory: Memory | None = None,
    ) -> None:
        self.text, self.omitted, self.tree = _read(text, omitted, earlier, memory)
        self.root = self.tree.root_node
        self.missed: set[Omission] = set()
        """What the tree should have shown: facts that were found without it may be wrong."""
        self._chains: dict[int, Chain] = {}

    def text_of(self, node: Node) -> str:
        return self.text[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def chain(self, offset: int) -> Chain:
        """Give the nodes that hold the byte at `offset`, root first."""
        known = self._chains.get(offset)
        if known is None:
            self._note(offset)
            known = self._chains[offset] = self._descend(offset)
        return known

    def _note(self, offset: int) -> None:
        body = omission_at(self.omitted, offset) if self.omitted else None
        if body is not None:
            self.missed.add(body)

    def inside(self, block: Node) -> Node:
        """Give a function's body, for looking at what stands in it."""
        self._note(block.start_byte + 1)
        return block

    def complete(self) -> "Source":
        """Give the same text with a tree that shows what was missed."""
        return self.again(self.text, tuple(body for body in self.omitted if body not in self.missed), ())

    def again(self, text: bytes, omitted: Omissions, changed: Iterable[Span]) -> "Source":
        """Give the source for a text of the same length that is another in some places."""
        if self.root.has_error:
            return Source(text, omitted)
        return Source(text, omitted, _edited(self.tree, changed))

    def _descend(self, offset: int) -> Chain:
        found = [self.root]
        cursor = self.root.walk()
        while len(found) < DEEPEST and cursor.goto_first_child_for_byte(offset) is not None:
            node = cursor.node
            assert node is not None
            if not node.start_byte <= offset < node.end_byte:
                break
            found.append(node)
        return tuple(found)

    def chain_to(self, node: Node) -> Chain:
        """Give the nodes around `node`, with itself at the end."""
        chain = self.chain(node.start_byte)
        for depth in range(len(chain) - 1, -1, -1):
            if chain[depth] == node:
                return chain[: depth + 1]
        # Nodes of another tree (an attribute's argument parsed alone): its surroundings still hold.
        return chain
