"""Leaving out of a decoding what only says whether a value is consulted at all.

`flag("X") and on_gpu()` is off without a GPU whatever `X` is. What `X` does where it counts is
that it is true; code that is not about the value is taken not to stand in its way.
"""

from collections.abc import Callable, Container

from leverlint.facts import (
    Apply,
    Attempt,
    Constant,
    Decoding,
    Helper,
    If,
    Let,
    Passed,
    Raise,
    Span,
    Untold,
)
from leverlint.languages.python import terms

_SHORT = 60
"""Terms that are written twice rather than worked out once."""

Related = Callable[[Decoding], bool]


def on_answer(decoding: Decoding, spans: Container[Span]) -> Decoding:
    """Leave out what is not about the answer of one call."""
    written = _without_refusals(_without_lets(decoding), spans)
    return _focused(written, lambda part: terms.asks(part, spans))


def on_any(decoding: Decoding) -> Decoding:
    """Leave out what is about no answer and no parameter."""
    return _focused(decoding, terms.depends)


def uncertain(decoding: Decoding, spans: Container[Span]) -> bool:
    """Say whether something in a decoding cannot be told from the answer of a call."""
    for node in terms.inside(decoding):
        if isinstance(node, Passed | Untold) or (isinstance(node, Helper) and not terms.asks(node, spans)):
            return True
    return False


def _without_refusals(decoding: Decoding, spans: Container[Span]) -> Decoding:
    """Leave out what is raised for a reason that is not, or not only, the answer."""

    def put(node: Decoding) -> Decoding | None:
        if not isinstance(node, If) or not uncertain(node.condition, spans):
            return None
        for refused, other in ((node.then, node.otherwise), (node.otherwise, node.then)):
            if isinstance(refused, Raise):
                return _without_refusals(other, spans)
        return None

    return terms.replaced(decoding, put)


def _without_lets(decoding: Decoding) -> Decoding:
    """Write out what is worked out once, where that is short and used."""

    def put(node: Decoding) -> Decoding | None:
        if not isinstance(node, Let):
            return None
        value, body, number = _without_lets(node.value), _without_lets(node.body), node.number
        used = any(terms.is_local(each, number) for each in terms.inside(body))
        if not used or terms.size(value, _SHORT) >= _SHORT:
            return Let(number, value, body)
        return terms.replaced(body, lambda each: value if terms.is_local(each, number) else None)

    return terms.replaced(decoding, put)


def _focused(decoding: Decoding, related: Related) -> Decoding:
    match decoding:
        case If(condition, then, otherwise):
            return _decided(
                _focused(condition, related), _focused(then, related), _focused(otherwise, related), related
            )
        case Apply("py:truth", (value,)):
            return terms.truth(_focused(value, related))
        case Apply(operation, arguments):
            return Apply(operation, tuple(_focused(each, related) for each in arguments))
        case Let(number, value, body):
            return Let(number, _focused(value, related), _focused(body, related))
        case Attempt(body, otherwise):
            return Attempt(_focused(body, related), _focused(otherwise, related))
    return decoding


def _decided(condition: Decoding, then: Decoding, otherwise: Decoding, related: Related) -> Decoding:
    if not related(condition):
        if related(then) and not related(otherwise):
            return then
        if related(otherwise) and not related(then):
            return otherwise
        return If(condition, then, otherwise)
    if _is_beside(then, related):
        same = terms.same(terms.truth(otherwise), condition)
        return condition if terms.is_constant(otherwise, False) or same else If(condition, then, otherwise)
    if _is_beside(otherwise, related):
        same = terms.same(then, condition) and terms.decided(then) == "switch"
        return condition if terms.is_constant(then, True) or same else If(condition, then, otherwise)
    return If(condition, then, otherwise)


def _is_beside(part: Decoding, related: Related) -> bool:
    """Say whether a part is a question of its own."""
    return not related(part) and not isinstance(part, Constant | Raise) and not _is_data(part)


def _is_data(part: Decoding) -> bool:
    return isinstance(part, Apply) and all(isinstance(node, Apply | Constant) for node in terms.inside(part))
