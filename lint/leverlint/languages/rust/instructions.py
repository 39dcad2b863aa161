"""What a build script tells cargo about variables, by printing lines.

`cargo:rerun-if-env-changed=NAME` says what it depends on, `cargo:rustc-env=NAME=value` what the
code of its package finds when it is compiled.
"""

import re

from leverlint.facts import Expression, Joined, Path, Text
from leverlint.languages.rust.expressions import joined

RERUN: Path = ("cargo", "rerun-if-env-changed")
SUPPLY: Path = ("cargo", "rustc-env")
MARKERS = (b"rerun-if-env-changed", b"cargo:rustc-env=", b"cargo::rustc-env=")
"""One of these is in every literal that begins an instruction."""

_INSTRUCTION = re.compile(r"(?:^|\n)\s*cargo::?(?:(rerun-if-env-changed)|rustc-env)=")


def instructions(line: Expression) -> dict[Path, list[Expression]]:
    """Give the names that printed text declares, by instruction."""
    parts = line.parts if isinstance(line, Joined) else (line,)
    found: dict[Path, list[Expression]] = {}
    for position, part in enumerate(parts):
        for match in _INSTRUCTION.finditer(part.value) if isinstance(part, Text) else ():
            assert isinstance(part, Text)
            rest = (Text(part.value[match.end() :], part.span), *parts[position + 1 :])
            name = _up_to(rest, "\n" if match[1] else "=\n")
            found.setdefault(RERUN if match[1] else SUPPLY, []).append(name)
    return found


def _up_to(parts: tuple[Expression, ...], ends: str) -> Expression:
    """Join parts up to the first of some characters."""
    taken: list[Expression] = []
    for part in parts:
        if isinstance(part, Text):
            text = re.split(f"[{ends}]", part.value, maxsplit=1)[0]
            taken.append(Text(text, part.span))
            if text != part.value:
                break
        else:
            taken.append(part)
    return joined(taken)
