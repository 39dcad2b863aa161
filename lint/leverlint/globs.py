"""Gitignore-style patterns of the configuration, without the cost of a pattern library.

A pattern without a slash matches a name at any depth, one with a slash is anchored at the
root, `**` spans directories, and what matches a directory matches all that is in it.
"""

import re
from functools import lru_cache

_SPECIAL = frozenset("*?[\\/")
_STARS = r"(^|/)\*{3,}(?=/|$)"

_CLASSES = {
    "alnum": "a-zA-Z0-9",
    "alpha": "a-zA-Z",
    "blank": r" \t",
    "digit": "0-9",
    "lower": "a-z",
    "punct": r"!-/:-@\[-`{-~",
    "space": r"\s",
    "upper": "A-Z",
    "xdigit": "0-9a-fA-F",
}

_NEVER = "(?!)"


class Matcher:
    """Several patterns as one question."""

    def __init__(self, patterns: tuple[str, ...]) -> None:
        self._names: set[str] = set()
        self._others: list[str] = []
        for pattern in patterns:
            plain = pattern.removeprefix("**/")
            if is_plain(plain):
                self._names.add(plain)
            else:
                self._others.append(pattern)
        self._regex: re.Pattern[str] | None = None

    def matches(self, path: str) -> bool:
        """Say whether a file is matched, by its path relative to the root."""
        if self._names and not self._names.isdisjoint(path.split("/")):
            return True
        return bool(self._others) and self._matches_others(path)

    def matches_entry(self, path: str, name: str, directory: bool) -> bool:
        """Say the same of an entry whose parent directories are known not to be matched."""
        if name in self._names:
            return True
        return bool(self._others) and self._matches_others(path + "/" if directory else path)

    def _matches_others(self, path: str) -> bool:
        if self._regex is None:
            self._regex = re.compile("|".join(map(translate, self._others)), re.DOTALL)
        return self._regex.fullmatch(path) is not None


@lru_cache(maxsize=256)
def compiled(patterns: tuple[str, ...]) -> Matcher:
    return Matcher(patterns)


def matches(patterns: tuple[str, ...], path: str) -> bool:
    """Say whether any of the patterns matches a file."""
    return bool(patterns) and compiled(patterns).matches(path)


def is_plain(pattern: str) -> bool:
    """Tell whether a pattern is nothing but the name of a file or directory."""
    return bool(pattern) and _SPECIAL.isdisjoint(pattern)


def is_file_glob(entry: str) -> bool:
    """Tell a pattern for files from the name of a function."""
    return "/" in entry or "*" in entry or entry.endswith((".py", ".pyi", ".rs"))


def anchored(pattern: str, directory: str) -> str:
    """Make a pattern that was stated in `directory` hold relative to the root."""
    if not directory:
        return pattern
    base = re.sub(r"([*?\[\]\\])", r"\\\1", directory)
    inner = pattern.removeprefix("/")
    anywhere = "/" not in pattern.rstrip("/")
    return f"/{base}/**/{inner}" if anywhere else f"/{base}/{inner}"


def translate(pattern: str) -> str:
    """Translate one pattern to a regular expression for whole paths, and all that is below."""
    body = pattern.rstrip("/")
    below = "/.*" if body != pattern else "(?:/.*)?"
    return translate_entry(body) + below


def translate_entry(body: str) -> str:
    """Translate a pattern without its trailing slash to an expression for the path alone."""
    prefix = "" if "/" in body else "(?:.*/)?"
    # As in git, any number of stars from two on is a `**`.
    body = re.sub(_STARS, r"\1**", body.removeprefix("/"))
    expression = prefix + _translate_body(body)
    try:
        re.compile(expression)
    except re.error:  # a range that runs backwards, which git has match nothing either
        return _NEVER
    return expression


def _translate_body(body: str) -> str:
    if body == "**":
        return ".+"
    out = []
    position = 0
    while position < len(body):
        if body.startswith("**/", position) and (position == 0 or body[position - 1] == "/"):
            out.append("(?:.*/)?")
            position += 3
        elif body.startswith("/**", position) and position + 3 == len(body):
            out.append("/.+")
            position += 3
        else:
            text, position = _translate_one(body, position)
            out.append(text)
    return "".join(out)


def _translate_one(body: str, position: int) -> tuple[str, int]:
    sign = body[position]
    if sign == "*":
        while body.startswith("*", position):  # several in a row would backtrack for ever
            position += 1
        return "[^/]*", position
    if sign == "?":
        return "[^/]", position + 1
    if sign == "\\":
        escaped = body[position + 1 : position + 2]
        return (re.escape(escaped) if escaped else _NEVER), position + 2
    if sign == "[":
        return _translate_class(body, position + 1)
    return re.escape(sign), position + 1


def _translate_class(body: str, position: int) -> tuple[str, int]:
    """Translate what follows a `[`; one that is never closed matches nothing."""
    negated = body[position : position + 1] in ("!", "^")
    position += negated
    members = ""
    first = True
    while position < len(body):
        sign = body[position]
        if sign == "]" and not first:
            return (f"[^/{members}]" if negated else f"(?!/)[{members}]"), position + 1
        first = False
        end = body.find(":]", position + 2)
        if body.startswith("[:", position) and end > 0 and body[position + 2 : end] in _CLASSES:
            members += _CLASSES[body[position + 2 : end]]
            position = end + 2
        elif sign == "\\":
            members += re.escape(body[position + 1 : position + 2])
            position += 2
        else:
            members += "-" if sign == "-" else re.escape(sign)
            position += 1
    return _NEVER, position
