"""What operations work on: values, how they fail, and what operations of all languages share.

A value is `None`, a boolean, number, text, a tuple, or `Wrapped` for Rust's `Option` and `Result`.
Text that is no UTF-8 holds lone surrogates, as Python's `os.environ` gives it.
"""

import math
from collections.abc import Callable
from typing import NamedTuple, TypeAlias


class Wrapped(NamedTuple):
    """Rust's `Some(payload)`, `None`, `Ok(payload)` or `Err(_)`."""

    kind: str
    """`some`, `none`, `ok` or `err`."""
    payload: "Value" = None

    @property
    def holds(self) -> bool:
        return self.kind in ("some", "ok")


class Seconds(float):
    """A span of time, which says itself what its unit is."""

    def __str__(self) -> str:
        return f"{float(self):g} s"


Value: TypeAlias = "bool | int | float | str | tuple[Value, ...] | Wrapped | None"


class Raised(Exception):
    """The operation raises or panics."""


class CannotTell(Exception):
    """The operation depends on what is not modelled."""


Operation = Callable[..., Value]


def is_utf8(text: str) -> bool:
    return not any("\ud800" <= sign <= "\udfff" for sign in text)


def text_of(value: Value) -> str:
    """Take text, or say that the operation does not exist on what is there."""
    if isinstance(value, str):
        return value
    if value is None or isinstance(value, bool | int | float):
        raise Raised
    raise CannotTell


def on_text(operation: Callable[[str], Value]) -> Operation:
    return lambda value: operation(text_of(value))


def truth(value: Value) -> bool:
    if isinstance(value, Wrapped):
        raise CannotTell
    return bool(value)


def joined_path(*parts: Value) -> Value:
    found = ""
    for part in map(text_of, parts):
        found = part if part.startswith("/") or not found else f"{found.removesuffix('/')}/{part}"
    return found


def in_units(value: Value, unit: Value) -> Value:
    if not isinstance(value, Seconds) or not isinstance(unit, int | float):
        raise CannotTell
    amount = value / unit
    whole = round(amount) if math.isfinite(amount) else amount
    # What a double adds or takes away must not be cut off later.
    return float(whole) if math.isclose(amount, whole, rel_tol=1e-12) else amount


def arithmetic(operation: Callable[[float, float], float]) -> Operation:
    def calculate(left: Value, right: Value) -> Value:
        if not (isinstance(left, int | float) and isinstance(right, int | float)):
            raise CannotTell
        try:
            return operation(left, right)
        except (ArithmeticError, ValueError):
            raise Raised from None

    return calculate
