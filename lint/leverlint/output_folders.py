"""Folders that are called like outputs and may hold sources all the same: `src/dist/mod.rs`.

What the default `exclude` leaves out by its name is checked when the project says that it is a
part of itself: by `mod`, by an import, by a manifest, or because git tracks it. That is read off
the bytes: a run that finds nothing changed loads no language.
"""

import os
import re
from collections.abc import Collection, Iterator

from leverlint import small_files
from leverlint.git_index import GitIndex

NAMES = frozenset({"_build", "buck-out", "build", "dist", "env", "target", "venv"})

_SIGNS = frozenset({"CACHEDIR.TAG", ".rustc_info.json", "pyvenv.cfg"})
"""What tools leave in the folders that they have made."""
_MANIFESTS = frozenset({"Cargo.toml", "pyproject.toml"})
_TARGETS = frozenset({"bin", "tests", "examples", "benches"})
"""Folders in which cargo takes every folder with a `main.rs` for a program."""
_PYTHON = (".py", ".pyi")
_MOST = 2000
"""Entries that are looked at for sources."""


class OutputFolders:
    """Answers about folders of the tree at `root`."""

    def __init__(self, root: str) -> None:
        self._root = root
        self._index: GitIndex | None = None

    def holds_sources(self, folder: str, ignored: bool, files: Collection[str]) -> bool:
        """Say whether a folder is a part of the project; `files` are those that are known to be."""
        names = self._names(folder)
        if not _SIGNS.isdisjoint(names) or not any(self._sources(folder)):
            return False
        if self._index is None:
            self._index = GitIndex(self._root)
        if self._index and (ignored or self._index.tracks(folder)):
            # Where there is a repository, its word is the last one on what it was told to ignore.
            return self._index.tracks(folder)
        return (
            not _MANIFESTS.isdisjoint(names)
            or self._is_rust_module(folder, names)
            or self._is_package(folder, names, files)
        )

    def is_worth_telling(self, folder: str) -> bool:
        """Say whether somebody may miss what is in a folder."""
        return _SIGNS.isdisjoint(self._names(folder)) and any(self._sources(folder))

    # --- What is there ----------------------------------------------------------------------------

    def _names(self, folder: str) -> list[str]:
        try:
            return sorted(os.listdir(os.path.join(self._root, folder)))
        except OSError:
            return []

    def _sources(self, folder: str) -> Iterator[str]:
        seen = 0
        for directory, folders, names in os.walk(os.path.join(self._root, folder)):
            yield from (os.path.join(directory, name) for name in names if name.endswith((*_PYTHON, ".rs")))
            seen += len(folders) + len(names)
            if seen > _MOST:
                return

    def _content(self, path: str) -> bytes:
        try:
            return small_files.read(os.path.join(self._root, path))
        except OSError:
            return b""

    # --- What makes it a part of the project ------------------------------------------------------

    def _is_rust_module(self, folder: str, names: list[str]) -> bool:
        around, _, name = folder.rpartition("/")
        if "main.rs" in names and around.rpartition("/")[2] in _TARGETS:
            return True
        said = re.compile(
            rb'\bmod\s+%s\s*;|"(?:[^"\n]*/)?%s/[^"\n]*\.rs"' % ((re.escape(name.encode()),) * 2)
        )
        beside = [f"{around}/{each}".lstrip("/") for each in self._names(around) if each.endswith(".rs")]
        return any(said.search(self._content(path)) for path in (*beside, f"{around}.rs"))

    def _is_package(self, folder: str, names: list[str], files: Collection[str]) -> bool:
        if not any(name.endswith(_PYTHON) for name in names):
            return False
        around, _, name = folder.rpartition("/")
        if "__init__.py" in names and "__init__.py" in self._names(around):
            return True
        imports = _imports(name, around.rpartition("/")[2])
        return any(
            imports.search(self._content(path))
            for path in sorted(files, key=lambda path: (not path.startswith(around), path))
            if path.endswith(_PYTHON)
        )


def _imports(name: str, around: str) -> re.Pattern[bytes]:
    """Give what imports of a package in a certain folder look like, relative or absolute."""
    package, outer = re.escape(name.encode()), re.escape(around.encode())
    before = rb"(?:\.+|(?:[\w.]*\b%s\.)?)" % outer if around else rb"\.*"
    holder = rb"(?:\.+|[\w.]*\b%s)" % outer if around else rb"\.+"
    forms = (
        rb"from[ \t]+%s%s\b" % (before, package),
        rb"import[ \t]+(?:[\w.]+[ \t]*,[ \t]*)*%s%s\b" % (before, package),
        rb"from[ \t]+%s[ \t]+import[\s(]+(?:\w+[ \t]*,\s*)*%s\b" % (holder, package),
    )
    return re.compile(rb"^[ \t]*(?:%s)" % b"|".join(forms), re.MULTILINE)
