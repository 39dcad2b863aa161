"""`.gitignore`, `.ignore` and `.git/info/exclude`, read as git reads them.

Each file is one question about an entry of a directory whose parents were asked about
before, so patterns need not look at what lies below a directory.
"""

import os
import re
from typing import NamedTuple

from leverlint import globs, small_files

NAMES = (".gitignore", ".ignore")
"""In rising order of precedence within one directory."""


_HEAD = 8
"""Characters of a pattern with wildcards by which it is found: few patterns are worth an expression."""


class _Verdict(NamedTuple):
    line: int
    """The last one that speaks of an entry counts."""
    ignored: bool


class _Pattern:
    """A pattern with wildcards; most are never needed, and an expression takes long to make."""

    def __init__(self, body: str, only_directories: bool, verdict: _Verdict) -> None:
        self.only_directories = only_directories
        self.verdict = verdict
        self._body = body
        self._regex: re.Pattern[str] | None = None

    def matches(self, path: str) -> bool:
        if self._regex is None:
            self._regex = re.compile(globs.translate_entry(self._body), re.DOTALL)
        return self._regex.fullmatch(path) is not None


class IgnoreFile:
    """Patterns without wildcards are looked up, the others by the signs that they begin with.

    In the keys of both, a `/` in front says that the path is meant and not the name; behind a
    plain one, that it must be a directory.
    """

    def __init__(self, directory: str, text: str) -> None:
        self._offset = len(directory) + 1 if directory else 0
        self._plain: dict[str, _Verdict] = {}
        self._suffixes: dict[str, _Verdict] = {}
        self._wild: dict[str, list[_Pattern]] = {}
        for number, raw in enumerate(text.split("\n")):
            if line := _clean(raw):
                self._add(line, number)
        self._heads = sorted({len(head) - head.startswith("/") for head in self._wild})

    def _add(self, line: str, number: int) -> None:
        pattern = line.removeprefix("!")
        verdict = _Verdict(number, pattern == line)
        body = pattern.removesuffix("/")
        only_directories = body != pattern
        if not body:
            return
        plain = body.removeprefix("**/")
        literal = _literal(body)
        if globs.is_plain(plain):
            self._plain[plain + "/" * only_directories] = verdict
        elif literal == body:
            self._plain["/" + body.removeprefix("/") + "/" * only_directories] = verdict
        elif plain.startswith("*.") and globs.is_plain(plain[1:]) and not only_directories:
            self._suffixes[plain[1:]] = verdict
        else:
            anchor = "/" if "/" in body else ""
            head = anchor + literal.removeprefix("/")[:_HEAD]
            self._wild.setdefault(head, []).append(_Pattern(body, only_directories, verdict))

    def verdict(self, path: str, name: str, directory: bool) -> bool | None:
        """Say whether an entry is ignored (`True`), kept on purpose (`False`) or not spoken of."""
        inner = path[self._offset :]
        found = [self._plain.get(name), self._plain.get("/" + inner)]
        if directory:
            found += [self._plain.get(name + "/"), self._plain.get(f"/{inner}/")]
        if self._suffixes:
            dots = (index for index, sign in enumerate(name) if sign == ".")
            found += [self._suffixes.get(name[index:]) for index in dots]
        for length in self._heads:
            for head in (name[:length], "/" + inner[:length]):
                found += [
                    pattern.verdict
                    for pattern in self._wild.get(head, ())
                    if (directory or not pattern.only_directories) and pattern.matches(inner)
                ]
        last = max((verdict for verdict in found if verdict), default=None)
        return last.ignored if last else None


def _literal(body: str) -> str:
    """Give what a pattern begins with before its first wildcard."""
    match = re.match(r"[^*?\[\\]*", body)
    return match[0] if match else ""


def _clean(raw: str) -> str:
    """Give the pattern of a line; nothing for a comment or a blank."""
    line = raw.removesuffix("\r")
    if line.startswith("#"):
        return ""
    stripped = line.rstrip(" ")
    if stripped.endswith("\\") and stripped != line and (len(stripped) - len(stripped.rstrip("\\"))) % 2:
        stripped += " "
    return stripped


def read(directory: str, path: str) -> IgnoreFile:
    """Read one ignore file that speaks about `directory` (relative to the root); raises `OSError`."""
    content = small_files.read(path)
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
    try:
        file = read("", path)
    except OSError:
        return None
    return _FromAbove(file, "/".join(reversed(inside))) if inside else file


class _FromAbove(IgnoreFile):
    """An ignore file of a directory above the root, asked with paths relative to the root."""

    def __init__(self, file: IgnoreFile, inside: str) -> None:
        self._file = file
        self._inside = inside

    def verdict(self, path: str, name: str, directory: bool) -> bool | None:
        return self._file.verdict(f"{self._inside}/{path}", name, directory)
