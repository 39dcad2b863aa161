"""One Rust file being read: its bytes, its tree, and the nodes around a place.

The bytes are those of the file or, once macros were opened, a copy of the same length.
"""

from collections.abc import Iterator

from tree_sitter import Node, Tree

from leverlint.facts import Span
from leverlint.languages.syntax import parser

Chain = tuple[Node, ...]
"""The nodes around a place, from the root inwards."""

DEEPEST = 600
"""Nesting beyond this is generated or hostile; nothing in it is looked at."""


def span_of(node: Node) -> Span:
    return Span(node.start_byte, node.end_byte)


def parse(source: bytes) -> Tree:
    return parser("rust").parse(source)


class Source:
    """The text and tree that an extraction works on."""

    def __init__(self, text: bytes) -> None:
        self.text = text
        self.root = parse(text).root_node
        self._chains: dict[int, Chain] = {}

    def text_of(self, node: Node) -> str:
        return self.text[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def chain(self, offset: int) -> Chain:
        """Give the nodes that hold the byte at `offset`, root first."""
        known = self._chains.get(offset)
        if known is None:
            known = self._chains[offset] = tuple(self._descend(offset))
        return known

    def _descend(self, offset: int) -> Iterator[Node]:
        cursor = self.root.walk()
        depth = 0
        while depth < DEEPEST:
            node = cursor.node
            assert node is not None
            if not node.start_byte <= offset < node.end_byte and node.parent is not None:
                return
            yield node
            depth += 1
            if cursor.goto_first_child_for_byte(offset) is None:
                return

    def chain_to(self, node: Node) -> Chain:
        """Give the nodes around `node`, with itself at the end."""
        chain = self.chain(node.start_byte)
        for depth in range(len(chain) - 1, -1, -1):
            if chain[depth] == node:
                return chain[: depth + 1]
        # Nodes of another tree (an attribute's argument parsed alone): its surroundings still hold.
        return chain
