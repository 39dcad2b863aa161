"""What a rule reports. Places are byte spans; lines and columns are the reporters' business."""

from typing import NamedTuple

from leverlint.facts import Span

SEVERITIES = ("error", "warning", "info", "hint")


class Related(NamedTuple):
    """Another place that helps to understand a diagnostic."""

    path: str
    span: Span
    message: str


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
