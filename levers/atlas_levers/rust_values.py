"""Text to number as the engine does it: what `str::parse` of Rust takes, and nothing more.

Each function raises `ValueError` for what Rust would refuse: spaces, underscores, digits
other than 0 to 9, numbers that do not fit.
"""

from __future__ import annotations

USIZE_MAX = 2**64 - 1
"""`usize::MAX` of the 64-bit targets that the engine runs on."""


def usize(text: str) -> int:
    """`text.parse::<usize>()`: an optional `+`, then digits."""
    return _unsigned(text, USIZE_MAX)


def u32(text: str) -> int:
    """`text.parse::<u32>()`."""
    return _unsigned(text, 2**32 - 1)


def i64(text: str) -> int:
    """`text.parse::<i64>()`."""
    if text[:1] == "-":
        return -_digits(text[1:], 2**63)
    return _unsigned(text, 2**63 - 1)


def f64(text: str) -> float:
    """`text.parse::<f64>()`: decimal or exponent notation, `inf`, `infinity`, `nan` in any case."""
    # float() is Rust's grammar plus surrounding space, underscores and foreign digits.
    if not text.isascii() or "_" in text or text != text.strip():
        raise ValueError(f"{text!r} is no number to Rust")
    return float(text)


def f32(text: str) -> float:
    """`text.parse::<f32>()`: the `f32` nearest to what is written, as a Python float."""
    double = f64(text)
    if double != double or double == 0:
        return double
    magnitude = _nearest_f32(abs(double), text)
    return -magnitude if double < 0 else magnitude


def _unsigned(text: str, limit: int) -> int:
    return _digits(text[1:] if text[:1] == "+" else text, limit)


def _digits(text: str, limit: int) -> int:
    if not (text.isascii() and text.isdigit()):
        raise ValueError(f"{text!r} is no integer to Rust")
    significant = text.lstrip("0")
    # int() refuses thousands of digits, and so does every limit here.
    if len(significant) > 20 or (number := int(significant or "0")) > limit:
        raise ValueError(f"{text!r} is above {limit}")
    return number


_INFINITY_BITS = 0x7F80_0000
_BEYOND_F32 = 2.0**128


def _nearest_f32(double: float, text: str) -> float:
    """Round a positive number to `f32` once.

    `text` was rounded to `double` already. A second rounding can only go astray when the first
    one landed exactly between two `f32`: then the text itself says which one is nearer.
    """
    if double >= _BEYOND_F32:
        return float("inf")
    bits = _f32_bits(double)
    below = bits - (_f32_value(bits) > double)
    middle = (_f32_value(below) + _f32_value(below + 1)) / 2
    if double == middle:
        from decimal import Decimal

        written = Decimal(text).copy_abs()  # abs() would round to 28 digits
        if written != middle:
            bits = below + (written > middle)
    return float("inf") if bits == _INFINITY_BITS else _f32_value(bits)


def _f32_bits(double: float) -> int:
    from struct import pack, unpack

    try:
        return int(unpack("<I", pack("<f", double))[0])
    except OverflowError:
        return _INFINITY_BITS


def _f32_value(bits: int) -> float:
    """What the bits stand for; infinity counts as the power of two that would come next."""
    if bits == _INFINITY_BITS:
        return _BEYOND_F32
    from struct import pack, unpack

    return float(unpack("<f", pack("<I", bits))[0])
