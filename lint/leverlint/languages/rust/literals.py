"""String literals: their text, and the pieces of format strings."""

import re
from collections.abc import Iterator

from tree_sitter import Node

LITERALS = frozenset({"string_literal", "raw_string_literal"})

_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "\\": "\\", '"': '"', "'": "'"}
_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{2})|u\{([0-9a-fA-F_]+)\}|(\r?\n\s*)|(.))", re.DOTALL)
_FIELD = re.compile(r"\{\{|\}\}|\{([^{}]*)\}")


def literal_value(node: Node, source: bytes) -> str:
    """Give the text of a string, byte string or C string."""
    raw = source[node.start_byte : node.end_byte].decode("utf-8", "replace")
    prefix = raw.partition('"')[0]
    body = raw[len(prefix) + 1 :]
    if "r" in prefix:
        return body[: body.rfind('"')].rstrip("\0")
    body = body[: body.rfind('"')] if '"' in body else body
    if "\\" in body:
        body = _ESCAPE.sub(_unescaped, body)
    # `b"NAME\0".as_ptr()` spells a C string.
    return body.rstrip("\0")


def _unescaped(found: re.Match[str]) -> str:
    byte, point, line_end, character = found.groups()
    if byte:
        return chr(int(byte, 16))
    if point:
        number = int(point.replace("_", "") or "0", 16)
        return chr(number) if number < 0x110000 else "?"
    return "" if line_end else _ESCAPES.get(character, character)


def format_pieces(template: str) -> Iterator[tuple[str, str | None]]:
    """Give the text and the fields of a format string: `("text", None)` or `("", "name")`."""
    at = 0
    for found in _FIELD.finditer(template):
        if found.start() > at:
            yield template[at : found.start()], None
        at = found.end()
        if found[0] in ("{{", "}}"):
            yield found[0][0], None
        else:
            yield "", (found[1] or "").partition(":")[0].strip()
    if at < len(template):
        yield template[at:], None
