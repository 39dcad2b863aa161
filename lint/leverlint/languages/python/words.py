"""Finding identifiers and lever names in the bytes of a source."""

import re

from leverlint.facts import Vocabulary

_WORD = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") | frozenset(
    range(128, 256)
)


def words(source: bytes, token: bytes, start: int, end: int, most: int = 1 << 30) -> list[int]:
    """Give where a whole identifier stands."""
    found: list[int] = []
    for match in re.compile(re.escape(token)).finditer(source, start, end):
        before = source[match.start() - 1] if match.start() else 0
        after = source[match.end()] if match.end() < len(source) else 0
        if before not in _WORD and after not in _WORD:
            found.append(match.start())
            if len(found) >= most:
                break
    return found


def quoted(vocabulary: Vocabulary) -> list[bytes]:
    """Give the tokens that a literal naming a lever starts with."""
    starts = [*vocabulary.prefixes, *vocabulary.names]
    return [quote + start.encode() for start in starts for quote in (b'"', b"'")]


def places(source: bytes, token: bytes, start: int = 0, end: int | None = None) -> list[int]:
    """Give the offsets of a token within a range, in order."""
    found = []
    stop = len(source) if end is None else end
    at = source.find(token, start, stop)
    while at >= 0:
        found.append(at)
        at = source.find(token, at + len(token), stop)
    return found
