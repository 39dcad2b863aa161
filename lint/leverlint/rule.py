"""What a rule is: a record with a check over the whole project."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple

from leverlint.diagnostics import Diagnostic, Fix, Related
from leverlint.facts import Span

if TYPE_CHECKING:
    from leverlint.project import Project


class Rule(NamedTuple):
    """One rule. Its module's docstring is its documentation: `Why`, `Bad`, `Good`, `Fix`, `Limits`."""

    code: str
    """`LVR` and three digits, never used twice."""
    name: str
    """The problem, in kebab case; also the name of its module (with `_`) and of its fixtures."""
    severity: str
    """`error`, `warning`, `info` or `hint`, unless the configuration says otherwise."""
    check: "Callable[[Project], Iterable[Diagnostic]]"
    default: bool = True
    """Runs without being selected."""
    after_suppressions: bool = False
    """Sees what the suppressions left over; its own findings cannot be suppressed."""

    def at(
        self,
        path: str,
        span: Span,
        message: str,
        help: str,
        lever: str | None = None,
        related: Iterable[Related] = (),
        fix: Fix | None = None,
    ) -> Diagnostic:
        """Make this rule's diagnostic for one place."""
        return Diagnostic(
            self.code, self.name, self.severity, path, span, lever, message, help, tuple(related), fix=fix
        )
