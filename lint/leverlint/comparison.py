"""Which readers of a lever can be compared, and where they part.

Two readers that split the values in the same way agree, though one of them asks for the
opposite (`is_some()` here, `is_none()` there). A test for mere presence is a decoding only of a
lever that nobody takes text or a number from: of a path it is a guard.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeGuard

from leverlint.decoding import PROBES, UNTOLD, Outcome, Vector, differences, kind
from leverlint.guards import Reading, is_presence
from leverlint.index import Index

_UNSET = PROBES.index(None)
_ONE = PROBES.index("1")

_SWITCHING = ("1", "true", "0", "false", "on", "off", "yes", "no")
"""What switches are set to."""

_TELLING = (
    *_SWITCHING,
    "TRUE",
    "True",
    "2",
    "word",
    "-1",
    "0.5",
    " 1 ",
    "",
)
"""Probes by how much they tell a reader. What is not UTF-8 is for lossy-read to report."""


def comparable(
    index: Index, readings: Sequence[Reading], levers_at: Mapping[tuple[str, int], int]
) -> list[Reading]:
    """Give the readers of one lever whose decodings can be compared with each other.

    `levers_at` says how many levers the call at a place reads: a loop over a table of names
    that tests which are set is bookkeeping.
    """
    kinds = [kind(one.vector) for one in readings]
    of_value = {"text", "number", "several", "mixed"} & set(kinds)
    numbers = [one for one, what in zip(readings, kinds, strict=True) if what in ("number", "mixed")]
    switches = [one for one, what in zip(readings, kinds, strict=True) if what == "switch"]
    switches = _switches(index, switches)
    if of_value or any(levers_at[one.use.path, one.use.span.start] > 1 for one in switches):
        switches = [one for one in switches if not is_presence(one.vector)]
    return switches if len(switches) > 1 else numbers if len(numbers) > 1 else []


def _switches(index: Index, readings: Sequence[Reading]) -> list[Reading]:
    """Leave out tests for one word of several (`== "fast"`): two of them are about different things."""
    words = [_tests_a_word(index, one) for one in readings]
    others = [one for one, tests in zip(readings, words, strict=True) if not tests]
    of_value = any(not is_presence(one.vector) for one in others)
    return others if of_value or all(words) else list(readings)


def _tests_a_word(index: Index, reading: Reading) -> bool:
    usual = {reading.vector[PROBES.index(text)] for text in _SWITCHING}
    if len(usual) != 1 or not isinstance(answer := usual.pop(), bool):
        return False
    use = reading.use
    words = (index.of_value(use, word) for word in index.words(use) if word not in PROBES)
    return any(outcome is (not answer) for outcome in words)


def with_text(index: Index, readings: Sequence[Reading]) -> list[Reading]:
    """Give the readers that take text, or of which nothing is told, and that have a text for unset."""
    texts = [one for one in readings if kind(one.vector) in ("text", "several", "")]
    return [one for one in texts if text_default(index, one)]


def text_default(index: Index, reading: Reading) -> str:
    """Give the text that stands for an unset lever; empty when there is none."""
    unset = reading.vector[_UNSET]
    if (unset is UNTOLD and not reading.guarded) or isinstance(unset, tuple):
        unset = index.default(reading.use)
    return unset if isinstance(unset, str) else ""


class Parting(NamedTuple):
    """A value that two readers take differently."""

    text: str | None
    """The value; `None` is unset."""
    there: Outcome
    here: Outcome
    """In the sense of the first reader, when the second asks for the opposite."""


def partings(reference: Vector, vector: Vector) -> list[Parting]:
    """Give the values on which two readers part, the most telling first; unset is not among them."""
    turned = aligned(reference, vector)
    found = {
        PROBES[index]: Parting(PROBES[index], reference[index], turned[index])
        for index in differences(reference, turned)
    }
    return [found[text] for text in _TELLING if text in found]


def unset(reference: Vector, vector: Vector) -> Parting:
    """Give what two readers make of an unset lever."""
    return Parting(None, reference[_UNSET], aligned(reference, vector)[_UNSET])


def aligned(reference: Vector, vector: Vector) -> Vector:
    """Put a vector into the sense and the unit of `reference`.

    A switch asks for the opposite when it is the other way round both unset and at `1`. A number
    is in another unit when every value is the same multiple of what the reference makes of it.
    """
    pairs = [(reference[index], vector[index]) for index in (_UNSET, _ONE)]
    if all(isinstance(there, bool) and isinstance(here, bool) and there is not here for there, here in pairs):
        return tuple(not one if isinstance(one, bool) else one for one in vector)
    factor = _factor(reference, vector)
    return tuple(one / factor if _is_number(one) else one for one in vector) if factor else vector


def _factor(reference: Vector, vector: Vector) -> float:
    """Give by how much the values of a vector are larger; 0 when that differs from value to value."""
    values = [
        (there, here)
        for index, (there, here) in enumerate(zip(reference, vector, strict=True))
        if index != _UNSET and _is_number(there) and _is_number(here) and there
    ]
    factors = {here / there for there, here in values}
    return factors.pop() if len(factors) == 1 and len(values) > 1 and factors != {1} else 0


def _is_number(outcome: Outcome) -> TypeGuard[float]:
    return isinstance(outcome, int | float) and not isinstance(outcome, bool)
