"""Where paths lead: crates, their roots, and the files of their modules."""

import posixpath
import re
from collections.abc import Iterator

from leverlint.facts import Path
from leverlint.languages import Tree

_ROOTS = ("src/lib.rs", "src/main.rs")
_ROOT_NAMES = frozenset({"lib.rs", "main.rs", "mod.rs", "build.rs"})


def locate(path: Path, file: str, tree: Tree) -> tuple[str, Path] | None:
    """Find the file that a path leads into, and what remains of the path."""
    head, rest = path[0], path[1:]
    if head == ".":
        return _own(rest, file, tree)
    if head == "crate":
        root = _root_of(file, tree)
        return _descend(root, rest, tree) if root is not None else _without_root(file, rest, tree)
    if head == "self":
        return _descend(file, rest, tree)
    if head == "super":
        return _above(file, rest, tree)
    child = _child(file, head, tree)
    if child is not None:
        return _descend(child, rest, tree)
    root = _crate_root(head, file, tree)
    return _descend(root, rest, tree) if root is not None else None


_NAMED_FILE = re.compile(rb'(?:#\s*\[\s*path\s*=\s*|include!\s*[(\[{]\s*)"([^"\n]+\.rs)"')


def pulled_in(path: str, source: bytes) -> tuple[str, ...]:
    """Give the files named by `#[path]` and `include!`, as seen from the file's directory."""
    if b"#[path" not in source and b"include!" not in source:
        return ()
    directory = path.rpartition("/")[0]
    named = (match.decode("utf-8", "replace") for match in _NAMED_FILE.findall(source))
    return tuple(posixpath.normpath(posixpath.join(directory, name)) for name in named)


def parents(path: str, tree: Tree) -> tuple[str, ...]:
    """Give the files that may declare `path` as a module of theirs."""
    directory, _, name = path.rpartition("/")
    if name == "mod.rs":
        directory, _, name = directory.rpartition("/")
    place = directory + "/" if directory else ""
    found = [place + candidate for candidate in ("mod.rs", "lib.rs", "main.rs", "build.rs")]
    if directory:
        found.append(directory + ".rs")
    return tuple(candidate for candidate in found if candidate in tree.files and candidate != path)


def _own(names: Path, file: str, tree: Tree) -> tuple[str, Path] | None:
    """Look for a module file of this file's, or a crate, behind a name that no item covers."""
    if not names:
        return None
    child = _child(file, names[0], tree)
    if child is not None:
        return _descend(child, names[1:], tree)
    if len(names) > 1:
        root = _crate_root(names[0], file, tree)
        if root is not None:
            return _descend(root, names[1:], tree)
    return None


def _descend(file: str | None, names: Path, tree: Tree) -> tuple[str, Path] | None:
    if file is None:
        return None
    while names:
        if names[0] == "super":
            return _above(file, names[1:], tree)
        if names[0] == "self":
            names = names[1:]
            continue
        child, taken = _child(file, names[0], tree), 1
        if child is None and len(names) > 1:
            # An inline module that holds a module file.
            child, taken = _nested(file, names, tree)
        if child is None:
            break
        file, names = child, names[taken:]
    return file, names


def _nested(file: str, names: Path, tree: Tree) -> tuple[str | None, int]:
    folder = _folder(file, tree)
    for length in range(2, len(names) + 1):
        stem = folder + "/".join(names[:length])
        for candidate in (stem + ".rs", stem + "/mod.rs"):
            if candidate in tree.files:
                return candidate, length
    return None, 0


def _child(file: str, name: str, tree: Tree) -> str | None:
    """Find the file of `mod name;` in `file`."""
    stem = _folder(file, tree) + name
    for candidate in (stem + ".rs", stem + "/mod.rs"):
        if candidate in tree.files and candidate != file:
            return candidate
    declared = [child for child, parent in tree.submodules.items() if parent == file]
    return next((child for child in declared if _module_name(child) == name), None)


def _module_name(file: str) -> str:
    directory, _, name = file.rpartition("/")
    return directory.rpartition("/")[2] if name == "mod.rs" else name.removesuffix(".rs")


def _folder(file: str, tree: Tree) -> str:
    """Give the folder, with `/`, where the module files of `file` are."""
    directory, _, name = file.rpartition("/")
    place = directory + "/" if directory else ""
    if name in _ROOT_NAMES or _is_root(file, tree):
        return place
    return place + name.removesuffix(".rs") + "/"


def _is_root(file: str, tree: Tree) -> bool:
    """Say whether a file is a crate of its own: `src/bin/x.rs`, `tests/x.rs`, `examples/x.rs`."""
    directory = file.rpartition("/")[0]
    for folder in ("src/bin", "tests", "examples", "benches"):
        if directory == folder or directory.endswith("/" + folder):
            package = directory[: -len(folder)].rstrip("/")
            return not tree.crates or package in tree.crates.values()
    return False


def _above(file: str, rest: Path, tree: Tree) -> tuple[str, Path] | None:
    parent = tree.submodules.get(file) or next(iter(_module_parents(file, tree)), None)
    return _descend(parent, rest, tree) if parent is not None else None


def _module_parents(file: str, tree: Tree) -> Iterator[str]:
    if file.rpartition("/")[2] in ("lib.rs", "main.rs", "build.rs") or _is_root(file, tree):
        return
    candidates = parents(file, tree)
    directory = file.rpartition("/")[0]
    own = directory.rpartition("/")[0] if file.endswith("/mod.rs") else directory
    # `foo.rs` beside `foo/` comes before a `main.rs` that happens to lie in `foo/`.
    yield from sorted(candidates, key=lambda found: found not in (own + "/mod.rs", own + ".rs"))


def _root_of(file: str, tree: Tree) -> str | None:
    """Find the root of the crate that `file` is part of."""
    current = file
    for _ in range(64):
        if _is_root(current, tree) or current.rpartition("/")[2] in ("lib.rs", "main.rs", "build.rs"):
            return current
        parent = tree.submodules.get(current) or next(_module_parents(current, tree), None)
        if parent is None:
            break
        current = parent
    directory = _package_of(file, tree)
    return _first(directory, tree) if directory is not None else None


def _without_root(file: str, names: Path, tree: Tree) -> tuple[str, Path] | None:
    """Look for a module from the source folder on, when the tree lacks the file that declares it."""
    before, source, _ = file.rpartition("src/")
    folder = before + source if source else file[: file.rfind("/") + 1]
    if not names:
        return None
    for candidate in (f"{folder}{names[0]}.rs", f"{folder}{names[0]}/mod.rs"):
        if candidate in tree.files:
            return _descend(candidate, names[1:], tree)
    return None


def _package_of(file: str, tree: Tree) -> str | None:
    fitting = [d for d in tree.crates.values() if not d or file.startswith(d + "/")]
    return max(fitting, key=len, default=None)


def _crate_root(name: str, file: str, tree: Tree) -> str | None:
    """Find the root file of another crate of the tree."""
    directory = tree.crates.get(name)
    return _first(directory, tree) if directory is not None else None


def _first(directory: str, tree: Tree) -> str | None:
    place = directory + "/" if directory else ""
    return next((place + root for root in (*_ROOTS, "lib.rs") if place + root in tree.files), None)
