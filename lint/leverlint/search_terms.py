"""Names that must be searched for in all files, because of what they turned out to stand for."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property
from typing import NamedTuple

from leverlint.accesses import Accesses
from leverlint.facts import FileFacts, Function, Instance, Path
from leverlint.objects import CONSTRUCTORS, FunctionKey

_OBJECTS = 8
"""Objects of one class that are looked for by their names; of more, by their files."""
_MOST_WAYS = 32
_TELLING = 4
"""Shorter names of functions are everywhere: only files that name their module are looked at."""


class SearchTerm(NamedTuple):
    """A function whose calls matter, wherever it is imported."""

    name: str
    companions: tuple[str, ...]
    """At least one of these must stand in a file too; empty when the name says enough."""
    defined_in: str
    scope: str = ""
    """Only files in this directory or below it can mean it; empty: all."""
    by_first: bool = False
    """The name of the variable is its first argument and nothing else."""
    callers: bool = False
    """Nothing but calls matters, and those in the file that defines it do as well."""


class SearchTerms:
    def __init__(self, facts: Mapping[str, FileFacts], accesses: Accesses) -> None:
        self._facts = facts
        self._accesses = accesses
        self._made: dict[str, list[tuple[str, str]]] | None = None
        """By the name of a class: names of its objects, and the files that they are made in."""

    @cached_property
    def _below(self) -> dict[str, list[str]]:
        return _below(self._facts.values())

    def of_wrappers(self) -> Iterator[SearchTerm]:
        for key in self._accesses.wrappers():
            path, index = key
            function = self._facts[path].functions[index]
            if function.kind != "closure":
                yield self._term(path, function, self._accesses.named_by_first(key))
            if function.path[-1] == "__call__":
                for name in self._instances(path, function.path[:-1]):
                    yield SearchTerm(name, (), path)
        yield from self.of_methods("write")
        for path, class_path in self._accesses.wrapper_classes():
            yield SearchTerm(class_path[-1], (), path)

    def of_methods(self, kind: str) -> Iterator[SearchTerm]:
        """Methods that read, or write, the variable which their object stands for."""
        for path, index in self._accesses.methods(kind):
            function = self._facts[path].functions[index]
            names, files = self._objects_of(function.path[-2])
            companions = (*names, *map(stem, files)) if len(names) <= _OBJECTS else tuple(map(stem, files))
            yield self._term(path, function, False)._replace(
                companions=(function.path[-2], *companions), callers=True
            )

    def _objects_of(self, name: str) -> tuple[list[str], list[str]]:
        """Give names of the objects of a class and of those below it, and the files that they are made in."""
        if self._made is None:
            self._made = {}
            for path, facts in self._facts.items():
                for definition in facts.definitions:
                    if isinstance(definition.value, Instance):
                        made = self._made.setdefault(definition.value.path[-1], [])
                        made.append((definition.path[-1], path))
        classes = [name, *_heirs(name, self._below)]
        found = [each for heir in classes for each in self._made.get(heir, ())]
        return list(dict.fromkeys(own for own, _ in found)), list(dict.fromkeys(path for _, path in found))

    def of_callers(self, functions: Iterable[FunctionKey]) -> Iterator[SearchTerm]:
        """Functions on the way to a read: their callers may be hot."""
        below = self._below if functions else {}
        for path, index in functions:
            function = self._facts[path].functions[index]
            if function.kind == "closure":
                continue
            term = self._term(path, function, False)._replace(callers=True)
            if function.kind == "method" and term.companions:
                heirs = _heirs(function.path[-2], below)
                term = term._replace(companions=(*term.companions, *heirs))
            elif function.kind != "method" and "_" not in term.name:
                term = term._replace(companions=(stem(path), _directory(path), "super"))
            yield term

    def renamed(self, terms: Collection[SearchTerm]) -> Iterator[SearchTerm]:
        """Other names that functions are imported, and perhaps re-exported, under."""
        only_called = {term.name: True for term in terms}
        only_called.update((term.name, False) for term in terms if not term.callers)
        for path, facts in self._facts.items():
            for definition in facts.definitions:
                target = getattr(definition.value, "path", ())
                name = definition.path[-1]
                if definition.imported and target and target[-1] in only_called and target[-1] != name:
                    yield SearchTerm(name, (), path, callers=only_called[target[-1]])

    def _term(self, path: str, function: Function, by_first: bool) -> SearchTerm:
        name = function.path[-1]
        scope = path.rpartition("/")[0] if function.private else ""
        if function.kind == "method":
            if name in (*CONSTRUCTORS, "__call__"):
                return SearchTerm(function.path[-2], (), path)
            owner = function.path[:-1]
            holders = (owner[-1], *self._instances(path, owner), *self._ways_to(path, owner))
            return SearchTerm(name, holders, path, scope, by_first)
        companions = (stem(path),) if len(name) < _TELLING else ()
        return SearchTerm(name, companions, path, scope, by_first)

    def _ways_to(self, path: str, class_path: Path) -> list[str]:
        """Names that an object of a class is got at by: traits, fields of other types, functions."""
        found: dict[str, None] = {}
        for declared in self._facts[path].classes:
            if declared.path == class_path and declared.bases and not declared.open:
                found.update((base[-1], None) for base in declared.bases if base[-1] in self._open)
        pending = [class_path[-1], *found]
        while pending and len(found) < _MOST_WAYS:
            for holder in self._holders.get(pending.pop(), ()):
                if holder not in found:
                    found[holder] = None
                    pending.append(holder)
        return list(found)

    @cached_property
    def _open(self) -> frozenset[str]:
        """Names of traits."""
        return frozenset(
            declared.path[-1] for facts in self._facts.values() for declared in facts.classes if declared.open
        )

    @cached_property
    def _holders(self) -> dict[str, list[str]]:
        """Map names of classes to those of classes with fields of them, and of functions that return one."""
        holders: dict[str, list[str]] = {}
        for facts in self._facts.values():
            for definition in facts.definitions:
                if isinstance(definition.value, Instance) and len(definition.path) > 1:
                    holders.setdefault(definition.value.path[-1], []).append(definition.path[-2])
        return holders

    def _instances(self, path: str, class_path: Path) -> list[str]:
        """Names of module-level objects of a class, in its own file."""
        target = (".", *class_path)
        return [
            definition.path[-1]
            for definition in self._facts[path].definitions
            if getattr(definition.value, "path", None) == target
        ]


def stem(path: str) -> str:
    """Give the name that other files import a file by."""
    directory, _, name = path.rpartition("/")
    own = name.rpartition(".")[0]
    if own in ("__init__", "mod", "lib", "main") and directory:
        return directory.rpartition("/")[2]
    return own


def _directory(path: str) -> str:
    return path.rpartition("/")[0].rpartition("/")[2]


def _below(facts: Iterable[FileFacts]) -> dict[str, list[str]]:
    """Map names of classes to those of the classes that derive from them."""
    below: dict[str, list[str]] = {}
    for file in facts:
        for declared in file.classes:
            for base in declared.bases:
                below.setdefault(base[-1], []).append(declared.path[-1])
    return below


def _heirs(name: str, below: Mapping[str, list[str]]) -> list[str]:
    """Give the classes below one, on whose objects its methods are called."""
    found = {name: None}
    pending = [name]
    while pending:
        for heir in below.get(pending.pop(), ()):
            if heir not in found:
                found[heir] = None
                pending.append(heir)
    return list(found)[1:]
