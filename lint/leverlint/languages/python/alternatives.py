"""Several values that one expression may have."""

from leverlint.facts import UNKNOWN, AnyOf, Expression

_MOST = 512
"""Alternatives that are told apart; a table of more is data."""


def any_of(options: list[Expression]) -> Expression:
    """Give the alternatives as one expression, each once."""
    flat: list[Expression] = []
    for option in options:
        flat.extend(option.options if isinstance(option, AnyOf) else (option,))
    unique = list(dict.fromkeys(flat))[:_MOST]
    return unique[0] if len(unique) == 1 else AnyOf(tuple(unique)) if unique else UNKNOWN
