"""Operations with the meaning that Rust and its standard library give them."""

import math
import re
from collections.abc import Callable

from leverlint.operands import (
    CannotTell,
    Operation,
    Raised,
    Value,
    Wrapped,
    arithmetic,
    is_utf8,
    on_text,
    text_of,
)
from leverlint.rust_forms import PARSED_FORMS
from leverlint.rust_numbers import FLOATS, INTEGERS, cast, divide, parse_rust, refusal, remainder, saturate


def _lower_ascii(text: str) -> str:
    return "".join(sign.lower() if sign.isascii() else sign for sign in text)


def _upper_ascii(text: str) -> str:
    return "".join(sign.upper() if sign.isascii() else sign for sign in text)


def _wrapped(value: Value) -> Wrapped:
    if isinstance(value, Wrapped):
        return value
    raise CannotTell


def _rs_payload(value: Value) -> Value:
    wrapped = _wrapped(value)
    if not wrapped.holds:
        raise CannotTell
    return wrapped.payload


def _rs_unwrap(value: Value) -> Value:
    wrapped = _wrapped(value)
    if not wrapped.holds:
        raise Raised
    return wrapped.payload


def _rs_rewrap(pattern: Value, payload: Value) -> Value:
    """Put a value into `Some` or `Ok`, whichever the pattern is."""
    return Wrapped(_wrapped(pattern).kind, payload)


def _rs_to_option(value: Value) -> Value:
    wrapped = _wrapped(value)
    return Wrapped("some", wrapped.payload) if wrapped.holds else Wrapped("none")


def _rs_to_result(value: Value) -> Value:
    wrapped = _wrapped(value)
    return Wrapped("ok", wrapped.payload) if wrapped.holds else Wrapped("err")


def _rs_unwrap_or(value: Value, default: Value) -> Value:
    wrapped = _wrapped(value)
    return wrapped.payload if wrapped.holds else default


def _rs_or(value: Value, other: Value) -> Value:
    return value if _wrapped(value).holds else other


def _rs_text(value: Value) -> str:
    """Take text; with types that are checked, something else is a mistake made here."""
    if isinstance(value, str):
        return value
    raise CannotTell


def _rs_utf8(value: Value) -> Value:
    """`OsStr::to_str`, `into_string`: text, unless it is no UTF-8."""
    text = _rs_text(value)
    return Wrapped("some", text) if is_utf8(text) else Wrapped("none")


def _rs_lossy(value: Value) -> Value:
    return re.sub("[\ud800-\udfff]+", "\ufffd", _rs_text(value))


def _rs_parse(kind: str) -> Operation:
    def parse(value: Value) -> Value:
        text = _rs_text(value)
        parsed = parse_rust(kind, text)
        return Wrapped("err", refusal(kind, text) or None) if parsed is None else Wrapped("ok", parsed)

    return parse


def _rs_parse_some(kinds: tuple[str, ...]) -> Operation:
    """Parse as one of several types: where they do not agree, nobody can tell."""

    def parse(value: Value) -> Value:
        text = _rs_text(value)
        results = [parse_rust(kind, text) for kind in kinds]
        if any(result != results[0] for result in results):
            raise CannotTell
        return Wrapped("err") if results[0] is None else Wrapped("ok", results[0])

    return parse


def _rs_parse_like(value: Value, sample: Value = None, kind: Value = None) -> Value:
    """Parse as the type that a function of generic type is asked for, or that a default has."""
    if isinstance(kind, Wrapped) and kind.kind == "type":
        return _rs_parse(str(kind.payload))(value)
    if isinstance(sample, bool):
        return _rs_parse("bool")(value)
    if isinstance(sample, str):
        return _rs_parse("String")(value)
    if isinstance(sample, int | float):
        return _rs_parse_some(INTEGERS if isinstance(sample, int) else FLOATS)(value)
    raise CannotTell


def _rs_cast(kind: str) -> Operation:
    def convert(value: Value) -> Value:
        if isinstance(value, str) and len(value) > 1 and value[0].isupper():
            # A variant, which is told by its name.
            return value
        if not isinstance(value, int | float):
            raise CannotTell
        return cast(kind, value)

    return convert


def _within_limits(kind: str, fitted: Callable[[str, int], float]) -> Operation:
    """Make what was calculated fit its type; of one that is not known, only small numbers do for sure."""

    def fit(value: Value) -> Value:
        if not isinstance(value, int) or (kind == "int" and not 0 <= value < 128):
            raise CannotTell
        return value if kind == "int" else fitted(kind, value)

    return fit


def _on_number(operation: Callable[[float], Value]) -> Operation:
    def calculate(value: Value) -> Value:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise CannotTell
        return operation(value)

    return calculate


def _shift(operation: Callable[[int, int], int]) -> Operation:
    def calculate(left: Value, right: Value) -> Value:
        if not (isinstance(left, int) and isinstance(right, int) and 0 <= right < 128):
            raise CannotTell
        return operation(left, right)

    return calculate


def _rs_error(value: Value) -> Value:
    """Give the variant of an error: `NotPresent` or `NotUnicode`, as `std::env::var` has them."""
    wrapped = _wrapped(value)
    if wrapped.holds or not isinstance(wrapped.payload, str):
        raise CannotTell
    return wrapped.payload


def _list(value: Value) -> "tuple[Value, ...]":
    # `Wrapped` is a tuple to Python.
    if isinstance(value, tuple) and not isinstance(value, Wrapped):
        return value
    raise CannotTell


def _rs_nth(value: Value, index: Value) -> Value:
    items = _list(value)
    if isinstance(index, bool) or not isinstance(index, int):
        raise CannotTell
    return Wrapped("some", items[index]) if -len(items) <= index < len(items) else Wrapped("none")


def _rs_split(value: Value, separator: Value) -> Value:
    """Split at a text or sign: an empty one would give the signs, with empty ends."""
    if not _rs_text(separator):
        raise CannotTell
    return tuple(_rs_text(value).split(_rs_text(separator)))


def _rs_collected(value: Value) -> Value:
    """Collect: of `Option`s and `Result`s nobody knows here whether that is one of a list."""
    if any(isinstance(item, Wrapped) for item in _list(value)):
        raise CannotTell
    return value


def _rs_join(*parts: Value) -> Value:
    """`format!` of texts and integers without further instructions."""
    for part in parts:
        if isinstance(part, bool) or not isinstance(part, str | int):
            raise CannotTell
    return "".join(map(str, parts))


def _rs_variant(value: Value, words: Value) -> Value:
    """Find a word among those of an enumeration: pairs of words and variants. Others are refused."""
    text = _rs_text(value)
    for pair in _list(words):
        word, variant = _list(pair)
        if word == text:
            return variant
    raise Raised


def _power_at_least(value: float) -> Value:
    if not isinstance(value, int):
        raise CannotTell
    return 1 if value <= 1 else 1 << (int(value) - 1).bit_length()


RUST_TYPES = (*INTEGERS, *(f"nonzero_{kind}" for kind in INTEGERS), *FLOATS, "bool", "char", "String")


RUST: dict[str, Operation] = {
    "rs:some": lambda value: Wrapped("some", value),
    "rs:none": lambda: Wrapped("none"),
    "rs:ok": lambda value: Wrapped("ok", value),
    "rs:err": lambda: Wrapped("err"),
    "rs:holds": lambda value: _wrapped(value).holds,
    "rs:payload": _rs_payload,
    "rs:rewrap": _rs_rewrap,
    "rs:unwrap": _rs_unwrap,
    "rs:unwrap_or": _rs_unwrap_or,
    "rs:or": _rs_or,
    "rs:to_option": _rs_to_option,
    "rs:to_result": _rs_to_result,
    "rs:to_str": _rs_utf8,
    "rs:lossy": _rs_lossy,
    "rs:lower_ascii": on_text(_lower_ascii),
    "rs:upper_ascii": on_text(_upper_ascii),
    "rs:equals_ignore_case": lambda left, right: _lower_ascii(text_of(left)) == _lower_ascii(text_of(right)),
    "rs:len": on_text(lambda text: len(text.encode("utf-8", "surrogateescape"))),
    "rs:chars": lambda value: tuple(_rs_text(value)),
    "rs:split": _rs_split,
    "rs:first": lambda value: _rs_nth(value, 0),
    "rs:last": lambda value: _rs_nth(value, -1),
    "rs:nth": _rs_nth,
    "rs:collected": _rs_collected,
    "rs:held": lambda value: tuple(_wrapped(item).payload for item in _list(value) if _wrapped(item).holds),
    "rs:is_ascii": on_text(str.isascii),
    "rs:variant": _rs_variant,
    "rs:error": _rs_error,
    "rs:join": _rs_join,
    "rs:neg": _on_number(lambda value: -value),
    "rs:abs": _on_number(abs),
    "rs:is_finite": _on_number(math.isfinite),
    "rs:is_nan": _on_number(math.isnan),
    "rs:is_positive": _on_number(lambda value: value > 0),
    "rs:is_power_of_two": _on_number(lambda value: _power_at_least(value) == value),
    "rs:next_power_of_two": _on_number(_power_at_least),
    "rs:div": arithmetic(divide),
    "rs:rem": arithmetic(remainder),
    "rs:div_ceil": arithmetic(lambda left, right: -(-left // right)),
    **{f"rs:saturating:{kind}": _within_limits(kind, saturate) for kind in ("int", *INTEGERS)},
    **{f"rs:wrapping:{kind}": _within_limits(kind, cast) for kind in ("int", *INTEGERS)},
    "rs:shl": _shift(lambda left, right: left << right),
    "rs:shr": _shift(lambda left, right: left >> right),
    **{f"rs:as:{kind}": _rs_cast(kind) for kind in (*INTEGERS, *FLOATS)},
    **{f"rs:parse:{kind}": _rs_parse(kind) for kind in RUST_TYPES},
    "rs:parse:int": _rs_parse_some(INTEGERS),
    "rs:parse:float": _rs_parse_some(FLOATS),
    "rs:parse:?": _rs_parse_like,
    **PARSED_FORMS,
    "rs:type": lambda kind: Wrapped("type", {"text": "String"}.get(_rs_text(kind), kind)),
}
