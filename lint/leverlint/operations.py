"""The operations that decodings are made of, each with the meaning that its language gives it.

`text` operations work on `str` alike in both languages. `py:` and `rs:` ones follow CPython and Rust.
"""

import math
from collections.abc import Callable

from leverlint.operands import (
    CannotTell,
    Operation,
    Raised,
    Seconds,
    Value,
    Wrapped,
    arithmetic,
    in_units,
    joined_path,
    on_text,
    text_of,
    truth,
)
from leverlint.python_operations import CALLABLE, PYTHON
from leverlint.rust_operations import RUST


def _not(value: Value) -> Value:
    if not isinstance(value, bool):
        raise CannotTell
    return not value


def _equals(left: Value, right: Value) -> Value:
    if isinstance(left, Wrapped) != isinstance(right, Wrapped):
        raise CannotTell
    if isinstance(left, Wrapped) and isinstance(right, Wrapped):
        if left.kind == right.kind == "err":
            raise CannotTell
        return left.kind == right.kind and _equals(left.payload, right.payload)
    return left == right


def _among(value: Value, words: Value) -> Value:
    if isinstance(words, str):
        return text_of(value) in words
    if not isinstance(words, tuple):
        raise CannotTell
    return value in words


def _compare(operation: Callable[[float, float], bool]) -> Operation:
    def compare(left: Value, right: Value) -> Value:
        if isinstance(left, int | float) and isinstance(right, int | float):
            return operation(left, right)
        if isinstance(left, str | None) or isinstance(right, str | None):
            raise Raised
        raise CannotTell

    return compare


def _clamp(value: Value, low: Value, high: Value) -> Value:
    if not all(isinstance(one, int | float) for one in (value, low, high)):
        raise CannotTell
    # A NaN stays one: both comparisons are false.
    return low if value < low else high if value > high else value  # type: ignore[operator]


def _duration(*amounts: Value) -> Value:
    """Add up amounts, each followed by the seconds that its unit has."""
    numbers = [each for each in amounts if isinstance(each, int | float)]
    if len(numbers) < len(amounts) or len(numbers) % 2:
        raise CannotTell
    return Seconds(math.fsum(one * unit for one, unit in zip(numbers[::2], numbers[1::2], strict=True)))


def _py_call(function: Value, *arguments: Value) -> Value:
    """Call what was handed to a wrapper: the name of an operation, marked as such."""
    if not isinstance(function, tuple) or function[:1] != (CALLABLE,):
        raise CannotTell
    operation = OPERATIONS[str(function[1])]
    return operation(*arguments)


def _py_each(sequence: Value, *operations: Value) -> Value:
    """Put every item of a sequence through operations."""
    if not isinstance(sequence, tuple | str):
        raise Raised if sequence is None or isinstance(sequence, bool | int | float) else CannotTell
    found: list[Value] = []
    for item in sequence:
        value: Value = item
        for operation in operations:
            named, *others = operation if isinstance(operation, tuple) else (operation,)
            known = OPERATIONS.get(str(named))
            if known is None:
                raise CannotTell
            value = known(value, *others)
        found.append(value)
    return tuple(found)


def _py_those(sequence: Value, *operations: Value) -> Value:
    """Keep the items that are true once they went through operations."""
    judged = _py_each(sequence, *operations)
    assert isinstance(judged, tuple)
    assert isinstance(sequence, tuple | str)
    return tuple(item for item, verdict in zip(sequence, judged, strict=True) if truth(verdict))


OPERATIONS: dict[str, Operation] = {
    "not": _not,
    "equals": _equals,
    "in": _among,
    "tuple": lambda *values: tuple(values),
    "lower": on_text(str.lower),
    "upper": on_text(str.upper),
    "strip": on_text(str.strip),
    "lstrip": on_text(str.lstrip),
    "rstrip": on_text(str.rstrip),
    "is_empty": on_text(lambda text: not text),
    "starts_with": lambda text, start: text_of(text).startswith(text_of(start)),
    "ends_with": lambda text, end: text_of(text).endswith(text_of(end)),
    "contains": lambda text, part: text_of(part) in text_of(text),
    "replace": lambda text, old, new: text_of(text).replace(text_of(old), text_of(new)),
    "remove_prefix": lambda text, start: text_of(text).removeprefix(text_of(start)),
    "remove_suffix": lambda text, end: text_of(text).removesuffix(text_of(end)),
    "lt": _compare(lambda left, right: left < right),
    "le": _compare(lambda left, right: left <= right),
    "gt": _compare(lambda left, right: left > right),
    "ge": _compare(lambda left, right: left >= right),
    "add": arithmetic(lambda left, right: left + right),
    "sub": arithmetic(lambda left, right: left - right),
    "mul": arithmetic(lambda left, right: left * right),
    "min": arithmetic(min),
    "max": arithmetic(max),
    "clamp": _clamp,
    "duration": _duration,
    "path_join": joined_path,
    "in_units": in_units,
    # those that apply others
    "py:call": _py_call,
    "py:each": _py_each,
    "py:those": _py_those,
    **PYTHON,
    **RUST,
}
