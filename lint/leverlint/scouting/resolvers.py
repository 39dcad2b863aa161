"""Files that look like resolvers: they read many levers, keep them in fields, and are named for it."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from leverlint import globs
from leverlint.config import Config
from leverlint.index import Use
from leverlint.sources import Sources

_NAMED = re.compile(
    r"(?:.*[_-])?(?:envs?|environ|environment|env_?vars?|levers?|knobs|flags|switches|settings|config|configs"
    r"|configuration|options)"
)
_COMMON = frozenset({"__init__", "lib", "main", "mod"})
"""Names of files that say nothing; the directory above says it."""

_FEWEST = 3
"""Levers that a resolver reads at least."""
_ENOUGH = 4
"""Points that make a candidate."""


class Candidate(NamedTuple):
    path: str
    levers: int
    points: int
    reasons: tuple[str, ...]
    """Phrases, the weightiest first."""


def candidates(reads: Iterable[Use], files: Sequence[str], sources: Sources) -> list[Candidate]:
    """Give the files that look like resolvers, the likeliest first."""
    by_file: dict[str, list[Use]] = {}
    levers: set[str] = set()
    for use in reads:
        if not use.test and not use.build_script:
            by_file.setdefault(use.path, []).append(use)
            levers.add(use.lever)
    found = [_candidate(path, uses, len(levers)) for path, uses in by_file.items()]
    found = [each for each in found if each.points >= _ENOUGH]
    owners = {each.path: _owners(by_file[each.path]) for each in found}
    renown = _renown({name for names in owners.values() for name in names}, files, sources)
    found = [_with_renown(each, owners[each.path], renown) for each in found]
    return sorted(found, key=lambda each: (-each.points, -each.levers, each.path))


def pattern(path: str) -> str:
    """Give the pattern that means exactly this file."""
    escaped = re.sub(r"([*?\[\]\\])", r"\\\1", path)
    # Without a slash it would mean every file of that name.
    return escaped if "/" in escaped else f"/{escaped}"


def _candidate(path: str, uses: Sequence[Use], total: int) -> Candidate:
    levers = len({use.lever for use in uses})
    points, reasons = 0, []
    share = levers / total
    if share >= 0.05 and levers >= _FEWEST:
        points += 3 if share >= 0.4 else 2 if share >= 0.15 else 1
    plural = "lever" if levers == 1 else "levers"
    reasons.append(f"reads {levers} {plural} of {total}")
    stored = sum(map(_is_stored, uses))
    if stored >= len(uses) / 2 and levers >= _FEWEST:
        points += 2
        reasons.append("keeps them in fields" if stored == len(uses) else f"keeps {stored} values in fields")
    if globs.matches(Config().resolvers, path):
        points += _ENOUGH
        reasons.append("has the name of one")
    elif (name := _telling_name(path)) and levers >= _FEWEST:
        points += 2
        reasons.append(f"is called `{name}`")
    return Candidate(path, levers, points, tuple(reasons))


def _is_stored(use: Use) -> bool:
    """Say whether a value becomes a field; those of a static are no resolver's."""
    field, kept = use.call.field, use.kept
    return (
        field is not None
        and field.kind in ("field", "attribute", "key")
        and (kept is None or kept.how == "module-global")
    )


def _telling_name(path: str) -> str:
    """Give the name of a file, or of its directory, if resolvers are called so."""
    *directories, file = path.split("/")
    stem = file.rpartition(".")[0]
    if stem in _COMMON:
        above = [name for name in directories if name != "src"]
        stem = above[-1] if above else ""
    return stem if _NAMED.fullmatch(stem) else ""


def _owners(uses: Iterable[Use]) -> list[str]:
    """Give the classes whose fields the values become, the largest first."""
    counts = Counter(use.call.field.owner for use in uses if use.call.field)
    return [name for name, _ in counts.most_common(2) if name]


def _renown(names: set[str], files: Iterable[str], sources: Sources) -> dict[str, int]:
    """Count the files that say each name."""
    sought = {name: re.compile(rb"\b%s\b" % re.escape(name.encode())) for name in names}
    counts: Counter[str] = Counter()
    for path in files if names else ():
        data = sources.glance(path)
        counts.update(name for name, word in sought.items() if name.encode() in data and word.search(data))
    return counts


def _with_renown(candidate: Candidate, owners: Sequence[str], renown: dict[str, int]) -> Candidate:
    best = max(owners, key=lambda name: renown[name], default="")
    others = renown[best] - 1 if best else 0
    if others < 1:
        return candidate
    files = "1 other file names" if others == 1 else f"{others} other files name"
    return candidate._replace(points=candidate.points + 1, reasons=(*candidate.reasons, f"{files} `{best}`"))
