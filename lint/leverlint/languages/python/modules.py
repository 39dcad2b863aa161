"""Finding the file that an import leads to, without running anything."""

from functools import lru_cache
from typing import TYPE_CHECKING

from leverlint.facts import Path

if TYPE_CHECKING:
    from leverlint.languages import Tree

_SOURCE_ROOTS = ("", "src", "lib", "python")


def locate(path: Path, file: str, tree: "Tree") -> tuple[str, Path] | None:
    """Find the file that an absolute path leads into, and what remains of the path."""
    if not path or path[0] == ".":
        return None
    if path[0].startswith("/"):
        return _relative(path[0].strip("/"), path[1:], tree.files)
    directory = file.rpartition("/")[0]
    while True:
        for root in _SOURCE_ROOTS:
            found = _below("/".join(filter(None, (directory, root))), path, tree.files)
            # A package beside the file that merely has the first name proves nothing yet.
            if found is not None and found[0] != file:
                return found
        if not directory:
            return _anywhere(path, tree.files)
        directory = directory.rpartition("/")[0]


def pulled_in(path: str, source: bytes) -> tuple[str, ...]:
    """Python files are not parts of others."""
    return ()


def parents(path: str, tree: "Tree") -> tuple[str, ...]:
    """Python files are no part of other files."""
    return ()


def _relative(directory: str, names: Path, files: frozenset[str]) -> tuple[str, Path] | None:
    """Look below a directory, and else in the package that it is itself."""
    package = f"{directory}/__init__.py"
    return _below(directory, names, files) or ((package, names) if package in files else None)


def _below(directory: str, names: Path, files: frozenset[str]) -> tuple[str, Path] | None:
    """Take as many names as lead to a module below a directory."""
    for length in range(len(names), 0, -1):
        base = "/".join(filter(None, (directory, *names[:length])))
        for suffix in (".py", "/__init__.py", ".pyi", "/__init__.pyi"):
            if base + suffix in files:
                return base + suffix, names[length:]
    return None


def _anywhere(path: Path, files: frozenset[str]) -> tuple[str, Path] | None:
    """Accept the one file of the tree whose path ends like the module, if there is just one."""
    endings = _endings(files)
    for length in range(len(path), 1, -1):
        found = endings.get("/".join(path[:length]), ())
        if len(found) == 1:
            return found[0], path[length:]
    return None


@lru_cache(maxsize=4)
def _endings(files: frozenset[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for file in sorted(files):
        base = file.removesuffix(".pyi").removesuffix(".py").removesuffix("/__init__")
        if base == file:
            continue
        names = base.split("/")
        for start in range(1, len(names) - 1):
            found.setdefault("/".join(names[start:]), []).append(file)
    return found
