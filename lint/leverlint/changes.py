"""One change of a text, and where it leaves the places of what has not changed otherwise."""

from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple, TypeVar

from leverlint.facts import Span

Record = TypeVar("Record", bound=tuple[object, ...])
Moves = dict[int, int]
"""Byte offsets of one file by what they were before it changed."""


class Change(NamedTuple):
    """Bytes from `start` to `end` of the old text were replaced; what stands behind has moved by `shift`."""

    start: int
    end: int
    shift: int


class Lost(Exception):
    """There is no saying where a place is now."""


def between(old: bytes, new: bytes) -> Change:
    """Give the smallest single change that makes one text of another."""
    shorter = min(len(old), len(new))
    before = _longest(shorter, lambda size: old[:size] == new[:size])
    behind = _longest(shorter - before, lambda size: old[len(old) - size :] == new[len(new) - size :])
    return Change(before, len(old) - behind, len(new) - len(old))


def _longest(most: int, is_alike: Callable[[int], bool]) -> int:
    """Give the greatest size, up to `most`, of ends that are alike."""
    least = 0
    while least < most:
        middle = (least + most + 1) // 2
        if is_alike(middle):
            least = middle
        else:
            most = middle - 1
    return least


def moves(before: object, after: object) -> Moves | None:
    """Give where each offset in some facts is in others; `None` when more than places has changed.

    Places must have kept their order: then whatever is found out by comparing them is the same.
    """
    offsets: Moves = {}
    if not _pair(before, after, offsets):
        return None
    ordered = [offsets[at] for at in sorted(offsets)]
    return offsets if all(one < next_one for one, next_one in pairwise(ordered)) else None


def _pair(before: object, after: object, offsets: Moves) -> bool:
    """Walk through two values side by side; constants must be of one type: `1` is not `True`."""
    kind = type(before)
    if kind is not type(after):
        return False
    if isinstance(before, tuple) and isinstance(after, tuple):
        if kind is Span:
            return all(offsets.setdefault(old, new) == new for old, new in zip(before, after, strict=True))
        return len(before) == len(after) and all(
            _pair(one, other, offsets) for one, other in zip(before, after, strict=True)
        )
    return before == after if kind is not float else repr(before) == repr(after)


def moved(record: Record, offsets: Moves) -> Record:
    """Give a finding, or a part of one, with its spans where they are now.

    Raises `Lost` when one of them has no place in the facts that have moved.
    """
    return _moved(record, offsets)  # type: ignore[return-value]


def _moved(value: object, offsets: Moves) -> object:
    if not isinstance(value, tuple) or not value:
        return value
    kind = type(value)
    if kind is Span:
        start, end = offsets.get(value[0]), offsets.get(value[1])
        if start is None or end is None:
            raise Lost
        return Span(start, end)
    parts = [_moved(part, offsets) for part in value]
    return tuple(parts) if kind is tuple else kind._make(parts)  # type: ignore[attr-defined]


def without_places(value: object) -> object:
    """Give facts as they are wherever they stand."""
    if type(value) is Span:
        return None
    if not isinstance(value, tuple):
        return value
    return type(value), *map(without_places, value)
