"""Telling from bytes alone that a file has nothing to teach about a wrapper.

Most calls of a wrapper spell the name: `flag("ATLAS_X")`. Those are recorded before anybody
knows that `flag` reads. Only a file in which the wrapper is used in another way has to be
extracted again, which costs a hundred times as much as this look.
"""

import re
from functools import lru_cache

_WORD = rb"(?<![\w])%s(?![\w])"
_LITERAL_FIRST = rb"""\s*\(\s*(?:&\s*)?(?:\[\s*)?[bBrRuUc]{0,2}\#*["']"""
_IMPORT_LINE = re.compile(rb"\s*(?:pub(?:\([^)]*\))?\s+)?(?:from|import|use)\s")
_OPENS_IMPORT = re.compile(rb"(?:^|\n)[^\n]*\b(?:import\s*\(|use\s[\w:\s]*\{)[^(){};]*\Z")
_CALLED = re.compile(rb"\s*(?:\(|::\s*<)|\s+as\s")
_DEFINES = re.compile(rb"(?:\b(?:fn|def) |\w)\Z")
_WINDOW = 4096
"""How far above a name the import that lists it may begin."""


def spells_every_name(source: bytes, wrapper: str) -> bool:
    """Say whether `wrapper` only occurs in imports and in calls whose first argument is a literal."""
    for found in _occurrences(wrapper).finditer(source):
        if found.group("literal") is None and not _is_imported(source, found.start()):
            return False
    return True


def calls(source: bytes, name: str) -> bool:
    """Say whether `name` is called, or imported under another name."""
    token = name.encode()
    at = source.find(token)
    while at >= 0:
        end = at + len(token)
        if _CALLED.match(source, end) and not _DEFINES.search(source, max(0, at - 5), at):
            return True
        at = source.find(token, end)
    return False


@lru_cache(maxsize=256)
def _occurrences(wrapper: str) -> re.Pattern[bytes]:
    word = _WORD % re.escape(wrapper.encode())
    return re.compile(word + rb"(?P<literal>%s)?" % _LITERAL_FIRST)


def _is_imported(source: bytes, offset: int) -> bool:
    line = source.rfind(b"\n", 0, offset) + 1
    if _IMPORT_LINE.match(source, line, offset):
        return True
    above = source[max(0, offset - _WINDOW) : offset]
    return _OPENS_IMPORT.search(above) is not None
