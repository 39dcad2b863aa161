"""Reading only the statements of a file that may hold a fact.

Parsing is most of the cost, and most functions say nothing about levers. The file is cut at
its top-level statements and at the members of big classes; those that hold a token are put
together into a smaller source, with a map of offsets. When the reading asks for a name that
an omitted piece binds, or learns a token that stands in one, that piece is added and the
reading starts again. In doubt the whole file is read: both must give the same facts.
"""

import re
import sys
from bisect import bisect_right
from itertools import pairwise
from typing import Any

from leverlint.facts import (
    Constant,
    FileFacts,
    FunctionValue,
    Local,
    Named,
    Parameter,
    Passed,
    Reference,
    Span,
)
from leverlint.languages.python.words import words
from leverlint.languages.syntax import occurrences

_SMALLEST = 3000
_BIG_CLASS = 2500
_SHORT = 1000
_MOST = 0.6
"""Share of a file beyond which cutting it up gains nothing."""

_NOT_FIRST = rb"(?:else|elif|except|finally|and|or|in|is)\b"
_CERTAIN = rb"(@|(?:async|def|class|import|from|try|while|with)\b)?"
_FIRST = rb"(?=[A-Za-z_@])(?!" + _NOT_FIRST + rb")" + _CERTAIN
_TOP = re.compile(rb"\n" + _FIRST)
_MEMBER = re.compile(rb"\n    " + _FIRST)
_OTHER_INDENT = re.compile(rb"\n(?: {1,3}|\t| +\t)(?=[^\s#])")
_UNFINISHED = re.compile(
    rb"(?:[(\[{,\\=+\-*/%|&^<>:~]|\b(?:and|or|not|in|is|if|else|lambda|await))[ \t\r\f]*(?:#.*)?\Z"
)
_DEFINITION = re.compile(rb"(?:@|(?:async[ \t]+)?def\b|class\b)")
_NAME = re.compile(rb"\n(?:    )?(?:(?:async[ \t]+)?def|class)[ \t]+(\w+)")
_TARGETS = re.compile(rb"(?:[\w ,()*.\[\]]+=(?!=))+|\w+")
_SIMPLE_NAMES = re.compile(rb"[A-Za-z_]\w*")
_COMPOUND = re.compile(rb"(?:if|for|while|try|with|match|async[ \t]+(?:for|with)|import|from)\b")
_CLASS = re.compile(rb"^class\b", re.MULTILINE)
_SET = re.compile(rb"[ \t]*(?::[^=\n]*)?=(?!=)")
_FILLER = b"    pass\n"
_INDENT = 4
_AT_SIGN = 0x40
_PLACELESS = frozenset(
    {
        str,
        bool,
        int,
        type(None),
        Parameter,
        Reference,
        FunctionValue,
        Constant,
        Named,
        Passed,
        Local,
    }
)
"""Kinds of facts and of parts of them that hold no span."""

Ranges = list[tuple[int, int]]


class Excerpt:
    """A selection of the pieces of one file; a piece is known by the offset that it starts at."""

    def __init__(self, source: bytes, strings: Ranges) -> None:
        self._source = source
        self._strings = strings
        self._starts = [0, *_boundaries(source, _TOP, 0, len(source), strings)]
        self._ends = dict(pairwise([*self._starts, len(source)]))
        self._selected = {start for start, end in self._ends.items() if _always(source, start, end)}
        self._examined: set[int] = set()
        self._headers: set[int] = set()
        """Classes whose members are pieces of their own."""
        self._class_of: dict[int, int] = {}
        self._names: dict[bytes, list[int]] | None = None
        self._members: dict[bytes, list[int]] = {}
        self._asked: set[bytes] = set()
        self._origins: list[int] = []
        self._offsets: list[int] = []
        self._shifts: list[int] = []

    # --- Selecting ------------------------------------------------------------------------

    def select(self, offset: int) -> bool:
        """Select what stands at an offset: of a big class its head and one member."""
        self._open(self._piece_at(offset))
        return self._add(self._piece_at(offset))

    def _piece_at(self, offset: int) -> int:
        return self._starts[bisect_right(self._starts, offset) - 1]

    def _add(self, start: int) -> bool:
        known = start in self._selected
        self._selected.add(start)
        self._selected.add(self._class_of.get(start, start))
        return not known

    def _open(self, start: int) -> None:
        """Cut a big class at its members; those that may bind anything are always read."""
        if start in self._examined or start in self._class_of:
            return
        self._examined.add(start)
        end = self._ends[start]
        members = _members(self._source, start, end, self._strings)
        if not members:
            return
        self._headers.add(start)
        self._ends[start] = members[0]
        self._ends.update(pairwise([*members, end]))
        self._class_of.update(dict.fromkeys(members, start))
        position = bisect_right(self._starts, start)
        self._starts[position:position] = members
        self._selected.update(at for at in members if _COMPOUND.match(self._source, at + _INDENT))
        self._bind(members, _INDENT, self._members)

    def worthwhile(self) -> bool:
        chosen = sum(self._ends[start] - start for start in self._selected)
        return chosen < len(self._source) * _MOST

    def widen(self, names: set[str], members: set[str], tokens: set[str]) -> bool:
        """Add the omitted pieces that bind a name asked for or hold a token; say whether any did."""
        if self._names is None:
            self._names = {}
            self._bind([start for start in self._starts if start not in self._class_of], 0, self._names)
        added = False
        for name in names:
            for start in self._names.get(name.encode(), ()):
                self._open(start)
                added |= self._add(start)
        for name in members:
            for start in self._members.get(name.encode(), ()):
                added |= self._add(start)
        for token in sorted({b"." + name.encode() for name in members} - self._asked):
            self._asked.add(token)
            for offset in occurrences(self._source, token):
                if _SET.match(self._source, offset + len(token)):
                    added |= self.select(offset)
        for token in sorted({token.encode() for token in tokens} - self._asked):
            self._asked.add(token)
            for offset in words(self._source, token, 0, len(self._source)):
                added |= self.select(offset)
        return added

    def _bind(self, starts: list[int], indent: int, found: dict[bytes, list[int]]) -> None:
        """Note which names the pieces bind that are not selected."""
        for start in starts:
            if start not in self._selected:
                for name in _bound(self._source, start, self._ends[start], indent):
                    found.setdefault(name, []).append(start)

    # --- Reading --------------------------------------------------------------------------

    def text(self) -> bytes:
        """Put the selected pieces together."""
        self._origins, self._offsets = [], []
        found: list[bytes] = []
        length = 0
        for start in sorted(self._selected):
            end = self._ends[start]
            self._origins.append(start)
            self._offsets.append(length)
            found.append(self._source[start:end])
            length += end - start
            if start in self._headers:
                self._origins.append(end)
                self._offsets.append(length)
                found.append(_FILLER)
                length += len(_FILLER)
        self._shifts = [origin - at for origin, at in zip(self._origins, self._offsets, strict=True)]
        self._offsets.append(sys.maxsize)
        return b"".join(found)

    def within(self, offsets: list[int]) -> list[int]:
        """Give where selected bytes of the file stand in the text."""
        return [at - self._shifts[bisect_right(self._origins, at) - 1] for at in offsets]

    def restored(self, facts: FileFacts) -> FileFacts:
        """Give facts of the excerpt with the offsets of the file."""
        moved: FileFacts = self._moved(facts)
        return moved

    def _moved(self, value: Any) -> Any:
        kind = type(value)
        if kind is Span:
            return self._span(*value)
        if not value or (kind is tuple and type(value[-1]) is str):
            return value
        items = [
            item if type(item) in _PLACELESS or not isinstance(item, tuple) else self._moved(item)
            for item in value
        ]
        return tuple(items) if kind is tuple else kind._make(items)

    def _span(self, start: int, end: int) -> Span:
        """Give where a range of the text is in the file; both ends lie in selected pieces."""
        first = bisect_right(self._offsets, start) - 1
        last = first
        if end > self._offsets[first + 1]:
            last = bisect_right(self._offsets, end - 1) - 1
        return Span(start + self._shifts[first], end + self._shifts[last])


def begin(source: bytes, tokens: list[int]) -> Excerpt | None:
    """Cut a file up and select the pieces with a token; `None` when it should be read whole."""
    if len(source) < _SMALLEST or len(tokens) * 400 > len(source) or b"\x00" in source:
        return None
    strings = _triple_quoted(source)
    if strings is None:
        return None
    excerpt = Excerpt(source, strings)
    for offset in tokens:
        excerpt.select(offset)
    for offset in occurrences(source, b"global"):
        alone = source[source.rfind(b"\n", 0, offset) + 1 : offset].isspace()
        if alone and source[offset + 6 : offset + 7] in (b" ", b"\t"):
            excerpt.select(offset)
    return excerpt if excerpt.worthwhile() else None


def _triple_quoted(source: bytes) -> Ranges | None:
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


def _members(source: bytes, start: int, end: int, strings: Ranges) -> list[int]:
    """Give where the members of a big class start."""
    if end - start < _BIG_CLASS or not _CLASS.search(source, start, min(end, start + _SHORT)):
        return []
    if _OTHER_INDENT.search(source, start, end) or b"\n    " not in source[start:end]:
        return []
    return _boundaries(source, _MEMBER, start, end, strings)


def _boundaries(
    source: bytes, pattern: re.Pattern[bytes], start: int, end: int, strings: Ranges
) -> list[int]:
    """Give the offsets at which a new statement starts."""
    found: list[int] = []
    indent = 0 if pattern is _TOP else _INDENT
    decorated = source.startswith(b"@", start) and pattern is _TOP
    inside = bisect_right(strings, (start, end))
    for match in pattern.finditer(source, start, end):
        newline = match.start()
        while inside < len(strings) and strings[inside][1] <= newline:
            inside += 1
        if inside < len(strings) and strings[inside][0] < newline:
            continue
        below_decorator = decorated
        decorated = source[newline + 1 + indent] == _AT_SIGN
        if not below_decorator and (match[1] or not _goes_on(source, newline, start, pattern)):
            found.append(newline + 1)
    return found


def _goes_on(source: bytes, newline: int, start: int, pattern: re.Pattern[bytes]) -> bool:
    """Say whether the statement above a line break needs what follows."""
    line = _code_line_before(source, newline, start)
    return _UNFINISHED.search(line) is not None and not _opens_block(line, pattern)


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


def _always(source: bytes, start: int, end: int) -> bool:
    """Say whether a piece is always read: it may bind anything, or costs next to nothing."""
    if start == 0:
        return True
    if _DEFINITION.match(source, start):
        return source.startswith(b"def __getattr__", start)
    return end - start < _SHORT or _COMPOUND.match(source, start) is not None or _one_line(source, start)


def _one_line(source: bytes, start: int) -> bool:
    end = source.find(b"\n", start)
    return end >= 0 and end - start < _SHORT and not _UNFINISHED.search(source, start, end)


def _bound(source: bytes, start: int, end: int, indent: int) -> set[bytes]:
    """Give the names that a definition or a simple statement binds."""
    if _DEFINITION.match(source, start + indent):
        named = _NAME.search(source, max(start - 1, 0), end)
        return {named[1]} if named is not None else set()
    targets = _TARGETS.match(source, start + indent, end)
    return set(_SIMPLE_NAMES.findall(targets[0])) if targets is not None else set()
