"""What the last run found out, in one file: for the next run on a tree that is mostly the same.

The file has four lines: a digest of everything that the report depends on, with a checksum of the
report; the report; a checksum of the last line; facts by file with the stamps that they were made
from. An unchanged tree needs the first two. A file that is damaged, foreign or unwritable is as
good as none.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import BinaryIO, NamedTuple

from leverlint import __version__, plain
from leverlint.digests import checksum, digest
from leverlint.extraction import Outcome
from leverlint.index import SearchTerm
from leverlint.report import Report
from leverlint.writing import put_in_place

_NAME = "leverlint.cache"
_RACE = 2_000_000_000
"""Nanoseconds: a file changed so shortly before may change again with the same stamp."""

_DAMAGE = (OSError, ValueError, TypeError, AttributeError, RecursionError)
"""What a file that somebody else has written can lead to."""

Stamp = tuple[int, int, int, int]
"""Times of the last change of content and of status in nanoseconds, size and inode: the first can be
set by anybody, the others tell when it was."""


class Known(NamedTuple):
    outcomes: dict[str, Outcome]
    searched: frozenset[SearchTerm]


NOTHING = Known({}, frozenset())


class Cache:
    """One run's view of the cache in a directory."""

    def __init__(
        self, directory: str, root: str, settings: str, files: Sequence[str], request: str = ""
    ) -> None:
        """Facts hold under `settings`, a report for one `request` as well."""
        self._path = os.path.join(directory, _NAME)
        self._directory = directory
        self._stamps = {path: stamp(os.path.join(root, path)) for path in files}
        self._settings = digest([__version__, settings])
        # The digest of everything: a report holds for exactly this tree.
        self.digest = digest([self._settings, request, repr(list(self._stamps.items()))])

    def report(self) -> Report | None:
        """Give the report of the last run if nothing has changed since."""
        import json

        try:
            with self._open() as file:
                held_for, _, expected = file.readline().decode().rstrip("\n").partition(" ")
                if held_for != self.digest:
                    return None
                content = file.readline().rstrip(b"\n")
            if checksum(content) != expected:
                return None
            value = plain.from_plain(json.loads(content))
        except _DAMAGE:
            return None
        return value if isinstance(value, Report) else None

    def _open(self) -> BinaryIO:
        """Open the file, if it is our own: what came with a tree could say that there is nothing to find."""
        file = open(self._path, "rb")  # noqa: SIM115 -- the callers' to close
        if hasattr(os, "getuid") and os.fstat(file.fileno()).st_uid != os.getuid():
            file.close()
            raise PermissionError(self._path)
        return file

    def known(self) -> Known:
        """Give the outcomes of the files that have not changed."""
        import json

        try:
            with self._open() as file:
                file.readline()
                file.readline()
                expected, content = (file.readline().rstrip(b"\n") for _ in range(2))
            if checksum(content) != expected.decode():
                return NOTHING
            settings, searched, stored = json.loads(content)
            if settings != self._settings:
                return NOTHING
            outcomes = {
                path: plain.from_plain(value)
                for path, (*at, value) in stored.items()
                if self._stamps.get(path) == tuple(at)
            }
            terms = frozenset(map(plain.from_plain, searched))
        except _DAMAGE:
            return NOTHING
        return Known(outcomes, terms)  # type: ignore[arg-type]

    def store(self, report: Report, outcomes: Mapping[str, Outcome], searched: Iterable[SearchTerm]) -> None:
        """Put this run in the place of the last one; a directory that cannot be written is left alone."""
        import time

        newest = time.time_ns() - _RACE
        safe = {path: at for path, at in self._stamps.items() if at is not None and at[0] < newest}
        whole = len(safe) == len(self._stamps)
        stored = {
            path: (*safe[path], plain.to_plain(outcome)) for path, outcome in outcomes.items() if path in safe
        }
        terms = [plain.to_plain(term) for term in sorted(searched)]
        content = _compact([self._settings, terms, stored])
        told = _compact(plain.to_plain(report))
        head = f"{self.digest} {checksum(told)}" if whole else ""
        lines = [head.encode(), told, checksum(content).encode(), content, b""]
        _replace(self._directory, self._path, b"\n".join(lines))


def stamp(path: str) -> Stamp | None:
    """Give what tells whether a file has changed; `None` when it is not there."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino


def _compact(value: object) -> bytes:
    import json

    return json.dumps(value, separators=(",", ":")).encode()


def _replace(directory: str, path: str, content: bytes) -> None:
    """Write the cache in a directory that version control leaves alone, if that is possible."""
    try:
        os.makedirs(directory, exist_ok=True)
        ignore = os.path.join(directory, ".gitignore")
        if not os.path.exists(ignore):
            with open(ignore, "w", encoding="utf-8") as file:
                file.write("*\n")
        put_in_place(path, content)
    except OSError:
        return
