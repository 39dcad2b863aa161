"""Where the output of `check` goes: findings to standard output or a file, all else to standard error."""

import argparse
import os
import sys
import time
from collections.abc import Callable, Mapping

from leverlint import config, reporters
from leverlint.commands import report_file
from leverlint.config import Config
from leverlint.report import Report
from leverlint.reporters import Style
from leverlint.reporters.cells import harmless
from leverlint.reporters.color import wants_color
from leverlint.sources import Sources

_PATIENCE = 1.0
"""Seconds after which a run shows how far it is."""

_BETWEEN = 0.1


class Output:
    """The findings' way out, as the options say."""

    def __init__(self, arguments: argparse.Namespace, settings: Config) -> None:
        self._format: str = arguments.output_format
        self._file: str | None = arguments.output_file
        self._statistics: bool = arguments.statistics
        self._for_people = reporters.FORMATS[self._format].for_people
        self._root = settings.root
        if self._file is not None:
            report_file.check(self._file)
        color = self._for_people and (self._file is None or arguments.color == "always")
        from_repository = reporters.FORMATS[self._format].from_repository
        self._style = Style(
            color=color and wants_color(arguments.color, sys.stdout, os.environ),
            root=settings.root,
            here=_repository(settings.root) if from_repository else os.getcwd(),
            summary=not arguments.quiet,
            statistics=arguments.statistics,
            unsafe_fixes=arguments.unsafe_fixes,
        )

    def write(self, report: Report, overlays: Mapping[str, bytes], *, beside: bool = False) -> None:
        """Write a report to its file, or to standard output; `beside` something else, to standard error."""
        sources = Sources(self._root, overlays)
        text = reporters.get(self._format).render(report, sources, self._style)
        if self._statistics and self._format != "json":
            from leverlint.reporters import statistics

            table = statistics.render(report, sources, self._style)
            if self._for_people:
                text += table
            else:
                # Programs could not read what is more than their format.
                sys.stderr.write(table)
        if self._file is None and beside:
            sys.stderr.write(text.encode("utf-8", "backslashreplace").decode("utf-8"))
        elif self._file is None:
            to_stdout(text, "" if self._for_people else "utf-8")
        else:
            report_file.write(self._file, text)


def _repository(root: str) -> str:
    """Give the repository that the project is seen from.

    The one around the working directory comes first: it may hold the project's as a submodule.
    """
    here = os.getcwd()
    for directory in (config.repository(here), config.repository(root), here):
        if directory and (root + os.sep).startswith(directory.rstrip(os.sep) + os.sep):
            return directory
    return root


def to_stdout(text: str, encoding: str = "") -> None:
    """Write text, in the encoding of standard output if not in another one."""
    # What an encoding lacks, and names of files that are no text, become escapes; in JSON
    # those are the right spelling of half a surrogate pair.
    encoding = encoding or sys.stdout.encoding or "utf-8"
    data = text.encode(encoding, "backslashreplace")
    try:
        if hasattr(sys.stdout, "buffer"):
            sys.stdout.flush()
            sys.stdout.buffer.write(data)
        else:
            sys.stdout.write(data.decode(encoding))
        sys.stdout.flush()
    except BrokenPipeError:
        from leverlint.cli import silence_stdout

        silence_stdout()


def note(kind: str, message: str) -> None:
    """Say something that is no finding."""
    data = f"leverlint: {kind}: {harmless(message)}\n"
    sys.stderr.write(data.encode("utf-8", "backslashreplace").decode("utf-8"))


def progress() -> Callable[[int, int], None] | None:
    """Give what shows how far a long run is, if somebody is watching."""
    if not sys.stderr.isatty() or "CI" in os.environ:
        return None
    started = time.monotonic()
    shown = 0.0

    def show(done: int, of: int) -> None:
        nonlocal shown
        now = time.monotonic()
        if done >= of:
            if shown:
                sys.stderr.write("\r\x1b[K")
                sys.stderr.flush()
                shown = 0.0
        elif now - started > _PATIENCE and now - shown > _BETWEEN:
            shown = now
            sys.stderr.write(f"\r\x1b[K{done} of {of} files")
            sys.stderr.flush()

    return show
