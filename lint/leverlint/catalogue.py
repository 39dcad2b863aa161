"""The catalogue: every lever that is read, by whom, what each value does, and where that is written down."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from leverlint.config import Config
from leverlint.decoding import PROBES, UNTOLD, Outcome, Special, Vector, name, same
from leverlint.documentation import Passage
from leverlint.facts import Field, Span
from leverlint.index import Index, Use
from leverlint.project import Disagreement, Project

_UNSET = PROBES.index(None)


class Reader(NamedTuple):
    """One place that reads a lever."""

    path: str
    span: Span
    wrappers: tuple[str, ...]
    """Functions that the read goes through, the nearest first; empty for a closure."""
    decoding: str
    """What `decoding.name` calls the outcomes, or nothing."""
    outcomes: Vector
    test: bool
    resolver: bool
    """In a resolver, or through a function of one."""
    field: str
    """What the value is stored under, as `Group.field`, `field` or `function()`; may be empty."""

    @property
    def default(self) -> Outcome:
        return self.outcomes[_UNSET]

    @property
    def is_open(self) -> bool:
        """Whether not one outcome is known."""
        return all(outcome is UNTOLD for outcome in self.outcomes)

    def of(self, value: str | None) -> Outcome:
        """Give what one of the probes does."""
        return self.outcomes[PROBES.index(value)]


class LeverField(NamedTuple):
    """A field that a resolver keeps a lever in."""

    owner: str
    name: str
    path: str
    """Of the resolver."""

    def __str__(self) -> str:
        return f"{self.owner}.{self.name}" if self.owner else self.name


class Row(NamedTuple):
    lever: str
    """Its name, or a pattern with `*`."""
    readers: tuple[Reader, ...]
    """In the order of path and place; at least one."""
    fields: tuple[LeverField, ...]
    documented: tuple[Passage, ...]
    parts: bool = False
    """Whether two readers disagree on a value, or on what an unset lever is."""

    @property
    def is_pattern(self) -> bool:
        return "*" in self.lever

    @property
    def main(self) -> Reader:
        """The reader to show when only one is shown: the first in a resolver, or else the first of all.

        One of which nothing is known, or that stands in a test, is shown only for want of another.
        """

        def rank(reader: Reader) -> tuple[bool, bool, bool, bool]:
            return reader.test, reader.is_open, not reader.resolver, UNTOLD in reader.outcomes

        return min(self.readers, key=rank)


def catalogue(
    index: Index, config: Config, documentation: Mapping[str, tuple[Passage, ...]]
) -> tuple[Row, ...]:
    """Give a row for every lever and every pattern that is read, sorted by name."""
    levers = dict.fromkeys(use.lever for use in index.reads)
    return rows_of(index, config, documentation, levers)


def rows_of(
    index: Index,
    config: Config,
    documentation: Mapping[str, tuple[Passage, ...]],
    levers: Collection[str],
) -> tuple[Row, ...]:
    """Give the rows of some levers, sorted by name; what nothing reads has none."""
    uses: dict[str, list[Use]] = {}
    for use in index.reads:
        if use.lever in levers:
            uses.setdefault(use.lever, []).append(use)
    disagreements = _project(index, config).disagreements_of(uses)
    parted = {found.lever for found in disagreements if _matters(found)}
    return tuple(
        Row(
            lever,
            tuple(_reader(index, config, use) for use in read),
            _fields(config, read),
            documentation.get(lever, ()),
            lever in parted,
        )
        for lever, read in sorted(uses.items())
    )


def alike(readers: Iterable[Reader]) -> list[tuple[Reader, ...]]:
    """Put together the readers that do the same with every value, in the order of their first."""
    groups: list[list[Reader]] = []
    for reader in readers:
        for group in groups:
            if all(map(same, group[0].outcomes, reader.outcomes)):
                group.append(reader)
                break
        else:
            groups.append([reader])
    return [tuple(group) for group in groups]


def _project(index: Index, config: Config) -> Project:
    return Project(index, config, (), lambda key, entry: None)


def _matters(found: Disagreement) -> bool:
    """Say whether a rule reports it: a value is taken differently, or a default is another one."""
    _, there, here = found.unset
    known = not any(one is None or isinstance(one, Special) for one in (there, here))
    return bool(found.partings) or (known and not same(there, here))


def _reader(index: Index, config: Config, use: Use) -> Reader:
    vector = index.vector(use)
    return Reader(
        path=use.path,
        span=use.span,
        wrappers=tuple(step.name for step in use.via),
        decoding=name(vector),
        outcomes=vector,
        test=use.test,
        resolver=index.in_resolver(use),
        field=_spelt(use.call.field),
    )


def _spelt(field: Field | None) -> str:
    if field is None:
        return ""
    name = f"{field.name}()" if field.kind == "function" else field.name
    return f"{field.owner}.{name}" if field.owner else name


def _fields(config: Config, uses: Sequence[Use]) -> tuple[LeverField, ...]:
    """Give the fields in the resolvers; functions only where there is no field."""
    stored: dict[LeverField, None] = {}
    returned: dict[LeverField, None] = {}
    for use in uses:
        field = use.call.field
        if field is None or use.test or not config.for_path(use.path).is_resolver(use.path):
            continue
        is_function = field.kind == "function"
        name = f"{field.name}()" if is_function else field.name
        (returned if is_function else stored)[LeverField(field.owner, name, use.path)] = None
    return tuple(stored or returned)
