import pytest
from hypothesis import given
from hypothesis import strategies as st

from leverlint.changes import Change, Touched, between, identical, moved, without_places
from leverlint.facts import Answer, Constant, Mention, Span

TEXTS = st.binary(max_size=12) | st.sampled_from([b"aaaa", b"aaa", b"abab", b"ab", b""])


@given(TEXTS, TEXTS)
def test_a_change_turns_one_text_into_the_other(old, new):
    start, end, shift = between(old, new)
    assert old[:start] + new[start : end + shift] + old[end:] == new


@given(TEXTS)
def test_the_same_text_is_no_change(text):
    start, end, shift = between(text, text)
    assert (end - start, shift) == (0, 0)


@pytest.mark.parametrize(
    ("span", "expected"),
    [
        pytest.param(Span(0, 4), Span(0, 4), id="in front"),
        pytest.param(Span(0, 5), Span(0, 5), id="up to it"),
        pytest.param(Span(8, 9), Span(10, 11), id="right behind"),
        pytest.param(Span(4, 9), Span(4, 11), id="around it"),
        pytest.param(Span(5, 8), Span(5, 10), id="exactly it"),
    ],
)
def test_places_move_along(span, expected):
    assert moved(Mention("A", span), Change(5, 8, 2)) == Mention("A", expected)


@pytest.mark.parametrize("span", [Span(4, 6), Span(6, 9), Span(6, 7)])
def test_places_that_a_change_reaches_into_are_lost(span):
    with pytest.raises(Touched):
        moved(((Mention("A", span),),), Change(5, 8, 2))


def test_facts_that_only_moved_are_alike_without_places():
    assert without_places(Answer(Span(1, 2))) == without_places(Answer(Span(3, 4)))
    assert without_places(Answer(Span(1, 2))) != without_places(Mention("A", Span(1, 2)))


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (Constant(1), Constant(1), True),
        (Constant(1), Constant(True), False),
        (Constant(1), Constant(1.0), False),
        (Constant(0.0), Constant(-0.0), False),
        ((Constant("a"),), (Constant("a"), Constant("a")), False),
    ],
)
def test_identical_minds_the_types_of_constants(one, other, same):
    assert identical(one, other) is same
