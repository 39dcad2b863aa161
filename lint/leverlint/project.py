"""What a rule is given: the index of the whole project and the configuration, nothing else."""

from collections.abc import Callable, Sequence

from leverlint import globs
from leverlint.config import Config
from leverlint.diagnostics import Related
from leverlint.facts import Span
from leverlint.index import Index, Use
from leverlint.suppressions import Unused

Place = tuple[str, Span]
"""Path and span of an entry in a configuration file."""


class Project:
    def __init__(
        self,
        index: Index,
        config: Config,
        files: Sequence[str],
        stated: Callable[[str, str], Place | None],
        unused_suppressions: Sequence[Unused] = (),
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

    def exempt(self, use: Use) -> bool:
        """Say whether a use is in test code that the configuration leaves alone."""
        return use.test and self.config.for_path(use.path).tests == "allow"

    def has_file(self, pattern: str) -> bool:
        return any(globs.matches((pattern,), path) for path in self.files)

    def has_hot_file(self, entry: str) -> bool:
        """Say whether an entry of `hot` that is a file glob matches; functions are not looked up."""
        return not globs.is_file_glob(entry) or self.has_file(entry)

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


def _within(inner: Span, outer: Span) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end
