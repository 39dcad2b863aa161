"""Which files make up the project, and which of them a run is asked about.

Every front door looks at the whole project; paths that are given only say what to report.
Directories are walked without following links, and ignored ones are not entered.
"""

import os
import re
import stat
from collections.abc import Collection, Sequence
from typing import NamedTuple

from leverlint import globs, ignore_files, output_folders, small_files
from leverlint.config import COMMAND_LINE, DEFAULT_EXCLUDE, Config
from leverlint.config_files import FILE_NAMES
from leverlint.errors import LeverlintError
from leverlint.ignore_files import IgnoreFile
from leverlint.report import Skipped

SUFFIXES = (".py", ".pyi", ".rs")

# Left to be compiled (and kept) by `re` when there is a manifest to read.
_SECTION = r"(?m)^[ \t]*\[[ \t]*([\w.-]+)[ \t]*\]"
_NAME = r"""(?m)^[ \t]*name[ \t]*=[ \t]*["']([\w-]+)["']"""


class Discovery(NamedTuple):
    files: tuple[str, ...]
    """All files of the project, sorted, relative to the root with `/`; `../` for explicit
    paths outside of it."""
    asked: frozenset[str] | None
    """The files to report on; `None` for all."""
    crates: dict[str, str]
    """Rust crate name (with `_`) to the directory of its `Cargo.toml` (`""` for the root)."""
    skipped: tuple[Skipped, ...]
    """What could not be entered or opened, sorted."""
    configs: tuple[str, ...]
    """Nested configuration files that hold for some of the files."""
    documentation: tuple[str, ...] = ()
    """Files that `docs` matches, sorted; only when asked for."""

    def is_asked(self, path: str) -> bool:
        return self.asked is None or path in self.asked


def discover(
    root: str,
    paths: Sequence[str],
    config: Config,
    *,
    force_exclude: bool = False,
    extra: Collection[str] = (),
    documentation: bool = False,
) -> Discovery:
    """Find the files of the project at `root`, and what `paths` (of the file system) ask for.

    `extra` are files, relative to the root, that exist in memory only. With
    `force_exclude`, explicit paths are as subject to ignore files as all others. With
    `documentation`, the files that `docs` matches are collected as well.
    """
    walk = _Walk(root, config, documentation)
    walk.enter("", config, ignore_files.above(root) if config.respect_gitignore else ())
    walk.settle()
    walk.files.update(extra)
    asked = _asked(walk, root, paths, force_exclude) if paths else None
    walk.tell([_relative(root, path) for path in paths])
    return Discovery(
        files=tuple(sorted(walk.files)),
        asked=asked,
        crates=walk.crates(),
        skipped=tuple(sorted(walk.skipped)),
        configs=tuple(sorted(walk.configs)),
        documentation=tuple(sorted(walk.documentation)),
    )


def _asked(walk: "_Walk", root: str, paths: Sequence[str], force_exclude: bool) -> frozenset[str] | None:
    asked: set[str] = set()
    for given in paths:
        path = _relative(root, given)
        if path in walk.files:
            asked.add(path)
            continue
        mode = _mode(given, os.path.join(root, path))
        if not stat.S_ISDIR(mode):
            if not path.endswith(SUFFIXES):
                walk.skipped.append(Skipped(path, "is neither Python nor Rust"))
            elif not force_exclude:
                walk.files.add(path)
                walk.note(walk.config.for_path(path))
                asked.add(path)
            continue
        if path == "":
            return None
        if path not in walk.entered and not (force_exclude and not path.startswith("../")):
            walk.enter(path, walk.config.for_path(f"{path}/x"), ())
        inside = path + "/"
        asked.update(file for file in walk.files if file.startswith(inside))
    return frozenset(asked)


def _mode(given: str, path: str) -> int:
    try:
        return os.stat(path).st_mode
    except OSError as error:
        raise LeverlintError(f"{given}: {(error.strerror or str(error)).lower()}") from None


def _relative(root: str, given: str) -> str:
    """Give an explicit path relative to the root, through links if only they lead inside."""
    path = _inside(root, os.path.abspath(given))
    if path.startswith("../") or path == "..":
        real = _inside(os.path.realpath(root), os.path.realpath(given))
        if not real.startswith("../") and real != "..":
            return real
    return path


def _inside(root: str, path: str) -> str:
    if path == root:
        return ""
    return os.path.relpath(path, root).replace(os.sep, "/")


class _Doubtful(NamedTuple):
    """A folder that is left out because of its name alone."""

    path: str
    config: Config
    ignores: tuple[IgnoreFile, ...]
    ignored: bool
    """Ignore files name it as well."""


class _Walk:
    def __init__(self, root: str, config: Config, documentation: bool = False) -> None:
        self.config = config
        self.files: set[str] = set()
        self.documentation: set[str] = set()
        self.skipped: list[Skipped] = []
        self.configs: set[str] = set()
        self.entered: set[str] = set()
        self._root = root
        self._wants_documentation = documentation
        self._manifests: set[str] = set()
        self._noted: set[int] = set()
        self._doubtful: list[_Doubtful] = []
        self._left_out: list[str] = []

    def enter(self, directory: str, config: Config, ignores: tuple[IgnoreFile, ...]) -> None:
        """Collect what is in a directory and below it."""
        pending = [(directory, config, ignores)]
        while pending:
            directory, config, ignores = pending.pop()
            if directory in self.entered:
                continue
            self.entered.add(directory)
            entries = self._entries(directory)
            names = {entry.name for entry in entries}
            config = self._config(directory, config, names)
            self.note(config)
            if config.respect_gitignore:
                ignores = self._ignores(directory, ignores, names)
            excluded = globs.compiled(config.exclude + config.extend_exclude).matches_entry
            prefix = directory + "/" if directory else ""
            # A check has no use for documentation and must not pay for it.
            is_documentation = globs.compiled(config.docs).matches if self._wants_documentation else None
            for entry in entries:
                name = entry.name
                if entry.is_dir(follow_symlinks=False):
                    path = prefix + name
                    out, ignored = excluded(path, name, True), _ignored(ignores, path, name, True)
                    if not out and not ignored:
                        pending.append((path, config, ignores))
                    elif name in output_folders.NAMES and not _is_stated(config, path, name):
                        self._doubtful.append(_Doubtful(path, config, ignores, ignored))
                elif name.endswith(SUFFIXES) or name == "Cargo.toml":
                    path = prefix + name
                    if not excluded(path, name, False) and not _ignored(ignores, path, name, False):
                        self._take(entry, path, self._manifests if name == "Cargo.toml" else self.files)
                elif (
                    is_documentation
                    and is_documentation(path := prefix + name)
                    and not excluded(path, name, False)
                    and not _ignored(ignores, path, name, False)
                ):
                    self._take(entry, path, self.documentation)

    def settle(self) -> None:
        """Enter the folders that hold sources although they are called like outputs."""
        folders = output_folders.OutputFolders(self._root)
        while self._doubtful:
            path, config, ignores, ignored = self._doubtful.pop()
            if folders.holds_sources(path, ignored, self.files):
                self.enter(path, config, ignores)
            elif not ignored and folders.is_worth_telling(path):
                self._left_out.append(path)

    def tell(self, asked: Sequence[str]) -> None:
        """Say which folders with sources are left out, of those that are asked about."""
        self.skipped += [
            Skipped(path, "is called like a folder of outputs, and nothing in the project refers to it")
            for path in self._left_out
            if path not in self.entered and (not asked or any(_is_below(path, each) for each in asked))
        ]

    def _entries(self, directory: str) -> list[os.DirEntry[str]]:
        try:
            with os.scandir(os.path.join(self._root, directory)) as entries:
                return list(entries)
        except OSError as error:
            why = f"cannot be entered: {(error.strerror or str(error)).lower()}"
            self.skipped.append(Skipped(directory or ".", why))
            return []

    def _config(self, directory: str, outer: Config, names: set[str]) -> Config:
        if outer.nested is None or not directory or directory.startswith("../"):
            return outer
        if names.isdisjoint(FILE_NAMES):
            outer.nested.without_file(directory)
            return outer
        return outer.nested.for_directory(directory)

    def note(self, config: Config) -> None:
        """Remember the files that settings other than the root's come from."""
        if config is not self.config and id(config) not in self._noted:
            self._noted.add(id(config))
            paths = {origin.path for origin in config.sources.values()}
            self.configs |= paths - {origin.path for origin in self.config.sources.values()} - {COMMAND_LINE}

    def _ignores(
        self, directory: str, outer: tuple[IgnoreFile, ...], names: set[str]
    ) -> tuple[IgnoreFile, ...]:
        for name in ignore_files.NAMES:
            if name not in names:
                continue
            try:
                outer = (*outer, ignore_files.read(directory, os.path.join(self._root, directory, name)))
            except OSError as error:
                path = f"{directory}/{name}" if directory else name
                self.skipped.append(Skipped(path, (error.strerror or str(error)).lower()))
        return outer

    def _take(self, entry: os.DirEntry[str], path: str, into: set[str]) -> None:
        if entry.is_symlink() and not self._leads_inside(entry, path):
            return
        try:
            regular = entry.is_file()
        except OSError:
            regular = False
        if regular:
            into.add(path)

    def _leads_inside(self, entry: os.DirEntry[str], path: str) -> bool:
        if not os.path.exists(entry.path):
            self.skipped.append(Skipped(path, "is a link to nothing"))
            return False
        if os.path.isdir(entry.path):
            return False
        if _inside(os.path.realpath(self._root), os.path.realpath(entry.path)).startswith("../"):
            self.skipped.append(Skipped(path, "is a link out of the project"))
            return False
        return True

    def crates(self) -> dict[str, str]:
        found: dict[str, str] = {}
        # The crate nearest to the root wins over a vendored copy of the same name.
        for path in sorted(self._manifests, key=lambda path: (path.count("/"), path)):
            directory = path.rpartition("/")[0]
            for name in _crate_names(os.path.join(self._root, path)):
                found.setdefault(name, directory)
        return found


def _is_stated(config: Config, path: str, name: str) -> bool:
    """Say whether somebody has written down that a directory is to be left out."""
    stated = config.exclude if config.exclude != DEFAULT_EXCLUDE else ()
    return globs.compiled(stated + config.extend_exclude).matches_entry(path, name, True)


def _is_below(path: str, directory: str) -> bool:
    return not directory or path.startswith(directory + "/")


def _ignored(ignores: tuple[IgnoreFile, ...], path: str, name: str, directory: bool) -> bool:
    for file in reversed(ignores):
        verdict = file.verdict(path, name, directory)
        if verdict is not None:
            return verdict
    return False


def _crate_names(manifest: str) -> list[str]:
    """Give the names that a crate goes by in `use`: of its package and of its library.

    The standard parser takes longer to import than all manifests take to be scanned.
    """
    try:
        text = small_files.read(manifest).decode("utf-8", "replace")
    except OSError:
        return []
    names = []
    sections = [*re.finditer(_SECTION, text)]
    for index, section in enumerate(sections):
        if section[1] in ("package", "lib"):
            end = sections[index + 1].start() if index + 1 < len(sections) else len(text)
            if match := re.search(_NAME, text[section.end() : end]):
                names.append(match[1].replace("-", "_"))
    return names
