"""Whether to use colour, and which."""

from collections.abc import Mapping
from typing import Protocol

SEVERITY = {"error": "1;31", "warning": "1;33", "info": "1;36", "hint": "1;32"}
GUTTER = "1;34"
BOLD = "1"
DIM = "2"


class Terminal(Protocol):
    def isatty(self) -> bool: ...


def wants_color(mode: str, stream: Terminal, environment: Mapping[str, str]) -> bool:
    """Decide by the option, then by the variables that terminals and CI agree on, then by the stream."""
    if mode != "auto":
        return mode == "always"
    if environment.get("NO_COLOR"):
        return False
    if environment.get("FORCE_COLOR"):
        return environment["FORCE_COLOR"] != "0"
    if environment.get("CLICOLOR_FORCE", "0") not in ("", "0"):
        return True
    if environment.get("CLICOLOR") == "0" or environment.get("TERM") == "dumb":
        return False
    return stream.isatty()


def painted(text: str, code: str, color: bool) -> str:
    return f"\x1b[{code}m{text}\x1b[0m" if color and text else text
