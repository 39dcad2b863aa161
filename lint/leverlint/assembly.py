"""Building the index: extract, see which names turned out to be wrappers, look for those, again.

A first pass finds whatever a file shows by itself. A call like `flag(names.FUSED)` shows
nothing: only the index knows that `flag` reads. So its name is searched for in the other
files, and they are extracted anew with that knowledge, until nothing new is learnt.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from leverlint import languages, workers
from leverlint.cache import Known
from leverlint.extraction import Extraction, Outcome, Task
from leverlint.facts import FileFacts
from leverlint.index import Index, SearchTerm
from leverlint.languages import Tree
from leverlint.search import Group, Sought, grouped

if TYPE_CHECKING:
    from leverlint.languages.memory import Memory

_ROUNDS = 16
"""Wrappers of wrappers across files, callers of callers: each round finds one level."""


class Assembly(NamedTuple):
    index: Index  # type: ignore[assignment]
    skipped: dict[str, str]
    """Files that could not be read, and why."""


class Assembler:
    """Runs the rounds; `make_index` builds an index from facts and, if there is one, an earlier index."""

    def __init__(
        self,
        files: Sequence[str],
        tree: Tree,
        extraction: Extraction,
        make_index: Callable[[Mapping[str, FileFacts], Index | None], Index],
        jobs: int,
        progress: workers.Progress | None = None,
        decode_all: bool = False,
    ) -> None:
        self._files = files
        self._tree = tree
        self._extraction = extraction
        self._make_index = make_index
        self._jobs = jobs
        self._progress = progress
        self._decode_all = decode_all
        self.outcomes: dict[str, Outcome] = {}
        self.searched: set[SearchTerm] = set()
        self._adopted: set[str] = set()
        """Files whose possible parents have been seen to."""

    def recall(self, known: Known) -> None:
        """Start from what an earlier run found out about files that have not changed."""
        self.outcomes.update(known.outcomes)
        self.searched.update(known.searched)

    def renew(self, path: str, memory: "Memory | None" = None) -> tuple[Outcome | None, Outcome]:
        """Extract a file that has changed, looking for all that is known; give what it was and is."""
        known = self.outcomes.pop(path, None)
        terms = self._searches(sorted(self.searched), [path]).get(path, ())
        task = Task(path, terms, only_if_found=False)
        if known is not None:
            task = task._replace(
                forced=known.facts is not None,
                helpers=known.helpers,
                members=known.members,
                decoded=known.decoded,
            )
        self.outcomes[path] = self._extraction.outcome(task, memory)
        self._adopted.discard(path)
        return known, self.outcomes[path]

    def index(self, earlier: Index | None = None) -> Index:
        """Build the index of what is known by now, unless an `earlier` one is that already."""
        facts = self.facts()
        if earlier is not None and _are_the_same(earlier.facts, facts):
            return earlier
        return self._make_index(facts, earlier)

    def is_complete(self, index: Index, paths: Collection[str]) -> bool:
        """Say whether an index needs no further round, when only what stands within `paths` is new to it."""
        if index.follows_callers or any(map(index.is_resolver, paths)):
            return False
        undecided = index.undecided(self._decode_all) if not all(map(self._decoded, paths)) else set()
        wanted = self._results(index, paths) or self._wanted_members(index)
        return not (undecided.intersection(paths) or wanted or index.opaque)

    def run(self, earlier: Index | None = None) -> Assembly:
        """Go through the rounds until nothing new is learnt; an `earlier` index makes it faster."""
        new = [path for path in self._files if path not in self.outcomes]
        searches = self._searches(sorted(self.searched), new)
        self._extract([Task(path, searches.get(path, ()), only_if_found=False) for path in new])
        self._adopt()
        index = self.index(earlier)
        if self._retracted(index):
            return self.run(index)
        for _ in range(_ROUNDS):
            if not self._extract(self._demands(index)):
                break
            self._adopt()
            index = self.index(index)
        skipped = {path: outcome.skipped for path, outcome in self.outcomes.items() if outcome.skipped}
        return Assembly(index, dict(sorted(skipped.items())))

    def _retracted(self, index: Index) -> bool:
        """Forget files that were read for a name that has become private to others; say whether any were.

        A run that starts from nothing would not look there for calls of it.
        """
        terms = index.search_terms()
        narrowed = self.searched.difference(terms)
        scopes: dict[str, list[str]] = {term.name: [] for term in narrowed if not term.scope}
        for term in terms:
            if term.name in scopes:
                scopes[term.name].append(term.scope)
        scopes = {name: found for name, found in scopes.items() if found and all(found)}
        if not scopes:
            return False
        self.searched.difference_update(term for term in narrowed if term.name in scopes)
        beyond = [
            path
            for path, outcome in self.outcomes.items()
            if any(name in scopes and not path.startswith(tuple(scopes[name])) for name in outcome.terms)
        ]
        for path in beyond:
            del self.outcomes[path]
        return bool(beyond)

    def facts(self) -> dict[str, FileFacts]:
        """Facts in the order of paths, whatever round they came from."""
        return {path: outcome.facts for path, outcome in sorted(self.outcomes.items()) if outcome.facts}

    def _extract(self, tasks: Sequence[Task]) -> bool:
        """Carry tasks out; say whether any facts are new."""
        changed = False
        outcomes = workers.run(
            self._extraction.outcome, tasks, self._jobs, self._progress, self._extraction.lost
        )
        for task, outcome in zip(tasks, outcomes, strict=True):
            known = self.outcomes.get(task.path)
            if known is not None and outcome.skipped:
                # What it gave before still holds, and that it gave no more now must be told.
                self.outcomes[task.path] = known._replace(skipped=outcome.skipped)
            elif known is None or outcome.facts is not None:
                self.outcomes[task.path] = outcome
                changed |= known is None or outcome.facts != known.facts
        return changed

    def _demands(self, index: Index) -> list[Task]:
        terms = [term for term in index.search_terms() if term not in self.searched]
        self.searched.update(terms)
        undecided = {path for path in index.undecided(self._decode_all) if not self._decoded(path)}
        results = self._results(index)
        members = self._wanted_members(index)
        forced = {*index.opaque, *results, *members, *undecided}
        searches = self._searches(terms, self._files)
        return [
            Task(
                path,
                searches.get(path, ()),
                self._known(path),
                only_if_found=path not in forced,
                forced=path in forced,
                helpers=results.get(path, self._helpers(path)),
                members=members.get(path, self._members(path)),
                decoded=self._decoded(path) or path in results or path in undecided,
            )
            for path in dict.fromkeys((*searches, *sorted(forced)))
        ]

    def _results(self, index: Index, within: Collection[str] | None = None) -> dict[str, tuple[str, ...]]:
        """Give the functions, by file, that were not asked for their results so far, and those that were."""
        results = {}
        for path, names in index.wanted_results(within).items():
            known = self._helpers(path)
            if new := [name for name in names if name not in known]:
                results[path] = (*known, *new)
        return results

    def _decoded(self, path: str) -> bool:
        outcome = self.outcomes.get(path)
        return outcome is not None and outcome.decoded

    def _wanted_members(self, index: Index) -> dict[str, tuple[str, ...]]:
        """Give the paths, by file, whose definitions were not asked for so far, and those that were."""
        members = {}
        for path, names in index.wanted_members.items():
            known = self._members(path)
            if not names <= set(known):
                members[path] = tuple(sorted({*known, *names}))
        return members

    def _members(self, path: str) -> tuple[str, ...]:
        outcome = self.outcomes.get(path)
        return outcome.members if outcome else ()

    def _helpers(self, path: str) -> tuple[str, ...]:
        outcome = self.outcomes.get(path)
        return outcome.helpers if outcome else ()

    def _searches(self, terms: Sequence[SearchTerm], files: Sequence[str]) -> dict[str, tuple[Group, ...]]:
        """Give the names to search for in each file in which one that is new may stand."""
        searches: dict[str, tuple[Group, ...]] = {}
        for name in languages.LANGUAGES:
            own = [term for term in terms if languages.name_for(term.defined_in) == name]
            scopes = {term.scope for term in own}
            homes = {term.defined_in for term in own}
            groups = _groups(own)
            # Many files have the same names to look for.
            computed: dict[tuple[object, ...], tuple[Group, ...]] = {}
            for path in files if own else ():
                if languages.name_for(path) != name:
                    continue
                known = self._known(path)
                key = (known, path in homes and path, *(scope for scope in scopes if path.startswith(scope)))
                if key not in computed:
                    computed[key] = _open(groups, path, known)
                if computed[key]:
                    searches[path] = computed[key]
        return searches

    def _known(self, path: str) -> tuple[str, ...]:
        outcome = self.outcomes.get(path)
        return outcome.terms if outcome else ()

    def _adopt(self) -> None:
        """Extract the files that may say of a file with calls that it is test code, up to the roots."""
        while wanted := self._parents():
            self._extract(
                [
                    Task(
                        path,
                        (),
                        self._known(path),
                        forced=True,
                        helpers=self._helpers(path),
                        members=self._members(path),
                        decoded=self._decoded(path),
                    )
                    for path in wanted
                ]
            )

    def _parents(self) -> list[str]:
        wanted: dict[str, None] = {}
        named = {child: path for path, outcome in self.outcomes.items() for child in outcome.pulled_in}
        for path, outcome in self.outcomes.items():
            if path in self._adopted or outcome.facts is None:
                continue
            self._adopted.add(path)
            likely = languages.language(outcome.facts.language).parents(path, self._tree)
            for parent in (named[path], *likely) if path in named else likely:
                known = self.outcomes.get(parent)
                if known is None or known.facts is None:
                    wanted[parent] = None
        return list(wanted)


def _are_the_same(some: Mapping[str, FileFacts], others: Mapping[str, FileFacts]) -> bool:
    return some.keys() == others.keys() and all(others[path] is facts for path, facts in some.items())


def _is_new(term: SearchTerm, path: str, known: Sequence[str]) -> bool:
    matters = term.callers or term.defined_in != path
    return matters and term.name not in known and path.startswith(term.scope)


class _Group(NamedTuple):
    """Names with a piece in common, and why each is looked for."""

    piece: bytes
    members: tuple[tuple[Sought, tuple[SearchTerm, ...]], ...]


def _groups(terms: Iterable[SearchTerm]) -> list[_Group]:
    reasons: dict[Sought, list[SearchTerm]] = {}
    for term in terms:
        sought = Sought(term.name, term.companions, term.by_first, term.callers)
        reasons.setdefault(sought, []).append(term)
    return [
        _Group(piece, tuple((sought, tuple(reasons[sought])) for sought in members))
        for piece, members in grouped(reasons)
    ]


def _open(groups: Iterable[_Group], path: str, known: Sequence[str]) -> tuple[Group, ...]:
    """Leave out what is known of a file, or cannot be meant in it."""
    found = []
    for piece, members in groups:
        new = []
        for sought, terms in members:
            if reasons := [term for term in terms if _is_new(term, path, known)]:
                at_home = any(term.defined_in == path for term in reasons)
                new.append(sought._replace(companions=()) if at_home else sought)
        if new:
            found.append(Group(piece, tuple(new)))
    return tuple(found)


__all__ = ["Assembler", "Assembly"]
