"""The settings that hold for a file: defaults, configuration files from the outside in, command line.

The outermost configuration file makes its directory the root of the project. Nested ones
extend it: their keys win one by one, tables merge.
"""

import os
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import NamedTuple

from leverlint import config_files, globs
from leverlint.config_files import ConfigFile
from leverlint.config_keys import GLOBS, KEYS, SELECTORS, WrongValue
from leverlint.errors import LeverlintError, did_you_mean
from leverlint.facts import Span

CACHE_DIRECTORY = ".leverlint_cache"

DEFAULT_EXCLUDE = (
    ".bzr",
    ".direnv",
    ".eggs",
    ".git",
    ".git-rewrite",
    ".hg",
    ".ipynb_checkpoints",
    CACHE_DIRECTORY,
    ".mypy_cache",
    ".nox",
    ".pants.d",
    ".pyenv",
    ".pytest_cache",
    ".pytype",
    ".ruff_cache",
    ".svn",
    ".tox",
    ".venv",
    ".vscode",
    "__pycache__",
    "__pypackages__",
    "_build",
    "buck-out",
    "build",
    "dist",
    "node_modules",
    "site-packages",
    "target",
    "venv",
)

COMMAND_LINE = "command line"

Selectors = Collection[str] | Callable[[], Collection[str]]
"""Codes, code prefixes and names that select rules; a function spares loading the rules
when no configuration names any."""


class Origin(NamedTuple):
    """Where a key was set."""

    path: str
    """Of the file, relative to the root; or `COMMAND_LINE`."""
    line: int
    span: Span
    """The key and its value in the file."""


class Config(NamedTuple):
    root: str = ""
    """Absolute path of the project; patterns and paths of facts are relative to it."""
    prefixes: tuple[str, ...] = ("ATLAS_",)
    names: tuple[str, ...] = ()
    resolvers: tuple[str, ...] = (
        "**/levers.py",
        "**/levers.rs",
        "**/*_levers.py",
        "**/*_levers.rs",
        "**/levers/**",
        "**/envs.py",
    )
    hot: tuple[str, ...] = ()
    tests: str = "allow"
    pairs: tuple[tuple[str, ...], ...] = ()
    allow_names: tuple[str, ...] = ()
    removed: Mapping[str, str] = {}
    select: tuple[str, ...] | None = None
    """`None` selects the rules that are on by default."""
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    per_file_ignores: Mapping[str, tuple[str, ...]] = {}
    severity: Mapping[str, str] = {}
    exclude: tuple[str, ...] = DEFAULT_EXCLUDE
    extend_exclude: tuple[str, ...] = ()
    respect_gitignore: bool = True
    docs: tuple[str, ...] = ("**/*.md", "**/*.rst")
    wrappers: Mapping[str, int] = {}
    accessor: Mapping[str, str] = {
        "python": "{group}.get().{field}",
        "rust": "{group}::get().{field}",
    }
    """By language."""
    require_reason: bool = False
    sources: Mapping[str, Origin] = {}
    """Where each key (as spelt in files) was set; keys that hold their default are missing."""
    nested: "Nested | None" = None
    """What finds configuration files further in; `None` when there is only this one."""

    def for_path(self, path: str) -> "Config":
        """Give the settings for a file by its path relative to the root."""
        if self.nested is None or path.startswith("../"):
            return self
        return self.nested.for_directory(path.rpartition("/")[0])

    def is_resolver(self, path: str) -> bool:
        """Say whether reading levers is right in a file that these settings hold for."""
        return globs.matches(self.resolvers, path)

    def settings(self) -> dict[str, object]:
        """Give the value of every key by its spelling in files."""
        return {key: getattr(self, _attribute(key)) for key in KEYS}


class Nested:
    """Configuration files below the root, read when a file of their directory comes up."""

    def __init__(self, overrides: Mapping[str, object], selectors: Selectors | None) -> None:
        self._overrides = overrides
        self._selectors = selectors
        # By directory: what its files say, and that with the command line on top.
        self._stated: dict[str, Config] = {}
        self._effective: dict[str, Config] = {}

    def start(self, stated: Config) -> Config:
        """Take the root's settings as the outermost ones."""
        stated = stated._replace(nested=self)
        self._stated[""] = stated
        self._effective[""] = _overridden(stated, self._overrides, self._selectors)
        return self._effective[""]

    def for_directory(self, directory: str) -> Config:
        effective = self._effective.get(directory)
        if effective is not None:
            return effective
        parent, _, _ = directory.rpartition("/")
        outer = self.for_directory(parent)
        root = self._stated[""].root
        file = config_files.in_directory(os.path.join(root, directory))
        if file is None:
            self._stated[directory] = self._stated[parent]
            self._effective[directory] = outer
        else:
            stated = _extended(self._stated[parent], file, self._selectors)
            self._stated[directory] = stated
            self._effective[directory] = _overridden(stated, self._overrides, self._selectors)
        return self._effective[directory]

    def without_file(self, directory: str) -> None:
        """Learn from a listing that a directory has no file that could be a configuration."""
        if directory not in self._effective:
            parent, _, _ = directory.rpartition("/")
            self._effective[directory] = self.for_directory(parent)
            self._stated[directory] = self._stated[parent]


def load(
    start: str,
    config_file: str | None = None,
    isolated: bool = False,
    overrides: Mapping[str, object] | None = None,
    known_selectors: Selectors | None = None,
) -> Config:
    """Give the settings for the project around the directory `start`.

    `overrides` hold command line values by field name; `extend_select` and `ignore` add to
    those of the files, unless `select` starts afresh.
    """
    start = os.path.abspath(start)
    overrides = overrides or {}
    if isolated:
        return _overridden(Config(root=start), overrides, known_selectors)
    if config_file is not None:
        return _from_one_file(start, config_file, overrides, known_selectors)
    repository, files = _upwards(start)
    root = files[0].directory if files else repository or start
    stated = Config(root=root)
    if files:
        stated = _extended(stated, files[0], known_selectors)
    nested = Nested(overrides, known_selectors)
    return nested.start(stated)


def in_project(directory: str) -> bool:
    """Say whether a repository or a configuration file holds a directory together."""
    repository, files = _upwards(os.path.abspath(directory))
    return bool(repository or files)


def _from_one_file(
    start: str, config_file: str, overrides: Mapping[str, object], selectors: Selectors | None
) -> Config:
    file = config_files.explicit(config_file)
    inside = start == file.directory or start.startswith(file.directory.rstrip(os.sep) + os.sep)
    # A configuration kept elsewhere speaks about the tree that is being checked.
    root = file.directory if inside else repository(start) or start
    stated = _extended(Config(root=root), file, selectors, "" if not inside else None)
    return _overridden(stated, overrides, selectors)


def _upwards(start: str) -> tuple[str, list[ConfigFile]]:
    """Give the repository's directory, if any, and the configuration files from the outside in."""
    files: list[ConfigFile] = []
    directory = start
    while True:
        if file := config_files.in_directory(directory):
            files.insert(0, file)
        if os.path.exists(os.path.join(directory, ".git")):
            return directory, files
        parent = os.path.dirname(directory)
        if parent == directory:
            return "", files
        directory = parent


def repository(directory: str) -> str:
    """Give the repository that a directory belongs to, or nothing."""
    while not os.path.exists(os.path.join(directory, ".git")):
        parent = os.path.dirname(directory)
        if parent == directory:
            return ""
        directory = parent
    return directory


def _attribute(key: str) -> str:
    return key.replace("-", "_")


def _extended(
    base: Config, file: ConfigFile, selectors: Selectors | None, directory: str | None = None
) -> Config:
    """Put what one file says on top of what the files around it say.

    Its patterns are relative to `directory`, its own unless another one is given.
    """
    if directory is None:
        directory = relative_to(file.directory, base.root)
    values: dict[str, object] = {}
    sources = dict(base.sources)
    for key, setting in file.settings.items():

        def where(inner: str = "", path: tuple[str, ...] = setting.key) -> str:
            place = config_files.locate(file.content, (*path, inner) if inner else path)
            return f"{config_files.shown(file.path)}:{place.line}"

        if key not in KEYS:
            spelling = key.replace("_", "-")
            hint = f"did you mean `{spelling}`?" if spelling in KEYS else did_you_mean(key, KEYS)
            raise LeverlintError(f"{where()}: unknown key `{key}`", hint)
        value = _checked(key, setting.value, where, selectors)
        if key in GLOBS:
            value = _anchored(value, directory)
        outer = getattr(base, _attribute(key))
        values[_attribute(key)] = {**outer, **value} if isinstance(value, dict) else value
        place = config_files.locate(file.content, setting.key)
        sources[key] = Origin(relative_to(file.path, base.root), place.line, place.span)
    return base._replace(**values, sources=sources)  # type: ignore[arg-type]


def _overridden(base: Config, overrides: Mapping[str, object], selectors: Selectors | None) -> Config:
    """Put the command line on top."""
    if not overrides:
        return base
    values: dict[str, object] = {}
    sources = dict(base.sources)
    for name, given in overrides.items():
        key = name.replace("_", "-")
        option = f"--{_OPTIONS.get(key, key)}"
        values[name] = _checked(key, given, lambda _, option=option: option, selectors)  # type: ignore[misc]
        sources[key] = Origin(COMMAND_LINE, 0, Span(0, 0))
    for name in ("extend_select", "ignore"):
        added = values.get(name, ())
        if "select" not in overrides:
            added = (*getattr(base, name), *added)  # type: ignore[misc]
        values[name] = added
    return base._replace(**values, sources=sources)  # type: ignore[arg-type]


_OPTIONS = {"prefixes": "prefix", "resolvers": "resolver"}


Where = Callable[[str], str]
"""Gives the place of a setting, or of a key within its table, for a message."""


def _checked(key: str, value: object, where: Where, selectors: Selectors | None) -> object:
    try:
        checked = KEYS[key](value)
    except WrongValue as wrong:
        raise LeverlintError(f"{where(wrong.inner)}: `{key}` {wrong.problem}", wrong.hint) from None
    if key in SELECTORS and selectors is not None:
        _check_selectors(key, checked, where, selectors)
    return checked


def _check_selectors(key: str, value: object, where: Where, selectors: Selectors) -> None:
    named = list(_named_selectors(key, value))
    if not named:
        return
    known = selectors() if callable(selectors) else selectors
    for inner, name in named:
        if name not in known:
            raise LeverlintError(
                f"{where(inner)}: `{key}` names no rule: `{name}`", did_you_mean(name, known)
            )


def _named_selectors(key: str, value: object) -> Iterator[tuple[str, str]]:
    """Give each selector of a setting, with the key of the table that it stands under."""
    if isinstance(value, dict) and key == "per-file-ignores":
        for glob, names in value.items():
            yield from ((glob, name) for name in names)
    elif isinstance(value, dict):
        yield from ((name, name) for name in value)
    elif isinstance(value, tuple):
        yield from (("", name) for name in value)


def _anchored(value: object, directory: str) -> object:
    if not directory:
        return value
    if isinstance(value, dict):
        return {globs.anchored(pattern, directory): names for pattern, names in value.items()}
    assert isinstance(value, tuple)
    # `hot` holds names of functions as well.
    return tuple(globs.anchored(entry, directory) if globs.is_file_glob(entry) else entry for entry in value)


def relative_to(path: str, root: str) -> str:
    """Give a path relative to a directory, with `/`; empty for the directory itself."""
    relative = os.path.relpath(path, root).replace(os.sep, "/")
    return "" if relative == "." else relative
