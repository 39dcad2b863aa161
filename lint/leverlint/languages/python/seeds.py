"""What in the bytes of a file is worth a look, before anything of it is parsed.

Every file of a tree is refused or chosen here, so that each search of a whole file counts:
what several tokens have in common is looked for first.
"""

import re
from collections.abc import Iterator
from os.path import commonprefix

from leverlint.facts import Vocabulary
from leverlint.languages.syntax import occurrences

MARKERS = (b"leverlint:", b"LVR")
"""What comments that suppress findings of ours contain."""

_SET = rb"[ \t]*(?::[^=\n]*)?=(?!=)"
_ASSIGNED = re.compile(rb"\w+" + _SET)
_GIVEN = re.compile(rb"\w*[ \t]*(?::[^\n=]*)?=[^=]")
_QUOTES = b"\"'"
_BLANK = b" \t\n\r\f;"


def concerns(source: bytes, vocabulary: Vocabulary) -> bool:
    """Say whether a file may hold any fact."""
    return (
        any(token in source for token in _tokens(source))
        or any(_gives(source, prefix) for prefix in _prefixes(source, vocabulary))
        or any(_quotes(source, name.encode()) for name in vocabulary.names)
        or any(wrapper.encode() in source for wrapper in vocabulary.wrappers)
        or any(marker in source for marker in MARKERS)
    )


def seeds(source: bytes, vocabulary: Vocabulary) -> list[int]:
    """Give the offsets of everything that is worth a look before anything is learnt."""
    found = [at for token in _tokens(source) for at in occurrences(source, token)]
    for prefix in _prefixes(source, vocabulary):
        for at in occurrences(source, prefix):
            before = source[at - 1] if at else 0x0A
            if before in _QUOTES or (before in _BLANK and _ASSIGNED.match(source, at)):
                found.append(at)
    for name in vocabulary.names:
        found.extend(at for at in occurrences(source, name.encode()) if at and source[at - 1] in _QUOTES)
    return found


def _tokens(source: bytes) -> Iterator[bytes]:
    """Give the names of the API that a source may hold."""
    if b"env" in source:
        yield from (b"environ", b"envvar")
        if b"configarg" in source:
            yield b"env_var"
        if b"prefixed_env" in source:
            yield b"from_prefixed_env"
        if b"tenv" in source:
            yield from (b"getenv", b"putenv", b"unsetenv")
    yield from (b"expandvars", b"BaseSettings", b"starlette.config")
    if b"import" in source:
        yield from (b"from decouple", b"import decouple", b"import envparse", b"from envparse")


def _prefixes(source: bytes, vocabulary: Vocabulary) -> list[bytes]:
    """Give the prefixes of levers, unless a source has none of them."""
    common = commonprefix(vocabulary.prefixes)  # noqa: RUF071 (no paths, and characters are meant)
    if common.encode() not in source:
        return []
    return [prefix.encode() for prefix in vocabulary.prefixes]


def _quotes(source: bytes, start: bytes) -> bool:
    return start in source and any(bytes((quote,)) + start in source for quote in _QUOTES)


def _gives(source: bytes, prefix: bytes) -> bool:
    """Say whether a literal begins with a prefix, or something with it is assigned to."""
    return _quotes(source, prefix) or any(
        _GIVEN.match(source, at + len(prefix)) for at in occurrences(source, prefix)
    )
