"""What each value of a variable does to a reader: decodings evaluated on probes.

An outcome is a value, `RAISES`, or `UNTOLD`. The outcomes on all probes are a vector; two
decodings differ where both can tell and tell different things. Common vectors have names.
"""

import enum
import math
from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from leverlint.facts import (
    Answer,
    Apply,
    Attempt,
    Constant,
    Decoding,
    Helper,
    If,
    Let,
    Local,
    Named,
    Parameter,
    Passed,
    Path,
    Raise,
    Span,
)
from leverlint.operands import CannotTell, Raised, Seconds, Value, Wrapped, is_utf8
from leverlint.operations import OPERATIONS

NOT_UTF8 = "\udcff"

PROBES: tuple[str | None, ...] = (
    *(None, "", "0", "1", "true", "TRUE", "True", "false", "yes", "no", "on", "off"),
    *("2", "-1", "0.5", " 1 ", "word", NOT_UTF8),
)
"""What variables are set to in practice; `None` is unset."""

_DEPTH = 200
"""Deeper expressions are generated code."""


class Special(enum.Enum):
    RAISES = "raises"
    UNTOLD = "cannot tell"


RAISES = Special.RAISES
UNTOLD = Special.UNTOLD

Outcome: TypeAlias = "Value | Special"
Vector: TypeAlias = "tuple[Outcome, ...]"
"""One outcome for each probe."""


class Surroundings(NamedTuple):
    """Where a decoding finds what it refers to. Each may raise `Raised` or `CannotTell`."""

    answer: Callable[[Span], Value]
    passed: Callable[[Parameter], Value]
    named: Callable[[Path], Value]
    helper: "Callable[[Helper, tuple[Value, ...], dict[str, Value]], Value]"


def evaluate(decoding: Decoding, around: Surroundings) -> Value:
    """Work a decoding out; raises `Raised` where the program does, `CannotTell` where it is open."""
    return _Evaluation(around).value(decoding, {}, 0)


def outcome(decoding: Decoding, around: Surroundings) -> Outcome:
    """Work a decoding out to an outcome, in terms that all languages share."""
    try:
        return shared(evaluate(decoding, around))
    except Raised:
        return RAISES
    except (CannotTell, RecursionError):
        return UNTOLD


def alone(value: Value) -> Surroundings:
    """Surroundings in which every read gives `value` and nothing else is known."""

    def unknown(*_: object) -> Value:
        raise CannotTell

    return Surroundings(lambda span: value, unknown, unknown, unknown)


def shared(value: Value) -> Value:
    """Take the wrapping off: `Some(x)` and `Ok(x)` are `x`, `None` and `Err` are `None`."""
    while isinstance(value, Wrapped):
        value = value.payload if value.holds else None
    return value


def api_answer(kind: str, text: str | None, default: Callable[[], Value]) -> Value:
    """Give what an API call gives for a variable's text; `kind` is `Api.answer`."""
    if kind == "get":
        return default() if text is None else text
    if kind == "contains":
        return text is not None
    if kind == "raw":
        return text
    if kind == "item":
        if text is None:
            raise Raised
        return text
    if kind == "var":
        if text is None:
            return Wrapped("err", "NotPresent")
        return Wrapped("ok", text) if is_utf8(text) else Wrapped("err", "NotUnicode")
    if kind == "var_os":
        return Wrapped("none") if text is None else Wrapped("some", text)
    raise CannotTell


class _Evaluation:
    def __init__(self, around: Surroundings) -> None:
        self._around = around

    def value(self, decoding: Decoding, locals: dict[int, Value], depth: int) -> Value:
        if depth > _DEPTH:
            raise CannotTell
        deeper = depth + 1
        match decoding:
            case Constant(value):
                return value
            case Answer(span):
                return self._around.answer(span)
            case Local(number) if number in locals:
                return locals[number]
            case Apply(operation, arguments):
                return self._apply(operation, arguments, locals, deeper)
            case If(condition, then, otherwise):
                decided = self.value(condition, locals, deeper)
                if not isinstance(decided, bool):
                    raise CannotTell
                return self.value(then if decided else otherwise, locals, deeper)
            case Let(number, value, body):
                return self.value(body, {**locals, number: self.value(value, locals, deeper)}, deeper)
            case Attempt(body, otherwise):
                try:
                    return self.value(body, locals, deeper)
                except Raised:
                    return self.value(otherwise, locals, deeper)
            case Passed(parameter):
                return self._around.passed(parameter)
            case Named(path):
                return self._around.named(path)
            case Helper(_, arguments, keywords):
                values = tuple(self._argument(argument, locals, deeper) for argument in arguments)
                named = {name: self._argument(argument, locals, deeper) for name, argument in keywords}
                return self._around.helper(decoding, values, named)
            case Raise():
                raise Raised
        raise CannotTell

    def _argument(self, decoding: Decoding, locals: dict[int, Value], depth: int) -> Value:
        """Work an argument out; one that cannot be told only matters if the helper looks at it."""
        try:
            return self.value(decoding, locals, depth)
        except CannotTell:
            return OPEN

    def _apply(
        self, operation: str, arguments: tuple[Decoding, ...], locals: dict[int, Value], depth: int
    ) -> Value:
        if operation in FOR_EACH:
            return self._for_each(operation, arguments, locals, depth)
        known = OPERATIONS.get(operation)
        if known is None:
            raise CannotTell
        values = [self.value(argument, locals, depth) for argument in arguments]
        try:
            return known(*values)
        except TypeError:
            # The operation does not exist on such values, or not with so many.
            raise CannotTell from None

    def _for_each(
        self, operation: str, arguments: tuple[Decoding, ...], locals: dict[int, Value], depth: int
    ) -> Value:
        """Work a function out for items: `Let`'s body, with the item in the place of its value."""
        items, function = arguments
        found = self.value(items, locals, depth)
        if not isinstance(function, Let) or not isinstance(found, tuple):
            raise CannotTell

        def applied(item: Value) -> Value:
            return self.value(function.body, {**locals, function.number: item}, depth)

        if operation == "rs:each":
            return tuple(map(applied, found))
        # perf: what is decided is decided at the first item that says so.
        judged = (_verdict(applied(item)) for item in found)
        if operation == "rs:those":
            return tuple(item for item, verdict in zip(found, judged, strict=True) if verdict)
        return any(judged) if operation == "rs:any" else all(judged)


def _verdict(value: Value) -> bool:
    if not isinstance(value, bool):
        raise CannotTell
    return value


FOR_EACH = frozenset({"rs:each", "rs:those", "rs:any", "rs:all"})
"""Operations that do something with each item of a list."""

OPEN = Wrapped("open")
"""Stands for an argument that cannot be told."""


# --- Vectors -----------------------------------------------------------------------------------


def differences(left: Vector, right: Vector) -> list[int]:
    """Give the probes, by index, on which both can tell and tell different things."""
    return [
        index
        for index, (one, other) in enumerate(zip(left, right, strict=True))
        if UNTOLD not in (one, other) and not same(one, other)
    ]


def same(left: Outcome, right: Outcome) -> bool:
    """Compare outcomes: `True` is not 1, but 1 is 1.0, and NaN is NaN."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, float) and isinstance(right, float):
        # An `f32` and the double that is written in the same way are the same number.
        return math.isclose(left, right, rel_tol=1e-6) or (math.isnan(left) and math.isnan(right))
    return left == right


def kind(vector: Vector) -> str:
    """Say what a vector is about: `switch`, `number`, `text`, `several` (values at once) or `mixed`.

    Empty when nothing is told.
    """
    kinds = {_KINDS.get(type(one), "several") for one in vector} - {""}
    return "mixed" if len(kinds) > 1 else kinds.pop() if kinds else ""


_KINDS: dict[type, str] = {
    **{bool: "switch", int: "number", float: "number", Seconds: "number", str: "text"},
    **{Special: "", type(None): ""},
}


def _lower(text: str) -> str:
    return text.lower() if text.isascii() else text


_KNOWN: dict[str, Callable[[str | None], Value]] = {
    "opt_in": lambda text: text == "1",
    "opt_out": lambda text: text != "0",
    "kill_switch": lambda text: text != "1",
    "truthy_exact": lambda text: text in ("1", "true"),
    "truthy": lambda text: text is not None and (text == "1" or _lower(text) == "true"),
    "present": lambda text: text is not None,
    "kill_present": lambda text: text is None,
    "tri_state": lambda text: {"1": True, "0": False}.get(text or ""),
    "string": lambda text: text,
}

_VECTORS = {name: tuple(map(decode, PROBES)) for name, decode in _KNOWN.items()}


def name(vector: Vector) -> str:
    """Give the name of a vector; empty when it has none or too little of it is told."""
    if UNTOLD in vector[:4]:
        return ""
    for known, expected in _VECTORS.items():
        if not differences(vector, expected) and kind(vector) in (kind(expected), ""):
            return known
    if kind(vector) == "number":
        return "parsed"
    # A default, and what becomes of nothing, make the text no less the text.
    if all(same(one, text) for text, one in zip(PROBES, vector, strict=True) if text and text != NOT_UTF8):
        return "string"
    texts = {one for one in vector if isinstance(one, str)}
    return "choice" if kind(vector) == "text" and len(texts) < len(vector) // 2 else ""
