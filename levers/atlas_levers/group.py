"""`Levers`, the base of all groups: how the levers of a class are resolved and kept."""

from __future__ import annotations

import os
from _thread import RLock  # as functools does: threading would cost 0.5 ms
from weakref import ref

from atlas_levers.checks import LeverError, checked_levers
from atlas_levers.environment import Snapshot
from atlas_levers.notices import report

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, ClassVar, Self, TypeVar

    from atlas_levers.declare import Lever, Present, Value
    from atlas_levers.environment import Environment

    Group = TypeVar("Group", bound="Levers")


class Levers:
    """A group of levers: a frozen dataclass with slots, one declaration a field.

        @dataclass(frozen=True, slots=True)
        class ServeLevers(Levers, obsolete={"ATLAS_LAZY": "set ATLAS_EAGER=0"}):
            eager: bool = opt_out("ATLAS_EAGER")

    Variables named as `obsolete` are ignored, and whoever still sets one is told what to do
    instead. A field with a plain default is carried along and never looked up.
    """

    __slots__ = ("__weakref__",)

    __levers__: ClassVar[Mapping[str, Lever]] = {}
    """Every field in the order of the constructor."""
    __obsolete__: ClassVar[Mapping[str, str]] = {}
    __variables__: ClassVar[frozenset[str]] = frozenset()
    """All that a resolution looks up."""

    def __init_subclass__(cls, *, obsolete: Mapping[str, str] | None = None) -> None:
        super().__init_subclass__()
        if "__levers__" in vars(cls):
            return  # dataclass(slots=True) makes the class anew, of what the first one holds
        cls.__levers__ = checked_levers(cls)
        cls.__obsolete__ = {**cls.__obsolete__, **(obsolete or {})}
        cls.__variables__ = frozenset(_looked_up(cls))
        cls.get = vars(Levers)["get"]  # type: ignore[method-assign]  # not what the base may have resolved to

    @classmethod
    def from_values(cls, value: Value, present: Present) -> Self:
        """Resolve from two functions, and from nothing else.

        `value` gives a variable's text, or `None` when it is unset or no UTF-8; `present` says
        whether it is set at all.
        """
        if not _is_frozen_dataclass(cls):
            raise LeverError(f"{cls.__qualname__} must be a @dataclass(frozen=True, slots=True)")
        resolved: dict[str, object] = {}
        for name, lever in cls.__levers__.items():
            resolved[name] = lever.read(value, present, resolved)
        return cls(*resolved.values())

    @classmethod
    def from_env(cls, environ: Environment | None = None) -> Self:
        """Resolve afresh from a mapping, `os.environ` by default, and log what is worth telling."""
        levers, snapshot = _resolved(cls, environ)
        report(levers, snapshot)
        return levers

    @classmethod
    def get(cls) -> Self:
        """The process-wide object: the first call resolves it from `os.environ`, once and for all."""
        levers: Self = _resolved_once(cls)
        return levers

    @classmethod
    def defaults(cls) -> Self:
        """What an environment without any of the variables resolves to."""
        return cls()

    def announce(self) -> None:
        """Called after each resolution from an environment; a group may log what it has decided."""

    def __repr__(self) -> str:
        """Only what differs from the defaults (a dataclass writes its own unless `repr=False`)."""
        changed = (
            f"{name}={getattr(self, name)!r}"
            for name, lever in self.__levers__.items()
            if getattr(self, name) != lever.default
        )
        return f"{type(self).__qualname__}({', '.join(changed)})"


_RESOLVING = RLock()
_RESOLVED: dict[type[Levers], Any] = {}


def _forget_who_was_resolving() -> None:
    """In a forked child: the thread that held the lock is not there to release it."""
    global _RESOLVING
    _RESOLVING = RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_who_was_resolving)


def _resolved_once(group: type[Levers]) -> Any:
    if group in _RESOLVED:
        return _RESOLVED[group]
    with _RESOLVING:
        if group in _RESOLVED:
            return _RESOLVED[group]
        levers, snapshot = _resolved(group, None)
        _RESOLVED[group] = levers
        # From now on `get` is a weak reference: of all callables that return an object the
        # cheapest, half of a Python function.
        group.get = ref(levers)  # type: ignore[method-assign, assignment]
    report(levers, snapshot)  # without the lock: a log handler may ask for levers, too
    return levers


def _resolved(group: type[Group], environ: Environment | None) -> tuple[Group, Snapshot]:
    snapshot = Snapshot(environ, group.__variables__)
    return group.from_values(snapshot.texts.get, snapshot.names.__contains__), snapshot


def _is_frozen_dataclass(group: type[Levers]) -> bool:
    parameters = vars(group).get("__dataclass_params__")
    return parameters is not None and parameters.frozen


def _looked_up(group: type[Levers]) -> set[str]:
    names = set(group.__obsolete__)
    for lever in group.__levers__.values():
        names.update(lever.variables)
        if lever.group is not None:
            names |= lever.group.__variables__
    return names
