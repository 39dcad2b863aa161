"""The only place that looks at an environment: it takes down what a group's variables hold."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Set
    from typing import Any

    Environment = Mapping[str, str] | Mapping[bytes, bytes]


class Snapshot:
    """What variables held at one moment; each was looked up once."""

    __slots__ = ("names", "texts")

    def __init__(self, environ: Environment | None, variables: Set[str]) -> None:
        self.names: set[str] = set()
        """Those that are set."""
        self.texts: dict[str, str] = {}
        """The values of those whose value is UTF-8."""
        for name, raw in _raw_values(os.environ if environ is None else environ, variables):
            self.names.add(name)
            text = utf8(raw)
            if text is not None:
                self.texts[name] = text


def utf8(raw: str | bytes) -> str | None:
    """The text, if it is one: `os.environ` carries other bytes as lone surrogates."""
    try:
        if isinstance(raw, bytes):
            return raw.decode()
        raw.encode()
    except UnicodeError:
        return None
    return raw


def _raw_values(environ: Any, variables: Set[str]) -> Iterator[tuple[str, str | bytes]]:
    binary = isinstance(next(iter(environ), ""), bytes)
    names = {name.encode() if binary else name: name for name in variables}
    # One walk over what is set is cheaper than asking for all: os.environ answers for an absent
    # variable by an exception. One that another thread removes meanwhile is absent.
    for key in names.keys() & set(environ):
        raw = environ.get(key)
        if raw is not None:
            yield names[key], raw
