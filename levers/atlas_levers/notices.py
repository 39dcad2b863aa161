"""What a resolution tells the log: spellings that contradict each other, levers that are gone."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from logging import Logger

    from atlas_levers.declare import Lever
    from atlas_levers.environment import Snapshot
    from atlas_levers.group import Levers


def report(levers: Levers, snapshot: Snapshot) -> None:
    """Log what is worth telling about a group and those nested in it, in each one's own module."""
    for name, lever in levers.__levers__.items():
        if lever.group is not None:
            report(getattr(levers, name), snapshot)
        elif len(lever.variables) > 1 and lever.decode is not None:
            _report_contradiction(levers, lever, snapshot)
    if not levers.__obsolete__.keys().isdisjoint(snapshot.names):
        _report_obsolete(levers, snapshot)
    levers.announce()


def _report_contradiction(levers: Levers, lever: Lever, snapshot: Snapshot) -> None:
    texts = {name: snapshot.texts[name] for name in lever.variables if name in snapshot.texts}
    if len({repr(lever.meaning(text)) for text in texts.values()}) > 1:
        spellings = " and ".join(f"{name}={text!r}" for name, text in texts.items())
        _logger(levers).warning("%s contradict each other: %s counts", spellings, next(iter(texts)))


def _report_obsolete(levers: Levers, snapshot: Snapshot) -> None:
    names_by_advice: dict[str, list[str]] = {}
    for name, advice in levers.__obsolete__.items():
        if name in snapshot.names:
            names_by_advice.setdefault(advice, []).append(name)
    for advice, names in names_by_advice.items():
        _logger(levers).warning("obsolete and ignored: %s; %s", ", ".join(names), advice)


def _logger(levers: Levers) -> Logger:
    from logging import getLogger  # 10 ms, for what most resolutions have no need of

    return getLogger(type(levers).__module__)
