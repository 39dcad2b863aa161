"""The outcome of one run, before any format: what reporters, hooks and editors are given."""

from collections.abc import Iterable
from typing import NamedTuple

from leverlint.diagnostics import Diagnostic


class Skipped(NamedTuple):
    """A file or directory that was left out, and why."""

    path: str
    why: str


class Report(NamedTuple):
    findings: tuple[Diagnostic, ...] = ()
    """Sorted by path, place, code; paths are relative to `root`."""
    files: int = 0
    """How many files were asked about and could be read."""
    suppressed: int = 0
    baselined: int = 0
    fixed: int = 0
    """How many findings were there and have been fixed."""
    skipped: tuple[Skipped, ...] = ()
    levers: int = -1
    """How many different levers the whole project names; `-1` when nobody counted."""
    elsewhere: tuple[Diagnostic, ...] = ()
    """What is found in files that were not asked about; only when the engine is told to give it."""
    unchanged: int = 0
    """How many findings are left out because nobody has touched their lines."""


def in_order(findings: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Sort findings so that the same tree always gives the same report."""
    return tuple(sorted(findings, key=_place))


def _place(finding: Diagnostic) -> tuple[str, int, int, str, str, str]:
    start, end = finding.span
    return finding.path, start, end, finding.code, finding.lever or "", finding.message
