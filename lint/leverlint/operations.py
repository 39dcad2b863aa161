"""The operations that decodings are made of, each with the meaning that its language gives it.

`text` operations work on `str` alike in both languages. `py:` and `rs:` ones follow CPython
and Rust. A value is `None`, a boolean, number, text, a tuple, or `Wrapped` for Rust's `Option`
and `Result`. Text that is no UTF-8 holds lone surrogates, as Python's `os.environ` gives it.
"""

import math
import re
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, TypeAlias

from leverlint.rust_numbers import FLOATS, INTEGERS, cast, divide, parse_rust, remainder


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


def _text(value: Value) -> str:
    """Take text, or say that the operation does not exist on what is there."""
    if isinstance(value, str):
        return value
    if value is None or isinstance(value, bool | int | float):
        raise Raised
    raise CannotTell


def _on_text(operation: Callable[[str], Value]) -> Operation:
    return lambda value: operation(_text(value))


def _lower_ascii(text: str) -> str:
    return "".join(sign.lower() if sign.isascii() else sign for sign in text)


def _upper_ascii(text: str) -> str:
    return "".join(sign.upper() if sign.isascii() else sign for sign in text)


# --- Any language -----------------------------------------------------------------------------


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
        return _text(value) in words
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


def _arithmetic(operation: Callable[[float, float], float]) -> Operation:
    def calculate(left: Value, right: Value) -> Value:
        if not (isinstance(left, int | float) and isinstance(right, int | float)):
            raise CannotTell
        try:
            return operation(left, right)
        except (ArithmeticError, ValueError):
            raise Raised from None

    return calculate


def _clamp(value: Value, low: Value, high: Value) -> Value:
    if not all(isinstance(one, int | float) for one in (value, low, high)):
        raise CannotTell
    # A NaN stays one: both comparisons are false.
    return low if value < low else high if value > high else value  # type: ignore[operator]


def _joined_path(*parts: Value) -> Value:
    found = ""
    for part in map(_text, parts):
        found = part if part.startswith("/") or not found else f"{found.removesuffix('/')}/{part}"
    return found


def _duration(*amounts: Value) -> Value:
    """Add up amounts, each followed by the seconds that its unit has."""
    numbers = [each for each in amounts if isinstance(each, int | float)]
    if len(numbers) < len(amounts) or len(numbers) % 2:
        raise CannotTell
    return Seconds(math.fsum(one * unit for one, unit in zip(numbers[::2], numbers[1::2], strict=True)))


def _in_units(value: Value, unit: Value) -> Value:
    if not isinstance(value, Seconds) or not isinstance(unit, int | float):
        raise CannotTell
    amount = value / unit
    whole = round(amount) if math.isfinite(amount) else amount
    # What a double adds or takes away must not be cut off later.
    return float(whole) if math.isclose(amount, whole, rel_tol=1e-12) else amount


# --- Python ------------------------------------------------------------------------------------


def truth(value: Value) -> bool:
    if isinstance(value, Wrapped):
        raise CannotTell
    return bool(value)


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
        decoded = json.loads(_text(value))
    except ValueError:
        raise Raised from None
    if isinstance(decoded, list | dict):
        raise CannotTell
    return decoded  # type: ignore[no-any-return]


def _py_literal(value: Value) -> Value:
    import ast

    try:
        decoded = ast.literal_eval(_text(value))
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        raise Raised from None
    if not (decoded is None or isinstance(decoded, bool | int | float | str)):
        raise CannotTell
    return decoded


def _py_strtobool(value: Value) -> Value:
    """Follow distutils: 1 and 0, or `ValueError`."""
    word = _text(value).lower()
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
        _refuse_open(left, right)
        try:
            return operation(left, right)
        except TypeError:
            raise Raised from None

    return compare


def _py_calculate(operation: Callable[..., Any]) -> Operation:
    """Calculate as Python does, texts included, as long as the result stays small."""

    def calculate(*values: Value) -> Value:
        _refuse_open(*values)
        if any(isinstance(value, int | float) and abs(value) > _LARGEST for value in values):
            raise CannotTell
        try:
            result = operation(*values)
        except (TypeError, ValueError, ArithmeticError, AttributeError):
            raise Raised from None
        return tuple(result) if isinstance(result, list) else result

    return calculate


_LARGEST = 1 << 128


def _refuse_open(*values: Value) -> None:
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
        return _py_calculate(method)(_text(value), *arguments)

    return call


def _py_divide(left: Value, right: Value) -> Value:
    """Divide numbers, or go down a path: those are taken for their text."""
    if isinstance(left, str) and isinstance(right, str):
        return _joined_path(left, right)
    return _py_calculate(lambda one, other: one / other)(left, right)


def _py_callable(value: Value) -> Value:
    _refuse_open(value)
    return isinstance(value, tuple) and value[:1] == (CALLABLE,)


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
    _refuse_open(value)
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
        written, text = _text(pattern), _text(value)
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


# --- Rust --------------------------------------------------------------------------------------


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
        parsed = parse_rust(kind, _rs_text(value))
        return Wrapped("err") if parsed is None else Wrapped("ok", parsed)

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
        return OPERATIONS[f"rs:parse:{kind.payload}"](value)
    if isinstance(sample, bool):
        return _rs_parse("bool")(value)
    if isinstance(sample, str):
        return _rs_parse("String")(value)
    if isinstance(sample, int | float):
        return _rs_parse_some(INTEGERS if isinstance(sample, int) else FLOATS)(value)
    raise CannotTell


def _rs_cast(kind: str) -> Operation:
    def convert(value: Value) -> Value:
        if not isinstance(value, int | float):
            raise CannotTell
        return cast(kind, value)

    return convert


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

OPERATIONS: dict[str, Operation] = {
    # any language
    "not": _not,
    "equals": _equals,
    "in": _among,
    "tuple": lambda *values: tuple(values),
    "lower": _on_text(str.lower),
    "upper": _on_text(str.upper),
    "strip": _on_text(str.strip),
    "lstrip": _on_text(str.lstrip),
    "rstrip": _on_text(str.rstrip),
    "is_empty": _on_text(lambda text: not text),
    "starts_with": lambda text, start: _text(text).startswith(_text(start)),
    "ends_with": lambda text, end: _text(text).endswith(_text(end)),
    "contains": lambda text, part: _text(part) in _text(text),
    "replace": lambda text, old, new: _text(text).replace(_text(old), _text(new)),
    "remove_prefix": lambda text, start: _text(text).removeprefix(_text(start)),
    "remove_suffix": lambda text, end: _text(text).removesuffix(_text(end)),
    "lt": _compare(lambda left, right: left < right),
    "le": _compare(lambda left, right: left <= right),
    "gt": _compare(lambda left, right: left > right),
    "ge": _compare(lambda left, right: left >= right),
    "add": _arithmetic(lambda left, right: left + right),
    "sub": _arithmetic(lambda left, right: left - right),
    "mul": _arithmetic(lambda left, right: left * right),
    "min": _arithmetic(min),
    "max": _arithmetic(max),
    "clamp": _clamp,
    "duration": _duration,
    "path_join": _joined_path,
    "in_units": _in_units,
    # Python
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
    "py:casefold": _on_text(str.casefold),
    "py:title": _on_text(str.title),
    "py:capitalize": _on_text(str.capitalize),
    "py:isdigit": _on_text(str.isdigit),
    "py:isdecimal": _on_text(str.isdecimal),
    "py:isnumeric": _on_text(str.isnumeric),
    "py:isalpha": _on_text(str.isalpha),
    "py:isalnum": _on_text(str.isalnum),
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
    "py:mul": _arithmetic(lambda left, right: left * right),
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
    **{f"py:{name}": _on_text(getattr(str, name)) for name in ("isspace", "islower", "isupper", "isascii")},
    "py:swapcase": _on_text(str.swapcase),
    "py:find": _py_text(str.find),
    "py:any": _py_judged(any),
    "py:all": _py_judged(all),
    "py:isinstance": _py_isinstance,
    **{operation: _py_fits(operation[3:]) for operation in sorted(PATTERNS)},
    "py:total_seconds": lambda value: _in_units(value, 1),
    "py:callable": _py_callable,
    "py:call": _py_call,
    "py:each": _py_each,
    "py:those": _py_those,
    "pydantic:bool": _on_text(_words((_YES, True), (_NO, False))),
    "environs:bool": _on_text(_words((_YES, True), (_NO, False))),
    "decouple:bool": _on_text(_words((_YES, True), (_NO, False))),
    "click:bool": _on_text(lambda text: _words((_YES, True), (_NO, False))(text.strip())),
    # Rust
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
    "rs:lower_ascii": _on_text(_lower_ascii),
    "rs:upper_ascii": _on_text(_upper_ascii),
    "rs:equals_ignore_case": lambda left, right: _lower_ascii(_text(left)) == _lower_ascii(_text(right)),
    "rs:len": _on_text(lambda text: len(text.encode("utf-8", "surrogateescape"))),
    "rs:chars": lambda value: tuple(_rs_text(value)),
    "rs:split": _rs_split,
    "rs:first": lambda value: _rs_nth(value, 0),
    "rs:last": lambda value: _rs_nth(value, -1),
    "rs:nth": _rs_nth,
    "rs:collected": _rs_collected,
    "rs:held": lambda value: tuple(_wrapped(item).payload for item in _list(value) if _wrapped(item).holds),
    "rs:is_ascii": _on_text(str.isascii),
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
    "rs:div": _arithmetic(divide),
    "rs:rem": _arithmetic(remainder),
    "rs:div_ceil": _arithmetic(lambda left, right: -(-left // right)),
    "rs:saturating_sub": _arithmetic(lambda left, right: max(left - right, 0)),
    "rs:shl": _shift(lambda left, right: left << right),
    "rs:shr": _shift(lambda left, right: left >> right),
    **{f"rs:as:{kind}": _rs_cast(kind) for kind in (*INTEGERS, *FLOATS)},
    **{f"rs:parse:{kind}": _rs_parse(kind) for kind in RUST_TYPES},
    "rs:parse:int": _rs_parse_some(INTEGERS),
    "rs:parse:float": _rs_parse_some(FLOATS),
    "rs:parse:?": _rs_parse_like,
    "rs:type": lambda kind: Wrapped("type", {"text": "String"}.get(_rs_text(kind), kind)),
}
