"""What iterators make of a text: its signs, its parts, and what is asked of each of them."""

from collections.abc import Callable

from leverlint.facts import UNTOLD, Apply, Constant, Decoding, Helper, Let, Local
from leverlint.languages.rust.outcome_calls import Applied, any_of
from leverlint.languages.rust.outcome_kinds import Kind
from leverlint.languages.rust.outcomes import UNIT, apply, both, everything_in, is_untold, returns

Numbered = Callable[[Kind], int]
"""Gives the number of a new local of a kind."""

_OF_TEXT = {
    **{("chars", 0): "rs:chars", ("bytes", 0): "rs:chars", ("iter", 0): "rs:chars"},
    **{("lines", 0): "py:splitlines", ("split_whitespace", 0): "py:split"},
    **{("split_ascii_whitespace", 0): "py:split", ("split", 1): "rs:split"},
}
"""By name and number of arguments: methods that take a text apart."""
_SAME = frozenset(
    {"iter", "into_iter", "copied", "cloned", "by_ref", "peekable", "fuse", "as_slice", "as_ref"}
)
_ENDS = {"next": "rs:first", "first": "rs:first", "last": "rs:last"}
_JUDGING = {"any": "rs:any", "all": "rs:all"}
SEARCHED = frozenset({"starts_with", "ends_with", "contains"})


def parts_of_text(name: str, value: Decoding, given: tuple[Decoding, ...]) -> Decoding | None:
    """Give what a method that takes a text apart makes of it; `None` when it is none of these."""
    operation = _OF_TEXT.get((name, len(given)))
    if operation is not None:
        return apply(operation, value, *given)
    if name == "first" and not given:
        return apply("rs:first", apply("rs:chars", value))
    if name in ("get", "nth") and len(given) == 1 and isinstance(given[0], Constant):
        return apply("rs:nth", apply("rs:chars", value), given[0])
    return None


def on_list(
    name: str,
    value: Decoding,
    item: Kind,
    given: tuple[Decoding, ...],
    functions: tuple[Applied, ...],
    numbered: Numbered,
) -> Decoding:
    """Give what a method makes of a list whose items are of a kind."""
    match name, len(given):
        case "collect", 0:
            return apply("rs:collected", value)
        case (("count" | "len"), 0):
            return apply("py:len", value)
        case "is_empty", 0:
            return apply("equals", apply("py:len", value), Constant(0))
        case "nth", 1:
            return apply("rs:nth", value, given[0])
        case "get", 1 if isinstance(given[0], Constant):
            return apply("rs:nth", value, given[0])
        case "contains", 1:
            return apply("in", given[0], value)
        case "map", 1:
            return _for_each("rs:each", value, item, functions[0], numbered)
        case "filter", 1:
            return _for_each("rs:those", value, item, functions[0], numbered)
        case "filter_map", 1:
            return apply("rs:held", _for_each("rs:each", value, item, functions[0], numbered))
    if name in _SAME and not given:
        return value
    if name in _ENDS and not given:
        return apply(_ENDS[name], value)
    if name in _JUDGING and len(given) == 1:
        return _for_each(_JUDGING[name], value, item, functions[0], numbered)
    return UNTOLD


def searched(
    name: str, value: Decoding, sought: Decoding, function: Applied | None, numbered: Numbered
) -> Decoding:
    """Give what `starts_with`, `ends_with` and `contains` find of one of several signs, or of those that
    a function picks; of other things nothing is told."""
    if isinstance(sought, Apply) and sought.operation == "tuple":
        return any_of([apply(name, value, sign) for sign in sought.arguments])
    if function is None:
        return UNTOLD
    signs = apply("rs:chars", value)
    if name == "contains":
        return _for_each("rs:any", signs, "text", function, numbered)
    end = apply("rs:first" if name == "starts_with" else "rs:last", signs)
    return both(apply("rs:holds", end), function((apply("rs:payload", end),)))


def _for_each(operation: str, value: Decoding, item: Kind, function: Applied, numbered: Numbered) -> Decoding:
    """Apply an operation that works `Let`'s body out for each item in its local's place."""
    number = numbered(item)
    body = function((Local(number),))
    # What a function makes of parts that is not here is better left to it than told of none.
    if is_untold(body) or returns(body) or any(isinstance(part, Helper) for part in everything_in(body)):
        return UNTOLD
    return apply(operation, value, Let(number, UNIT, body))
