"""The languages that leverlint reads, and what each must offer.

A language knows syntax and the environment API of its standard library. It knows no rule,
no configuration and no other file's content.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

from leverlint.facts import Api, FileFacts, Path, Span, Vocabulary

if TYPE_CHECKING:
    from leverlint.languages.memory import Memory


class Tree(NamedTuple):
    """The names of all files of the project, for finding modules."""

    files: frozenset[str]
    """Every discovered file, relative to the root, with `/`."""
    crates: Mapping[str, str]
    """Rust crate name (with `_`) to the directory of its `Cargo.toml` (`""` for the root)."""
    submodules: Mapping[str, str]
    """File to the file that pulls it in by `mod`, `#[path]` or `include!`, where facts say so."""


class Wanted(NamedTuple):
    """A field of a group that a resolver declares, and who wants to get at it."""

    group: str
    field: str
    resolver: str
    """The file that declares the group."""
    user: str
    """The file that is to use the field."""
    template: str
    """How fields are reached: `{group}.get().{field}`."""
    configured: bool
    """The template is the user's word, not the default."""


class Way(NamedTuple):
    """How a file gets at a field."""

    expression: str
    name: str
    """The name of the resolver's module scope that the expression starts with."""
    module: str
    """Where that is imported from, as the language spells it in that file; empty: it is there already."""
    opposite: str
    """The expression for the opposite of a field that is on or off."""
    type: str = ""
    """The type of the field, as `facts.Exact` spells types."""
    mutable: bool = False
    """Code of any file could set the field to something else."""


class Substitution(NamedTuple):
    """An expression that another takes the place of, and what that one needs."""

    span: Span
    expression: str
    name: str
    module: str
    negated: bool = False


class Language(Protocol):
    """One module of this package."""

    @property
    def NAME(self) -> str: ...

    @property
    def SUFFIXES(self) -> tuple[str, ...]: ...

    @property
    def COMMENT_SIGN(self) -> str:
        """What starts a comment that goes to the end of the line."""

    @property
    def API(self) -> Mapping[Path, Api]:
        """What absolute paths do to the environment."""

    @property
    def IMPORTS_BIND_VALUES(self) -> bool:
        """Importing a name copies its value at that moment (Python) rather than naming a place (Rust)."""

    @property
    def CLOSURES_RUN_LATER(self) -> bool:
        """A function made inside another mostly outlives the call (Python) rather than serving an
        iterator of it (Rust)."""

    @property
    def MEMBERS_ARE_ASKED_FOR(self) -> bool:
        """Facts define fields and what functions return only where `Vocabulary.members` asks (Rust)."""

    def concerns(self, source: bytes, vocabulary: Vocabulary) -> bool:
        """Say whether a file may hold any fact; `False` spares it the parse. Never wrong when `False`."""

    def extract(
        self, path: str, source: bytes, vocabulary: Vocabulary, memory: "Memory | None" = None
    ) -> FileFacts:
        """Give the facts of one file; broken syntax yields what could be had, plus faults.

        `memory` of the same file makes it faster, and is told what there is to remember.
        """

    def text_at(self, source: bytes, offset: int) -> str:
        """Give `string`, `comment` or nothing for the place of a byte, also in code that is being typed."""

    def locate(self, path: Path, file: str, tree: Tree) -> tuple[str, Path] | None:
        """Find the file that an absolute path leads into, and what remains of the path.

        `("sched", "names", "FLAG")` seen in `sched/gpu.py` gives `("sched/names.py", ("FLAG",))`.
        `None` when the tree holds no such module.
        """

    def parents(self, path: str, tree: Tree) -> tuple[str, ...]:
        """Give the files that may declare `path` as a part of theirs, and with it make it test code."""

    def pulled_in(self, path: str, source: bytes) -> tuple[str, ...]:
        """Give the files that a file names as parts of itself, by their paths in the tree.

        Looks at bytes only: what it gives may be too much, not too little.
        """

    def way(self, wanted: Wanted, tree: Tree, read: Callable[[str], bytes]) -> Way | None:
        """Say how a field is reached from another file; `None` when that cannot be told for certain.

        `read` gives the content of files of the tree. It is called for few fields, never in a plain
        extraction.
        """

    def rewritten(self, path: str, source: bytes, substitutions: Sequence[Substitution]) -> bytes | None:
        """Give a file with expressions replaced and imports as they are needed then.

        `None` when it cannot be done without losing something.
        """


_MODULES = {".py": "python", ".pyi": "python", ".rs": "rust"}


def name_for(path: str) -> str | None:
    """Give the name of the language of a file, by its suffix."""
    return _MODULES.get(path[path.rfind(".") :])


def language(name: str) -> Language:
    """Give a language, importing it on first use."""
    if name == "python":
        from leverlint.languages import python

        return python
    from leverlint.languages import rust

    return rust


class _All(Mapping[str, Language]):
    def __getitem__(self, name: str) -> Language:
        return language(name)

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys(_MODULES.values()))

    def __len__(self) -> int:
        return len(set(_MODULES.values()))


LANGUAGES: Mapping[str, Language] = _All()
"""Every language by name; each is imported when it is first asked for."""
