"""leverlint: every read of an environment-variable lever, and where it is not resolved once.

These names are what a rule may import.
"""

TYPE_CHECKING = False

if TYPE_CHECKING:
    from leverlint.consumption import Sought
    from leverlint.decoding import NOT_UTF8, PROBES, Special, kind, same
    from leverlint.diagnostics import Diagnostic, Fix, Related
    from leverlint.facts import Span
    from leverlint.hot_paths import Hop, HotRead
    from leverlint.index import FrozenImport, Use
    from leverlint.project import Disagreement, Project, Replacement
    from leverlint.rule import Rule
    from leverlint.wording import outcome_words, value_words

__version__ = "0.1.0"

__all__ = [
    "NOT_UTF8",
    "PROBES",
    "Diagnostic",
    "Disagreement",
    "Fix",
    "FrozenImport",
    "Hop",
    "HotRead",
    "Project",
    "Related",
    "Replacement",
    "Rule",
    "Sought",
    "Span",
    "Special",
    "Use",
    "__version__",
    "kind",
    "outcome_words",
    "same",
    "value_words",
]

_HOMES = {
    "decoding": ("NOT_UTF8", "PROBES", "Special", "kind", "same"),
    "consumption": ("Sought",),
    "diagnostics": ("Diagnostic", "Fix", "Related"),
    "facts": ("Span",),
    "hot_paths": ("Hop", "HotRead"),
    "index": ("FrozenImport", "Use"),
    "project": ("Disagreement", "Project", "Replacement"),
    "rule": ("Rule",),
    "wording": ("outcome_words", "value_words"),
}


def __getattr__(name: str) -> object:
    """Import a public name on first use, so that `leverlint --version` imports nothing."""
    from importlib import import_module

    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f"leverlint.{home}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
