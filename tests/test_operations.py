"""Operations against the languages that they stand for."""

import ast
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leverlint.decoding import NOT_UTF8, PROBES, alone
from leverlint.decoding import outcome as outcome_of
from leverlint.facts import Apply, Constant
from leverlint.operands import CannotTell, Raised, Wrapped
from leverlint.operations import OPERATIONS

TEXTS = [text for text in PROBES if text is not None]

PYTHON = {
    "py:int": int,
    "py:float": float,
    "py:truth": bool,
    "py:casefold": str.casefold,
    "py:isdigit": str.isdigit,
    "py:len": len,
    "py:literal": ast.literal_eval,
    "py:json": json.loads,
    "lower": str.lower,
    "strip": str.strip,
}


def outcome(function, *arguments):
    try:
        return repr(function(*arguments))
    except CannotTell:
        return "cannot tell"
    except (Raised, ValueError, TypeError, SyntaxError, OverflowError):
        return "raises"


@pytest.mark.parametrize("operation", PYTHON)
@pytest.mark.parametrize("text", TEXTS)
def test_python_operations_do_what_python_does(operation, text):
    assert outcome(OPERATIONS[operation], text) == outcome(PYTHON[operation], text)


@given(st.text(max_size=12))
def test_numbers_are_read_as_python_reads_them(text):
    for operation in ("py:int", "py:float"):
        assert outcome(OPERATIONS[operation], text) == outcome(PYTHON[operation], text)


VALUES = [None, True, 0, 1.5, "", "word", NOT_UTF8, ("1",), Wrapped("none"), Wrapped("ok", "1"), float("nan")]


@pytest.mark.parametrize("operation", sorted(OPERATIONS))
def test_no_operation_fails_in_any_other_way(operation):
    for arguments in ([], *([value] for value in VALUES), *([a, b] for a in VALUES for b in VALUES)):
        decoding = Apply(operation, tuple(map(Constant, arguments)))
        outcome_of(decoding, alone(None))  # raises nothing


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        ("usize", "5", 5),
        ("usize", "+5", 5),
        ("usize", "-0", None),
        ("usize", " 5", None),
        ("usize", "", None),
        ("usize", "+", None),
        ("usize", "1_000", None),
        ("usize", "٣", None),
        ("usize", str(2**64), None),
        ("usize", str(2**64 - 1), 2**64 - 1),
        ("u8", "256", None),
        ("i8", "-128", -128),
        ("i8", "128", None),
        ("u32", "0" * 50 + "7", 7),
        ("f32", "0.1", 0.10000000149011612),
        ("f64", ".5", 0.5),
        ("f64", "5.", 5.0),
        ("f64", ".", None),
        ("f64", "1e400", float("inf")),
        ("f32", "1e39", float("inf")),
        ("f64", "INF", float("inf")),
        ("f64", "-infinity", float("-inf")),
        ("f64", "1_0", None),
        ("bool", "true", True),
        ("bool", "True", None),
        ("bool", "1", None),
        ("char", "ab", None),
    ],
)
def test_rust_parses_as_rust_does(kind, text, expected):
    parsed = OPERATIONS[f"rs:parse:{kind}"](text)
    assert parsed.kind == "err" if expected is None else parsed == Wrapped("ok", expected)


@pytest.mark.parametrize(
    ("kind", "text", "reason"),
    [
        ("u8", "", "Empty"),
        ("u8", "-", "InvalidDigit"),
        ("u8", "-1", "InvalidDigit"),
        ("u8", "256", "PosOverflow"),
        ("u8", "256x", "InvalidDigit"),
        ("i8", "-129", "NegOverflow"),
    ],
)
def test_why_rust_refuses_an_integer(kind, text, reason):
    assert OPERATIONS[f"rs:parse:{kind}"](text) == Wrapped("err", reason)
