"""Rust's `str::parse` for the types that levers have, casts, and division."""

import math
import re
import struct

INTEGERS = ("u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize")
FLOATS = ("f32", "f64")

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
    if kind.startswith("nonzero_"):
        return _integer(kind.removeprefix("nonzero_"), text) or None
    return _integer(kind, text)


def _integer(kind: str, text: str) -> int | None:
    if not _INTEGER.fullmatch(text) or (kind[0] == "u" and text[0] == "-"):
        return None
    low, high = _range(kind)
    # More digits than any type has would cost time and be out of range all the same.
    if len(text.lstrip("+-").lstrip("0")) > 40:
        return None
    value = int(text)
    return value if low <= value < high else None


def refusal(kind: str, text: str) -> str:
    """Give the `IntErrorKind` of a text that is no such integer; empty when that is not told."""
    if kind not in INTEGERS:
        return ""
    if not text:
        return "Empty"
    if not _INTEGER.fullmatch(text) or (kind[0] == "u" and text[0] == "-"):
        return "InvalidDigit"
    return "NegOverflow" if text[0] == "-" else "PosOverflow"


def saturate(kind: str, value: int) -> int:
    """Give the number of a type that is nearest."""
    low, high = _range(kind)
    return min(max(value, low), high - 1)


def _range(kind: str) -> tuple[int, int]:
    bits = 64 if kind.endswith("size") else int(kind[1:])
    return (0, 2**bits) if kind[0] == "u" else (-(2 ** (bits - 1)), 2 ** (bits - 1))


def _float(kind: str, text: str) -> float | None:
    if not _FLOAT.fullmatch(text):
        return None
    return _rounded(kind, float(text))


def _rounded(kind: str, value: float) -> float:
    if kind == "f64":
        return value
    try:
        return float(struct.unpack("f", struct.pack("f", value))[0])
    except OverflowError:
        return math.copysign(math.inf, value)


def cast(kind: str, value: int | float) -> int | float:
    """Give `value as kind`: integers wrap, floats are cut off and stop at the limits."""
    if kind in FLOATS:
        return _rounded(kind, float(value))
    low, high = _range(kind)
    if isinstance(value, float):
        if math.isnan(value):
            return 0
        return low if value <= low else high - 1 if value >= high else int(value)
    return (int(value) - low) % (high - low) + low


def divide(left: float, right: float) -> float:
    """Give `left / right`: integers are cut off towards zero, floats divide by zero."""
    if isinstance(left, float) or isinstance(right, float):
        if right:
            return left / right
        return (
            math.nan
            if not left or math.isnan(left)
            else math.copysign(math.inf, left) * math.copysign(1, right)
        )
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) == (right < 0) else -quotient


def remainder(left: float, right: float) -> float:
    """Give `left % right`, which has the sign of `left`."""
    if isinstance(left, float) or isinstance(right, float):
        return math.fmod(left, right) if right else math.nan
    return left - right * divide(left, right)
