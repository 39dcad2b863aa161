"""`.gitignore`, `.ignore` and `.git/info/exclude`, read as git reads them.

Each file is one question about an entry of a directory whose parents were asked about
before, so patterns need not look at what lies below a directory.
"""

import os
import re
from typing import NamedTuple

from leverlint import globs

NAMES = (".gitignore", ".ignore")
"""In rising order of precedence within one directory."""


class _Pattern(NamedTuple):
    negated: bool
    only_directories: bool
    regex: re.Pattern[str]


class IgnoreFile:
    def __init__(self, directory: str, text: str) -> None:
        self._offset = len(directory) + 1 if directory else 0
        self._names: set[str] = set()
        self._suffixes: tuple[str, ...] = ()
        self._expressions: list[str] = []
        self._ordered: list[_Pattern] = []
        self._quick: re.Pattern[str] | None = None
        lines = [line for raw in text.split("\n") if (line := _clean(raw))]
        self._order_matters = any(line.startswith("!") for line in lines)
        for line in lines:
            self._add(line)
        if self._expressions:
            self._quick = re.compile("|".join(self._expressions), re.DOTALL)

    def _add(self, line: str) -> None:
        negated = line.startswith("!")
        pattern = line[1:] if negated else line
        body = pattern[:-1] if pattern.endswith("/") else pattern
        only_directories = body != pattern
        if not body:
            return
        if self._order_matters:
            regex = re.compile(globs.translate_entry(body), re.DOTALL)
            self._ordered.append(_Pattern(negated, only_directories, regex))
        # Plain names and suffixes make up most of such files and cost no regular expression.
        plain = body.removeprefix("**/")
        if globs.is_plain(plain) and not only_directories:
            self._names.add(plain)
        elif plain.startswith("*.") and globs.is_plain(plain[1:]) and not only_directories:
            self._suffixes += (plain[1:],)
        else:
            self._expressions.append(globs.translate_entry(body) + ("/" if only_directories else "/?"))

    def verdict(self, path: str, name: str, directory: bool) -> bool | None:
        """Say whether an entry is ignored (`True`), kept on purpose (`False`) or not spoken of."""
        inner = path[self._offset :]
        if not (
            name in self._names
            or name.endswith(self._suffixes)
            or (self._quick is not None and self._quick.fullmatch(inner + "/" if directory else inner))
        ):
            return None
        if not self._order_matters:
            return True
        for pattern in reversed(self._ordered):
            if (directory or not pattern.only_directories) and pattern.regex.fullmatch(inner):
                return not pattern.negated
        return None


def _clean(raw: str) -> str:
    """Give the pattern of a line; nothing for a comment or a blank."""
    line = raw.removesuffix("\r")
    if line.startswith("#"):
        return ""
    stripped = line.rstrip(" ")
    if stripped.endswith("\\") and stripped != line and (len(stripped) - len(stripped.rstrip("\\"))) % 2:
        stripped += " "
    return stripped


def read(directory: str, path: str) -> IgnoreFile | None:
    """Read one ignore file that speaks about `directory` (relative to the root)."""
    try:
        with open(path, "rb") as stream:
            content = stream.read()
    except OSError:
        return None
    return IgnoreFile(directory, content.decode("utf-8-sig", "replace"))


def above(root: str) -> tuple[IgnoreFile, ...]:
    """Give what the repository around `root` says, from the outside in, without root's own files."""
    directory = root
    inside: list[str] = []
    while not os.path.exists(os.path.join(directory, ".git")):
        parent = os.path.dirname(directory)
        if parent == directory:
            return ()
        inside.append(os.path.basename(directory))
        directory = parent
    found = [_outer(os.path.join(directory, ".git", "info", "exclude"), inside)]
    while inside:
        found += [_outer(os.path.join(directory, name), inside) for name in NAMES]
        directory = os.path.join(directory, inside.pop())
    return tuple(file for file in found if file is not None)


def _outer(path: str, inside: list[str]) -> IgnoreFile | None:
    file = read("", path)
    return _FromAbove(file, "/".join(reversed(inside))) if file and inside else file


class _FromAbove(IgnoreFile):
    """An ignore file of a directory above the root, asked with paths relative to the root."""

    def __init__(self, file: IgnoreFile, inside: str) -> None:
        self._file = file
        self._inside = inside

    def verdict(self, path: str, name: str, directory: bool) -> bool | None:
        return self._file.verdict(f"{self._inside}/{path}", name, directory)
