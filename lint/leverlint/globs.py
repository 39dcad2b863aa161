"""Gitignore-style patterns of the configuration, without the cost of a pattern library.

A pattern without a slash matches a name at any depth, one with a slash is anchored at the
root, `**` spans directories, and what matches a directory matches all that is in it.
"""

import re
from functools import lru_cache

_SPECIAL = frozenset("*?[\\/")
_STARS = r"(^|/)\*{3,}(?=/|$)"
_REPEATED = r"(^|/)\*\*(?:/\*\*)+$"

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
_STAR = "[^/]*"


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


@lru_cache(maxsize=8192)  # as many as somebody may configure for files one by one
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
    body = re.sub(_REPEATED, r"\1**", body)
    expression = prefix + _translate_body(body)
    if "[" in body:
        try:
            re.compile(expression)
        except re.error:  # a range that runs backwards, which git has match nothing either
            return _NEVER
    return expression


def _translate_body(body: str) -> str:
    """Translate what stands between the `**/`, which span directories.

    What stands between two of them may as well be the first that fits: if the rest fits behind a
    later one, it does behind that, too. So nothing is tried twice, and no pattern takes for ever.
    """
    if body == "**":
        return ".+"
    below = body.endswith("/**")
    first, *others = re.split(r"(?:(?<=/)|^)\*\*/", body.removesuffix("/**") if below else body)
    last = others.pop() if others else None
    between = "".join(f"(?>(?:[^/]*/)*?{_translate_segments(part)})" for part in others)
    end = "" if last is None else f"(?:.*/)?{_translate_segments(last)}"
    return _translate_segments(first) + between + end + ("/.+" if below else "")


def _translate_segments(text: str) -> str:
    return "/".join(map(_translate_segment, _split(text)))


def _split(text: str) -> list[str]:
    """Split at slashes, but for those in a class: nothing matches there."""
    segments, start, position = [], 0, 0
    while position < len(text):
        if text[position] == "/":
            segments.append(text[start:position])
            start = position + 1
        position = _translate_one(text, position)[1]
    return [*segments, text[start:]]


def _translate_segment(segment: str) -> str:
    """Translate a name with stars: again, all but the last may match as little as they can."""
    parts = [""]
    position = 0
    while position < len(segment):
        sign, position = _translate_one(segment, position)
        if sign == _STAR:
            parts.append("")
        else:
            parts[-1] += sign
    first, *others = parts
    if not others:
        return first
    between = "".join(f"(?>[^/]*?{part})" for part in others[:-1])
    return f"{first}{between}{_STAR}{others[-1]}"


def _translate_one(body: str, position: int) -> tuple[str, int]:
    sign = body[position]
    if sign == "*":
        while body.startswith("*", position):
            position += 1
        return _STAR, position
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
