"""Which errors a `try` statement catches, and what decodings make of that."""

from collections.abc import Callable, Iterator

from tree_sitter import Node

from leverlint.facts import Answer, Apply, Attempt, Decoding, If, Let, Local, Passed, Raise, Span
from leverlint.languages.python import terms
from leverlint.languages.python.bindings import parts
from leverlint.languages.syntax import text

_ALL = frozenset({"Exception", "BaseException", ""})
_PARENTS = {
    "LookupError": {"KeyError", "IndexError"},
    "JSONDecodeError": {"ValueError"},
    "ArithmeticError": {"OverflowError", "ZeroDivisionError"},
}
_KINDS = frozenset(
    {"ValueError", "TypeError", "KeyError", "AttributeError", "IndexError", "ZeroDivisionError"}
)
_ON_NOTHING = {
    "py:int": "TypeError",
    "py:float": "TypeError",
    "py:json": "TypeError",
    "py:literal": "ValueError",
}
_OF_VALUE = frozenset({"py:int", "py:float", "py:json", "py:literal", "py:strtobool"})
_OF_TEXT = frozenset(
    {"lower", "upper", "strip", "lstrip", "rstrip", "replace", "py:casefold", "py:strtobool"}
)


class Handlers:
    """The `except` clauses of one statement."""

    def __init__(
        self, statement: Node, source: bytes, number: Callable[[], int], demands: Callable[[Span], bool]
    ) -> None:
        self._number = number
        self._demands = demands
        self._clauses = [
            (_caught(clause, source), _body(clause))
            for clause in parts(statement)
            if clause.type in ("except_clause", "except_group_clause")
        ]

    def first(self) -> list[Node] | None:
        """Give the statements of the clause that conversions and lookups end in."""
        return next((body for caught, body in self._clauses if caught & _KINDS), None)

    def attempt(self, body: Decoding, otherwise: Decoding) -> Decoding:
        """Give `body`, or `otherwise` where it raises something that the clause catches."""
        caught = next((caught for caught, _ in self._clauses if caught & _KINDS), None)
        if caught is None or not self.may_raise(body):
            return body
        for condition in self._uncaught(body, caught):
            otherwise = If(condition, Raise(), otherwise)
        return Attempt(body, otherwise)

    def may_raise(self, value: Decoding) -> bool:
        return terms.risky(value) or any(
            isinstance(node, Answer) and self._demands(node.span) for node in terms.inside(value)
        )

    def _uncaught(self, body: Decoding, caught: set[str]) -> Iterator[Decoding]:
        """Give the conditions under which something else is raised than what is caught."""
        for node in terms.inside(body):
            if isinstance(node, Answer) and self._demands(node.span) and "KeyError" not in caught:
                yield self._fails(node)
            if not isinstance(node, Apply) or not node.arguments:
                continue
            value = node.arguments[0]
            if any(isinstance(each, Local) for each in terms.inside(value)):
                continue
            kind = "AttributeError" if node.operation in _OF_TEXT else _ON_NOTHING.get(node.operation)
            if kind is not None and kind not in caught and self._may_be_nothing(value):
                yield Attempt(Apply("py:is_none", (value,)), terms.FALSE)
            if node.operation in _OF_VALUE and "ValueError" not in caught:
                yield Attempt(Let(self._number(), value, self._fails(node)), terms.FALSE)

    def _may_be_nothing(self, value: Decoding) -> bool:
        """Say whether a conversion may be given no text at all."""
        return isinstance(value, Answer | Passed) and not (
            isinstance(value, Answer) and self._demands(value.span)
        )

    def _fails(self, value: Decoding) -> Decoding:
        return Attempt(terms.let_go(self._number(), value), terms.TRUE)


def _body(clause: Node) -> list[Node]:
    return [statement for child in parts(clause) if child.type == "block" for statement in parts(child)]


def _caught(clause: Node, source: bytes) -> set[str]:
    named = [child for child in parts(clause) if child.type != "block"]
    if not named:
        return set(_KINDS)
    node = named[0]
    if node.type == "as_pattern" and node.named_children:
        node = node.named_children[0]
    listed = parts(node) if node.type in ("tuple", "parenthesized_expression") else [node]
    names = {text(each, source).rpartition(".")[2] for each in listed}
    if names & _ALL:
        return set(_KINDS)
    for name in list(names):
        names |= _PARENTS.get(name, set())
    return names
