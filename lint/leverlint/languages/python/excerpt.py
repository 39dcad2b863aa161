"""Reading only the statements of a file that may hold a fact.

Parsing is most of the cost, and most functions say nothing about levers. The file is cut at
its top-level statements and at the members of big classes; those that hold a token are put
together into a smaller source, with a map of offsets. When the reading asks for a name that
an omitted piece binds, or learns a token that stands in one, that piece is added and the
reading starts again. In doubt the whole file is read: both must give the same facts.
"""

import re
from bisect import bisect_right
from itertools import pairwise
from typing import Any, NamedTuple

from leverlint.facts import FileFacts, Span
from leverlint.languages.python.words import places, words

_SMALLEST = 3000
_BIG_CLASS = 2500
_SHORT = 1000
_MOST = 0.6
"""Share of a file beyond which cutting it up gains nothing."""

_NOT_FIRST = rb"(?:else|elif|except|finally|and|or|in|is)\b"
_TOP = re.compile(rb"\n(?=[A-Za-z_@])(?!" + _NOT_FIRST + rb")")
_MEMBER = re.compile(rb"\n    (?=[A-Za-z_@])(?!" + _NOT_FIRST + rb")")
_OTHER_INDENT = re.compile(rb"\n(?: {1,3}|\t| +\t)(?=[^\s#])")
_UNFINISHED = re.compile(
    rb"(?:[(\[{,\\=+\-*/%|&^<>:~]|\b(?:and|or|not|in|is|if|else|lambda|await))[ \t\r\f]*(?:#.*)?\Z"
)
_DEFINITION = re.compile(rb"(?:@|(?:async[ \t]+)?def\b|class\b)")
_CERTAIN = re.compile(rb"@|(?:async|def|class|import|from|try|while|with)\b")
_NAME = re.compile(rb"\n(?:    )?(?:(?:async[ \t]+)?def|class)[ \t]+(\w+)")
_TARGETS = re.compile(rb"(?:[\w ,()*.\[\]]+=(?!=))+|\w+")
_SIMPLE_NAMES = re.compile(rb"[A-Za-z_]\w*")
_COMPOUND = re.compile(rb"(?:if|for|while|try|with|match|async[ \t]+(?:for|with)|import|from)\b")
_CLASS = re.compile(rb"^class\b", re.MULTILINE)
_SET = re.compile(rb"[ \t]*(?::[^=\n]*)?=(?!=)")
_GLOBAL = re.compile(rb"\n[ \t]+global[ \t]")
_FILLER = b"    pass\n"


class Piece(NamedTuple):
    start: int
    end: int
    header: int
    """Index of the class header that it is a member below, or -1."""
    opens: bool
    """It is the header of a class whose members are pieces of their own."""


class Excerpt:
    """A selection of the pieces of one file."""

    def __init__(self, source: bytes, pieces: list[Piece]) -> None:
        self._source = source
        self._pieces = pieces
        self._selected = {index for index, piece in enumerate(pieces) if _always(source, piece)}
        self._open: set[int] = set()
        self._starts = [piece.start for piece in pieces]
        self._names: dict[tuple[bytes, bool], list[int]] | None = None
        self._asked: set[bytes] = set()
        self._origins: list[int] = []
        self._offsets: list[int] = []

    def select(self, offset: int) -> None:
        self._add(bisect_right(self._starts, offset) - 1)

    def _add(self, index: int) -> bool:
        index = max(index, 0)
        known = index in self._selected
        self._selected.add(index)
        header = self._pieces[index].header if self._pieces[index].header >= 0 else index
        if self._pieces[header].opens and header not in self._open:
            self._open.add(header)
            self._selected.add(header)
            self._selected.update(self._compounds(header))
        return not known

    def _compounds(self, header: int) -> list[int]:
        """Give the members of a class that may bind anything: its conditions and loops."""
        found = []
        index = header + 1
        while index < len(self._pieces) and self._pieces[index].header == header:
            if _COMPOUND.match(self._source, self._pieces[index].start + 4):
                found.append(index)
            index += 1
        return found

    def worthwhile(self) -> bool:
        chosen = sum(self._pieces[index].end - self._pieces[index].start for index in self._selected)
        return chosen < len(self._source) * _MOST

    def text(self) -> bytes:
        """Put the selected pieces together."""
        self._origins, self._offsets = [], []
        found: list[bytes] = []
        length = 0
        for index in sorted(self._selected):
            piece = self._pieces[index]
            self._origins.append(piece.start)
            self._offsets.append(length)
            found.append(self._source[piece.start : piece.end])
            length += piece.end - piece.start
            if piece.opens:
                self._origins.append(piece.end)
                self._offsets.append(length)
                found.append(_FILLER)
                length += len(_FILLER)
        return b"".join(found)

    def widen(self, names: set[str], members: set[str], tokens: set[str]) -> bool:
        """Add the omitted pieces that bind a name asked for or hold a token; say whether any did."""
        if self._names is None:
            self._names = self._bound()
        added = False
        for below, wanted in ((False, names), (True, members)):
            for name in wanted:
                for index in self._names.get((name.encode(), below), ()):
                    added |= self._add(index)
        for token in sorted({b"." + name.encode() for name in members} - self._asked):
            self._asked.add(token)
            for offset in places(self._source, token):
                if _SET.match(self._source, offset + len(token)):
                    added |= self._add(bisect_right(self._starts, offset) - 1)
        for token in sorted({token.encode() for token in tokens} - self._asked):
            self._asked.add(token)
            for offset in words(self._source, token, 0, len(self._source)):
                added |= self._add(bisect_right(self._starts, offset) - 1)
        return added

    def _bound(self) -> dict[tuple[bytes, bool], list[int]]:
        """Map names, of the module and of members of classes, to the omitted pieces that bind them."""
        found: dict[tuple[bytes, bool], list[int]] = {}
        for match in _NAME.finditer(self._source):
            index = bisect_right(self._starts, match.end()) - 1
            if index not in self._selected:
                found.setdefault((match[1], self._pieces[index].header >= 0), []).append(index)
        for index, piece in enumerate(self._pieces):
            if index not in self._selected and not _is_definition(self._source, piece):
                for name in _targets(self._source, piece):
                    found.setdefault((name, piece.header >= 0), []).append(index)
        return found

    def restored(self, facts: FileFacts) -> FileFacts:
        """Give facts of the excerpt with the offsets of the file."""
        moved: FileFacts = self._moved(facts)
        return moved

    def _moved(self, value: Any) -> Any:
        if type(value) is Span:
            return Span(self._origin(value.start), self._origin(value.end - 1) + 1) if value.end else value
        if not value or (type(value[0]) is str and type(value) is tuple):
            return value
        items = [self._moved(item) if isinstance(item, tuple) else item for item in value]
        return type(value)(*items) if hasattr(value, "_fields") else tuple(items)

    def _origin(self, offset: int) -> int:
        index = bisect_right(self._offsets, offset) - 1
        return self._origins[index] + offset - self._offsets[index]


def begin(source: bytes, tokens: list[int]) -> Excerpt | None:
    """Cut a file up and select the pieces with a token; `None` when it should be read whole."""
    if len(source) < _SMALLEST or len(tokens) * 400 > len(source) or b"\x00" in source:
        return None
    strings = _triple_quoted(source)
    if strings is None:
        return None
    excerpt = Excerpt(source, _cut(source, strings))
    for offset in tokens:
        excerpt.select(offset)
    for match in _GLOBAL.finditer(source):
        excerpt.select(match.end())
    return excerpt if excerpt.worthwhile() else None


def _triple_quoted(source: bytes) -> list[tuple[int, int]] | None:
    """Give the ranges of triple-quoted strings; `None` when they cannot be told for certain."""
    found = []
    at = 0
    double, single = source.find(b'"""'), source.find(b"'''")
    while double >= 0 or single >= 0:
        start = double if single < 0 or 0 <= double < single else single
        before = source[source.rfind(b"\n", 0, start) + 1 : start]
        if b"#" in before or b'"' in before or b"'" in before:
            return None
        quote = source[start : start + 3]
        end = source.find(quote, start + 3)
        while end >= 0 and source[end - 1] == 0x5C:
            end = source.find(quote, end + 1)
        if end < 0:
            return None
        at = end + 3
        found.append((start, at))
        double = source.find(b'"""', at) if 0 <= double < at else double
        single = source.find(b"'''", at) if 0 <= single < at else single
    return found


def _cut(source: bytes, strings: list[tuple[int, int]]) -> list[Piece]:
    pieces: list[Piece] = []
    bounds = [0, *_boundaries(source, _TOP, 0, len(source), strings), len(source)]
    for start, end in pairwise(bounds):
        members = _members(source, start, end, strings)
        header = len(pieces) if members else -1
        pieces.append(Piece(start, members[0] if members else end, -1, bool(members)))
        for first, last in zip(members, [*members[1:], end], strict=False):
            pieces.append(Piece(first, last, header, False))
    return pieces


def _members(source: bytes, start: int, end: int, strings: list[tuple[int, int]]) -> list[int]:
    """Give where the members of a big class start."""
    if end - start < _BIG_CLASS or not _CLASS.search(source, start, min(end, start + _SHORT)):
        return []
    if _OTHER_INDENT.search(source, start, end) or b"\n    " not in source[start:end]:
        return []
    return _boundaries(source, _MEMBER, start, end, strings)


def _boundaries(
    source: bytes, pattern: re.Pattern[bytes], start: int, end: int, strings: list[tuple[int, int]]
) -> list[int]:
    """Give the offsets at which a new statement starts."""
    found: list[int] = []
    decorated = source[start : start + 1] == b"@" and pattern is _TOP
    inside = bisect_right(strings, (start, end))
    for match in pattern.finditer(source, start, end):
        newline = match.start()
        while inside < len(strings) and strings[inside][1] <= newline:
            inside += 1
        if inside < len(strings) and strings[inside][0] < newline:
            continue
        line = _code_line_before(source, newline, start)
        certain = _CERTAIN.match(source, match.end()) is not None or _opens_block(line, pattern)
        if decorated or (not certain and _UNFINISHED.search(line)):
            decorated = source[match.end() : match.end() + 1] == b"@"
            continue
        decorated = source[match.end() : match.end() + 1] == b"@"
        found.append(newline + 1)
    return found


def _code_line_before(source: bytes, newline: int, start: int) -> bytes:
    """Give the last line before a line break that is neither blank nor a comment."""
    end = newline
    while end > start:
        begin = source.rfind(b"\n", start, end) + 1 or start
        line = source[begin:end]
        if line.strip() and not line.lstrip().startswith(b"#"):
            return line
        end = begin - 1
    return b""


def _opens_block(line: bytes, pattern: re.Pattern[bytes]) -> bool:
    """A class header ends in `:` and its first member follows: no unfinished line."""
    return pattern is _MEMBER and line.rstrip().endswith(b":") and not line.startswith(b"    ")


def _always(source: bytes, piece: Piece) -> bool:
    """Say whether a piece is always read: it may bind anything, or costs next to nothing."""
    if piece.start == 0:
        return True
    start = piece.start + (4 if piece.header >= 0 else 0)
    if _DEFINITION.match(source, start):
        return piece.header < 0 and source.startswith(b"def __getattr__", start)
    if piece.header >= 0:
        return False
    return (
        piece.end - start < _SHORT or _COMPOUND.match(source, start) is not None or _one_line(source, start)
    )


def _one_line(source: bytes, start: int) -> bool:
    end = source.find(b"\n", start)
    return end >= 0 and end - start < _SHORT and not _UNFINISHED.search(source, start, end)


def _is_definition(source: bytes, piece: Piece) -> bool:
    return _DEFINITION.match(source, piece.start + (4 if piece.header >= 0 else 0)) is not None


def _targets(source: bytes, piece: Piece) -> set[bytes]:
    """Give the names that a simple statement assigns to."""
    found = _TARGETS.match(source, piece.start + (4 if piece.header >= 0 else 0), piece.end)
    return set(_SIMPLE_NAMES.findall(found[0])) if found is not None else set()
