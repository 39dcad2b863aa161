"""leverlint inside flake8: the Python findings of one pass over the whole project.

flake8 hands out files one by one, possibly to several processes, and dies of any exception
in a plugin. So the pass is made once, before flake8 starts its workers; those that do not
inherit it (start methods `spawn` and `forkserver`) find it in a file. Nothing is raised.
"""

import contextlib
import os
import sys
from collections.abc import Iterator

from leverlint import __version__

TYPE_CHECKING = False

if TYPE_CHECKING:
    import argparse
    import ast
    from collections.abc import Mapping
    from typing import Any

Found = tuple[int, int, str]
"""Line from 1, column from 0, and the code with its message."""

HANDOVER = "LEVERLINT_FLAKE8_INDEX"
"""Environment variable that tells worker processes where the findings are."""

FAILURE = "LVR900"

_STDIN = "-"


class LeverPlugin:
    name = "leverlint"
    version = __version__

    _enabled = True
    _config: "str | None" = None
    _baseline: "str | None" = None
    _found: "Mapping[str, list[Found]] | None" = None
    _stdin = ""
    _failure = ""

    def __init__(self, tree: "ast.AST", filename: str, lines: "list[str]") -> None:
        self._filename = filename
        self._lines = lines

    @classmethod
    def add_options(cls, manager: "Any") -> None:
        manager.add_option(
            "--leverlint-config",
            metavar="FILE",
            parse_from_config=True,
            normalize_paths=True,
            help="leverlint's own configuration file (default: found as `leverlint check` does)",
        )

        manager.add_option(
            "--leverlint-baseline",
            metavar="FILE",
            parse_from_config=True,
            normalize_paths=True,
            help="leave out the findings that this file holds, as `leverlint check --baseline` does",
        )

    @classmethod
    def parse_options(cls, manager: "Any", options: "argparse.Namespace", args: "list[str]") -> None:
        """Make the pass over the project. flake8 calls this before it starts workers, and in those again."""
        cls._found, cls._failure, cls._stdin = None, "", ""
        try:
            cls._config, cls._baseline = options.leverlint_config, options.leverlint_baseline
            cls._enabled = _wanted(options)
            paths = [path for path in options.filenames if path != _STDIN]
            if _STDIN in options.filenames:
                cls._stdin = os.path.abspath(options.stdin_display_name)
            if not cls._enabled or (cls._stdin and not paths):
                return
            handed_over = _handed_over()
            if handed_over is not None:
                cls._found = handed_over
                return
            cls._found = _project(cls._config, cls._baseline, paths, {})
            _hand_over(cls._found)
        except Exception as error:
            cls._failure = _described(error)

    def run(self) -> "Iterator[tuple[int, int, str, type[LeverPlugin]]]":
        if not self._enabled:
            return
        for line, column, text in self._here():
            yield line, column, text, type(self)

    def _here(self) -> "list[Found]":
        cls = type(self)
        if not cls._failure:
            path = os.path.abspath(self._filename)
            try:
                if path == cls._stdin:
                    return _of_stdin(cls._config, cls._baseline, path, "".join(self._lines))
                return (cls._found or {}).get(path, [])
            except Exception as error:
                cls._failure = _described(error)
        # Once is enough; every file would say the same.
        failure, cls._enabled = cls._failure, False
        return [(1, 0, f"{FAILURE} leverlint could not run: {failure}")]


def _wanted(options: "argparse.Namespace") -> bool:
    """Say whether flake8 would show anything of ours: if not, the project need not be read."""
    select = [*(options.select or ()), *(options.extend_select or ())] if options.select else []
    ignore = [*(options.ignore or ()), *(options.extend_ignore or ())]
    if select:
        return any(code.startswith("LVR") or "LVR".startswith(code) for code in select)
    return not any("LVR".startswith(code) for code in ignore)


def _project(
    config_file: "str | None",
    baseline_file: "str | None",
    paths: "list[str]",
    overlays: "Mapping[str, bytes]",
) -> "dict[str, list[Found]]":
    """Check the project around the working directory; give the findings by absolute path."""
    from leverlint.import_path import without_here

    # Other plugins may need what flake8 has there, so it is back afterwards.
    before = sys.path[:]
    sys.path[:] = without_here(before)
    try:
        return _checked(config_file, baseline_file, paths, overlays)
    finally:
        sys.path[:] = before


def _checked(
    config_file: "str | None",
    baseline_file: "str | None",
    paths: "list[str]",
    overlays: "Mapping[str, bytes]",
) -> "dict[str, list[Found]]":
    from leverlint import config, engine
    from leverlint.sources import Sources

    settings = config.load(os.getcwd(), config_file)
    inside = {
        os.path.relpath(path, settings.root).replace(os.sep, "/"): data for path, data in overlays.items()
    }
    report = engine.check(
        settings,
        [path for path in paths if os.path.exists(path)] + [*overlays],
        overlays=inside,
        cache_dir=os.path.join(settings.root, config.CACHE_DIRECTORY),
        elsewhere=baseline_file is not None,
    )
    sources = Sources(settings.root, inside)
    if baseline_file is not None:
        from leverlint import baseline
        from leverlint.baseline_file import read

        report = baseline.apply(report, read(baseline_file), sources).report
    found: dict[str, list[Found]] = {}
    for finding in report.findings:
        line, column = sources.position(finding.path, finding.span.start)
        path = os.path.normpath(os.path.join(settings.root, finding.path))
        text = f"{finding.code} {' '.join(finding.message.split())}"
        found.setdefault(path, []).append((line, column - 1, text))
    return found


def _of_stdin(config_file: "str | None", baseline_file: "str | None", path: str, text: str) -> "list[Found]":
    """Check what an editor pipes in, in the place of the file that it names."""
    if not path.endswith((".py", ".pyi")):
        path += ".py"
    return _project(config_file, baseline_file, [], {path: text.encode()}).get(path, [])


def _described(error: Exception) -> str:
    from leverlint.errors import LeverlintError

    if isinstance(error, LeverlintError):
        return " ".join(filter(None, (error.message, error.hint and f"({error.hint})")))
    return " ".join(f"{type(error).__name__}: {error}".split())


def _is_worker() -> bool:
    """Tell a process of flake8's pool, which flake8 has `multiprocessing` imported for."""
    multiprocessing = sys.modules.get("multiprocessing")
    return multiprocessing is not None and multiprocessing.parent_process() is not None


def _hand_over(found: "Mapping[str, list[Found]]") -> None:
    """Leave the findings for workers that start afresh, until this process ends."""
    import atexit
    import json
    import tempfile

    descriptor, path = tempfile.mkstemp(prefix="leverlint-flake8-", suffix=".json")
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        json.dump(found, file)
    os.environ[HANDOVER] = path  # leverlint: allow(env-write) -- the only channel to flake8's workers
    atexit.register(_take_back, path, os.getpid())


def _take_back(path: str, owner: int) -> None:
    # A forked worker inherits the registration, but not the duty.
    if os.getpid() == owner:
        with contextlib.suppress(OSError):
            os.unlink(path)


def _handed_over() -> "Mapping[str, list[Found]] | None":
    """Give what the parent process found, in a worker that did not inherit it."""
    path = os.environ.get(HANDOVER) if _is_worker() else None
    if path is None:
        return None
    import json

    try:
        with open(path, encoding="utf-8") as file:
            loaded = json.load(file)
    except (OSError, ValueError):
        return None
    return {path: [(line, column, text) for line, column, text in found] for path, found in loaded.items()}
