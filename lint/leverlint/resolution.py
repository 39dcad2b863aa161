"""Following names across the files of a project: imports, re-exports, globs, members, instances.

Knows facts and where languages keep their modules; knows no rule and no lever.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from leverlint.facts import (
    AnyOf,
    Class,
    Definition,
    Expression,
    FileFacts,
    FunctionValue,
    Glob,
    Instance,
    Path,
    Reference,
)
from leverlint.kinship import Kinship
from leverlint.languages import Language, Tree


class External(NamedTuple):
    """A path that leaves the project: the standard library or a dependency."""

    language: str
    path: Path


class Value(NamedTuple):
    """What a name of the project was defined as."""

    file: str
    expression: Expression
    definition: Definition


class ClassTarget(NamedTuple):
    """A class of the project."""

    file: str
    path: Path


Target = External | Value | ClassTarget

_DEPTH = 100
"""How many imports, globs and bases one name may pass through."""
_LONGEST = 24
"""Segments of a path: globs over modules that are not there make longer and longer ones of a short one."""
_MOST = 4000
"""Paths that are followed for one name; real projects come to 900."""
_MOST_WHEN_TANGLED = 100
_TANGLES = 2
"""Names that may take all of `_MOST` before no more than `_MOST_WHEN_TANGLED` is spent on any."""


class Resolver:
    """Answers what a path written in a file stands for."""

    def __init__(
        self,
        facts: Mapping[str, FileFacts],
        tree: Tree,
        languages: Mapping[str, Language],
        earlier: "Resolver | None" = None,
        tests: frozenset[str] = frozenset(),
    ) -> None:
        """Answers that an `earlier` resolver gave are taken over where they must be the same.

        `tests` are the files that are test code.
        """
        self._facts = facts
        self._tree = tree
        self._languages = languages
        self._scopes: dict[str, _Scope] = {}
        self._known: dict[tuple[str, Path], tuple[Target, ...]] = {}
        self._nothing: set[tuple[str, Path]] = set()
        self._missing: dict[tuple[str, Glob], bool] = {}
        self._tangled = 0
        """Names that could not be followed to the end."""
        self.opaque: set[str] = set()
        """Files of the project that a name led into although their facts were not at hand."""
        self.entered: set[str] = set()
        """Files that names led into from others."""
        self.wanted: dict[str, set[str]] = {}
        """Dotted paths, by file, that names led to without finding anything."""
        self._tests = tests
        self._kinship = Kinship(facts, tree, languages, tests)
        if earlier is not None:
            self._take_over(earlier)
        for path, file in facts.items():
            if path not in self._scopes:
                self._scopes[path] = _Scope(file)

    def _take_over(self, earlier: "Resolver") -> None:
        known = earlier._facts
        changed = {path for path, file in self._facts.items() if known.get(path) is not file}
        self._scopes = {
            path: scope
            for path, scope in earlier._scopes.items()
            if path in self._facts and path not in changed
        }
        if earlier._tree == self._tree and known.keys() == self._facts.keys():
            self.entered = set(earlier.entered)
            moved = any(
                kinship.concerns(files.get(path))
                for path in changed
                for kinship, files in ((earlier._kinship, known), (self._kinship, self._facts))
            )
            if changed.isdisjoint(earlier.entered) and not moved and self._tests == earlier._tests:
                self._known = {key: found for key, found in earlier._known.items() if key[0] not in changed}
                self._nothing = {key for key in earlier._nothing if key[0] not in changed}
                self.opaque = set(earlier.opaque)
                self.wanted = {file: set(paths) for file, paths in earlier.wanted.items()}

    def follow(self, file: str, path: Path) -> tuple[Target, ...]:
        """Give everything that `path` may stand for in `file`; several when it is defined several ways."""
        key = (file, path)
        if key not in self._known:
            question = _Question()
            found = tuple(dict.fromkeys(self._follow(file, path, question)))
            self._known[key] = found
            if not question.cut_short and all(self._is_nothing(target) for target in found):
                # Nothing that was asked on the way leads anywhere either: globs ask it again and again.
                self._nothing |= question.asked
        return self._known[key]

    def member(self, target: ClassTarget, name: str) -> tuple[Target, ...]:
        """Look a method or attribute of a class up, through its bases."""
        return self.follow(target.file, (".", *target.path, name))

    def home(self, file: str, path: Path) -> str | None:
        """Give the file of the project that a path leads into, whether or not its name is known there."""
        if path[0] == "." and len(path) == 2:
            return file
        language = self._languages[self._facts[file].language]
        located = language.locate(path, file, self._tree)
        return located[0] if located and located[0] in self._scopes else None

    def homes(self, file: str, path: Path) -> list[tuple[str, str]]:
        """Give the files, with the name there, that may define what a path leads to through re-exports."""
        question = _Question(retraced=True)
        if any(isinstance(target, Value) for target in self._follow(file, path, question)):
            return []
        found = {asked for asked, inside in question.asked if inside[0] == "." and inside[-1] == path[-1]}
        home = self.home(file, path)
        return sorted((each, path[-1]) for each in found | ({home} if home is not None else set()))

    def _follow(self, file: str, path: Path, question: "_Question") -> Iterator[Target]:
        if (file, path) in question.asked or ((file, path) in self._nothing and not question.retraced):
            return
        most = _MOST if self._tangled < _TANGLES else _MOST_WHEN_TANGLED
        if question.depth > _DEPTH or len(path) > _LONGEST or len(question.asked) > most:
            self._tangled += not question.cut_short
            question.cut_short = True
            return
        question.asked.add((file, path))
        question.depth += 1
        found = list(self._own(file, path[1:], question)) if path[0] == "." else []
        yield from found or self._elsewhere(file, path, question)
        question.depth -= 1

    def _elsewhere(self, file: str, path: Path, question: "_Question") -> Iterator[Target]:
        """Look a path up in the environment API, and in the file that it leads into."""
        language = self._languages[self._facts[file].language]
        if path in language.API:
            yield External(language.NAME, path)
            return
        located = language.locate(path, file, self._tree)
        if located is None or (path[0] == "." and located == (file, path[1:])):
            if path[0] == "." and len(path) > 2 and language.MEMBERS_ARE_ASKED_FOR:
                self._note(file, path[1:])
            yield External(language.NAME, path[1:] if path[0] == "." else path)
            return
        module, rest = located
        if module not in self._scopes:
            self.opaque.add(module)
        elif rest:
            if module != file:
                self.entered.add(module)
            yield from self._follow(module, (".", *rest), question)

    def _note(self, file: str, names: Path) -> None:
        """Take note of a path that led to nothing where the file may know better when it is asked."""
        # No language spells a constructor in another's way.
        if not names[-1].startswith("__"):
            self.wanted.setdefault(file, set()).add(".".join(names))

    def _own(self, file: str, names: Path, question: "_Question") -> Iterator[Target]:
        scope = self._scopes[file]
        for length in range(len(names), 0, -1):
            definitions = scope.definitions.get(names[:length])
            if definitions:
                for definition in definitions:
                    yield from self._value(file, definition, definition.value, names[length:], question)
                if (file, names[: length - 1]) in self._kinship.open:
                    yield from self._of_kin(file, names[: length - 1], names[length - 1 :], question)
                return
            if names[:length] in scope.classes:
                yield from self._of_class(file, names[:length], names[length:], question)
                return
        for length in range(len(names) - 1, 0, -1):
            if found := list(self._of_kin(file, names[:length], names[length:], question)):
                yield from found
                return
        for length in range(len(names) - 1, -1, -1):
            for glob in scope.globs.get(names[:length], ()):
                missing = self._is_missing(file, glob)
                # What is not here may have come in with another glob, but not with another that is not here.
                if missing and question.beyond:
                    continue
                question.beyond += missing
                found = list(self._follow(file, (*glob.target, *names[length:]), question))
                question.beyond -= missing
                if inside := [target for target in found if not self._is_nothing(target)]:
                    yield from inside
                    return

    def _of_kin(self, file: str, path: Path, rest: Path, question: "_Question") -> Iterator[Target]:
        """Look a member of a class up among what other places declare for it."""
        for other, owner in self._kinship.of(file, path, rest[0]):
            if other != file:
                self.entered.add(other)
            scope = self._scopes[other]
            for length in range(len(rest), 0, -1):
                definitions = scope.definitions.get((*owner, *rest[:length]), ())
                for definition in definitions:
                    if not (self._is_test(other, definition) and (file, path) in self._kinship.open):
                        yield from self._value(other, definition, definition.value, rest[length:], question)
                if definitions:
                    break

    def _is_test(self, file: str, definition: Definition) -> bool:
        value = definition.value
        return isinstance(value, FunctionValue) and self._facts[file].functions[value.function].test

    def _is_missing(self, file: str, glob: Glob) -> bool:
        """Say whether a glob is over a module that its own file should hold, and does not by itself."""
        if (file, glob) not in self._missing:
            language = self._languages[self._facts[file].language]
            module, rest = language.locate(glob.target, file, self._tree) or ("", ())
            self._missing[file, glob] = (
                module == file and bool(rest) and rest[0] not in self._scopes[file].heads
            )
        return self._missing[file, glob]

    def _value(
        self, file: str, definition: Definition, value: Expression, rest: Path, question: "_Question"
    ) -> Iterator[Target]:
        match value:
            case Reference(path) if _names_itself(definition, path):
                # `use flags::flags`: the module, not the name that is just being imported.
                yield from self._elsewhere(file, path + rest, question)
            case Reference(path):
                yield from self._follow(file, path + rest, question)
            case Instance(path) if rest:
                yield from self._follow(file, path + rest, question)
            case AnyOf(options):
                for option in options:
                    yield from self._value(file, definition, option, rest, question)
            case _ if not rest or rest == ("value",):
                yield Value(file, value, definition)

    def _of_class(self, file: str, path: Path, rest: Path, question: "_Question") -> Iterator[Target]:
        if not rest:
            yield ClassTarget(file, path)
            return
        declared = self._scopes[file].classes[path]
        for base in declared.bases if rest[0] not in declared.members else ():
            # A trait of elsewhere has no member that would keep the file from being asked for its own.
            found = self._follow(file, base + rest, question)
            yield from (target for target in found if not self._is_nothing(target))
        yield from self._of_kin(file, path, rest, question)

    def _is_nothing(self, target: Target) -> bool:
        """Say whether a target is neither of the project nor of the environment API."""
        return isinstance(target, External) and target.path not in self._languages[target.language].API


class _Question:
    """One name being followed: globs and imports form cycles, and the ways through them are countless."""

    def __init__(self, retraced: bool = False) -> None:
        self.retraced = retraced
        """The way counts, also where it is known to end in nothing."""
        self.asked: set[tuple[str, Path]] = set()
        self.depth = 0
        self.beyond = 0
        """How many globs over modules that are not there it has come through."""
        self.cut_short = False


def _names_itself(definition: Definition, path: Path) -> bool:
    return definition.imported and path[0] == "." and path[1 : 1 + len(definition.path)] == definition.path


class _Scope:
    """One file's names, keyed for lookup."""

    def __init__(self, facts: FileFacts) -> None:
        self.definitions: dict[Path, list[Definition]] = {}
        self.classes: dict[Path, Class] = {}
        for declared in facts.classes:
            known = self.classes.get(declared.path)
            # A type has as many `impl`s as it has traits.
            bases = (*known.bases, *declared.bases) if known is not None else declared.bases
            members = (*known.members, *declared.members) if known is not None else declared.members
            self.classes[declared.path] = declared._replace(
                bases=tuple(dict.fromkeys(bases)), members=members
            )
        self.globs: dict[Path, list[Glob]] = {}
        for definition in facts.definitions:
            self.definitions.setdefault(definition.path, []).append(definition)
        for number, function in enumerate(facts.functions):
            if function.kind == "closure":
                continue
            # A function is its own definition, whether or not the language says so again.
            if function.path not in self.definitions:
                named = Definition(function.path, FunctionValue(number), function.span)
                self.definitions[function.path] = [named]
            if len(function.path) > 1:
                self.classes.setdefault(function.path[:-1], Class(function.path[:-1], ()))
        for glob in facts.globs:
            self.globs.setdefault(glob.scope, []).append(glob)
        self.heads = {path[0] for path in (*self.definitions, *self.classes, *self.globs) if path}
        """The first segments of all that is known to be in it."""
