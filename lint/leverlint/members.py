"""What methods do to the variable that their object stands for: `SWITCH.set("1")`, `SWITCH.get()`.

The name is what the object was made with. Making it is where such a variable is read, as far as
that goes; here is which calls write it, and which calls read it just when they are made.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from leverlint.facts import (
    AnyOf,
    Api,
    Attribute,
    Element,
    Expression,
    FileFacts,
    FunctionValue,
    Instance,
    Items,
    Kept,
    Lossy,
    Parameter,
    Reference,
)
from leverlint.naming import Namer, Template
from leverlint.objects import FunctionKey, Made, Objects, Site
from leverlint.resolution import ClassTarget, Resolver, Value

_DEEPEST = 8
"""Callers and members that one object is followed through, and methods that call each other."""


class Doing(NamedTuple):
    """What one method does under the name that its object was made with."""

    api: Api
    template: Template
    via: tuple[Site, ...]
    """The calls inside of the method, outermost first."""
    kept: Kept | None
    lossy: Lossy | None


class Done(NamedTuple):
    """A call of a method of an object whose name is known."""

    site: Site
    doing: Doing


class Receivers:
    """The objects whose methods are called."""

    def __init__(
        self,
        resolver: Resolver,
        objects: Objects,
        handed: Callable[[str, Parameter], Iterable[tuple[str, Expression]]],
    ) -> None:
        self._resolver = resolver
        self._objects = objects
        self._handed = handed

    def of(self, site: Site) -> Iterator[tuple[str, Reference | Instance]]:
        """Give what the receiver of a call may be: names, and objects without one."""
        if site.call.receiver is not None:
            yield from self._in(site.file, site.call.receiver, frozenset())

    def made(self, site: Site) -> list[Made]:
        """Give the objects whose method a call is, if it is told what they were made with."""
        callee = site.call.callee
        if isinstance(callee, Parameter | FunctionValue):
            return []
        if site.call.receiver is None:
            # The owner of the method, or an object that is called itself.
            owners = [owner for owner in (callee[:-1], callee) if owner and owner != (".",)]
            return [made for owner in owners for made in self._objects.named(site.file, owner)]
        found: list[Made] = []
        for file, owner in self.of(site):
            if isinstance(owner, Instance):
                found.append(self._objects.unnamed(file, owner))
            else:
                found.extend(self._objects.named(file, owner.path))
        return found

    def is_own(self, site: Site) -> bool:
        """Say whether a method is called on a class, or on an object that is only known to be of one."""
        callee = site.call.callee
        if isinstance(callee, Parameter | FunctionValue) or len(callee) < 2:
            return False
        return any(isinstance(each, ClassTarget) for each in self._resolver.follow(site.file, callee[:-1]))

    def _in(
        self, file: str, value: Expression, seen: frozenset[tuple[str, Expression]]
    ) -> Iterator[tuple[str, Reference | Instance]]:
        if (file, value) in seen or len(seen) > _DEEPEST:
            return
        seen = seen | {(file, value)}
        match value:
            case Reference() | Instance():
                yield file, value
            case Parameter():
                for place, handed in self._handed(file, value):
                    yield from self._in(place, handed, seen)
            case AnyOf(options):
                for option in options:
                    yield from self._in(file, option, seen)
            case Attribute(owner, name):
                for place, found in self._in(file, owner, seen):
                    yield place, Reference((*found.path, name))
            case Element(sequence):
                for place, item in self._items_of(file, sequence):
                    yield from self._in(place, item, seen)

    def _items_of(self, file: str, sequence: Expression) -> Iterator[tuple[str, Expression]]:
        if isinstance(sequence, Items):
            yield from ((file, item) for item in sequence.items)
        elif isinstance(sequence, Reference):
            for target in self._resolver.follow(file, sequence.path):
                if isinstance(target, Value) and isinstance(target.expression, Items):
                    yield from ((target.file, item) for item in target.expression.items)


class Members:
    def __init__(
        self,
        facts: Mapping[str, FileFacts],
        namer: Namer,
        receivers: Receivers,
        callers: Callable[[FunctionKey], Sequence[Site]],
    ) -> None:
        self._facts = facts
        self._namer = namer
        self._receivers = receivers
        self._callers = callers
        self.doings: dict[FunctionKey, dict[Doing, None]] = {}
        """By method."""

    def note(self, site: Site, api: Api, template: Template, kept: Kept | None, lossy: Lossy | None) -> None:
        """Note a call in a method that touches the variable which the object stands for."""
        method = self._method(site)
        if method is not None:
            for each in _apart(api, site):
                self._add(method, Doing(each, template, (site,), kept, lossy))

    def run(self) -> Iterator[Done]:
        """Give the calls of methods of objects whose name is known."""
        pending = [(key, doing) for key, doings in self.doings.items() for doing in doings]
        while pending:
            key, doing = pending.pop()
            for site in self._callers(key):
                made = self._receivers.made(site)
                for each in made:
                    for template in self._namer.bound(doing.template, each):
                        if not template.holes:
                            yield Done(site, doing._replace(template=template))
                outer = self._method(site) if not made and self._receivers.is_own(site) else None
                if outer is not None and len(doing.via) < _DEEPEST:
                    onward = doing._replace(via=(site, *doing.via))
                    if self._add(outer, onward):
                        pending.append((outer, onward))

    def _add(self, method: FunctionKey, doing: Doing) -> bool:
        """Add what a method does; say whether it was not known to."""
        known = self.doings.setdefault(method, {})
        if any(each.api == doing.api and each.template.parts == doing.template.parts for each in known):
            return False
        known[doing] = None
        return True

    def _method(self, site: Site) -> FunctionKey | None:
        """Give the method that a call stands in."""
        functions = self._facts[site.file].functions
        index = site.call.function
        while index >= 0 and functions[index].kind != "method":
            index = functions[index].parent
        return None if index < 0 else (site.file, index)


def _apart(api: Api, site: Site) -> Iterator[Api]:
    """Tell what an operation writes from what it reads."""
    if api.kind == "write" or api.also_writes:
        yield api._replace(kind="write", also_writes=False)
    if api.kind == "read" and not (api.also_writes and site.call.used is None):
        yield api._replace(also_writes=False)
