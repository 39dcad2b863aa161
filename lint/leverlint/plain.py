"""Facts as plain JSON values and back, for the cache.

Every tuple becomes a list that starts with a number: which class it is, or `-1` for a bare
tuple. Never pickle: a cache can come with a cloned repository.
"""

from leverlint import diagnostics, facts
from leverlint.extraction import Outcome
from leverlint.index import SearchTerm
from leverlint.report import Report, Skipped

_CLASSES: tuple[type, ...] = (
    facts.Span,
    facts.Text,
    facts.Parameter,
    facts.Reference,
    facts.Joined,
    facts.AnyOf,
    facts.Items,
    facts.Element,
    facts.Item,
    facts.FunctionValue,
    facts.Instance,
    facts.Attribute,
    facts.Changed,
    facts.Returned,
    facts.Unknown,
    facts.Answer,
    facts.Constant,
    facts.Named,
    facts.Passed,
    facts.Apply,
    facts.If,
    facts.Attempt,
    facts.Let,
    facts.Local,
    facts.Helper,
    facts.Raise,
    facts.Untold,
    facts.Exact,
    facts.Function,
    facts.Definition,
    facts.Class,
    facts.Glob,
    facts.Submodule,
    facts.Kept,
    facts.Lossy,
    facts.Field,
    facts.Argument,
    facts.Call,
    facts.Comment,
    facts.Mention,
    facts.SyntaxFault,
    facts.FileFacts,
    diagnostics.Related,
    diagnostics.UseField,
    diagnostics.Fix,
    diagnostics.Diagnostic,
    Outcome,
    SearchTerm,
    Skipped,
    Report,
)

_NUMBERS = {kind: number for number, kind in enumerate(_CLASSES)}
_BARE = -1

Plain = str | int | float | list["Plain"] | None


def to_plain(value: object) -> Plain:
    """Turn facts, findings and tuples of them into lists, strings and numbers."""
    if isinstance(value, tuple):
        return [_NUMBERS.get(type(value), _BARE), *map(to_plain, value)]
    assert value is None or isinstance(value, str | int | float), value
    return value


def from_plain(value: Plain) -> object:
    """Turn what `to_plain` gave back; raises `ValueError` or `TypeError` for anything else."""
    if not isinstance(value, list):
        return value
    number, *items = value
    decoded = map(from_plain, items)
    if number == _BARE:
        return tuple(decoded)
    if not isinstance(number, int) or not 0 <= number < len(_CLASSES):
        raise ValueError(f"no class has the number {number!r}")
    return _CLASSES[number]._make(decoded)  # type: ignore[attr-defined]
