"""The facts of all files merged: who reads and writes which lever, and where.

Built once, never changed. Rules ask it; it knows no rule and no syntax.
"""

import fnmatch
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from leverlint.accesses import Access, Accesses, Step, dotted
from leverlint.asked_members import asked_members
from leverlint.facts import (
    Api,
    Call,
    Field,
    FileFacts,
    Function,
    Kept,
    Lossy,
    Path,
    Span,
    Text,
)
from leverlint.hot_paths import HotPaths, HotRead
from leverlint.languages import Language, Tree
from leverlint.naming import Origin
from leverlint.resolution import Resolver
from leverlint.results import wanted_results
from leverlint.search_terms import SearchTerm, SearchTerms, stem
from leverlint.supplies import Supplies

if TYPE_CHECKING:
    from leverlint.decoding import Outcome, Vector
    from leverlint.facts import Decoding
    from leverlint.meaning import Meanings, Reader
    from leverlint.operands import Value


class Levers(NamedTuple):
    """Which names are levers, by the configuration."""

    prefixes: tuple[str, ...]
    names: tuple[str, ...]
    allowed: tuple[str, ...]
    """Names or globs that look like levers and are none."""

    def match(self, pattern: str) -> bool:
        """Say whether a name, or a pattern with `*`, is or may be a lever.

        A pattern must spell a whole prefix before its first `*`; what could be any variable is none.
        """
        text = pattern.partition("*")[0]
        if not (text.startswith(self.prefixes) or pattern in self.names):
            return False
        return not any(fnmatch.fnmatchcase(pattern, allowed) for allowed in self.allowed)


class Use(NamedTuple):
    """One lever touched at one place."""

    path: str
    span: Span
    lever: str
    """Its name, or a pattern with `*`."""
    kind: str
    """`read`, `walk`, `write` or `rerun`."""
    api: Api
    call: Call
    via: tuple[Step, ...]
    origin: Origin | None
    kept: Kept | None
    lossy: Lossy | None
    test: bool
    build_script: str
    """The build script that the file is or belongs to; empty for other code."""

    @property
    def dynamic(self) -> bool:
        return "*" in self.lever

    @property
    def files(self) -> tuple[str, ...]:
        """The file of the use and those of the wrappers that it passes."""
        return (self.path, *(step.file for step in self.via))


class FrozenImport(NamedTuple):
    """A name imported from a resolver that stands for the value of a lever."""

    path: str
    span: Span
    lever: str
    name: str
    resolver: str


class Index:
    def __init__(
        self,
        facts: Mapping[str, FileFacts],
        tree: Tree,
        languages: Mapping[str, Language],
        levers: Callable[[str], Levers],
        declared: Mapping[str, int],
        is_resolver: Callable[[str], bool],
        is_hot: Callable[[str, Function], bool] | None = None,
        earlier: "Index | None" = None,
    ) -> None:
        """An `earlier` index of most of the same facts makes it faster."""
        self.facts = facts
        self._levers = levers
        self._languages = languages
        self.is_resolver = is_resolver
        self._is_hot = is_hot
        self._tree = tree._replace(submodules=_parents(facts, tree))
        self._tests, self._build_scripts = _inherited(facts, self._tree)
        self._resolver: Resolver = Resolver(
            facts,
            self._tree,
            languages,
            earlier._resolver if earlier else None,
            frozenset(self._tests),
        )
        self._accesses = Accesses(facts, self._resolver, languages, declared)
        self._vectors: dict[tuple[str, Span, str, str], tuple[Use, Vector]] = {}
        """By the place of a use: all of it is long to hash."""
        self.uses: tuple[Use, ...] = tuple(sorted(self._uses(self._accesses.found), key=_order))

    @property
    def tree(self) -> Tree:
        """The names of all files, with what the facts say of which belongs to which."""
        return self._tree

    @cached_property
    def reads(self) -> tuple[Use, ...]:
        """Reads and walks in the order of path and place."""
        return tuple(use for use in self.uses if use.kind in ("read", "walk"))

    @cached_property
    def writes(self) -> tuple[Use, ...]:
        return tuple(use for use in self.uses if use.kind == "write")

    @cached_property
    def reruns(self) -> tuple[Use, ...]:
        """Build-script declarations that a lever is an input."""
        return tuple(use for use in self.uses if use.kind == "rerun")

    @cached_property
    def named_levers(self) -> tuple[tuple[str, Span, Path, str], ...]:
        """Constants that are no member of an enumeration and hold the name of a lever."""
        found = []
        for path, facts in self.facts.items():
            derived = {declared.path for declared in facts.classes if declared.bases}
            for name, value, span, *_ in facts.definitions:
                if not isinstance(value, Text) or name[:-1] in derived:
                    continue
                if self._levers(path).match(value.value):
                    found.append((path, span, name, value.value))
        return tuple(found)

    @cached_property
    def hot_reads(self) -> tuple[HotRead, ...]:
        """Reads that a hot function comes to, with the way there."""
        return tuple(self._hot_paths.found()) if self._hot_paths else ()

    @cached_property
    def _hot_paths(self) -> HotPaths | None:
        if self._is_hot is None:
            return None
        callers, languages = self._accesses.callers, self._languages
        reads = (*self.reads, *self._uses(self._accesses.read_by_methods))
        methods = self._accesses.methods("read")
        return HotPaths(self.facts, languages, callers, self._is_hot, self.is_resolver, reads, methods)

    @property
    def follows_callers(self) -> bool:
        """Whether functions are hot, so that calls matter which touch no lever."""
        return self._is_hot is not None

    @property
    def opaque(self) -> frozenset[str]:
        """Files that names led into although their facts were not given."""
        return frozenset(self._resolver.opaque)

    @property
    def wanted_members(self) -> Mapping[str, AbstractSet[str]]:
        """Give, by file, the dotted paths that names led to and whose definitions are not known."""
        return asked_members(
            self.facts, self._resolver.wanted, lambda path, name: self._levers(path).match(name)
        )

    def outer_function(self, use: Use) -> int:
        """Number the function that a use stands in: a closure only where there is no function around it."""
        functions = self.facts[use.path].functions
        number = use.call.function
        while number >= 0 and functions[number].kind == "closure" and functions[number].parent >= 0:
            number = functions[number].parent
        return number

    def in_resolver(self, use: Use) -> bool:
        """Say whether a use stands in a resolver, or goes through a function of one."""
        return any(self.is_resolver(path) for path in use.files)

    def function_around(self, path: str, span: Span) -> str:
        """Name the innermost function around a place of a file, closures aside; may be empty.

        Functions that use no lever are not known to all facts, and do not count.
        """
        functions = self.facts[path].functions if path in self.facts else ()
        using = [functions[number] for number in self._using.get(path, ())]
        around = [each for each in using if each.span.start <= span.start and span.end <= each.span.end]
        function = max(around, key=lambda each: each.span.start, default=None)
        while function and function.path[-1] == "":
            function = functions[function.parent] if function.parent >= 0 else None
        return ".".join(name for name in function.path if name != "<locals>") if function else ""

    @cached_property
    def _using(self) -> dict[str, set[int]]:
        """Give the functions, by file, that use levers or are around such."""
        using: dict[str, set[int]] = {}
        for use in self.uses:
            number = use.call.function
            known = using.setdefault(use.path, set())
            while number >= 0 and number not in known:
                known.add(number)
                number = self.facts[use.path].functions[number].parent
        return using

    def is_lever(self, path: str, name: str) -> bool:
        """Say whether a name is a lever by the settings for a file, whether or not any code reads it."""
        return self._levers(path).match(name)

    def names_prefix(self, prefix: str) -> bool:
        """Say whether any code names a lever that starts with `prefix`."""
        return any(name.startswith(prefix) for name in self._named)

    def names(self, name: str) -> bool:
        """Say whether any code names a variable; `name` may be a glob."""
        return any(fnmatch.fnmatchcase(known, name) for known in self._named)

    @cached_property
    def _named(self) -> frozenset[str]:
        mentioned = {mention.value for file in self.facts.values() for mention in file.mentions}
        found = {access.template.pattern for access in self._accesses.found}
        return frozenset(mentioned | found)

    def calls(self, name: str) -> bool:
        """Say whether any function with a name like `pkg.flag` or `flag` is called."""
        tail = dotted(name)
        return any(
            callee[-len(tail) :] == tail
            for file in self.facts.values()
            for call in file.calls
            if type(callee := call.callee) is tuple
        )

    def declared_field(self, lever: str) -> tuple[Field, str] | None:
        """Give the field that a resolver keeps `lever` in, and the resolver's path."""
        return self._declared.get(lever)

    @cached_property
    def _declared(self) -> dict[str, tuple[Field, str]]:
        declared: dict[str, tuple[Field, str]] = {}
        for use in self.reads:
            if self.is_resolver(use.path) and use.call.field and not use.dynamic and not use.test:
                known = declared.get(use.lever)
                if known is None or (known[0].kind == "function" and use.call.field.kind != "function"):
                    declared[use.lever] = (use.call.field, use.path)
        return declared

    @cached_property
    def frozen_imports(self) -> tuple[FrozenImport, ...]:
        """Imports that copy a lever's value out of a resolver when the module is loaded."""
        values = self._resolver_values()
        found = []
        for path, facts in self.facts.items():
            language = self._languages[facts.language]
            if self.is_resolver(path) or not language.IMPORTS_BIND_VALUES:
                continue
            for definition in facts.definitions:
                target = getattr(definition.value, "path", ())
                if not definition.imported or not target or target[-1] not in values:
                    continue
                module, rest = language.locate(target, path, self._tree) or ("", ())
                if len(rest) == 1 and (lever := values[rest[0]].get(module)):
                    found.append(FrozenImport(path, definition.span, lever, rest[0], module))
        return tuple(sorted(found))

    def _resolver_values(self) -> dict[str, dict[str, str]]:
        """Map names that stand for a lever's value to the resolver files that define them, and the lever."""
        values: dict[str, dict[str, str]] = {}
        for use in self.reads:
            if not self.is_resolver(use.path) or use.dynamic:
                continue
            names = {use.lever} if use.call.field and use.call.field.kind == "key" else set()
            if use.kept and use.kept.how == "module-global":
                names.add(use.kept.name)
            for name in names:
                values.setdefault(name, {})[use.path] = use.lever
        return values

    def vector(self, use: Use) -> "Vector":
        """Give what a read makes of each of `decoding.PROBES`."""
        place = _order(use)
        known = self._vectors.get(place)
        if known is None or known[0] != use:
            known = self._vectors[place] = use, self._meanings.vector(_reader(use))
        return known[1]

    def keep_vectors(self, earlier: "Index", changed: Collection[str]) -> None:
        """Take over what an earlier index knows of reads that have nothing to do with the changed files.

        Only right when nothing that other files see of those has changed.
        """
        self._vectors.update(
            (place, known)
            for place, known in earlier._vectors.items()
            if not any(path in changed for path in known[0].files)
        )

    def is_seen(self, paths: Collection[str]) -> bool:
        """Say whether names led from other files into one of `paths`."""
        return not self._resolver.entered.isdisjoint(paths)

    def wrappers_in(self, path: str) -> tuple[object, ...]:
        """Give the functions of a file that read for their callers, with what is known of each."""
        known = self._accesses.effects
        return tuple((key, *known.get(key, ())) for key in self._accesses.wrappers() if key[0] == path)

    def of_value(self, use: Use, text: str | None) -> "Outcome":
        """Give what a read makes of one value; `None` is unset."""
        return self._meanings.of_value(_reader(use), text)

    @cached_property
    def names_at(self) -> Mapping[tuple[str, Span], int]:
        """How many different names, levers or not, the call at a place may ask for."""
        names: dict[tuple[str, Span], set[str]] = {}
        for access in self._accesses.found:
            names.setdefault((access.file, access.call.span), set()).add(access.template.pattern)
        return {place: len(found) for place, found in names.items()}

    def parents(self, path: str) -> int:
        """Count the files that are known to pull a file in as a part of theirs."""
        return self._parent_counts[path]

    @cached_property
    def _parent_counts(self) -> Counter[str | None]:
        return Counter(
            child
            for file in self.facts.values()
            for child in {_existing(submodule.files, self._tree) for submodule in file.submodules}
        )

    def exactly(self, use: Use, decoding: "Decoding", text: str | None) -> "Value":
        """Give what an exact expression around a read is worth; raises `CannotTell` or `Raised`."""
        return self._meanings.exactly(_reader(use), decoding, text)

    def constants(self, use: Use) -> "set[str | int | float]":
        """Give the texts and numbers that the exact code around a read, and its wrappers, know of."""
        exact = [each.decoding for each in use.call.exact]
        found = self._meanings.constants(use.path, (*exact, *use.call.values))
        for step in use.via:
            found |= self._meanings.constants(step.file, (step.wrapper.result, *step.call.values))
        return found

    def words(self, use: Use) -> frozenset[str]:
        """Give the texts that a read is compared with, in its own code and that of its wrappers."""
        from leverlint.meaning import words

        decodings = (use.call.decoding, *use.call.values, *(step.wrapper.result for step in use.via))
        return frozenset(word for decoding in decodings for word in words(decoding))

    def literals(self, use: Use) -> frozenset[str]:
        """Give the texts that a read is compared with, in helpers as well; of `in "yY"`, the letters."""
        found = self._meanings.literals(use.path, (use.call.decoding, *use.call.values))
        for step in use.via:
            found |= self._meanings.literals(step.file, (step.wrapper.result, *step.call.values))
        return frozenset(found)

    def default(self, use: Use) -> "Outcome":
        """Give what a direct read gives for an unset lever, before anything is made of it."""
        return self._meanings.default(_reader(use))

    @cached_property
    def _meanings(self) -> "Meanings":
        # Only some rules ask what values mean, and only of some levers.
        from leverlint.meaning import Meanings

        return Meanings(self.facts, self._resolver, self._accesses)

    @cached_property
    def readers(self) -> Mapping[str, tuple[Use, ...]]:
        """Reads by lever, for levers whose name is known, in the order of path and place."""
        readers: dict[str, list[Use]] = {}
        for use in self.reads:
            if not use.dynamic:
                readers.setdefault(use.lever, []).append(use)
        return {lever: tuple(uses) for lever, uses in sorted(readers.items())}

    @cached_property
    def writers(self) -> Mapping[str, tuple[Use, ...]]:
        """Writes by lever."""
        writers: dict[str, list[Use]] = {}
        for use in self.writes:
            writers.setdefault(use.lever, []).append(use)
        return {lever: tuple(uses) for lever, uses in writers.items()}

    def undecided(self, all_reads: bool) -> set[str]:
        """Give the files in which decodings matter: of levers that are read twice, or tested for presence."""
        wanted: set[str] = set()
        for readers in self.readers.values():
            for use in readers:
                tested = use.call.tested or any(step.call.tested for step in use.via)
                if all_reads or len(readers) > 1 or tested:
                    wanted.update(use.files)
        return wanted

    def wanted_results(self, within: Collection[str] | None = None) -> dict[str, tuple[str, ...]]:
        """Give, by file, the functions whose results decodings ask for and facts do not have.

        `within` says in which files to look for such decodings (default: in all).
        """
        asked = [use for use in self.reads if within is None or any(path in within for path in use.files)]
        steps = [(use.path, use.call) for use in asked]
        steps += [(step.file, step.call) for use in asked for step in use.via]
        # The default of a read is one of its values.
        decodings = [(file, each) for file, call in steps for each in (call.decoding, *call.values)]
        known = [self.facts[path] for path in within or self.facts if path in self.facts]
        return wanted_results(self.facts, self._resolver, dict.fromkeys(decodings), known)

    def search_terms(self) -> "tuple[SearchTerm, ...]":
        """Give what must be looked for in files that have been looked at without knowing of it."""
        terms = SearchTerms(self.facts, self._accesses)
        passed = self._hot_paths.passed() if self._hot_paths else ()
        found = dict.fromkeys([*terms.of_wrappers(), *terms.of_callers(passed)])
        found.update(dict.fromkeys(terms.renamed(found)))
        for name, resolvers in self._resolver_values().items():
            for path in resolvers:
                if self._languages[self.facts[path].language].IMPORTS_BIND_VALUES:
                    found[SearchTerm(name, (stem(path),), path)] = None
        return tuple(found)

    def _uses(self, accesses: Iterable[Access]) -> Iterable[Use]:
        supplies = Supplies(self._accesses.found, self._tree, self._build_scripts)
        seen = set()
        for access in accesses:
            pattern = access.template.pattern
            if not self._levers(access.file).match(pattern) or supplies.concern(access):
                continue
            for kind in _kinds(access):
                use = Use(
                    access.file,
                    access.call.span,
                    pattern,
                    kind,
                    access.api,
                    access.call,
                    access.via,
                    access.template.origin,
                    access.kept,
                    access.lossy,
                    access.call.test or access.file in self._tests,
                    self._build_scripts.get(access.file, ""),
                )
                key = (use.path, use.span, use.lever, kind)
                if key not in seen:
                    seen.add(key)
                    yield use


def _reader(use: Use) -> "Reader":
    from leverlint.meaning import Reader

    steps = tuple((step.file, step.call) for step in use.via)
    return Reader(use.path, use.call, steps, use.api, "" if use.dynamic else use.lever)


def _kinds(access: Access) -> Sequence[str]:
    if not access.api.also_writes:
        return (access.api.kind,)
    return ("write",) if access.call.used is None else ("read", "write")


def _order(use: Use) -> tuple[str, Span, str, str]:
    return use.path, use.span, use.lever, use.kind


def _parents(facts: Mapping[str, FileFacts], tree: Tree) -> dict[str, str]:
    """Map files to the file that pulls them in."""
    parents: dict[str, str] = {}
    for path, file in facts.items():
        for submodule in file.submodules:
            child = _existing(submodule.files, tree)
            if child is not None and child != path:
                parents.setdefault(child, path)
    return parents


def _inherited(facts: Mapping[str, FileFacts], tree: Tree) -> tuple[set[str], dict[str, str]]:
    """Give the files that are test code, and the build script of each file that belongs to one.

    A file is what the file is that pulls it in.
    """
    tests = {path for path, file in facts.items() if file.test}
    builds = {
        path: path for path, file in facts.items() if file.build_script and _is_at_top_of_crate(path, tree)
    }
    pending = list(facts)
    while pending:
        path = pending.pop()
        for submodule in facts[path].submodules if path in facts else ():
            child = _existing(submodule.files, tree)
            if child is None:
                continue
            if (submodule.test or path in tests) and child not in tests:
                tests.add(child)
                pending.append(child)
            if path in builds and child not in builds:
                builds[child] = builds[path]
                pending.append(child)
    return tests, builds


def _is_at_top_of_crate(path: str, tree: Tree) -> bool:
    """Say whether a file lies beside its crate's manifest, or belongs to no crate that is known."""
    directory = path.rpartition("/")[0]
    crates = set(tree.crates.values())
    above = (path[:end] for end, sign in enumerate(path) if sign == "/")
    return directory in crates or crates.isdisjoint(("", *above))


def _existing(candidates: Sequence[str], tree: Tree) -> str | None:
    return next((candidate for candidate in candidates if candidate in tree.files), None)


__all__ = ["FrozenImport", "Index", "Levers", "SearchTerm", "Use"]
