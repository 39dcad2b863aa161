"""One change of a text, and where it leaves the places of what it did not touch."""

from collections.abc import Callable
from typing import NamedTuple, TypeVar

from leverlint.facts import Span

Record = TypeVar("Record", bound=tuple[object, ...])


class Change(NamedTuple):
    """Bytes from `start` to `end` of the old text were replaced; what stands behind has moved by `shift`."""

    start: int
    end: int
    shift: int


class Touched(Exception):
    """The change reaches into a place in part: there is no saying where that is now."""


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


def moved(record: Record, change: Change) -> Record:
    """Give facts, findings or tuples of them with their spans where the change has left them.

    Raises `Touched` when the change reaches into one of them from outside.
    """
    return _moved(record, change)  # type: ignore[return-value]


def _moved(value: object, change: Change) -> object:
    kind = type(value)
    if kind is Span:
        return _moved_span(value, change)  # type: ignore[arg-type]
    if not isinstance(value, tuple) or not value:
        return value
    parts = [_moved(part, change) if isinstance(part, tuple) else part for part in value]
    return tuple(parts) if kind is tuple else kind._make(parts)  # type: ignore[attr-defined]


def _moved_span(span: Span, change: Change) -> Span:
    start, end = span
    if end <= change.start:
        return span
    if start >= change.end:
        return Span(start + change.shift, end + change.shift)
    if start <= change.start and change.end <= end:
        return Span(start, end + change.shift)
    raise Touched


def without_places(value: object) -> object:
    """Give facts as they are wherever they stand."""
    if type(value) is Span:
        return None
    if not isinstance(value, tuple):
        return value
    return type(value), *map(without_places, value)


def identical(one: object, other: object) -> bool:
    """Say whether facts are the same, down to the types of constants: `1` and `True` are not."""
    if type(one) is not type(other):
        return False
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(identical, one, other))
    return one == other if not isinstance(one, float) else repr(one) == repr(other)
