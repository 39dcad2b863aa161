"""Leaving out the bodies of functions that hold no token.

Parsing is half of the cost, and most functions say nothing about levers. What stands between
the braces of such a function is kept from the parser; offsets stay as they are. A reading that
asks for a place in there after all is repeated with that body read (see `Source.missed`).
Bodies are told by indentation; where that is in doubt they are read.
"""

import re
from bisect import bisect_left
from typing import NamedTuple

from tree_sitter import Point, Range

_SMALLEST = 2000
"""A file with less than this is parsed as fast as it is looked through."""
_SHORT = 60
_LONGEST_HEAD = 4000
_HEAD = re.compile(
    rb"[ \t]*(?:pub(?:\([^()\n]*\))? )?(?:default )?(?:const )?(?:async )?(?:unsafe )?(?:extern \"[\w-]*\" )?"
)
_PAIRS = ((b"{", b"}"), (b'#"', b'"#'), (b"/*", b"*/"))


class Omission(NamedTuple):
    """What stands between the braces of a function."""

    start: int
    end: int


Omissions = tuple[Omission, ...]


def omissions(text: bytes, tokens: list[int]) -> Omissions:
    """Give the bodies without any of the `tokens`, which are sorted, in order."""
    if len(text) < _SMALLEST:
        return ()
    found = []
    closings: dict[bytes, int] = {}
    pairs = [pair for pair in _PAIRS if pair[1] in text]
    at = text.find(b"fn ")
    while at >= 0:
        body = _body(text, at, closings)
        if body is None:
            at = text.find(b"fn ", at + 3)
            continue
        start, end = body
        if (
            end - start > _SHORT
            and bisect_left(tokens, start) == bisect_left(tokens, end)
            and _is_balanced(text, start, end, pairs)
        ):
            found.append(body)
        # Never looked at twice, so that hostile files take no longer than others.
        at = text.find(b"fn ", end)
    return tuple(found)


def _body(text: bytes, at: int, closings: dict[bytes, int]) -> Omission | None:
    """Give the inside of the function whose `fn` is at `at`, when lines end where rustfmt ends them."""
    line = text.rfind(b"\n", 0, at) + 1
    head = _HEAD.fullmatch(text, line, at)
    if head is None:
        return None
    start = text.find(b"{\n", at, at + _LONGEST_HEAD) + 1
    if not start or text.find(b"}", at, start) >= 0 or text.find(b";\n", at, start) >= 0:
        return None
    closing = b"\n" + text[line : line + len(head[0]) - len(head[0].lstrip())] + b"}"
    end = closings.get(closing, 0)
    if 0 <= end < start:
        end = closings[closing] = text.find(closing, start)
    return Omission(start, end) if end >= 0 else None


def _is_balanced(text: bytes, start: int, end: int, pairs: list[tuple[bytes, bytes]]) -> bool:
    """Say whether braces, quotes, raw strings and comments that a body begins also end in it."""
    quotes = text.count(b'"', start, end) - text.count(b'\\"', start, end)
    return not quotes % 2 and all(
        text.count(opening, start, end) == text.count(closing, start, end) for opening, closing in pairs
    )


def ranges_around(omitted: Omissions, end: int) -> list[Range]:
    """Give what is left for the parser. Rows and columns are not asked for: they only have to grow."""
    starts = [0, *(body.end for body in omitted)]
    ends = [*(body.start for body in omitted), end]
    return [
        Range(Point(first, 0), Point(last, 0), first, last) for first, last in zip(starts, ends, strict=True)
    ]


def omission_at(omitted: Omissions, offset: int) -> Omission | None:
    position = bisect_left(omitted, (offset + 1,)) - 1
    if position < 0:
        return None
    body = omitted[position]
    return body if body.start <= offset < body.end else None
