"""What a rule is given: the index of the whole project and the configuration, nothing else."""

from typing import NamedTuple

from leverlint.config import Config
from leverlint.diagnostics import Related
from leverlint.index import Index, Use
from leverlint.suppressions import Unused


class Project(NamedTuple):
    index: Index
    config: Config
    files: tuple[str, ...]
    """Every file that was looked at, in order."""
    unused_suppressions: tuple[Unused, ...] = ()
    """Only filled for rules that run after the suppressions."""

    def exempt(self, use: Use) -> bool:
        """Say whether a use is in test code that the configuration leaves alone."""
        return use.test and self.config.for_path(use.path).tests == "allow"

    def carried_by(self, lever: str) -> str:
        """Say where a resolver already carries `lever`; empty when none does."""
        declared = self.index.declared_field(lever)
        if declared is None:
            return ""
        field, path = declared
        if field.kind == "field" or (field.kind == "attribute" and field.owner):
            language = self.index.facts[path].language
            template = self.config.for_path(path).accessor[language]
            return f"`{template.format(group=field.owner, field=field.name)}`"
        name = f"{field.owner}.{field.name}" if field.owner else field.name
        return f"`{name}` of `{path}`"

    def related(self, use: Use) -> list[Related]:
        """Show how a use comes to be one: where its name is spelt, the wrappers, what keeps the value."""
        related = []
        origin = use.origin
        if origin and (origin.file != use.path or not _within(origin.span, use.span)):
            related.append(Related(origin.file, origin.span, f"`{use.lever}` is spelt here"))
        for step in use.via:
            name = step.wrapper.path[-1] if step.wrapper else ""
            verb = "changes" if use.kind == "write" else "reads"
            wrapper = f"`{name}`" if name else "the closure"
            related.append(Related(step.file, step.call.span, f"{wrapper} {verb} the environment here"))
        return related


def _within(inner: tuple[int, int], outer: tuple[int, int]) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]
