"""From files to facts: one file at a time, in any process, from nothing but its bytes."""

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from leverlint import languages, sources
from leverlint.facts import FileFacts, Vocabulary
from leverlint.search import Group, present

if TYPE_CHECKING:
    from leverlint.languages.memory import Memory


class Task(NamedTuple):
    """What to look for in one file."""

    path: str
    terms: tuple[Group, ...] = ()
    """Names to search for."""
    known: tuple[str, ...] = ()
    """Names found in this file before."""
    only_if_found: bool = True
    """Without any of the terms there is nothing new to extract."""
    forced: bool = False
    """Extract even when nothing in the file asks for it."""
    helpers: tuple[str, ...] = ()
    """Functions of the file whose results are asked for."""
    members: tuple[str, ...] = ()
    """Paths of the file whose definitions are asked for."""
    decoded: bool = False
    """Say what the code makes of what it reads: costs as much again, and is not asked of most files."""


class Outcome(NamedTuple):
    facts: FileFacts | None
    """`None` when the file holds nothing of interest, or cannot be read."""
    terms: tuple[str, ...] = ()
    """The names that the facts know of."""
    skipped: str = ""
    """Why the file could not be read."""
    pulled_in: tuple[str, ...] = ()
    """Files that it names as parts of itself, when it was not extracted."""
    helpers: tuple[str, ...] = ()
    """The functions whose results were asked for."""
    members: tuple[str, ...] = ()
    """The paths whose definitions were asked for."""
    decoded: bool = False


class Extraction(NamedTuple):
    """Everything that makes the outcome of a task, apart from the task itself; picklable."""

    root: str
    overlays: Mapping[str, bytes]
    vocabulary: Vocabulary

    def outcome(self, task: Task, memory: "Memory | None" = None) -> Outcome:
        try:
            data = self._bytes(task.path)
            found = present(data, task.terms)
            if task.terms and not found and task.only_if_found:
                return Outcome(None)
            return self._extract(task, data, tuple(sorted({*task.known, *found})), memory)
        except sources.Unreadable as unreadable:
            return Outcome(None, (), unreadable.why)
        except Exception as error:
            # A defect in reading one file must not cost the findings of all others.
            return Outcome(None, (), f"makes leverlint fail, please report it: {error!r}")

    def lost(self, task: Task) -> Outcome:
        """Give what stands for a file that has ended the process in which it was read."""
        return Outcome(None, (), "ends the process that reads it, please report it")

    def _bytes(self, path: str) -> bytes:
        if path in self.overlays:
            return sources.check(path, self.overlays[path])
        return sources.read(os.path.join(self.root, path))

    def _extract(self, task: Task, data: bytes, terms: tuple[str, ...], memory: "Memory | None") -> Outcome:
        name = languages.name_for(task.path)
        if name is None:
            return Outcome(None)
        language = languages.language(name)
        vocabulary = self.vocabulary._replace(
            wrappers=(*self.vocabulary.wrappers, *terms),
            helpers=task.helpers,
            members=task.members,
            decodings=task.decoded,
        )
        if not (task.forced or language.concerns(data, vocabulary)):
            return Outcome(None, terms, "", language.pulled_in(task.path, data))
        facts = language.extract(task.path, data, vocabulary, memory)
        if (task.forced or terms) and not language.concerns(data, self.vocabulary):
            facts = facts._replace(learnt=True)
        return Outcome(facts, terms, helpers=task.helpers, members=task.members, decoded=task.decoded)
