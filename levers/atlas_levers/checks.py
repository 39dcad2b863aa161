"""What a group's declarations must satisfy; looked at once, when its class is made."""

from __future__ import annotations

import sys
from dataclasses import MISSING, Field
from types import UnionType

from atlas_levers.declare import Lever

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from atlas_levers.group import Levers


class LeverError(TypeError):
    """A declaration that cannot be meant; the message names its class and field."""


def checked_levers(group: type[Levers]) -> dict[str, Lever]:
    """The group's levers, field by field, with those of its base first."""
    levers = dict(group.__levers__)
    annotations = group.__annotations__
    for name, member in vars(group).items():
        if _lever_of(member) is not None and name not in annotations:
            raise _error(group, name, "needs a type")
    for name, annotation in annotations.items():
        evaluated = _evaluated(annotation, group)
        if isinstance(evaluated, type) or "ClassVar" not in str(evaluated):
            levers[name] = _checked_field(group, name, evaluated, levers)
    _refuse_second_owners(group, levers)
    return levers


def _checked_field(group: type[Levers], name: str, annotation: object, earlier: Mapping[str, Lever]) -> Lever:
    if name not in earlier and any(name in vars(base) for base in group.__mro__[1:]):
        raise _error(group, name, f"would hide `{name}` of every group")
    lever = _declared_lever(group, name)
    _check_variables(group, name, lever)
    _check_types(group, name, lever, annotation)
    for other in filter(None, (lever.implied_by, lever.requires)):
        if other not in earlier or not isinstance(earlier[other].default, bool):
            raise _error(group, name, f"depends on `{other}`, which is no switch declared before it")
    return lever


def _declared_lever(group: type[Levers], name: str) -> Lever:
    member = vars(group).get(name, MISSING)
    lever = _lever_of(member)
    if lever is not None:
        return lever
    if member is MISSING or isinstance(member, Field):
        raise _error(group, name, "needs a lever or a plain default")
    return Lever("constant", (), member, lambda value, present, earlier: member)


def _lever_of(member: object) -> Lever | None:
    lever = member.metadata.get("lever") if isinstance(member, Field) else None
    return lever if isinstance(lever, Lever) else None


def _check_variables(group: type[Levers], name: str, lever: Lever) -> None:
    if not lever.variables and lever.decoding not in ("constant", "nested"):
        raise _error(group, name, "names no variable")
    for variable in lever.variables:
        if not isinstance(variable, str) or not variable:
            raise _error(group, name, "names no variable")
        if not (variable.isascii() and variable.isidentifier()):
            raise _error(group, name, f"{variable!r} is no name of a variable")
    if len(set(lever.variables)) < len(lever.variables):
        raise _error(group, name, "names a variable twice")


def _check_types(group: type[Levers], name: str, lever: Lever, annotation: object) -> None:
    for outcome in (lever.default, *lever.outcomes):
        if not _fits(outcome, annotation):
            what = "defaults to" if outcome is lever.default else "decodes to"
            typed = getattr(annotation, "__name__", annotation)
            raise _error(group, name, f"is a `{typed}`, but `{lever.decoding}` {what} {outcome!r}")


def _fits(value: object, annotation: object) -> bool:
    if type(value) is annotation:
        return True
    if isinstance(annotation, UnionType) or str(annotation).startswith(("typing.Optional", "typing.Union")):
        return any(_fits(value, member) for member in getattr(annotation, "__args__", ()))
    annotation = getattr(annotation, "__origin__", annotation)
    if annotation is None:
        return value is None
    if not isinstance(annotation, type) or annotation.__module__ == "typing":
        return True  # Any, Literal, or a name that only type checkers see: theirs to check
    return isinstance(value, annotation) and not (annotation is int and isinstance(value, bool))


def _evaluated(annotation: object, group: type[Levers]) -> object:
    if not isinstance(annotation, str):
        return annotation
    try:
        return eval(annotation, vars(sys.modules[group.__module__]), dict(vars(group)))
    except NameError:
        return annotation


def _refuse_second_owners(group: type[Levers], levers: Mapping[str, Lever]) -> None:
    owners: dict[str, str] = {}
    for name, variable in _owned_variables(levers):
        owner = owners.setdefault(variable, name)
        if owner != name:
            raise _error(group, name, f"has {variable} from `{owner}`; say shared=True if that is meant")


def _owned_variables(levers: Mapping[str, Lever]) -> Iterator[tuple[str, str]]:
    for name, lever in levers.items():
        if not lever.shared:
            for variable in lever.variables:
                yield name, variable


def _error(group: type[Levers], name: str, problem: str) -> LeverError:
    return LeverError(f"{group.__qualname__}.{name} {problem}")
