"""What each configuration key may hold, and how a wrong value is told."""

import re
from collections.abc import Callable, Iterable, Mapping

from leverlint.diagnostics import SEVERITIES

TESTS = ("check", "allow")

_PREFIX = r"[^\s*=\0]+"


class WrongValue(Exception):
    """A value of the wrong type or content; the caller knows key, file and line."""

    def __init__(self, problem: str, hint: str = "", inner: str = "") -> None:
        super().__init__(problem)
        self.problem = problem
        self.hint = hint
        self.inner = inner
        """The key within a table whose value is wrong."""


def _kind(value: object) -> str:
    for kind, name in ((bool, "a boolean"), (str, "a string"), (int, "an integer"), (float, "a float")):
        if isinstance(value, kind):
            return name
    if isinstance(value, list | tuple):
        return "an array"
    return "a table" if isinstance(value, dict) else "a date or time"


def _wrong(expected: str, value: object, where: str = "", inner: str = "") -> WrongValue:
    shown = where or (f"`{inner}`" if inner else "it")
    return WrongValue(f"must be {expected}, but {shown} is {_kind(value)}", inner=inner)


def strings(value: object) -> tuple[str, ...]:
    if not isinstance(value, list | tuple):
        raise _wrong("an array of strings", value)
    for index, item in enumerate(value):
        if not isinstance(item, str):
            raise _wrong("an array of strings", item, f"item {index + 1}")
    return tuple(value)


def names(value: object) -> tuple[str, ...]:
    entries = strings(value)
    if "" in entries:
        raise WrongValue("must not hold an empty string")
    return entries


def prefixes(value: object) -> tuple[str, ...]:
    entries = strings(value)
    for entry in entries:
        if not entry:
            raise WrongValue("must not hold an empty prefix", "it would make every variable a lever")
        if not re.fullmatch(_PREFIX, entry):
            raise WrongValue(
                f"holds `{entry}`, which no variable can start with", "a prefix is plain text: `ATLAS_`"
            )
    return entries


def globs(value: object) -> tuple[str, ...]:
    entries = names(value)
    for entry in entries:
        if entry.startswith("!"):
            raise WrongValue(f"holds `{entry}`, but patterns cannot be negated")
    return entries


def boolean(value: object) -> bool:
    if not isinstance(value, bool):
        raise _wrong("`true` or `false`", value)
    return value


def tests(value: object) -> str:
    return _one_of(TESTS, value)


def _one_of(words: Iterable[str], value: object) -> str:
    spelt = " or ".join(f'"{word}"' for word in words)
    if not isinstance(value, str):
        raise _wrong(spelt, value)
    if value not in words:
        raise WrongValue(f'must be {spelt}, not "{value}"')
    return value


def pairs(value: object) -> tuple[tuple[str, ...], ...]:
    if not isinstance(value, list | tuple):
        raise _wrong("an array of pairs", value)
    entries = []
    for index, item in enumerate(value):
        if (
            not isinstance(item, list | tuple)
            or len(item) != 2
            or not all(isinstance(name, str) for name in item)
        ):
            raise WrongValue(f"must be an array of pairs of strings, but item {index + 1} is none")
        entries.append(tuple(item))
    return tuple(entries)


def _table(value: object, expected: str) -> Mapping[str, object]:
    if not isinstance(value, Mapping):
        raise _wrong(expected, value)
    return value


def texts_by_name(value: object) -> dict[str, str]:
    entries: dict[str, str] = {}
    for name, text in _table(value, "a table of strings").items():
        if not isinstance(text, str):
            raise _wrong("a table of strings", text, inner=name)
        entries[name] = text
    return entries


def indexes_by_name(value: object) -> dict[str, int]:
    entries: dict[str, int] = {}
    for name, index in _table(value, "a table of argument positions").items():
        if not isinstance(index, int) or isinstance(index, bool):
            raise _wrong("a table of argument positions", index, inner=name)
        if index < 0:
            problem = f"must be a table of argument positions from 0, but `{name}` is {index}"
            raise WrongValue(problem, inner=name)
        entries[name] = index
    return entries


def severities(value: object) -> dict[str, str]:
    entries: dict[str, str] = {}
    for selector, word in _table(value, "a table of severities").items():
        try:
            entries[selector] = _one_of(SEVERITIES, word)
        except WrongValue as wrong:
            raise WrongValue(f"of `{selector}` {wrong.problem}", inner=selector) from None
    return entries


def selectors_by_glob(value: object) -> dict[str, tuple[str, ...]]:
    entries: dict[str, tuple[str, ...]] = {}
    for glob, selectors in _table(value, "a table of arrays of rules").items():
        try:
            globs([glob])
            entries[glob] = strings(selectors)
        except WrongValue as wrong:
            raise WrongValue(f"of `{glob}` {wrong.problem}", inner=glob) from None
    return entries


def accessor(value: object) -> dict[str, str]:
    """A template for all languages, or one for each."""
    if isinstance(value, str):
        return {"python": value, "rust": value}
    templates = texts_by_name(_table(value, "a string or a table with `python` and `rust`"))
    for language in templates:
        if language not in ("python", "rust"):
            problem = f"must be a string or a table with `python` and `rust`, not `{language}`"
            raise WrongValue(problem, inner=language)
    return templates


KEYS: Mapping[str, Callable[[object], object]] = {
    "prefixes": prefixes,
    "names": names,
    "resolvers": globs,
    "hot": names,
    "tests": tests,
    "pairs": pairs,
    "allow-names": names,
    "removed": texts_by_name,
    "select": strings,
    "extend-select": strings,
    "ignore": strings,
    "per-file-ignores": selectors_by_glob,
    "severity": severities,
    "exclude": globs,
    "extend-exclude": globs,
    "respect-gitignore": boolean,
    "docs": globs,
    "wrappers": indexes_by_name,
    "accessor": accessor,
    "require-reason": boolean,
}
"""Every key, in the order of the documentation, with what checks and freezes its value."""

GLOBS = frozenset({"resolvers", "exclude", "extend-exclude", "docs", "hot", "per-file-ignores"})
"""Keys whose patterns are relative to the file that states them."""

SELECTORS = frozenset({"select", "extend-select", "ignore", "per-file-ignores", "severity"})
"""Keys that name rules."""
