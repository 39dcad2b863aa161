"""The projects that are open in an editor, and what is asked about one beyond its findings."""

import contextlib
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import NamedTuple

from leverlint import baseline, baseline_file, config, languages, packs, selection, sources
from leverlint.baseline import Baseline
from leverlint.cache import Stamp, stamp
from leverlint.catalogue import Row, rows_of
from leverlint.config import CACHE_DIRECTORY
from leverlint.documentation import Passage, passages
from leverlint.errors import LeverlintError
from leverlint.facts import Span
from leverlint.index import Index, Use
from leverlint.lsp.places import Places
from leverlint.lsp.settings import Settings
from leverlint.report import Report
from leverlint.session import Session
from leverlint.sources import Sources
from leverlint.workers import Progress

_WORD = re.compile(rb"\w+", re.ASCII)


class Client(NamedTuple):
    """What matters of the client's abilities."""

    encoding: str = "utf-16"
    """Units of columns: `utf-8`, `utf-16` or `utf-32`."""
    markdown: frozenset[str] = frozenset()
    """Where it shows Markdown, `hover` or `completion`; elsewhere text is plain."""
    versioned_edits: bool = False
    """Takes edits together with the version of the document that they are for."""


class Project:
    """One project. Paths are relative to its root, as everywhere."""

    def __init__(self, session: Session, settings: Settings, client: Client) -> None:
        self.session = session
        self.settings = settings
        self.client = client
        self.root = session.config.root
        self.sources = session.sources
        self.places = Places(session.sources, client.encoding)
        self._must_look_around = False
        self._baseline: Baseline = {}
        self._baseline_stamp: Stamp | None = None
        self._judged: Report | None = None
        self._beyond = Report()
        """What the baseline has let through of the report that it judged last."""
        self._documentation: Mapping[str, tuple[Passage, ...]] | None = None
        self._documented: frozenset[str] = frozenset()

    @property
    def index(self) -> Index:
        return self.session.index()

    def report(self) -> Report:
        """Give what there is to report, beyond the baseline if there is one."""
        report = self.session.report()
        if not self.settings.baseline:
            return report
        renewed = self._renew_baseline(os.path.join(self.root, self.settings.baseline))
        if renewed or self._judged is not report:
            self._judged = report
            self._beyond = baseline.apply(report, self._baseline, self.sources).report
        return self._beyond

    def _renew_baseline(self, path: str) -> bool:
        """Read the baseline if it has changed; one that is just being merged leaves the last one in force."""
        at = stamp(path)
        if at == self._baseline_stamp:
            return False
        self._baseline_stamp = at
        try:
            self._baseline = baseline_file.read(path)
        except LeverlintError:
            return False
        return True

    # --- What has changed ------------------------------------------------------------------------

    def edit(self, path: str, uri: str, text: str) -> None:
        """Take the text of an open document for that of its file."""
        self.places.uris[path] = uri
        self.session.edit(path, sources.of_text(path, text))

    def close(self, path: str) -> None:
        self.places.uris.pop(path, None)
        self.session.close(path)

    def changed_on_disk(self, path: str, came_or_went: bool) -> None:
        """Note a change; `catch_up` is to follow when all changes are noted."""
        if languages.name_for(path) is None:
            self._documentation = None
        self._must_look_around |= came_or_went
        self.session.touch(path)

    def catch_up(self) -> None:
        if self._must_look_around:
            self._must_look_around = False
            self.session.look_around()

    # --- What is asked ---------------------------------------------------------------------------

    def relative(self, path: str) -> str | None:
        """Give a path of the file system as one of the project, if it lies in it, be it through a link."""
        for root, inside in ((self.root, path), (self._real_root, os.path.realpath(path))):
            if inside.startswith(root.rstrip(os.sep) + os.sep):
                return os.path.relpath(inside, root).replace(os.sep, "/")
        return None

    @cached_property
    def _real_root(self) -> str:
        return os.path.realpath(self.root)

    def uses_in(self, path: str) -> list[Use]:
        return [use for use in self.index.uses if use.path == path]

    def row(self, lever: str) -> Row | None:
        """Give what is known of a lever or pattern; `None` for one that nothing reads."""
        found = rows_of(self.index, self.session.config, self.documentation(), [lever])
        return found[0] if found else None

    def documentation(self) -> Mapping[str, tuple[Passage, ...]]:
        """Give what is written about levers, by lever."""
        levers = frozenset(self.index.readers)
        if self._documentation is None or not levers <= self._documented:
            # Read apart: documentation need not stay in memory.
            files = self.session.found.documentation
            self._documentation = passages(Sources(self.root), files, levers)
            self._documented = levers
        return self._documentation

    def word_at(self, path: str, offset: int) -> tuple[str, Span]:
        """Give the word of letters, digits and underscores that an offset is in or at the end of."""
        content = self.sources.content_or_nothing(path)
        start = content.rfind(b"\n", 0, offset) + 1
        for match in _WORD.finditer(content, start):
            if match.end() >= offset:
                if match.start() <= offset:
                    return match[0].decode("ascii"), Span(*match.span())
                break
        return "", Span(offset, offset)


class Projects:
    """The projects of one server."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._by_root: dict[str, Project] = {}

    def __iter__(self) -> Iterator[Project]:
        return iter(list(self._by_root.values()))

    def open(self, directory: str, settings: Settings, progress: Progress | None = None) -> Project | None:
        """Read the project around a directory, if the settings allow; raises `LeverlintError`."""
        if not settings.enable:
            return None
        stated = config.load(
            directory,
            settings.configuration and os.path.join(directory, settings.configuration),
            overrides=settings.overrides(),
            known_selectors=lambda: selection.known_selectors(packs.rules()),
        )
        if settings.baseline:
            baseline_file.read(os.path.join(stated.root, settings.baseline))
        known = self._by_root.get(stated.root)
        if known is not None and known.settings == settings:
            return known
        # perf: a process with threads cannot fork, and starting others anew takes longer than it saves.
        cache = os.path.join(stated.root, CACHE_DIRECTORY)
        session = Session(stated, jobs=1, cache_dir=cache, progress=progress)
        self._by_root[stated.root] = Project(session, settings, self._client)
        return self._by_root[stated.root]

    def clear(self) -> list[Project]:
        """Forget all projects, and give them."""
        projects = list(self._by_root.values())
        self._by_root.clear()
        return projects

    def remember(self) -> None:
        """Spare the next start what this one had to read."""
        for project in self:
            project.session.remember()

    def keep(self, projects: Iterable[Project], directory: str) -> None:
        """Take up that of some projects again which a directory lies in."""
        for project in projects:
            if project.relative(os.path.join(directory, "x")) is not None:
                self._by_root[project.root] = project

    def of(self, path: str) -> tuple[Project, str] | None:
        """Give the innermost project that a path of the file system lies in, and the path in it."""
        for root in sorted(self._by_root, key=len, reverse=True):
            relative = self._by_root[root].relative(path)
            if relative is not None:
                return self._by_root[root], relative
        return None

    def around(self, path: str, settings: Settings) -> tuple[Project, str] | None:
        """Give the project of a path as `of` does, and read it first where none is open.

        There is none where it cannot be read; of a folder that is open the user has been told.
        """
        found = self.of(path)
        if found is None and config.in_project(os.path.dirname(path)):
            with contextlib.suppress(LeverlintError):
                self.open(os.path.dirname(path), settings)
            found = self.of(path)
        return found
