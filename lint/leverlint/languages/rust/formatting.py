"""What a format string makes of its arguments."""

from collections.abc import Callable

from tree_sitter import Node

from leverlint.facts import UNKNOWN, Expression, Text
from leverlint.languages.rust.expressions import joined
from leverlint.languages.rust.literals import LITERALS, format_pieces, literal_value
from leverlint.languages.rust.source import Source, span_of


def formatted(
    given: list[Node],
    source: Source,
    lower: Callable[[Node], Expression],
    named: Callable[[str, Node], Expression],
) -> Expression:
    """Lower the arguments of `format!`; `named` knows the names that stand inside the braces."""
    if not given or given[0].type not in LITERALS:
        return UNKNOWN
    keyed, positional = _sorted_out(given[1:], source)
    parts: list[Expression] = []
    turn = 0
    span = span_of(given[0])
    for text, field in format_pieces(literal_value(given[0], source.text)):
        if field is None:
            parts.append(Text(text, span))
        elif field == "" or field.isdigit():
            position = int(field) if field else turn
            turn += field == ""
            parts.append(lower(positional[position]) if position < len(positional) else UNKNOWN)
        elif field in keyed:
            parts.append(lower(keyed[field]))
        else:
            parts.append(named(field, given[0]))
    return joined(parts)


def _sorted_out(arguments: list[Node], source: Source) -> tuple[dict[str, Node], list[Node]]:
    keyed: dict[str, Node] = {}
    positional = []
    for argument in arguments:
        left, right = argument.child_by_field_name("left"), argument.child_by_field_name("right")
        if argument.type == "assignment_expression" and left is not None and right is not None:
            keyed[source.text_of(left)] = right
        positional.append(argument if right is None else right)
    return keyed, positional
