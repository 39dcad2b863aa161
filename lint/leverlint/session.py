"""A project kept in memory: told what has changed, it says what there is to report now.

Most strokes in an editor change nothing but places: then findings move along, and no rule runs.
Everything else goes the way of a first run, with all that is known of the other files.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial

from leverlint import changes, engine, fingerprints
from leverlint.cache import Known
from leverlint.changes import Lost, Moves
from leverlint.config import Config
from leverlint.consumption import Consumption
from leverlint.diagnostics import Diagnostic
from leverlint.discovery import Discovery, discover
from leverlint.facts import FileFacts
from leverlint.index import Index
from leverlint.judging import Failures, Judging
from leverlint.languages.memory import Memory
from leverlint.report import Report
from leverlint.sources import Sources
from leverlint.workers import Progress


class Session:
    """One project, for one thread at a time."""

    def __init__(
        self,
        config: Config,
        paths: Sequence[str] = (),
        *,
        elsewhere: bool = False,
        cache_dir: str | None = None,
        jobs: int = 0,
        progress: Progress | None = None,
    ) -> None:
        """Read the project; `cache_dir` spares what an earlier run has read (see `remember`).

        `paths` and `elsewhere` are those of `engine.check`.
        """
        self.config = config
        self._paths = paths
        self._elsewhere = elsewhere
        self._overlays: dict[str, bytes] = {}
        self.sources = Sources(config.root, self._overlays)
        self._jobs = jobs
        self._progress = progress
        self._pending: dict[str, bytes | None] = {}
        """Files that have changed, and their content before, where that is known."""
        self._findings: list[Diagnostic] = []
        self._failed: Failures = []
        self._report: Report | None = None
        self._index: Index
        self._moved: set[str] = set()
        """Files in which places have moved since the index was built."""
        self._skipped: Mapping[str, str] = {}
        self._memories: dict[str, Memory] = {}
        """Of files that are edited."""
        self._marked: dict[str, tuple[bytes, list[Diagnostic], tuple[Diagnostic, ...]]] = {}
        """By file: the content and the findings that fingerprints were made from, and these."""
        self._enter(self._discover())
        cache = engine.open_cache(config, self.found, cache_dir, elsewhere) if cache_dir else None
        if cache is not None:
            self._rounds.recall(cache.known())
        self._first_run()
        self._remember: Callable[[], None] | None = None
        if cache is not None and cache.report() is None:
            # What is typed from now on is not for the cache.
            outcomes, searched = dict(self._rounds.outcomes), frozenset(self._rounds.searched)
            self._remember = partial(cache.store, self.report(), outcomes, searched)

    def remember(self) -> None:
        """Put what the project was read for into the cache; nobody has to wait for that."""
        if self._remember is not None:
            self._remember()
            self._remember = None

    # --- What has changed ------------------------------------------------------------------------

    def edit(self, path: str, content: bytes) -> None:
        """Take `content` for what stands in a file, whatever the disk says."""
        self._pending.setdefault(path, self.sources.glance(path))
        self._overlays[path] = content
        self.sources.forget(path)

    def close(self, path: str) -> None:
        """Take what is on the disk again."""
        if path in self._overlays:
            self._pending.setdefault(path, self._overlays[path])
            del self._overlays[path]
            self._memories.pop(path, None)
            self.sources.forget(path)

    def touch(self, path: str) -> None:
        """Learn that a file has changed on the disk."""
        if path not in self._overlays:
            self._pending.setdefault(path, None)
            self.sources.forget(path)

    def look_around(self) -> None:
        """Learn that there are files that were not there, or that some have gone."""
        self._settle()
        found = self._discover()
        if found != self.found:
            outcomes, searched = self._rounds.outcomes, self._rounds.searched
            self._enter(found)
            there = {path: outcome for path, outcome in outcomes.items() if path in self._members}
            self._rounds.recall(Known(there, frozenset(searched)))
            self._first_run()

    # --- What there is now -----------------------------------------------------------------------

    def report(self) -> Report:
        """Give the report for all files as they are now."""
        self._settle()
        if self._report is None:
            report = self._judging.sifted(
                self._findings, self._index, self._rounds.facts(), list(self._failed), self._skipped
            )
            self._report = report._replace(findings=self._fingerprinted(report.findings))
        return self._report

    def index(self) -> Index:
        """Give the index of all files as they are now."""
        self._settle()
        if self._moved:
            index = self._rounds.index(self._index)
            index.keep_vectors(self._index, self._moved)
            self._index, self._moved = index, set()
        return self._index

    # --- How ------------------------------------------------------------------------------------

    def _discover(self) -> Discovery:
        return discover(self.config.root, self._paths, self.config, documentation=True)

    def _enter(self, found: Discovery) -> None:
        """Start on a list of files, with nothing known of any."""
        self.found = found
        self._members = frozenset(self.found.files)
        self._rounds = engine.assembler(
            self.config, self.found, self._overlays, self._jobs, self._progress, decode_all=True
        )
        self._ask_all_files()

    def _ask_all_files(self) -> None:
        self._consumption = Consumption(self.found.files, self.sources.glance)
        self._judging = Judging(self.config, self.found, self.sources, self._consumption, self._elsewhere)

    def _settle(self) -> None:
        """Take in what has changed."""
        pending, self._pending = self._pending, {}
        changed: dict[str, FileFacts | None] = {}
        judge = False
        for path, before in pending.items():
            after = self.sources.glance(path)
            if path not in self._members or before == after:
                continue
            self._report = None
            memory = self._memories.setdefault(path, Memory()) if path in self._overlays else None
            was, now = self._rounds.renew(path, memory)
            if before is None:
                self._ask_all_files()
                judge = True
            else:
                judge |= self._consumption.changed(path, before, after, memory)
            judge |= path in self._judging.read
            old, new = was and was._replace(facts=None), now._replace(facts=None)
            facts = was.facts if was else None
            if before is None or old != new or not self._has_only_moved(path, facts, now.facts):
                changed[path] = facts
        if changed:
            self._rebuild(changed)
        elif judge:
            self._judge(self.index())

    def _has_only_moved(self, path: str, before: FileFacts | None, after: FileFacts | None) -> bool:
        """Move findings along with the facts that they stand for, if those are the same but for places."""
        if before is None or after is None:
            return before is after
        moves = changes.moves(before, after)
        if moves is None:
            return False
        try:
            self._findings = [_moved(finding, path, moves) for finding in self._findings]
        except Lost:
            return False
        self._moved.add(path)
        return True

    def _first_run(self) -> None:
        assembly = self._rounds.run()
        self._skipped = assembly.skipped
        self._judge(assembly.index)

    def _rebuild(self, changed: Mapping[str, FileFacts | None]) -> None:
        """Go the way of a first run; `changed` holds what the facts of some files were."""
        earlier = self._index
        index = self._rounds.index(earlier)
        alike = _look_alike(earlier, index, changed)
        if not (alike and self._rounds.is_complete(index, changed)):
            assembly = self._rounds.run(index)
            index, self._skipped = assembly.index, assembly.skipped
            alike = _look_alike(earlier, index, changed)
        touched = {*changed, *self._moved}
        if alike or _is_of_no_concern(earlier, index, touched):
            index.keep_vectors(earlier, touched)
        self._judge(index)

    def _judge(self, index: Index) -> None:
        self._index = index
        self._moved = set()
        self._report = None
        self._failed = []
        self._findings = self._judging.findings(index, self._failed)

    def _fingerprinted(self, findings: Sequence[Diagnostic]) -> tuple[Diagnostic, ...]:
        """Give findings with fingerprints, those of files that are as they were from memory."""
        by_path: dict[str, list[Diagnostic]] = {}
        for finding in findings:
            by_path.setdefault(finding.path, []).append(finding)
        marked = {}
        for path, own in by_path.items():
            content = self.sources.content_or_nothing(path)
            known = self._marked.get(path)
            if known is not None and known[0] is content and known[1] == own:
                marked[path] = known
            else:
                marked[path] = content, own, fingerprints.assign(own, self.sources)
        self._marked = marked
        # Findings of one file come together.
        return tuple(finding for _, _, own in marked.values() for finding in own)


def _moved(finding: Diagnostic, path: str, moves: Moves) -> Diagnostic:
    """Give a finding with the places that it has in a file moved along."""
    if finding.path == path:
        finding = finding._replace(
            span=changes.moved(finding.span, moves),
            fix=finding.fix and changes.moved(finding.fix, moves),
        )
    if any(related.path == path for related in finding.related):
        finding = finding._replace(
            related=tuple(
                changes.moved(related, moves) if related.path == path else related
                for related in finding.related
            )
        )
    return finding


def _look_alike(earlier: Index, now: Index, changed: Mapping[str, FileFacts | None]) -> bool:
    """Say whether other files see the same in all files that have changed as they did."""
    return all(_looks_alike(earlier, now, path, before) for path, before in changed.items())


def _looks_alike(earlier: Index, now: Index, path: str, before: FileFacts | None) -> bool:
    """Say whether other files see the same in a file as they did."""
    after = now.facts.get(path)
    if before is None or after is None:
        return before is after
    return changes.without_places((_outside(before), earlier.wrappers_in(path))) == changes.without_places(
        (_outside(after), now.wrappers_in(path))
    )


def _is_of_no_concern(earlier: Index, now: Index, changed: Collection[str]) -> bool:
    """Say whether nothing but what stands in the changed files can be about them."""
    others = {path: file for path, file in earlier.facts.items() if path not in changed}
    return (
        now.facts.keys() == earlier.facts.keys()
        and not now.is_seen(changed)
        and all(now.facts.get(path) is file for path, file in others.items())
    )


def _outside(facts: FileFacts) -> tuple[object, ...]:
    return facts.functions, facts.definitions, facts.classes, facts.globs, facts.submodules
