"""Looking at a tree that nobody has configured: what its levers are called, where they are resolved."""

from collections.abc import Sequence
from typing import NamedTuple

from leverlint import engine
from leverlint.config import Config
from leverlint.discovery import discover
from leverlint.report import Report
from leverlint.scouting import families, hot, ownership, resolvers
from leverlint.scouting.families import Family
from leverlint.sources import Sources
from leverlint.workers import Progress

_MOST_HOT = 12


class Scouted(NamedTuple):
    files: int
    families: list[Family]
    prefixes: tuple[str, ...]
    """Those that were asked for, or else those of the chosen families."""
    resolvers: list[resolvers.Candidate]
    hot: list[hot.Candidate]
    config: Config
    """What all this amounts to."""
    report: Report
    """What a check finds with it."""


def scout(
    config: Config, prefixes: Sequence[str], *, jobs: int = 0, progress: Progress | None = None
) -> Scouted:
    """Look at the project at the root of `config`; `prefixes` (none: to be found out) are given."""
    found = discover(config.root, (), config)
    sources = Sources(config.root)
    names = ownership.names(config.root, found.crates)
    beginnings = dict.fromkeys((*prefixes, *families.beginnings(found.files, sources, names)))
    index, known = engine.survey(config, found, list(beginnings), jobs=jobs, progress=progress)
    judged = families.families(index.reads, names)
    chosen = tuple(prefixes) or tuple(family.prefix for family in judged if family.chosen)
    if not chosen:
        return Scouted(len(found.files), judged, (), [], [], config, Report())
    reads = [use for use in index.reads if use.lever.startswith(chosen)]
    likely = resolvers.candidates(reads, found.files, sources)
    homes = {candidate.path for candidate in likely}
    heated = hot.candidates((use for use in reads if use.path not in homes), index.facts)[:_MOST_HOT]
    config = config._replace(prefixes=chosen)
    if likely:
        config = config._replace(resolvers=tuple(resolvers.pattern(each.path) for each in likely))
    report = engine.check(config, (), jobs=jobs, known=known)
    return Scouted(len(found.files), judged, chosen, likely, heated, config, report)
