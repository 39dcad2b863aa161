"""Which readers of a lever can be compared, and where they part.

Two readers that split the values in the same way agree, though one of them asks for the
opposite (`is_some()` here, `is_none()` there), and though one of them counts in another unit. A
test for mere presence is a decoding only of a lever that nobody takes text or a number from: of
a path it is a guard.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, TypeGuard

from leverlint.decoding import PROBES, UNTOLD, Outcome, Vector, differences, kind, same
from leverlint.guards import Reading, is_presence
from leverlint.index import Index
from leverlint.operands import Seconds

_UNSET = PROBES.index(None)
_ONE = PROBES.index("1")

_SWITCHING = ("1", "true", "0", "false", "on", "off", "yes", "no")
"""What switches are set to."""

_ON = frozenset({"1", "true", "yes", "on", "y", "t", "enable", "enabled"})
"""What says on, in any case."""
_FURTHER_ON = ("y", "t", "enable", "enabled")

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
) -> list[list[Reading]]:
    """Give the readers of one lever whose decodings can be compared with each other, by what they ask.

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
    return _questions(index, switches) if len(switches) > 1 else [numbers] if len(numbers) > 1 else []


def _questions(index: Index, readings: list[Reading]) -> list[list[Reading]]:
    """Part readers that ask for something else than whether the lever is on: "is it off?", "is it below 0?".

    Such a one is on for no value that says on, and for none for which a reader of the others is.
    """
    if not any(map(_asks_otherwise, readings)):
        return [readings]
    literals = {word for one in readings for word in index.literals(one.use) if len(word) <= _LONGEST_WORD}
    texts = (*PROBES, *_FURTHER_ON, *sorted(literals)[:_MOST_WORDS])
    on = [{text for text in texts if index.of_value(one.use, text) is True} for one in readings]
    said = {text for text in texts if text is not None and text.lower() in _ON}
    usual = [one for one, values in zip(readings, on, strict=True) if not values or values & said]
    known = {text for one, values in zip(readings, on, strict=True) if one in usual for text in values}
    apart = [
        one
        for one, values in zip(readings, on, strict=True)
        if one not in usual and _asks_otherwise(one) and not values & known
    ]
    return [[one for one in readings if one not in apart], apart]


def _asks_otherwise(reading: Reading) -> bool:
    said = (one for text, one in zip(PROBES, reading.vector, strict=True) if text and text.lower() in _ON)
    return not any(one is True or one is UNTOLD for one in said)


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


class Comparison(NamedTuple):
    partings: list[Parting]
    """Values that are taken differently, the most telling first; unset is not among them."""
    unset: Parting


def compared(index: Index, reference: Reading, reader: Reading) -> Comparison:
    """Say what two readers make of the same values, and of an unset lever."""
    variants = _variants(kind(reference.vector), index.literals(reference.use) | index.literals(reader.use))
    further = (*variants, _LARGE)
    texts = (*PROBES, *further)
    there, here = (
        (*one.vector, *(index.of_value(one.use, text) for text in further)) for one in (reference, reader)
    )
    here = aligned(there, here)
    parted = set(differences(there, here))
    found = {text: Parting(text, there[at], here[at]) for at, text in enumerate(texts) if at in parted}
    known = [text for text, word in variants.items() if word is None or (word not in found and word != text)]
    unset = Parting(None, there[_UNSET], here[_UNSET])
    telling = [found[text] for text in (*_TELLING, *known) if text in found]
    return Comparison([one for one in telling if not _leaves_open(one, unset)], unset)


def _leaves_open(parting: Parting, unset: Parting) -> bool:
    """Say whether a value is as good as none to both readers, and one of them leaves it open what that is."""
    open_to_one = unset.there is None or unset.here is None
    switch = isinstance(unset.there, bool) or isinstance(unset.here, bool)
    same_as_unset = same(parting.there, unset.there) and same(parting.here, unset.here)
    return open_to_one and not switch and same_as_unset


# --- Values near what readers compare with -------------------------------------------------------

_SWITCH_WORDS = frozenset({*"yntf", "enable", "disable", "enabled", "disabled"})
"""Further words that say on or off, and nothing besides."""
_LONGEST_WORD = 24
_MOST_WORDS = 24


def _variants(kind: str, literals: Iterable[str]) -> "dict[str, str | None]":
    """Choose values that tell decoders apart which look at a text closely, or only at a part of it.

    Each comes with the word that it is a variant of: where the readers part on that already, one of
    them may know a word that is a question of its own, such as `auto`.
    """
    words = sorted(word for word in literals if 0 < len(word) <= _LONGEST_WORD and word.strip() == word)
    found: dict[str, str | None] = {}
    for word in words[:_MOST_WORDS]:
        if kind == "number":
            found |= {} if word.isdigit() else {f"5{word}": None}
            continue
        if word.lower() in _SWITCH_WORDS:
            found |= {word: None, word.swapcase(): word}
        longer = (f"{word}0" if word.isdigit() else f"{word}x", f"x{word}")
        variants = (word, word.upper(), word.capitalize(), f" {word} ", *longer)
        found |= {text: word for text in variants if text not in found}
    return {text: word for text, word in found.items() if text not in PROBES}


# --- In one sense and unit -------------------------------------------------------------------------

_LARGE = "86400000"
"""A number of which something is left in every unit."""


def aligned(reference: Vector, vector: Vector) -> Vector:
    """Put outcomes, on the probes and maybe on further values, into the sense and unit of `reference`.

    A switch asks for the opposite when it is the other way round both unset and at `1`. A number
    is in another unit when every value is the same multiple of what the reference makes of it.
    """
    pairs = [(reference[index], vector[index]) for index in (_UNSET, _ONE)]
    if all(isinstance(there, bool) and isinstance(here, bool) and there is not here for there, here in pairs):
        return tuple(not one if isinstance(one, bool) else one for one in vector)
    factor = _factor(reference, vector)
    if factor == 1:
        return vector
    return tuple(_scaled(one, there, factor) for one, there in zip(vector, reference, strict=True))


def _scaled(one: Outcome, there: Outcome, factor: float) -> Outcome:
    if not _is_number(one):
        return one
    # What is cut off on the way to a larger unit makes no difference.
    return there if _is_number(there) and _fits(there, one, factor) else one / factor


def _factor(reference: Vector, vector: Vector) -> float:
    """Give by how much the values of a vector are larger; 1 when that differs from value to value.

    Where unset is the same amount without that, the unit is one, and what is set means another
    amount. So it is where both say what their unit is.
    """
    unset_there, unset_here = reference[_UNSET], vector[_UNSET]
    pairs = [
        (there, here)
        for there, here in zip(reference[_UNSET + 1 :], vector[_UNSET + 1 :], strict=True)
        if _is_number(there) and _is_number(here) and there
    ]
    if (unset_there and same(unset_there, unset_here)) or len({there for there, _ in pairs}) < 2:
        return 1
    if all(isinstance(one, Seconds) for pair in pairs for one in pair):
        return 1
    # The last, being large, may have met a limit, the first may have been cut off.
    values = pairs[: len(PROBES) - 1]
    for there, here in (pairs[0], pairs[-1]):
        factor = here / there
        told = factor and math.isfinite(factor) and not math.isclose(factor, 1)
        if told and all(_fits(*pair, factor) for pair in values):
            return factor
    return 1


def _fits(there: float, here: float, factor: float) -> bool:
    """Say whether a value is a multiple of another, but for what division of whole numbers cuts off."""
    cut = 1.0 if isinstance(here, int) and abs(factor) < 1 else 0.0
    return math.isclose(there * factor, here, rel_tol=1e-6, abs_tol=1e-12) or abs(there * factor - here) < cut


def _is_number(outcome: Outcome) -> TypeGuard[float]:
    return isinstance(outcome, int | float) and not isinstance(outcome, bool)
