"""What a rule reports. Places are byte spans; lines and columns are the reporters' business."""

from typing import NamedTuple

from leverlint.facts import Span

SEVERITIES = ("error", "warning", "info", "hint")


class Related(NamedTuple):
    """Another place that helps to understand a diagnostic."""

    path: str
    span: Span
    message: str


class Edit(NamedTuple):
    """Text that takes the place of a span of one file."""

    path: str
    span: Span
    text: str


class UseField(NamedTuple):
    """An intent: the code of `span` becomes the field of a resolver that holds the same value."""

    span: Span
    """The whole expression that decodes the read."""
    expression: str
    """What takes its place: `ModelLevers.get().kv_poison`."""
    name: str
    """The name of module scope that the expression starts with: `ModelLevers`."""
    module: str
    """The module that the name is imported from, as the language spells it."""
    negated: bool = False
    """The code takes the opposite of the field."""


class Fix(NamedTuple):
    """What a rule asks a language to change; `leverlint.fixes` has the edits made."""

    applicability: str
    """`safe`: the evaluator has proved that no value changes its meaning; `unsafe` otherwise."""
    title: str
    """What it does, for a menu: ``replace with `ModelLevers.get().kv_poison` ``."""
    intent: UseField


class Diagnostic(NamedTuple):
    code: str
    rule: str
    """The rule's name."""
    severity: str
    """One of `SEVERITIES`."""
    path: str
    """Relative to the root of the tree, with `/`."""
    span: Span
    lever: str | None
    """The lever's name, a pattern with `*`, or `None`."""
    message: str
    """One phrase that stands alone: lower-case start, no final period."""
    help: str
    """What to do about it."""
    related: tuple[Related, ...] = ()
    fingerprint: str = ""
    """Filled in by the engine; see `leverlint.fingerprints`."""
    fix: Fix | None = None
    within: str = ""
    """The function around it, `Model.forward`, or nothing; filled in by the engine."""

    def is_fixable(self, unsafe: bool = False) -> bool:
        """Say whether it has a fix that may be made; `unsafe` also allows what changes some values."""
        return self.fix is not None and (unsafe or self.fix.applicability == "safe")
