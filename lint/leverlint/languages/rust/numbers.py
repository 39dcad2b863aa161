"""Number literals and the limits of number types."""

import re

from leverlint.facts import Path

_SUFFIX = re.compile(r"(?<=[0-9a-fA-F._])_*([iu](?:8|16|32|64|128|size)|f(?:32|64))$")


def number(literal: str) -> int | float | None:
    """Give the value of an integer or float literal of any base, with or without suffix."""
    written = literal.replace(" ", "")
    hexadecimal = written.lstrip("-").startswith("0x")
    suffix = suffix_of(written)
    if suffix:
        written = written[: -len(suffix)]
    written = written.replace("_", "")
    try:
        if hexadecimal or written.lstrip("-")[:2] in ("0b", "0o"):
            return int(written, 0)
        if suffix.startswith("f") or any(sign in written for sign in ".eE"):
            return float(written)
        return int(written)
    except ValueError:
        return None


def suffix_of(literal: str) -> str:
    """Give the type that is written behind a number; empty when there is none."""
    found = _SUFFIX.search(literal)
    if found is None or (literal.startswith("0x") and found[1].startswith("f")):
        return ""
    return found[1]


def _limits() -> dict[Path, int | float]:
    found: dict[Path, int | float] = {}
    for bits, name in ((8, "8"), (16, "16"), (32, "32"), (64, "64"), (128, "128"), (64, "size")):
        found["u" + name, "MAX"], found["u" + name, "MIN"] = 2**bits - 1, 0
        found["i" + name, "MAX"], found["i" + name, "MIN"] = 2 ** (bits - 1) - 1, -(2 ** (bits - 1))
    for name in ("f32", "f64"):
        found[name, "INFINITY"], found[name, "NEG_INFINITY"] = float("inf"), float("-inf")
        found[name, "NAN"] = float("nan")
    found["f64", "MAX"] = 1.7976931348623157e308
    found["f32", "MAX"] = 3.4028234663852886e38
    return found


LIMITS = _limits()
"""`usize::MAX` and the like."""
