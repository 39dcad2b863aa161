"""leverlint: every read of an environment-variable lever, and where it is not resolved once.

These names are what a rule may import.
"""

TYPE_CHECKING = False

if TYPE_CHECKING:
    from leverlint.diagnostics import Diagnostic, Related
    from leverlint.facts import Span
    from leverlint.index import FrozenImport, Use
    from leverlint.project import Project
    from leverlint.rule import Rule

__version__ = "0.1.0"

__all__ = ["Diagnostic", "FrozenImport", "Project", "Related", "Rule", "Span", "Use", "__version__"]

_HOMES = {
    "Diagnostic": "diagnostics",
    "FrozenImport": "index",
    "Project": "project",
    "Related": "diagnostics",
    "Rule": "rule",
    "Span": "facts",
    "Use": "index",
}


def __getattr__(name: str) -> object:
    """Import a public name on first use, so that `leverlint --version` imports nothing."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"leverlint.{_HOMES[name]}"), name)
