"""`python -m atlas_levers`: what the levers are set to here, and what that comes to."""

from __future__ import annotations

import argparse
import json
import sys
from importlib import import_module
from itertools import groupby
from typing import TYPE_CHECKING

from atlas_levers import GROUPS, describe
from atlas_levers.group import Levers

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from atlas_levers.inspection import LeverState, Report


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        "python -m atlas_levers", description="Show what this environment makes of each lever."
    )
    parser.add_argument("--json", action="store_true", help="print data for programs")
    parser.add_argument(
        "groups",
        metavar="GROUP",
        nargs="*",
        type=_group,
        help=f"{', '.join(GROUPS)} (all of them by default), or a group of yours as module:Class",
    )
    options = parser.parse_args(arguments)
    report = describe(*options.groups)
    print(json.dumps(report.as_json(), indent=2) if options.json else "\n".join(_lines(report)))
    return 0


def _group(name: str) -> type[Levers]:
    module, _, attribute = name.partition(":") if ":" in name else (GROUPS.get(name, ""), "", name)
    try:
        group = getattr(import_module(module), attribute)
    except (ImportError, AttributeError, ValueError):
        group = None
    if not (isinstance(group, type) and issubclass(group, Levers)):
        raise argparse.ArgumentTypeError(f"no group of levers: `{name}`")
    return group


def _lines(report: Report) -> Iterator[str]:
    for group, states in groupby(report.levers, lambda state: state.group):
        yield from _group_lines(group, tuple(states))
    for name, advice in report.obsolete.items():
        yield f"obsolete: {name} is ignored; {advice}"
    for name, nearest in report.unknown.items():
        yield f"unknown: {name}" + (f" (the nearest lever is {nearest})" if nearest else "")


def _group_lines(group: str, states: tuple[LeverState, ...]) -> Iterator[str]:
    differing = sum(state.differs for state in states)
    yield f"{group}: {len(states)} levers, {differing} off their default" + (" (*)" if differing else "")
    widths = (
        max(len(state.field) for state in states),
        max(len(_shown(state.value)) for state in states),
        max(len(_shown(state.default)) for state in states),
    )
    for subsystem, members in groupby(states, lambda state: state.subsystem):
        yield f"  {subsystem}"
        for state in members:
            yield from _lever_lines(state, *widths)
    yield ""


def _lever_lines(state: LeverState, field_width: int, value_width: int, default_width: int) -> Iterator[str]:
    marker = "*" if state.differs else " "
    value = f"{_shown(state.value):{value_width}}  default {_shown(state.default):{default_width}}"
    yield f"  {marker} {state.field:{field_width}}  {value}  {_source(state)}"
    for found in state.remarks:
        yield f"      ! {found.variable}={_quoted(state.settings[found.variable])} {found.message}"


def _source(state: LeverState) -> str:
    if not state.variables:
        return "not from the environment"
    if not state.settings:
        return f"{state.variables[0]} unset"
    return " ".join(f"{name}={_quoted(text)}" for name, text in state.settings.items())


def _quoted(text: str | None) -> str:
    return "(no UTF-8)" if text is None else repr(text)


def _shown(value: object) -> str:
    match value:
        case bool():
            return "on" if value else "off"
        case None:
            return "undecided"
        case Levers():
            return ", ".join(f"{name} {_shown(getattr(value, name))}" for name in value.__levers__)
        case _:
            return str(value)


if __name__ == "__main__":
    sys.exit(main())
