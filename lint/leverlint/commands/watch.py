"""`leverlint check --watch`: the report again whenever a file of the project changes."""

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from leverlint import languages
from leverlint.cache import Stamp, stamp
from leverlint.commands.gate import Gate
from leverlint.commands.options import asked, cache_directory, load
from leverlint.commands.output import Output, note, progress
from leverlint.config import Config
from leverlint.config_files import FILE_NAMES
from leverlint.errors import LeverlintError
from leverlint.ignore_files import NAMES as IGNORE_FILES
from leverlint.reporters import FORMATS
from leverlint.session import Session

_CLEAR = "\x1b[2J\x1b[3J\x1b[H"
_STEP = 30
"""Milliseconds without a change after which those that there were are looked at."""
_PAUSE = 500
_PAUSES = 10
"""It also looks unasked, after so many pauses of so many milliseconds: what changes while directories
come and go raises no event."""
_STATING = (*FILE_NAMES, *IGNORE_FILES)

Changes = set[tuple[Any, str]]
Watching = Callable[..., Iterator[Changes]]
Stamps = dict[str, Stamp]


def watch(arguments: argparse.Namespace) -> int:
    """Check until interrupted."""
    _refuse(arguments)
    watching = _watcher()
    paths: list[str] = arguments.paths
    settings = load(arguments, paths)
    while True:
        begun = time.time_ns()
        session = _session(arguments, settings, paths)
        _show(arguments, session, paths)
        session.remember()
        _say(arguments, "checked")
        files, stated = _files(session, begun), _statements(session, begun)
        for _ in _when_to_look(session, watching):
            if _statements(session) != stated:
                break
            started, before = time.perf_counter(), session.report()
            known, files = files, _catch_up(session, files)
            if files != known or session.report() != before:
                _show(arguments, session, paths)
                _say(arguments, f"checked in {time.perf_counter() - started:.2f} s")
        settings = _reloaded(arguments, settings, paths)


def _refuse(arguments: argparse.Namespace) -> None:
    """Refuse what makes no sense again and again."""
    if arguments.show_config:
        raise LeverlintError("`--show-config` prints once what holds: leave `--watch` out")
    if arguments.stdin_filename is not None or "-" in arguments.paths:
        raise LeverlintError("`--watch` takes files, not standard input")
    if arguments.write_baseline:
        raise LeverlintError("`--watch` does not write a baseline", "write it once, then watch")
    if arguments.output_file is None and not FORMATS[arguments.output_format].for_people:
        raise LeverlintError(
            f"`--watch` prints one report after the other, which is no {arguments.output_format}",
            "use a format for people, or `--output-file`",
        )


def _watcher() -> Watching:
    try:
        from watchfiles import watch as watching
    except ImportError:
        raise LeverlintError(
            "`--watch` needs watchfiles, which is not installed", "pip install 'leverlint[watch]'"
        ) from None
    return watching


def _session(arguments: argparse.Namespace, settings: Config, paths: Sequence[str]) -> Session:
    return Session(
        settings,
        asked(settings, paths),
        elsewhere=arguments.baseline is not None,
        cache_dir=cache_directory(arguments, settings),
        jobs=arguments.jobs,
        progress=None if arguments.quiet else progress(),
    )


def _show(arguments: argparse.Namespace, session: Session, paths: Sequence[str]) -> None:
    gate = Gate(arguments, session.config, asked(session.config, paths))
    report = gate.let_through(session.report(), session.sources)
    if sys.stdout.isatty() and arguments.output_file is None:
        sys.stdout.write(_CLEAR)
    Output(arguments, session.config).write(report, {})


def _say(arguments: argparse.Namespace, what: str) -> None:
    if not arguments.quiet:
        note("note", f"{what} at {time.strftime('%H:%M:%S')}; waiting for changes, Ctrl-C ends this")


def _when_to_look(session: Session, watching: Watching) -> Iterator[None]:
    """Come back when something may have changed.

    Directories are watched one by one: what is ignored may be larger than the project.
    """
    idle = 0
    while True:
        directories = _directories(session)
        for changes in watching(
            *directories,
            recursive=False,
            step=_STEP,
            watch_filter=_matters,
            rust_timeout=_PAUSE,
            yield_on_timeout=True,
        ):
            # The first pause is over when the directories are watched.
            if changes or idle % _PAUSES == 0:
                yield
            idle = 0 if changes else idle + 1
            if changes and _directories(session) != directories:
                idle = 0
                break


def _directories(session: Session) -> list[str]:
    """Give the directories of all files of the project, and those around them."""
    found = {""}
    for path in (*session.found.files, *session.found.configs):
        directory = path.rpartition("/")[0]
        while directory not in found:
            found.add(directory)
            directory = directory.rpartition("/")[0]
    root = session.config.root
    return sorted(path for each in found if os.path.isdir(path := os.path.join(root, each)))


def _matters(change: object, path: str) -> bool:
    name = os.path.basename(path)
    return languages.name_for(path) is not None or name in _STATING or os.path.isdir(path)


def _statements(session: Session, begun: int | None = None) -> Stamps:
    """Give the stamps of the files that say what belongs to the project, and what holds for it."""
    places = [os.path.join(each, name) for each in _directories(session) for name in _STATING]
    return _stamps(places, begun)


def _files(session: Session, begun: int | None = None) -> Stamps:
    root = session.config.root
    return _stamps([os.path.join(root, path) for path in session.found.files], begun)


def _stamps(paths: Sequence[str], begun: int | None) -> Stamps:
    """Give stamps of the files that are there; what has changed since `begun` may have been read before."""
    found = ((path, stamp(path)) for path in paths)
    return {path: at for path, at in found if at and (begun is None or at[0] < begun)}


def _catch_up(session: Session, known: Stamps) -> Stamps:
    """Have the session read what has changed, and give the stamps of all files."""
    session.look_around()
    files = _files(session)
    for path, at in files.items():
        if known.get(path) != at:
            session.touch(os.path.relpath(path, session.config.root).replace(os.sep, "/"))
    return files


def _reloaded(arguments: argparse.Namespace, settings: Config, paths: Sequence[str]) -> Config:
    """Read the configuration anew; what cannot be read is told, and the last one goes on."""
    try:
        return load(arguments, paths)
    except LeverlintError as error:
        note("error", error.message)
        if error.hint:
            note("hint", error.hint)
        return settings
