"""What levers are and what an environment makes of them, as data. Resolves, and logs nothing."""

from __future__ import annotations

import os
from dataclasses import dataclass, fields, is_dataclass
from importlib import import_module
from math import isfinite
from typing import TYPE_CHECKING, Any

from atlas_levers import GROUPS
from atlas_levers.documentation import FieldDocumentation, documentation
from atlas_levers.environment import Snapshot
from atlas_levers.group import Levers
from atlas_levers.remarks import Remark, remark

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from atlas_levers.declare import Lever
    from atlas_levers.environment import Environment

PREFIX = "ATLAS_"


@dataclass(frozen=True, slots=True)
class LeverState:
    """One field of a group, and what an environment makes of it."""

    group: str
    field: str
    subsystem: str
    decoding: str
    variables: tuple[str, ...]
    """All that it comes from, the one to set first."""
    settings: Mapping[str, str | None]
    """Those that are set; `None` stands for a value that is no UTF-8."""
    value: object
    default: object
    differs: bool
    remarks: tuple[Remark, ...]
    documentation: str


@dataclass(frozen=True, slots=True)
class Report:
    levers: tuple[LeverState, ...]
    obsolete: Mapping[str, str]
    """Variables that are set and that no lever has any more, with what to do instead."""
    unknown: Mapping[str, str | None]
    """Variables that are set, look like levers, and are none, with the known name next to each."""

    def as_json(self) -> dict[str, Any]:
        """The report as `json.dumps` takes it; numbers that JSON has no word for become text."""
        return {
            "levers": [_plain(state) for state in self.levers],
            "obsolete": dict(self.obsolete),
            "unknown": dict(self.unknown),
        }


def all_groups() -> tuple[type[Levers], ...]:
    """The engine's four groups."""
    return tuple(getattr(import_module(module), name) for name, module in GROUPS.items())


def inspected(groups: Sequence[type[Levers]], environ: Environment | None) -> Report:
    """Describe the groups, all four by default; see `atlas_levers.describe`."""
    environ = os.environ if environ is None else environ
    chosen = tuple(groups) or all_groups()
    known = frozenset(name for group in (*chosen, *all_groups()) for name in group.__variables__)
    snapshot = Snapshot(environ, known)
    return Report(
        tuple(state for group in chosen for state in _states(group, snapshot)),
        {name: advice for group in chosen for name, advice in _obsolete(group) if name in snapshot.names},
        {name: _nearest(name, known) for name in sorted(_unknown(environ, known))},
    )


def _states(group: type[Levers], snapshot: Snapshot) -> Iterator[LeverState]:
    levers = group.from_values(snapshot.texts.get, snapshot.names.__contains__)
    documented = documentation(group)
    for name, lever in group.__levers__.items():
        value = getattr(levers, name)
        about = documented.get(name, FieldDocumentation())
        yield LeverState(
            group=group.__qualname__,
            field=name,
            subsystem=about.subsystem,
            decoding=lever.decoding,
            variables=lever.variables,
            settings={name: snapshot.texts.get(name) for name in lever.variables if name in snapshot.names},
            value=value,
            default=lever.default,
            differs=value != lever.default,
            remarks=tuple(_remarks(lever, value, snapshot)),
            documentation=about.text,
        )


def _remarks(lever: Lever, value: object, snapshot: Snapshot) -> Iterator[Remark]:
    if lever.group is not None:
        for name, inner in lever.group.__levers__.items():
            yield from _remarks(inner, getattr(value, name), snapshot)
        return
    for variable in lever.variables:
        if variable in snapshot.names:
            found = remark(lever, variable, snapshot.texts.get(variable), value)
            if found is not None:
                yield found


def _obsolete(group: type[Levers]) -> Iterator[tuple[str, str]]:
    yield from group.__obsolete__.items()
    for lever in group.__levers__.values():
        if lever.group is not None:
            yield from _obsolete(lever.group)


def _unknown(environ: Environment, known: frozenset[str]) -> set[str]:
    return {name for name in map(os.fsdecode, environ) if name.startswith(PREFIX)} - known


def _nearest(name: str, known: frozenset[str]) -> str | None:
    from difflib import get_close_matches

    return next(iter(get_close_matches(name, sorted(known), n=1)), None)


def _plain(value: object) -> Any:
    if is_dataclass(value):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if isinstance(value, float) and not isfinite(value):
        return str(value)
    return value if value is None or isinstance(value, (bool, int, float, str)) else str(value)
