"""Members that are declared away from their class: implementations of traits, `impl`s in other files."""

from collections.abc import Iterator, Mapping

from leverlint.facts import Class, FileFacts, Path, Reference
from leverlint.languages import Language, Tree

_MOST_PLACES = 16
"""How many places imports and globs may show for the name of a class."""


class Kinship:
    """Says which classes of other files have members of a class, or may stand in for it."""

    def __init__(
        self,
        facts: Mapping[str, FileFacts],
        tree: Tree,
        languages: Mapping[str, Language],
        tests: frozenset[str],
    ) -> None:
        self._facts = facts
        self._tree = tree
        self._languages = languages
        self._tests = tests
        self._candidates: dict[str, list[tuple[str, Class, Path]]] = {}
        """By the name of a class: those that say that they extend one of that name, or are below it."""
        self._places: dict[tuple[str, Path], set[tuple[str, Path]]] = {}
        self.open: set[tuple[str, Path]] = set()
        """Classes with methods that may be those of any class below."""
        for path, file in facts.items():
            self.open.update((path, declared.path) for declared in file.classes if declared.open)
        names = {path[-1] for _, path in self.open}
        for path, file in facts.items():
            for declared in file.classes:
                for target in (declared.extends, *declared.bases):
                    if target and (target is declared.extends or target[-1] in names):
                        self._candidates.setdefault(target[-1], []).append((path, declared, target))

    def of(self, file: str, path: Path, member: str) -> Iterator[tuple[str, Path]]:
        """Give the classes, by file, whose own `member` may be meant by that of a class."""
        for other, declared, target in self._candidates.get(path[-1], ()):
            if member not in declared.members or (other, declared.path) == (file, path):
                continue
            beside = target is declared.extends
            if not (beside or (file, path) in self.open):
                continue
            # What a test puts in the place of the real thing says nothing about it.
            if not beside and other in self._tests and file not in self._tests:
                continue
            if (file, path) in self._all_places(other, target):
                yield other, declared.path

    def concerns(self, file: FileFacts | None) -> bool:
        """Say whether a file holds members for classes of others, or classes whose members are elsewhere."""
        return file is not None and any(
            declared.open or declared.extends or any(base[-1] in self._candidates for base in declared.bases)
            for declared in file.classes
        )

    def _all_places(self, file: str, path: Path) -> set[tuple[str, Path]]:
        """Give where the declaration of what a path names may stand, whether or not facts tell of it."""
        known = self._places.get((file, path))
        if known is None:
            known = self._places[file, path] = set()
            pending = [(file, path)]
            while pending and len(known) < _MOST_PLACES:
                pending += self._next_places(*pending.pop(0), known)
        return known

    def _next_places(self, file: str, path: Path, known: set[tuple[str, Path]]) -> Iterator[tuple[str, Path]]:
        """Take note of the place that a path leads to; give the paths of what is imported there."""
        located = (file, path[1:])
        if path[0] != ".":
            language = self._languages[self._facts[file].language]
            located = language.locate(path, file, self._tree) or ("", ())
        home, names = located
        if not names or located in known:
            return
        known.add(located)
        facts = self._facts.get(home)
        for definition in facts.definitions if facts is not None else ():
            if isinstance(definition.value, Reference) and definition.path == names[: len(definition.path)]:
                yield home, definition.value.path + names[len(definition.path) :]
        for glob in facts.globs if facts is not None else ():
            if glob.scope == names[: len(glob.scope)]:
                yield home, (*glob.target, *names[len(glob.scope) :])
