"""What resolvers call while they resolve: code that runs then cannot ask for what is being resolved.

Told by names alone, which finds too much rather than too little: a function that is called
like one of these is taken for it. Methods are not followed, only compared.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from leverlint import languages

_CALLED = {
    "python": re.compile(rb"(?<![.\w])(?!self\.|cls\.)(?:\w+\.)*?((?:\w+(?=\.))?)\.?\b([A-Za-z_]\w*)\("),
    "rust": re.compile(rb"(?<![.:\w])(?:\w+::)*?((?:\w+(?=::))?)(?:::)?\b([A-Za-z_]\w*)\("),
}
"""What stands before the name of a function that is called, and the name."""
_DEFINITION = rb"^[ \t]*(?:[\w()]+[ \t]+)*(?:fn|def)[ \t]+%s\b"
_OWNER = rb"\b(?:impl|class|trait)\b[^\n{]*\b%s\b"
_ASKED = rb"(?<!fn )(?<!def )\b%s!?\s*\(|::%s\b|[(,]\s*%s\s*[,).]"
"""A function that is called or handed on, a static that is looked at."""
_TESTS = re.compile(rb"#\[cfg\(test\)\]\s*(?:pub\s+)?mod\b")
_MOST = 60
"""Functions that are followed."""
_COMMON = frozenset(
    b"Ok Some Err Self String Vec Box Arc new from default fn def if while for match return and or not in "
    b"pub cls super len int str bool float set frozenset tuple list dict isinstance any all print".split()
)


class _Called(NamedTuple):
    qualifier: bytes
    name: bytes
    home: str
    """The file that calls it, where that defines it as well."""


class Resolving:
    """Knows, for each resolver, all code that may be run from it."""

    def __init__(self, files: Iterable[str], read: Callable[[str], bytes]) -> None:
        self._files = tuple(files)
        self._read = read
        self._reached: dict[str, bytes | None] = {}

    def may_reach(self, resolver: str, name: str) -> bool:
        """Say whether a function or static of that name may be asked while a resolver resolves."""
        if resolver not in self._reached:
            self._reached[resolver] = self._code(resolver)
        code = self._reached[resolver]
        return code is None or re.search(_ASKED % ((re.escape(name.encode()),) * 3), code) is not None

    def _code(self, resolver: str) -> bytes | None:
        """Give the code of a resolver and of whatever it may call; `None` when that is too much."""
        code = [_TESTS.split(self._read(resolver))[0]]
        seen: set[_Called] = set()
        # What the resolver defines itself is in its code already.
        pending = {one for one in self._called(code[0], resolver) if not one.home}
        while pending := pending - seen:
            seen |= pending
            if len(seen) > _MOST:
                return None
            found = [each for one in sorted(pending) for each in self._bodies(one, resolver)]
            code += [body for _, body in found]
            pending = {one for path, body in found for one in self._called(body, path)}
        return b"\n".join(code)

    def _called(self, code: bytes, path: str) -> Iterator[_Called]:
        """Give the functions that some code of a file calls by their paths."""
        file = self._read(path)
        for qualifier, name in set(_CALLED[languages.name_for(path) or ""].findall(code)):
            if name not in _COMMON or qualifier[:1].islower():
                is_own = re.search(_DEFINITION % re.escape(name), file, re.MULTILINE) is not None
                yield _Called(qualifier, name, path if is_own else "")

    def _bodies(self, called: _Called, resolver: str) -> Iterator[tuple[str, bytes]]:
        """Give the functions that a call may mean, each with its file."""
        defined = re.compile(_DEFINITION % re.escape(called.name), re.MULTILINE)
        for path in [called.home] if called.home else self._homes(called, resolver):
            data = self._read(path)
            for found in defined.finditer(data):
                yield path, _body(data, found.start())

    def _homes(self, called: _Called, resolver: str) -> list[str]:
        """Give the files that may define a function, by what stands before its name."""
        language = languages.name_for(resolver)
        files = [
            path
            for path in self._files
            if path != resolver and languages.name_for(path) == language and called.name in self._read(path)
        ]
        if called.qualifier[:1].isupper():
            owner = re.compile(_OWNER % re.escape(called.qualifier))
            return [path for path in files if owner.search(self._read(path))]
        # A module of that name, unless it passes on what others define.
        stem = called.qualifier.decode()
        return [path for path in files if stem in re.split(r"[/.]", path)] or files


def _body(data: bytes, start: int) -> bytes:
    """Give a definition up to the next line that is no further in than its first."""
    line = data[start:].partition(b"\n")[0]
    indent = len(line) - len(line.lstrip(b" \t"))
    end = re.compile(rb"^[ \t]{0,%d}(?:\}|[^\s)}\]\"'#/])" % indent, re.MULTILINE)
    after = end.search(data, start + len(line))
    return data[start : after.start() if after is not None else len(data)]
