"""Which parameters a value depends on."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from leverlint.facts import Changed, Element, Expression, Item, Items, Joined, Parameter

if TYPE_CHECKING:
    from leverlint.languages.python.values import Values


def parameters_in(value: Expression, values: "Values", depth: int = 0) -> Iterator[Parameter]:
    """Give the parameters that text is, or is made of."""
    if depth > 12:
        return
    for option in values.options(value):
        match option:
            case Parameter():
                yield option
            case Joined(inner) | Items(inner):
                for part in inner:
                    yield from parameters_in(part, values, depth + 1)
            case Changed(_, operand):
                yield from parameters_in(operand, values, depth + 1)
            case Element(sequence) | Item(sequence, _):
                yield from parameters_in(sequence, values, depth + 1)
