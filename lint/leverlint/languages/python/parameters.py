"""Which parameters a value depends on, and what it is once they are known."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from leverlint.facts import (
    UNKNOWN,
    AnyOf,
    Attribute,
    Changed,
    Element,
    Expression,
    Instance,
    Item,
    Items,
    Joined,
    Parameter,
    Reference,
)

if TYPE_CHECKING:
    from leverlint.languages.python.values import Values


def parameters_in(value: Expression, values: "Values") -> Iterator[Parameter]:
    """Give the parameters that text is, or is made of."""
    return _parameters_in(value, values, 0, set())


def _parameters_in(
    value: Expression, values: "Values", depth: int, seen: set[Expression]
) -> Iterator[Parameter]:
    if depth > 12:
        return
    if isinstance(value, Reference | Element | Item | Attribute):
        if value in seen:
            return
        seen.add(value)
    for option in values.options(value):
        match option:
            case Parameter():
                yield option
            case Joined(inner) | Items(inner):
                for part in inner:
                    yield from _parameters_in(part, values, depth + 1, seen)
            case Changed(_, operand) | Attribute(operand, _):
                yield from _parameters_in(operand, values, depth + 1, seen)
            case Element(sequence) | Item(sequence, _):
                yield from _parameters_in(sequence, values, depth + 1, seen)


def replaced(value: Expression, function: int, bound: dict[int, Expression]) -> Expression:
    """Put arguments where a value speaks of the parameters of one function."""
    match value:
        case Parameter(owner, index) if owner == function:
            return bound.get(index, UNKNOWN)
        case Joined(parts):
            return Joined(tuple(replaced(part, function, bound) for part in parts))
        case AnyOf(options):
            return AnyOf(tuple(replaced(option, function, bound) for option in options))
        case Items(items):
            return Items(tuple(replaced(item, function, bound) for item in items))
        case Changed(operation, operand):
            return Changed(operation, replaced(operand, function, bound))
        case Element(sequence):
            return Element(replaced(sequence, function, bound))
        case Item(sequence, position):
            return Item(replaced(sequence, function, bound), position)
        case Attribute(object_, name):
            return Attribute(replaced(object_, function, bound), name)
        case Instance(path, arguments) if arguments:
            handed = [each._replace(value=replaced(each.value, function, bound)) for each in arguments]
            return Instance(path, tuple(handed))
    return value
