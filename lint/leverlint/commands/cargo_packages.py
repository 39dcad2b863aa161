"""Which directories the options of cargo speak about; cargo itself is asked."""

import json
import os
import subprocess
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from typing import NamedTuple

from leverlint.discovery import SUFFIXES
from leverlint.errors import LeverlintError, did_you_mean


class Choice(NamedTuple):
    """What the command line says about packages."""

    manifest: str = ""
    workspace: bool = False
    packages: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()


class _Package(NamedTuple):
    id: str
    name: str
    version: str
    directory: str


def program() -> str:
    """Give the cargo that this is a subcommand of."""
    return os.environ.get("CARGO") or "cargo"


def directories(choice: Choice) -> list[str]:
    """Give the directories and files of the chosen packages; without a choice that of the package around."""
    if choice.packages or choice.exclude:
        return _of_packages(choice)
    scope = ["--workspace"] if choice.workspace else []
    manifest = _cargo(choice, "locate-project", "--message-format", "plain", *scope)
    return [os.path.relpath(os.path.dirname(manifest.strip()))]


def _of_packages(choice: Choice) -> list[str]:
    metadata = json.loads(_cargo(choice, "metadata", "--no-deps", "--format-version", "1"))
    known = [
        _Package(one["id"], one["name"], one["version"], os.path.dirname(one["manifest_path"]))
        for one in metadata["packages"]
    ]
    chosen = set(_named(choice.packages, known) if choice.packages else known)
    chosen.difference_update(_named(choice.exclude, known))
    found: list[str] = []
    for package in sorted(chosen, key=lambda one: one.directory):
        others = {one.directory for one in known if one != package}
        found += _without(package.directory, others)
    return [os.path.relpath(path) for path in found]


def _named(specifications: Iterable[str], known: Sequence[_Package]) -> list[_Package]:
    named: list[_Package] = []
    for specification in specifications:
        found = [package for package in known if _fits(package, specification)]
        if not found:
            hint = did_you_mean(specification, [package.name for package in known])
            raise LeverlintError(f"there is no package `{specification}` in the workspace", hint)
        named += found
    return named


def _fits(package: _Package, specification: str) -> bool:
    names = (package.name, f"{package.name}@{package.version}", f"{package.name}:{package.version}")
    url = package.id.removeprefix("path+")
    if specification.removeprefix("path+") in (url, url.partition("#")[0]):
        return True
    return any(fnmatchcase(name, specification) for name in names)


def _without(directory: str, others: set[str]) -> list[str]:
    """Give what is to be looked at in a directory, without the packages within."""
    inside = directory + os.sep
    if not any(other.startswith(inside) for other in others):
        return [directory]
    found: list[str] = []
    for entry in sorted(os.scandir(directory), key=lambda one: one.name):
        if entry.is_dir(follow_symlinks=False):
            found += _without(entry.path, others) if entry.path not in others else []
        elif entry.name.endswith(SUFFIXES):
            found.append(entry.path)
    return found


def _cargo(choice: Choice, *arguments: str) -> str:
    manifest = ["--manifest-path", choice.manifest] if choice.manifest else []
    try:
        done = subprocess.run([program(), *arguments, *manifest], capture_output=True, check=True)
    except OSError as error:
        raise LeverlintError(
            f"`{program()}` cannot be started: {(error.strerror or str(error)).lower()}",
            "`leverlint check` does without it",
        ) from None
    except subprocess.CalledProcessError as error:
        said = error.stderr.decode("utf-8", "replace").strip().removeprefix("error: ")
        raise LeverlintError(f"cargo: {said}") from None
    return done.stdout.decode("utf-8", "surrogateescape")
