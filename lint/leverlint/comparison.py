"""Which readers of a lever can be compared, and where they part.

Two readers that split the values in the same way agree, though one of them asks for the
opposite (`is_some()` here, `is_none()` there). A test for mere presence is a decoding only of a
lever that nobody takes text or a number from: of a path it is a guard.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from leverlint.decoding import NOT_UTF8, PROBES, UNTOLD, Outcome, Vector, differences, kind
from leverlint.index import Index, Use

_UNSET = PROBES.index(None)
_ONE = PROBES.index("1")

_TELLING = (
    "1",
    "true",
    "0",
    "false",
    "on",
    "off",
    "yes",
    "no",
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


def comparable(index: Index, readers: Sequence[Use], levers_at: Mapping[tuple[str, int], int]) -> list[Use]:
    """Give the readers of one lever whose decodings can be compared with each other.

    `levers_at` says how many levers the call at a place reads: a loop over a table of names
    that tests which are set is bookkeeping.
    """
    kinds = {use: kind(index.vector(use)) for use in readers}
    of_value = {"text", "number", "mixed"} & set(kinds.values())
    numbers = [use for use in readers if kinds[use] in ("number", "mixed")]
    switches = [
        use
        for use in readers
        if kinds[use] == "switch"
        and not (is_presence(index.vector(use)) and (of_value or levers_at[use.path, use.span.start] > 1))
    ]
    return switches if len(switches) > 1 else numbers if len(numbers) > 1 else []


def with_text(index: Index, readers: Sequence[Use]) -> list[Use]:
    """Give the readers that take text, or of which nothing is told, and that have a text for unset."""
    return [use for use in readers if kind(index.vector(use)) in ("text", "") and text_default(index, use)]


def text_default(index: Index, use: Use) -> str:
    """Give the text that stands for an unset lever; empty when there is none."""
    unset = index.vector(use)[_UNSET]
    if unset is UNTOLD:
        unset = index.default(use)
    return unset if isinstance(unset, str) else ""


def is_presence(vector: Vector) -> bool:
    """Say whether only being set, or being empty, makes a difference."""
    told = {repr(one) for text, one in zip(PROBES, vector, strict=True) if text and text != NOT_UTF8}
    return len(told) == 1


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
    """Turn a switch that asks for the opposite of `reference` around.

    It does when it is the other way round both when the lever is unset and when it is `1`.
    """
    pairs = [(reference[index], vector[index]) for index in (_UNSET, _ONE)]
    if all(isinstance(there, bool) and isinstance(here, bool) and there is not here for there, here in pairs):
        return tuple(not one if isinstance(one, bool) else one for one in vector)
    return vector
