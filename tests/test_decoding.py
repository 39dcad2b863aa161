import math

import pytest

from leverlint.decoding import (
    NOT_UTF8,
    PROBES,
    RAISES,
    UNTOLD,
    alone,
    api_answer,
    differences,
    kind,
    name,
    outcome,
    same,
)
from leverlint.facts import Answer, Apply, Attempt, Constant, If, Let, Local, Raise, Span, Untold
from leverlint.operands import Raised, Wrapped

ANSWER = Answer(Span(0, 1))


def op(operation, *arguments):
    return Apply(operation, arguments)


def of(decoding, value):
    return outcome(decoding, alone(value))


def vector(decoding, answer="get"):
    outcomes = []
    for text in PROBES:
        try:
            outcomes.append(of(decoding, api_answer(answer, text, lambda: None)))
        except Raised:
            outcomes.append(RAISES)
    return tuple(outcomes)


IS_ONE = op("equals", ANSWER, Constant("1"))
TEXT = op("rs:unwrap_or", ANSWER, Constant(""))
RUST_IS_ONE = op("equals", op("rs:to_option", ANSWER), op("rs:some", Constant("1")))


@pytest.mark.parametrize(
    ("decoding", "answer", "expected"),
    [
        (IS_ONE, "get", "opt_in"),
        (op("not", op("equals", ANSWER, Constant("0"))), "get", "opt_out"),
        (op("not", IS_ONE), "get", "kill_switch"),
        (op("in", ANSWER, op("tuple", Constant("1"), Constant("true"))), "get", "truthy_exact"),
        (op("not", op("py:is_none", ANSWER)), "get", "present"),
        (op("py:is_none", ANSWER), "get", "kill_present"),
        (ANSWER, "contains", "present"),
        (ANSWER, "get", "string"),
        (If(op("equals", ANSWER, Constant("")), Constant("auto"), ANSWER), "get", "string"),
        (op("rs:unwrap_or", ANSWER, Constant("auto")), "var", "string"),
        (op("lower", op("rs:unwrap_or", ANSWER, Constant("auto"))), "var", ""),
        (RUST_IS_ONE, "var", "opt_in"),
        (op("rs:holds", ANSWER), "var_os", "present"),
        (op("rs:unwrap_or", op("rs:parse:usize", TEXT), Constant(4)), "var", "parsed"),
    ],
)
def test_common_vectors_have_names(decoding, answer, expected):
    assert name(vector(decoding, answer)) == expected


def test_presence_by_a_lossy_test_is_not_presence():
    assert differences(vector(op("rs:holds", ANSWER), "var"), vector(op("rs:holds", ANSWER), "var_os")) == [
        PROBES.index(NOT_UTF8)
    ]


def test_python_and_rust_part_on_what_a_number_is():
    python = Attempt(op("py:int", ANSWER), Constant(None))
    rust = op("rs:parse:i64", ANSWER)
    assert of(python, " 1 ") == 1
    assert of(rust, " 1 ") is None
    assert of(rust, "+5") == of(python, "+5") == 5
    assert of(python, "1_000") == 1000
    assert of(rust, "1_000") is None


def test_raising_is_an_outcome():
    assert of(op("py:int", ANSWER), "word") is RAISES
    assert of(Raise(), "1") is RAISES
    assert of(op("rs:unwrap", ANSWER), Wrapped("err")) is RAISES


def test_what_cannot_be_told_stays_so():
    assert of(Untold(), "1") is UNTOLD
    assert of(op("no-such-operation", ANSWER), "1") is UNTOLD
    assert of(If(Untold(), Constant(1), Constant(2)), "1") is UNTOLD
    assert of(If(IS_ONE, Constant(True), Untold()), "1") is True


def test_a_local_is_worked_out_once_and_shadows():
    decoding = Let(1, op("lower", ANSWER), Let(2, Local(1), op("equals", Local(2), Constant("on"))))
    assert of(decoding, "ON") is True
    assert of(Local(3), "ON") is UNTOLD


def test_hostile_depth_cannot_be_told():
    decoding = ANSWER
    for _ in range(5000):
        decoding = op("lower", decoding)
    assert of(decoding, "A") is UNTOLD


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [(True, 1, False), (1, 1.0, True), (math.nan, math.nan, True), ("1", 1, False), (None, False, False)],
)
def test_outcomes_are_compared_strictly(left, right, expected):
    assert same(left, right) is expected


@pytest.mark.parametrize(
    ("outcomes", "expected"),
    [
        ((None, True, False), "switch"),
        ((1, 0.5, RAISES), "number"),
        (("a", None), "text"),
        ((1, "2"), "mixed"),
        ((UNTOLD, RAISES, None), ""),
    ],
)
def test_vectors_have_a_kind(outcomes, expected):
    assert kind(outcomes) == expected
