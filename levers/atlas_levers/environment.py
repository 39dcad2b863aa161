"""The only place that looks at an environment: it takes down what a group's variables hold."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    Environment = Mapping[str, str] | Mapping[bytes, bytes]


class Snapshot:
    """What variables held at one moment; each was looked up once."""

    __slots__ = ("names", "texts")

    def __init__(self, environ: Environment | None, variables: frozenset[str]) -> None:
        names: set[str] = set()
        texts: dict[str, str] = {}
        raw_values = _by_text(os.environ if environ is None else environ)
        # One walk over what is set is cheaper than asking for all: os.environ answers for an
        # absent variable by an exception.
        for name in variables.intersection(raw_values):
            try:
                raw = raw_values[name]
            except KeyError:
                continue  # removed by another thread meanwhile
            names.add(name)
            text = _utf8(raw)
            if text is not None:
                texts[name] = text
        self.names = names
        """Those that are set."""
        self.texts = texts
        """The values of those whose value is UTF-8."""


def _by_text(environ: Environment) -> Mapping[str, str | bytes]:
    """The environment by names that are text; those of `os.environb` are bytes."""
    if isinstance(next(iter(environ), ""), bytes):
        return {os.fsdecode(name): raw for name, raw in environ.items()}
    return environ  # type: ignore[return-value]


def _utf8(raw: str | bytes) -> str | None:
    """The text, if it is one: `os.environ` carries other bytes as lone surrogates."""
    try:
        if isinstance(raw, bytes):
            return raw.decode()
        if not raw.isascii():
            raw.encode()
    except UnicodeError:
        return None
    return raw
