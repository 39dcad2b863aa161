"""What a rule is given: the index of the whole project and the configuration, nothing else."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from leverlint import globs
from leverlint.config import Config
from leverlint.diagnostics import Related, UseField
from leverlint.facts import Span
from leverlint.index import Index, Use
from leverlint.suppressions import Unused

if TYPE_CHECKING:
    from leverlint.comparison import Parting
    from leverlint.consumption import Consumption, Sought
    from leverlint.guards import Reading
    from leverlint.replacements import Replacements

Place = tuple[str, Span]
"""Path and span of an entry in a configuration file."""


class Disagreement(NamedTuple):
    """Two readers of a lever that can be compared."""

    lever: str
    reference: Use
    reader: Use
    partings: "list[Parting]"
    """The values that they take differently, the most telling first; may be empty."""
    unset: "Parting"


class Replacement(NamedTuple):
    """A field of a resolver that can take the place of a raw read."""

    intent: UseField
    expression: str
    """What the code becomes: the field, or the opposite of it."""
    changes: tuple[str | None, ...] = ()
    """Values of the variable that mean something else there; none when it is proved that there are none."""


class Project:
    def __init__(
        self,
        index: Index,
        config: Config,
        files: Sequence[str],
        stated: Callable[[str, str], Place | None],
        unused_suppressions: Sequence[Unused] = (),
        consumption: "Consumption | None" = None,
        read: Callable[[str], bytes] | None = None,
    ) -> None:
        self.index = index
        self.config = config
        self.files = files
        """Every file that was looked at, in order."""
        self.stated = stated
        """Gives the place where a configuration file states an entry (key, entry); `None` for
        defaults and for what the command line says."""
        self.unused_suppressions = unused_suppressions
        """Only filled for rules that run after the suppressions."""
        self._consumption = consumption
        self._read = read
        self._replacements: Replacements | None = None
        self._disagreements: list[Disagreement] | None = None
        self._guards: dict[str, list[Use]] = {}

    def exempt(self, use: Use) -> bool:
        """Say whether a use is in test code that the configuration leaves alone."""
        return use.test and self.config.for_path(use.path).tests == "allow"

    def unconsulted(self, sought: "Sequence[Sought]") -> "set[Sought]":
        """Give those of the fields and names of resolvers that nothing in the project consults."""
        return self._consumption.unconsulted(sought) if self._consumption and sought else set()

    def is_named(self, resolver: str) -> bool:
        """Say whether a file that is no resolver names a resolver's module."""
        return self._consumption is not None and self._consumption.names(resolver, self.resolves)

    def resolves(self, path: str) -> bool:
        """Say whether a file is a resolver."""
        return self.index.is_resolver(path)

    def paired(self, one: Use, other: Use) -> bool:
        """Say whether the configuration declares that two fields hold the same lever."""
        fields = {_field_name(one), _field_name(other)}
        return any(set(pair) == fields for pair in self.config.for_path(other.path).pairs)

    def disagreements(self) -> "list[Disagreement]":
        """Compare the readers of each lever with a resolver's, or with the first if there is none."""
        if self._disagreements is None:
            self._disagreements = list(self.disagreements_of(self.index.readers))
        return self._disagreements

    def disagreements_of(self, levers: Iterable[str]) -> "Iterator[Disagreement]":
        """Compare the readers of some levers; patterns have none that could be compared."""
        from leverlint import comparison, guards

        levers_at = Counter((use.path, use.span.start) for use in self.index.reads)
        for lever in levers:
            counted = [
                use
                for use in self.index.readers.get(lever, ())
                if not self.exempt(use) and not use.api.compile_time
            ]
            if len(counted) < 2:
                continue
            readings = guards.readings(self.index, counted)
            questions = comparison.comparable(self.index, readings, levers_at)
            for reference, reader in (pair for asking in questions for pair in self._pairs(asking)):
                partings, unset = comparison.compared(self.index, reference, reader)
                yield Disagreement(lever, reference.use, reader.use, partings, unset)
            for reference, reader in self._pairs(comparison.with_text(self.index, readings)):
                texts = (comparison.text_default(self.index, one) for one in (reference, reader))
                unset = comparison.Parting(None, *texts)
                yield Disagreement(lever, reference.use, reader.use, [], unset)

    def _pairs(self, readings: "Sequence[Reading]") -> "Iterator[tuple[Reading, Reading]]":
        """Pair each reader with the one that it is measured by: a resolver's, else the first."""
        resolving = (one for one in readings if self.index.in_resolver(one.use))
        reference = next(resolving, None) or next(iter(readings), None)
        for reading in readings:
            if reference is not None and reading is not reference:
                yield reference, reading

    def guards(self, lever: str) -> "Collection[Use]":
        """Give the reads of a lever that only ask whether it is there, for another in their function."""
        if lever not in self._guards:
            from leverlint import guards

            self._guards[lever] = guards.guards(self.index, self.index.readers.get(lever, ()))
        return self._guards[lever]

    def has_file(self, pattern: str) -> bool:
        return any(globs.matches((pattern,), path) for path in self.files)

    def has_hot(self, entry: str) -> bool:
        """Say whether an entry of `hot`, a file glob or the name of a function, means anything."""
        if globs.is_file_glob(entry):
            return self.has_file(entry)
        return self._consumption is None or self._consumption.defines(entry)

    def has_field(self, name: str) -> bool:
        """Say whether a read stores its value under `name`, spelt as in `pairs`."""
        return any(_field_name(use) == name for use in self.index.reads)

    def carried_by(self, lever: str) -> str:
        """Say where a resolver already carries `lever`; empty when none does."""
        declared = self.index.declared_field(lever)
        if declared is None:
            return ""
        field, path = declared
        if field.kind in ("field", "attribute") and field.owner:
            template = self.config.for_path(path).accessor[self.index.facts[path].language]
            return f"`{template.format(group=field.owner, field=field.name)}`"
        name = f"{field.owner}.{field.name}" if field.owner else field.name
        return f"`{name}` of `{path}`"

    def replacement(self, use: Use) -> Replacement | None:
        """Give the field of a resolver that can take the place of a raw read, where that is proved."""
        declared = self.index.declared_field(use.lever)
        if declared is None or self._read is None:
            return None
        if self._replacements is None:
            # Only a lever that a resolver has a field for comes here.
            from leverlint.replacements import Replacements

            self._replacements = Replacements(self.index, self.config, self.files, self._read)
        return self._replacements.of(use)

    def related(self, use: Use) -> list[Related]:
        """Show how a use comes to be one: where its name is spelt, and the wrappers that it passes."""
        related = []
        origin = use.origin
        if origin and (origin.file != use.path or not _within(origin.span, use.span)):
            related.append(Related(origin.file, origin.span, f"`{use.lever}` is spelt here"))
        for step in use.via:
            wrapper = f"`{step.name}`" if step.name else "the closure"
            verb = "changes" if use.kind == "write" else "reads"
            related.append(Related(step.file, step.call.span, f"{wrapper} {verb} the environment here"))
        return related


def _field_name(use: Use) -> str:
    """Give the field that a value is stored under as `pairs` spells it."""
    field = use.call.field
    if field is None:
        return ""
    return f"{field.owner}.{field.name}" if field.owner else field.name


def _within(inner: Span, outer: Span) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end
