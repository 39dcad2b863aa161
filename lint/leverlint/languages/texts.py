"""Whether a place in code is text: in a string or a comment, also while either is being typed."""

from collections.abc import Mapping

from tree_sitter import Node

from leverlint.languages.syntax import nodes_around, parser

STRING = "string"
COMMENT = "comment"
CODE = ""

_DEEPEST = 600


def text_at(language: str, kinds: Mapping[str, str], comment: str, source: bytes, offset: int) -> str:
    """Give `STRING`, `COMMENT` or `CODE` for the byte at `offset`.

    `kinds` says what the nodes of the grammar are; `comment` is what starts a comment.
    """
    root = parser(language).parse(source).root_node
    nodes = nodes_around(root, offset, _DEEPEST)
    for node in reversed(nodes):
        if node.type in kinds and node.end_byte > offset:
            return kinds[node.type]
    return _by_line(source, offset, comment.encode()) if _is_broken(nodes) else CODE


def _is_broken(nodes: list[Node]) -> bool:
    return nodes[0].has_error


def _by_line(source: bytes, offset: int, comment: bytes) -> str:
    """Go by the line alone: a quote that has not been closed, or the sign of a comment."""
    line = source[source.rfind(b"\n", 0, offset) + 1 : offset].replace(b"\\\\", b"").replace(b'\\"', b"")
    if line.count(b'"') % 2 or (comment == b"#" and line.count(b"'") % 2):
        return STRING
    return COMMENT if comment in line else CODE
