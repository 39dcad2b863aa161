"""Families of variables by the beginning of their names: which of them are a project's levers."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from leverlint.index import Use
from leverlint.scouting import ownership
from leverlint.sources import Sources

_QUOTED = rb"""["'](_*[A-Z][A-Z0-9]*_)(?=[A-Z0-9_]+["'])"""
_BEGINNING = re.compile(r"_*[A-Z][A-Z0-9]*_(?=[A-Z0-9])")

_SOUGHT = 8
"""Beginnings that are looked for wherever they are spelt; a project has one or two."""
_FEWEST = 3
"""Names from which on a beginning is a family."""


_OWN, _OTHER, _UNKNOWN = "own", "other", "unknown"


class Family(NamedTuple):
    prefix: str
    names: int
    """Different variables that start with it."""
    reads: int
    files: int
    owner: str
    """Whose it seems to be: the project's `own`, some `other` program's or nobody's, or `unknown`."""
    why: str
    """A phrase: why it is taken for the project's own, or not; may be empty."""
    chosen: bool = False


def beginnings(files: Iterable[str], sources: Sources, names: Sequence[str]) -> list[str]:
    """Give the most frequent beginnings of quoted names, with their underscore, that may be levers'.

    A file with nothing but names, in constants, shows only in this way what it is for.
    """
    quoted = re.compile(_QUOTED)
    counts: Counter[bytes] = Counter()
    for path in files:
        counts.update(quoted.findall(sources.glance(path)))
    frequent = [(beginning.decode(), count) for beginning, count in counts.items() if count >= _FEWEST]
    frequent.sort(key=lambda row: (-row[1], row[0]))
    likely = [each for each, _ in frequent if _owner(each.strip("_"), names)[0] != _OTHER]
    return likely[:_SOUGHT]


def families(reads: Iterable[Use], names: Sequence[str]) -> list[Family]:
    """Sort what is read outside of tests into families, those with the most names first.

    `names` are what the project may be called.
    """
    uses: dict[str, list[Use]] = {}
    for use in reads:
        if not use.test and (beginning := _BEGINNING.match(use.lever)):
            uses.setdefault(beginning[0], []).append(use)
    found = [_family(prefix, members, names) for prefix, members in uses.items()]
    found.sort(key=lambda family: (-family.names, -family.reads, family.prefix))
    return _with_choice(found)


def _family(prefix: str, uses: Sequence[Use], names: Sequence[str]) -> Family:
    stem = prefix.strip("_")
    if stem not in names and stem not in ownership.FOREIGN:
        longer = _longer(prefix, {use.lever for use in uses})
        if stem not in ownership.WORDS or ownership.own(longer.strip("_"), names):
            prefix, stem = longer, longer.strip("_")
    members = [use for use in uses if use.lever.startswith(prefix)]
    owner, why = _owner(stem, names)
    files = len({use.path for use in members})
    return Family(prefix, len({use.lever for use in members}), len(members), files, owner, why)


def _owner(stem: str, names: Sequence[str]) -> tuple[str, str]:
    if stem not in names and stem in ownership.FOREIGN:
        return _OTHER, "belongs to another program"
    if stem not in names and stem in ownership.WORDS:
        return _OTHER, "a word that any project uses"
    why = ownership.own(stem, names)
    return (_OWN, why) if why else (_UNKNOWN, "")


def _longer(prefix: str, levers: Collection[str]) -> str:
    """Give the longest beginning that nearly all names share: `MY_APP_` rather than `MY_`."""
    while len(levers) >= _FEWEST:
        following = Counter(lever[: lever.find("_", len(prefix)) + 1] for lever in levers)
        following.pop("", None)
        best, count = max(following.items(), key=lambda row: (row[1], row[0]), default=("", 0))
        if count < max(_FEWEST, 0.9 * len(levers)):
            break
        prefix, levers = best, [lever for lever in levers if lever.startswith(best)]
    return prefix


def _with_choice(found: list[Family]) -> list[Family]:
    """Choose the project's own, or else the largest of those that may be anybody's."""
    own = [each for each in found if each.owner == _OWN]
    chosen = [each for each in own if each.names >= _FEWEST] or own[:1]
    if not chosen:
        best = next((each for each in found if each.owner == _UNKNOWN and each.names >= _FEWEST), None)
        chosen = [best] if best else []
    return [_judged(each, each in chosen) for each in found]


def _judged(family: Family, chosen: bool) -> Family:
    why = family.why
    if chosen and family.owner == _UNKNOWN:
        why = "the most names of those that are nobody else's"
    elif not chosen and family.owner == _OWN:
        why = f"{why}, but it has hardly any names"
    return family._replace(chosen=chosen, why=why)
