"""`cargo:rerun-if-env-changed=NAME`: how a build script says what it depends on."""

import re

from leverlint.facts import Expression, Joined, Text
from leverlint.languages.rust.expressions import joined

_DECLARATION = re.compile(r"\s*cargo::?rerun-if-env-changed=")


def declared_input(line: Expression) -> Expression | None:
    """Give the name in a printed line that declares one."""
    parts = line.parts if isinstance(line, Joined) else (line,)
    first = parts[0]
    found = _DECLARATION.match(first.value) if isinstance(first, Text) else None
    if found is None or not isinstance(first, Text):
        return None
    name = first.value[found.end() :]
    return joined((Text(name.partition("\n")[0], first.span), *parts[1:]))
