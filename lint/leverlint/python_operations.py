"""Operations with the meaning that CPython gives them, and its libraries."""

import re
from collections.abc import Callable, Iterable
from typing import Any

from leverlint.operands import (
    CannotTell,
    Operation,
    Raised,
    Value,
    Wrapped,
    arithmetic,
    in_units,
    joined_path,
    on_text,
    text_of,
    truth,
)


def _py_int(value: Value, base: Value = 10) -> Value:
    if not isinstance(base, int):
        raise Raised
    try:
        return int(value, base) if isinstance(value, str) else int(value)  # type: ignore[arg-type]
    except (ValueError, TypeError, OverflowError):
        raise Raised from None


def _py_float(value: Value) -> Value:
    try:
        return float(value)  # type: ignore[arg-type]
    except (ValueError, TypeError, OverflowError):
        raise Raised from None


def _py_str(value: Value) -> Value:
    if isinstance(value, tuple):
        raise CannotTell
    return str(value)


def _py_json(value: Value) -> Value:
    import json

    try:
        decoded = json.loads(text_of(value))
    except ValueError:
        raise Raised from None
    if isinstance(decoded, list | dict):
        raise CannotTell
    return decoded  # type: ignore[no-any-return]


def _py_literal(value: Value) -> Value:
    import ast

    try:
        decoded = ast.literal_eval(text_of(value))
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        raise Raised from None
    if not (decoded is None or isinstance(decoded, bool | int | float | str)):
        raise CannotTell
    return decoded


def _py_strtobool(value: Value) -> Value:
    """Follow distutils: 1 and 0, or `ValueError`."""
    word = text_of(value).lower()
    if word in ("y", "yes", "t", "true", "on", "1"):
        return 1
    if word in ("n", "no", "f", "false", "off", "0"):
        return 0
    raise Raised


def _py_item(value: Value, index: Value) -> Value:
    if isinstance(value, str | tuple) and isinstance(index, int):
        try:
            return value[index]
        except IndexError:
            raise Raised from None
    raise CannotTell


def _py_slice(value: Value, start: Value, stop: Value) -> Value:
    if isinstance(value, str) and isinstance(start, int | None) and isinstance(stop, int | None):
        return value[start:stop]
    raise CannotTell


def _py_compare(operation: Callable[[Any, Any], bool]) -> Operation:
    """Order numbers, or texts; mixing them is a `TypeError`."""

    def compare(left: Value, right: Value) -> Value:
        refuse_open(left, right)
        try:
            return operation(left, right)
        except TypeError:
            raise Raised from None

    return compare


def _py_calculate(operation: Callable[..., Any]) -> Operation:
    """Calculate as Python does, texts included, as long as the result stays small."""

    def calculate(*values: Value) -> Value:
        refuse_open(*values)
        if any(isinstance(value, int | float) and abs(value) > _LARGEST for value in values):
            raise CannotTell
        try:
            result = operation(*values)
        except (TypeError, ValueError, ArithmeticError, AttributeError):
            raise Raised from None
        return tuple(result) if isinstance(result, list) else result

    return calculate


_LARGEST = 1 << 128


def refuse_open(*values: Value) -> None:
    if any(isinstance(value, Wrapped) for value in values):
        raise CannotTell


def _py_growing(operation: Callable[[Any, Any], Any]) -> Operation:
    """Calculate what a large operand on the right would make huge."""

    def calculate(left: Value, right: Value) -> Value:
        if not isinstance(left, int | float) or not isinstance(right, int | float) or abs(right) > 64:
            raise CannotTell
        return _py_calculate(operation)(left, right)

    return calculate


def _py_text(method: Callable[..., Any]) -> Operation:
    """Call a method of text; on anything else it does not exist."""

    def call(value: Value, *arguments: Value) -> Value:
        return _py_calculate(method)(text_of(value), *arguments)

    return call


def _py_divide(left: Value, right: Value) -> Value:
    """Divide numbers, or go down a path: those are taken for their text."""
    if isinstance(left, str) and isinstance(right, str):
        return joined_path(left, right)
    return _py_calculate(lambda one, other: one / other)(left, right)


def _py_callable(value: Value) -> Value:
    refuse_open(value)
    return isinstance(value, tuple) and value[:1] == (CALLABLE,)


def _py_judged(judge: Callable[[Iterable[bool]], bool]) -> Operation:
    def verdict(items: Value) -> Value:
        if not isinstance(items, tuple):
            raise CannotTell
        return judge(map(truth, items))

    return verdict


_INSTANCES: dict[str, type] = {
    **{"str": str, "int": int, "float": float, "bool": bool, "None": type(None)},
    **{"bytes": str, "tuple": tuple, "list": tuple, "set": tuple, "frozenset": tuple, "dict": dict},
}
_MIXED = frozenset({"str", "bytes"}), frozenset({"tuple", "list", "set", "frozenset"})
"""Types of Python that are one here."""


def _py_isinstance(value: Value, *names: Value) -> Value:
    refuse_open(value)
    told = [str(name) for name in names]
    if not all(name in _INSTANCES for name in told):
        raise CannotTell
    for mixed in _MIXED:
        # What came from the environment is `str`: only `environb` has bytes.
        if isinstance(value, _INSTANCES[min(mixed)]) and mixed & set(told):
            if isinstance(value, str) and "str" in told:
                return True
            raise CannotTell
    return isinstance(value, tuple(_INSTANCES[name] for name in told))


PATTERNS = frozenset({"py:match", "py:search", "py:fullmatch"})
"""Operations that ask whether a pattern, their first argument, fits."""
_QUANTIFIER = re.compile(r"[*+]|\{\d*,\d*\}")


_LONGEST_PATTERN, _LONGEST_TEXT, _MOST_QUANTIFIERS = 200, 80, 3


def _py_fits(method: str) -> Operation:
    """Say whether a pattern fits; a match is told as `True`, as all that is asked of it is its truth."""

    def fits(pattern: Value, value: Value) -> Value:
        written, text = text_of(pattern), text_of(value)
        repeats = len(_QUANTIFIER.findall(written))
        # Patterns that repeat what repeats can take forever.
        if len(written) > _LONGEST_PATTERN or len(text) > _LONGEST_TEXT or repeats > _MOST_QUANTIFIERS:
            raise CannotTell
        if re.search(r"\)(?:[*+]|\{)", written):
            raise CannotTell
        try:
            return True if getattr(re, method)(written, text) else None
        except (re.error, RecursionError, OverflowError):
            raise Raised from None

    return fits


CALLABLE = "<callable>"


def _words(*known: tuple[tuple[str, ...], Value]) -> Callable[[str], Value]:
    """Make a parser of words in any case that raises on others (pydantic, environs, click)."""
    table = {word: value for words, value in known for word in words}

    def parse(text: str) -> Value:
        if text.lower() not in table:
            raise Raised
        return table[text.lower()]

    return parse


_YES = ("1", "true", "t", "yes", "y", "on")
_NO = ("0", "false", "f", "no", "n", "off")


PYTHON: dict[str, Operation] = {
    "py:truth": truth,
    "py:is_none": lambda value: value is None,
    "py:int": _py_int,
    "py:float": _py_float,
    "py:str": _py_str,
    "py:json": _py_json,
    "py:literal": _py_literal,
    "py:strtobool": _py_strtobool,
    "py:len": _py_calculate(len),
    "py:item": _py_item,
    "py:slice": _py_slice,
    "py:casefold": on_text(str.casefold),
    "py:title": on_text(str.title),
    "py:capitalize": on_text(str.capitalize),
    "py:isdigit": on_text(str.isdigit),
    "py:isdecimal": on_text(str.isdecimal),
    "py:isnumeric": on_text(str.isnumeric),
    "py:isalpha": on_text(str.isalpha),
    "py:isalnum": on_text(str.isalnum),
    "py:strip_chars": _py_text(str.strip),
    "py:lstrip_chars": _py_text(str.lstrip),
    "py:rstrip_chars": _py_text(str.rstrip),
    "py:startswith": _py_text(str.startswith),
    "py:endswith": _py_text(str.endswith),
    "py:split": _py_text(str.split),
    "py:rsplit": _py_text(str.rsplit),
    "py:splitlines": _py_text(str.splitlines),
    "py:partition": _py_text(str.partition),
    "py:rpartition": _py_text(str.rpartition),
    "py:count": _py_text(str.count),
    "py:sequence": _py_calculate(tuple),
    "py:abs": _py_calculate(abs),
    "py:round": _py_calculate(round),
    "py:min": _py_calculate(min),
    "py:max": _py_calculate(max),
    "py:add": _py_calculate(lambda left, right: left + right),
    "py:sub": _py_calculate(lambda left, right: left - right),
    "py:mul": arithmetic(lambda left, right: left * right),
    "py:floordiv": _py_calculate(lambda left, right: left // right),
    "py:truediv": _py_divide,
    "py:mod": _py_calculate(lambda left, right: left % right),
    "py:lshift": _py_growing(lambda left, right: left << right),
    "py:rshift": _py_growing(lambda left, right: left >> right),
    "py:power": _py_growing(lambda left, right: left**right),
    "py:neg": _py_calculate(lambda value: -value),
    "py:lt": _py_compare(lambda left, right: left < right),
    "py:le": _py_compare(lambda left, right: left <= right),
    "py:gt": _py_compare(lambda left, right: left > right),
    "py:ge": _py_compare(lambda left, right: left >= right),
    **{f"py:{name}": on_text(getattr(str, name)) for name in ("isspace", "islower", "isupper", "isascii")},
    "py:swapcase": on_text(str.swapcase),
    "py:find": _py_text(str.find),
    "py:any": _py_judged(any),
    "py:all": _py_judged(all),
    "py:isinstance": _py_isinstance,
    **{operation: _py_fits(operation[3:]) for operation in sorted(PATTERNS)},
    "py:total_seconds": lambda value: in_units(value, 1),
    "py:callable": _py_callable,
    "pydantic:bool": on_text(_words((_YES, True), (_NO, False))),
    "environs:bool": on_text(_words((_YES, True), (_NO, False))),
    "decouple:bool": on_text(_words((_YES, True), (_NO, False))),
    "click:bool": on_text(lambda text: _words((_YES, True), (_NO, False))(text.strip())),
}
