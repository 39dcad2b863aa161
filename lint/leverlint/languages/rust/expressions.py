"""Putting expressions together, simplified where that needs no other file."""

from collections.abc import Iterable, Sequence

from leverlint.facts import (
    UNKNOWN,
    AnyOf,
    Changed,
    Element,
    Expression,
    Item,
    Items,
    Joined,
    Parameter,
    Returned,
    Text,
)

_LARGEST = 400
"""A sequence with more parts than this is a table of data."""


def any_of(options: Iterable[Expression]) -> Expression:
    flat: list[Expression] = []
    for option in options:
        flat.extend(option.options if isinstance(option, AnyOf) else (option,))
    known = list(dict.fromkeys(option for option in flat if option != UNKNOWN))
    if not known:
        return UNKNOWN
    return known[0] if len(known) == 1 else AnyOf(tuple(known))


def element(sequence: Expression) -> Expression:
    match sequence:
        case Items(items) if len(items) == 1:
            return items[0]
        case AnyOf(options):
            return any_of(map(element, options))
        case Text() | Joined():
            return sequence
        case _ if sequence == UNKNOWN:
            return UNKNOWN
    return Element(sequence)


def item(sequence: Expression, index: int) -> Expression:
    match sequence:
        case Items(items) if index < len(items):
            return items[index]
        case AnyOf(options):
            return any_of(item(option, index) for option in options)
        case Text():
            return UNKNOWN
        case _ if sequence == UNKNOWN:
            return UNKNOWN
    return Item(sequence, index)


def items(parts: Sequence[Expression]) -> Expression:
    if len(parts) > _LARGEST or all(part == UNKNOWN for part in parts):
        return UNKNOWN
    return Items(tuple(parts))


def joined(parts: Iterable[Expression]) -> Expression:
    """Join parts; neighbouring literals become one, at the place of the first."""
    merged: list[Expression] = []
    for part in parts:
        last = merged[-1] if merged else None
        if isinstance(part, Text) and isinstance(last, Text):
            merged[-1] = Text(last.value + part.value, last.span)
        elif not isinstance(part, Text) or part.value:
            merged.append(part)
    if all(part == UNKNOWN for part in merged):
        return UNKNOWN
    return merged[0] if len(merged) == 1 else Joined(tuple(merged))


def concatenated(pieces: Expression, between: Expression | None) -> Expression:
    """Join the items of a sequence, with something between them or not."""
    if not isinstance(pieces, Items):
        return UNKNOWN
    parts: list[Expression] = []
    for position, piece in enumerate(pieces.items):
        if position and between is not None:
            parts.append(between)
        parts.append(piece)
    return joined(parts)


def parts_of(expression: Expression) -> tuple[Expression, ...]:
    """Give the expressions directly inside one."""
    match expression:
        case Joined(parts) | AnyOf(parts) | Items(parts):
            return parts
        case Returned(_, arguments):
            return arguments
        case Element(inner) | Item(inner, _) | Changed(_, inner):
            return (inner,)
    return ()


def everything_in(expression: Expression) -> Iterable[Expression]:
    pending = [expression]
    while pending:
        current = pending.pop()
        yield current
        pending.extend(parts_of(current))


def substitute(expression: Expression, function: int, arguments: Sequence[Expression]) -> Expression:
    """Put arguments in the place of a function's parameters."""
    match expression:
        case Parameter(owner, index) if owner == function:
            return arguments[index] if index < len(arguments) else UNKNOWN
        case Joined(parts):
            return joined(substitute(part, function, arguments) for part in parts)
        case AnyOf(options):
            return any_of(substitute(option, function, arguments) for option in options)
        case Items(parts):
            return items([substitute(part, function, arguments) for part in parts])
        case Element(inner):
            return element(substitute(inner, function, arguments))
        case Item(inner, index):
            return item(substitute(inner, function, arguments), index)
        case Changed(operation, inner):
            changed = substitute(inner, function, arguments)
            return Changed(operation, changed) if changed != UNKNOWN else UNKNOWN
        case Returned(path, given):
            return Returned(path, tuple(substitute(each, function, arguments) for each in given))
    return expression
