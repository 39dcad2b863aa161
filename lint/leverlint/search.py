"""Looking for many names in many files: what a second round of extraction starts from."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from leverlint.languages.open_calls import calls, spells_every_name

_SHARED = 3
"""Length of the piece that names of one group share."""


class Sought(NamedTuple):
    """A name to search for, because calls of it turned out to be reads."""

    name: str
    companions: tuple[str, ...] = ()
    """One of these must be there too; empty when the name says enough."""
    by_first: bool = False
    """Only the first argument matters: calls that spell it hold nothing new."""
    called: bool = False
    """Nothing but calls matters."""


class Group(NamedTuple):
    """Names with a piece in common. Wrappers tend to be called alike, and most files have
    nothing of the kind: one look for the piece spares the looks for the names."""

    piece: bytes
    members: tuple[Sought, ...]


def grouped(names: Iterable[Sought]) -> tuple[Group, ...]:
    """Put names into groups, the largest first; a name on its own is its own piece."""
    left = dict.fromkeys(names)
    groups = []
    while left:
        counts = Counter(piece for sought in left for piece in _pieces(sought.name))
        piece, count = max(counts.items(), key=lambda item: (item[1], item[0]), default=("", 0))
        if count < 2:
            break
        members = tuple(sought for sought in left if piece in sought.name)
        groups.append(Group(piece.encode(), members))
        for member in members:
            del left[member]
    return (*groups, *(Group(sought.name.encode(), (sought,)) for sought in left))


def present(data: bytes, groups: Sequence[Group]) -> list[str]:
    """Give the names that occur in a way that may hold something new."""
    return [
        name
        for piece, members in groups
        if piece in data
        for name, companions, by_first, called in members
        if name.encode() in data
        and (not companions or any(companion.encode() in data for companion in companions))
        and not (by_first and spells_every_name(data, name))
        and not (called and not calls(data, name))
    ]


def _pieces(name: str) -> set[str]:
    return {name[start : start + _SHARED] for start in range(len(name) - _SHARED + 1)}
