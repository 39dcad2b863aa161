"""What objects of the project's classes were made with, as far as the place of making tells."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from leverlint.facts import Call, Expression, FileFacts, FunctionValue, Instance, Path, Span, Text
from leverlint.naming import argument_at
from leverlint.resolution import ClassTarget, Resolver, Value

FunctionKey = tuple[str, int]
"""File and index in its `FileFacts.functions`."""

CONSTRUCTORS = ("__init__", "__set_name__")
"""Methods that calling a class calls."""


class Site(NamedTuple):
    file: str
    call: Call


class Made(NamedTuple):
    """An object, and where it was made."""

    file: str
    instance: Instance
    name: str
    """What it was assigned to; may be empty."""


class Objects:
    def __init__(
        self,
        facts: Mapping[str, FileFacts],
        resolver: Resolver,
        callers: Callable[[FunctionKey], Sequence[Site]],
    ) -> None:
        self._facts = facts
        self._resolver = resolver
        self._callers = callers
        self._below: dict[str, list[tuple[ClassTarget, Path]]] | None = None
        self._lines: dict[tuple[str, Path], frozenset[FunctionKey]] = {}

    def named(self, file: str, path: Path) -> Iterator[Made]:
        """Give the objects that a path stands for."""
        for target in self._resolver.follow(file, path):
            if isinstance(target, Value) and isinstance(target.expression, Instance):
                yield Made(target.file, target.expression, target.definition.path[-1])

    def unnamed(self, file: str, instance: Instance) -> Made:
        return Made(file, instance, "")

    def handed(self, made: Made, file: str, number: int, index: int) -> tuple[str, Expression] | None:
        """Give what the making of an object handed to a parameter of its constructor, or of a base's.

        What the constructor itself hands to the constructor of a base speaks of its own parameters.
        """
        key = (file, number)
        function = self._facts[file].functions[number]
        if function.path[-1] not in CONSTRUCTORS:
            return None
        if key in self.constructors(made):
            if function.path[-1] == "__set_name__":
                named = index == 1 and made.name
                return (made.file, Text(made.name, Span(0, 0))) if named else None
            call = Call(made.instance.path, made.instance.arguments or (), Span(0, 0))
            value = argument_at(call, function, index)
            return None if value is None else (made.file, value)
        line = self._line(made)
        for site in self._callers(key):
            if (site.file, site.call.function) in line:
                value = argument_at(site.call, function, index)
                return None if value is None else (site.file, value)
        return None

    def constructors(self, made: Made) -> frozenset[FunctionKey]:
        """Give the functions that making an object calls."""
        targets = self._resolver.follow(made.file, made.instance.path)
        return frozenset(
            key for target in targets if isinstance(target, ClassTarget) for key in self.of_class(target)
        )

    def of_class(self, target: ClassTarget) -> Iterator[FunctionKey]:
        for name in CONSTRUCTORS:
            for member in self._resolver.member(target, name):
                if isinstance(member, Value) and isinstance(member.expression, FunctionValue):
                    yield member.file, member.expression.function

    def heirs(self, target: ClassTarget) -> list[ClassTarget]:
        """Give the classes that derive from one, at any remove."""
        found: dict[ClassTarget, None] = {}
        pending = [target]
        while pending:
            above = pending.pop()
            for below, base in self._derived().get(above.path[-1], ()):
                if below not in found and above in self._resolver.follow(below.file, base):
                    found[below] = None
                    pending.append(below)
        return list(found)

    def _derived(self) -> dict[str, list[tuple[ClassTarget, Path]]]:
        """Map names of classes to the classes that say they derive from one of that name."""
        if self._below is None:
            self._below = {}
            for path, file in self._facts.items():
                for declared in file.classes:
                    for base in declared.bases:
                        below = (ClassTarget(path, declared.path), base)
                        self._below.setdefault(base[-1], []).append(below)
        return self._below

    def _line(self, made: Made) -> frozenset[FunctionKey]:
        """Give the constructors of the class of an object and of all above it."""
        key = (made.file, made.instance.path)
        if key not in self._lines:
            pending = [*self._resolver.follow(*key)]
            known: dict[ClassTarget, None] = {}
            while pending:
                target = pending.pop()
                if not isinstance(target, ClassTarget) or target in known:
                    continue
                known[target] = None
                for declared in self._facts[target.file].classes:
                    if declared.path == target.path:
                        for base in declared.bases:
                            pending.extend(self._resolver.follow(target.file, base))
            self._lines[key] = frozenset(each for target in known for each in self.of_class(target))
        return self._lines[key]
