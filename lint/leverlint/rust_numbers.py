"""Rust's `str::parse` for the types that levers have."""

import re
import struct

_INTEGER = re.compile(r"[+-]?[0-9]+")
_FLOAT = re.compile(r"[+-]?(?:inf|infinity|nan|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?)", re.IGNORECASE)


def parse_rust(kind: str, text: str) -> bool | int | float | str | None:
    """Give what `text.parse::<kind>()` gives, `None` for an error.

    Digits are ASCII, blanks are errors, a sign is allowed where the type has values for it
    (`+5` is a `usize`, `-0` is not), and `bool` knows `true` and `false` alone.
    """
    if kind == "bool":
        return {"true": True, "false": False}.get(text)
    if kind == "String":
        return text
    if kind == "char":
        return text if len(text) == 1 else None
    if kind in ("f32", "f64"):
        return _float(kind, text)
    return _integer(kind, text)


def _integer(kind: str, text: str) -> int | None:
    if not _INTEGER.fullmatch(text) or (kind[0] == "u" and text[0] == "-"):
        return None
    bits = 64 if kind.endswith("size") else int(kind[1:])
    low, high = (0, 2**bits) if kind[0] == "u" else (-(2 ** (bits - 1)), 2 ** (bits - 1))
    # More digits than any type has would cost time and be out of range all the same.
    if len(text.lstrip("+-").lstrip("0")) > 40:
        return None
    value = int(text)
    return value if low <= value < high else None


def _float(kind: str, text: str) -> float | None:
    if not _FLOAT.fullmatch(text):
        return None
    value = float(text)
    if kind == "f32":
        try:
            value = struct.unpack("f", struct.pack("f", value))[0]
        except OverflowError:
            value = float("inf") if value > 0 else float("-inf")
    return value
