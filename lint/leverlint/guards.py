"""Which reads only ask whether a variable is there, for another one in the same function.

`if os.environ.get(X): … os.environ[X]` is one reader with one decoding: what it makes of an unset
variable is in the guard, and the rest in the lookup. `if X not in os.environ: os.environ[X] = …`
is a default that is put in place, and decodes nothing. The lookup may stand in a function that the
guard leads to.
"""

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from leverlint.decoding import NOT_UTF8, PROBES, UNTOLD, Vector, kind, same
from leverlint.facts import Answer, Apply, Attempt, Decoding, Helper, If, Let, Span
from leverlint.index import Index, Use

_ONE = PROBES.index("1")
_UNSET = PROBES.index(None)
_EMPTY = PROBES.index("")


class Reading(NamedTuple):
    """A read that takes a value, with what it makes of the probes; what guards it included."""

    use: Use
    vector: Vector
    guarded: bool
    """It is not come to when the variable is unset."""


def readings(index: Index, reads: Sequence[Use]) -> list[Reading]:
    """Give the readers among the reads of one lever: those that are no guards."""
    return [reading for group in _groups(index, reads) for reading in _in_function(index, group)]


def guards(index: Index, reads: Sequence[Use]) -> list[Use]:
    """Give the guards among the reads of one lever."""
    return [use for group in _groups(index, reads) for use in _guards(index, group)]


def is_presence(vector: Vector) -> bool:
    """Say whether only being set, or being empty, makes a difference."""
    told = {repr(one) for text, one in zip(PROBES, vector, strict=True) if text and text != NOT_UTF8}
    return len(told) == 1


def _groups(index: Index, reads: Sequence[Use]) -> list[list[Use]]:
    """Put reads of the same function together, in order."""
    groups: dict[tuple[str, int], list[Use]] = {}
    for use in reads:
        groups.setdefault((use.path, index.outer_function(use)), []).append(use)
    return list(groups.values())


def _in_function(index: Index, group: Sequence[Use]) -> Iterator[Reading]:
    found = _guards(index, group)
    for use in group:
        if use not in found:
            vector, guarded = _guarded(index, use, found) if found else (index.vector(use), False)
            yield Reading(use, vector, guarded)


def _guards(index: Index, group: Sequence[Use]) -> list[Use]:
    writes = _writes(index, group[0])
    led = [use for use in group if use.call.leads_to and _leads_to_reader(index, use)]
    if len(group) < 2 and not writes and not led:
        return []
    spans = frozenset(use.call.span for use in group)
    asking = [
        use
        for use in group
        if (use in led or not _is_kept_apart(use, group)) and _asks_for_presence(index, use, spans)
    ]
    lookups = [use for use in group if use not in asking]
    return [use for use in asking if use in led or _guards_any(index, use, lookups) or _lets(use, writes)]


def _leads_to_reader(index: Index, use: Use) -> bool:
    """Say whether a read, as a condition, leads to a function that reads the same lever."""
    called = {place for path in use.call.leads_to for place in index.places(use.path, path)}
    return any(
        other is not use and (other.path, index.function_name(other)) in called
        for other in index.readers.get(use.lever, ())
    )


def _guards_any(index: Index, use: Use, lookups: Sequence[Use]) -> bool:
    """Say whether a test for presence has to do with one of the lookups.

    Beside a switch it may as well be a reader with a sense of its own.
    """
    return any(
        use.call.used is None
        or kind(index.vector(other)) != "switch"
        or _lets(use, [other.span])
        or _lets(other, [use.span])
        or _mentions(use.call.decoding, {other.call.span})
        for other in lookups
    )


def _lets(use: Use, spans: Sequence[Span]) -> bool:
    """Say whether what a read gives decides whether something else is come to."""
    decided = use.call.decides
    return decided is not None and any(decided.start <= span.start < decided.end for span in spans)


def _writes(index: Index, use: Use) -> list[Span]:
    """Give the places where the same function sets the variable."""
    function = index.outer_function(use)
    return [
        write.span
        for write in index.writers.get(use.lever, ())
        if write.path == use.path and index.outer_function(write) == function
    ]


def _is_kept_apart(use: Use, group: Sequence[Use]) -> bool:
    """Say whether a field takes the answer that takes no other: then it is wanted for itself."""
    field = use.call.field
    return (
        field is not None
        and field.kind in ("field", "attribute", "key")
        and all(other is use or other.call.field != field for other in group)
    )


def _asks_for_presence(index: Index, use: Use, spans: frozenset[Span]) -> bool:
    """Say whether a read wants no more than whether the variable is there, or has any text."""
    call, callee = use.call, use.call.callee
    if call.used is None or (isinstance(callee, tuple) and callee[-1:] == ("__contains__",)):
        return True
    others = spans - {call.span}
    if not _mentions(call.decoding, others):
        return _is_presence_test(index, use, call.decoding)
    if not _mentions(call.decoding, {call.span}):
        # What is made of the value is what the other read makes of it.
        return call.tested
    return _only_tests(index, use, call.decoding, others)


def _only_tests(index: Index, use: Use, decoding: Decoding, others: frozenset[Span]) -> bool:
    """Say whether the answer of a read only decides whether another read's is asked for."""
    own = {use.call.span}
    if not _mentions(decoding, own):
        return True
    match decoding:
        case If(Apply("py:truth", (Answer(tested),)), then, Answer(given)) if {tested, given} == own:
            # `get(X) and f(environ[X])`: what is false stays as it is.
            return _only_tests(index, use, then, others)
        case If() | Let() | Attempt() | Helper() | Apply() if _mentions(decoding, others):
            return all(_only_tests(index, use, part, others) for part in _parts(decoding))
    return _is_presence_test(index, use, decoding)


def _is_presence_test(index: Index, use: Use, decoding: Decoding) -> bool:
    """Say whether a condition is one thing for every text, and another for no text or none at all."""
    condition = use._replace(call=use.call._replace(decoding=decoding))
    vector = index.vector(condition)
    if not is_presence(vector) or not isinstance(usual := vector[_ONE], bool):
        return False
    words = (index.of_value(condition, word) for word in index.words(condition) if word not in PROBES)
    return (vector[_UNSET] is not usual or vector[_EMPTY] is not usual) and all(
        outcome is usual for outcome in words
    )


def _guarded(index: Index, use: Use, found: Sequence[Use]) -> tuple[Vector, bool]:
    """Give what a read and the guards of its function make of the probes together.

    A guard that stands before a read may keep it from what the guard does not let pass.
    """
    vector = index.vector(use)
    guarded = False
    for guard in found:
        if _mentions(use.call.decoding, {guard.call.span}):
            continue
        asked = index.vector(guard)
        if _mentions(guard.call.decoding, {use.call.span}) and kind(asked) == kind(vector):
            guarded |= asked[_UNSET] is UNTOLD
            vector = tuple(
                own if whole is UNTOLD and text else whole
                for text, whole, own in zip(PROBES, asked, vector, strict=True)
            )
        elif guard.span < use.span:
            guarded |= not same(asked[_UNSET], asked[_ONE])
            vector = tuple(
                own if same(asked[_ONE], let) else UNTOLD for let, own in zip(asked, vector, strict=True)
            )
    return vector, guarded


def _mentions(decoding: Decoding, spans: Collection[Span]) -> bool:
    pending = [decoding]
    while pending:
        node = pending.pop()
        if isinstance(node, Answer) and node.span in spans:
            return True
        pending.extend(_parts(node))
    return False


def _parts(decoding: Decoding) -> tuple[Decoding, ...]:
    match decoding:
        case Apply(_, arguments):
            return arguments
        case If() | Attempt():
            return tuple(decoding)
        case Let(_, value, body):
            return value, body
        case Helper(_, arguments, keywords):
            return (*arguments, *(value for _, value in keywords))
    return ()
