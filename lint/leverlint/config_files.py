"""Configuration files: where they are, what they hold, and on which line each key stands."""

import os
import re
from collections.abc import Iterator
from typing import NamedTuple

from leverlint import small_files
from leverlint.errors import LeverlintError
from leverlint.facts import Span

FILE_NAMES = ("leverlint.toml", "pyproject.toml", "Cargo.toml")
"""In order of precedence within one directory."""

TABLES: dict[str, tuple[tuple[str, ...], ...]] = {
    "leverlint.toml": ((),),
    "pyproject.toml": (("tool", "leverlint"),),
    # A root crate may be a workspace too; what the package says is nearer.
    "Cargo.toml": (("workspace", "metadata", "leverlint"), ("package", "metadata", "leverlint")),
}

_BARE_OR_QUOTED = rb"""(?:[\w-]+|"[^"\n]*"|'[^'\n]*')"""
_DOTTED = _BARE_OR_QUOTED + rb"(?:[ \t]*\.[ \t]*" + _BARE_OR_QUOTED + rb")*"
# Left to be compiled (and kept) by `re` when there is a configuration to read.
_HEADER = rb"[ \t]*\[\[?[ \t]*(" + _DOTTED + rb")[ \t]*\]"
_KEY = rb"[ \t]*(" + _DOTTED + rb")[ \t]*="


class Setting(NamedTuple):
    """One key of a configuration file."""

    value: object
    file: "ConfigFile"
    key: tuple[str, ...]
    """With the tables around it: `("tool", "leverlint", "prefixes")`."""


class ConfigFile(NamedTuple):
    path: str
    """Absolute."""
    content: bytes
    settings: dict[str, Setting]

    @property
    def directory(self) -> str:
        return os.path.dirname(self.path)


class Place(NamedTuple):
    line: int
    span: Span
    """The key and its value, in bytes of the file."""


def in_directory(directory: str) -> ConfigFile | None:
    """Give the configuration that a directory states, if any."""
    for name in FILE_NAMES:
        path = os.path.join(directory, name)
        try:
            content = small_files.read(path)
        except OSError as error:
            if name == "leverlint.toml" and not isinstance(error, FileNotFoundError | NotADirectoryError):
                raise LeverlintError(f"{shown(path)}: {(error.strerror or '').lower()}") from None
            continue
        # Most manifests do not mention leverlint; they are spared the parser's import.
        if (name == "leverlint.toml" or b"leverlint" in content) and (file := _parse(path, name, content)):
            return file
    return None


def explicit(path: str) -> ConfigFile:
    """Read the file that `--config` names; any other name than a manifest's is a `leverlint.toml`."""
    try:
        content = small_files.read(path)
    except OSError as error:
        raise LeverlintError(f"{path}: {(error.strerror or str(error)).lower()}") from None
    name = os.path.basename(path)
    known = name if name in FILE_NAMES else "leverlint.toml"
    return _parse(os.path.abspath(path), known, content) or ConfigFile(os.path.abspath(path), content, {})


def _parse(path: str, name: str, content: bytes) -> ConfigFile | None:
    import tomllib  # 15 ms that a run without configuration does not pay

    try:
        document = tomllib.loads(content.decode("utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise LeverlintError(f"{shown(path)}: not valid TOML: {error}") from None
    except RecursionError:
        raise LeverlintError(f"{shown(path)}: nested too deeply") from None
    file = ConfigFile(path, content, {})
    found = False
    for table in TABLES[name]:
        section = _section(document, table)
        if section is None:
            continue
        if not isinstance(section, dict):
            line = locate(content, table).line
            raise LeverlintError(f"{shown(path)}:{line}: `{'.'.join(table)}` must be a table")
        found = True
        for key, value in section.items():
            file.settings[key] = Setting(value, file, (*table, key))
    return file if found else None


def _section(document: object, table: tuple[str, ...]) -> object:
    for part in table:
        if not isinstance(document, dict) or part not in document:
            return None
        document = document[part]
    return document


def shown(path: str) -> str:
    """Give a path the way that messages show it: from here, if it is below here."""
    try:
        relative = os.path.relpath(path)
    except (ValueError, OSError):  # another drive; a working directory that is gone
        return path
    return path if relative.startswith("..") else relative.replace(os.sep, "/")


def locate(content: bytes, key: tuple[str, ...]) -> Place:
    """Find the line of a key; of the table or inline table around it when it has none of its own.

    The standard library's parser forgets positions, so this looks for what stands in front
    of the equals signs.
    """
    best: Place | None = None
    best_length = -1
    found = list(entries(content))
    for number, (start, line, path) in enumerate(found):
        if key[: len(path)] == path and len(path) > best_length:
            # A table reaches to the next entry that is not its own.
            after = (at for at, _, other in found[number + 1 :] if other[: len(path)] != path)
            best, best_length = Place(line, Span(start, next(after, len(content)))), len(path)
    if best is None:
        return Place(1, Span(0, 0))
    text = content[best.span.start : best.span.end]
    start = best.span.start + len(text) - len(text.lstrip())
    return Place(best.line, Span(start, best.span.start + len(text.rstrip())))


def locate_text(content: bytes, place: Span, text: str) -> Span:
    """Narrow the span of a setting down to one quoted text, or one bare key, in it."""
    value = re.escape(text.encode())
    for pattern in (rb"""(["'])%s\1""" % value, rb"(?<![\w.-])%s(?=\s*=)" % value):
        if match := re.compile(pattern).search(content, place.start, place.end):
            return Span(match.start(), match.end())
    return place


def entries(content: bytes) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """Give offset, line and full path of each table header and each key."""
    table: tuple[str, ...] = ()
    offset = 0
    inside = b""
    for number, line in enumerate(content.split(b"\n"), 1):
        start, offset = offset, offset + len(line) + 1
        if inside:
            inside = b"" if inside in line else inside
            continue
        if match := re.match(_HEADER, line):
            table = _parts(match[1])
            yield start, number, table
        elif match := re.match(_KEY, line):
            yield start, number, table + _parts(match[1])
            for quotes in (b'"""', b"'''"):
                if line.count(quotes) % 2:
                    inside = quotes


def _parts(dotted: bytes) -> tuple[str, ...]:
    return tuple(part.decode("utf-8", "replace").strip("\"'") for part in re.findall(_BARE_OR_QUOTED, dotted))
