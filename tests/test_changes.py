import pytest
from hypothesis import given
from hypothesis import strategies as st

from leverlint.changes import Lost, between, moved, moves, without_places
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


def mentions(*spans):
    return tuple(Mention("A", Span(*span)) for span in spans)


def test_places_that_keep_their_order_have_moved():
    assert moves(mentions((0, 4), (8, 9)), mentions((0, 6), (11, 12))) == {0: 0, 4: 6, 8: 11, 9: 12}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(mentions((0, 4), (8, 9)), mentions((8, 9), (0, 4)), id="turned round"),
        pytest.param(mentions((0, 4), (4, 9)), mentions((0, 4), (5, 9)), id="one place becomes two"),
        pytest.param(mentions((0, 4), (8, 9)), mentions((0, 8), (8, 9)), id="two places become one"),
        pytest.param(mentions((0, 4)), mentions((0, 4), (8, 9)), id="more facts"),
        pytest.param(mentions((0, 4)), (Mention("B", Span(0, 4)),), id="another fact"),
        pytest.param((Constant(1),), (Constant(True),), id="of another type"),
        pytest.param((Constant(1),), (Constant(1.0),), id="of a type that is equal"),
        pytest.param((Constant(0.0),), (Constant(-0.0),), id="of another sign"),
    ],
)
def test_what_has_more_than_moved_has_no_moves(before, after):
    assert moves(before, after) is None


def test_findings_move_with_the_places_of_facts():
    assert moved((Mention("A", Span(4, 9)), "x", Span(0, 9)), {0: 0, 4: 6, 9: 11}) == (
        Mention("A", Span(6, 11)),
        "x",
        Span(0, 11),
    )


@pytest.mark.parametrize("span", [Span(4, 5), Span(3, 9)])
def test_a_place_that_no_fact_has_is_lost(span):
    with pytest.raises(Lost):
        moved(span, {4: 6, 9: 11})


def test_facts_that_only_moved_are_alike_without_places():
    assert without_places(Answer(Span(1, 2))) == without_places(Answer(Span(3, 4)))
    assert without_places(Answer(Span(1, 2))) != without_places(Mention("A", Span(1, 2)))
