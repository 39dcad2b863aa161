"""Following a value from where it appears to where it ends up, through one expression."""

from typing import NamedTuple

from tree_sitter import Node

from leverlint.facts import UNTOLD, Apply, Constant, Decoding, Span, Untold
from leverlint.languages.python import conversions, terms
from leverlint.languages.python.expressions import Environment, Expressions
from leverlint.languages.python.scopes import COMPREHENSIONS, Scope
from leverlint.languages.syntax import text

Spans = frozenset[Span]


class Landing(NamedTuple):
    kind: str
    """`returned`, `condition`, `local` (a variable of the function takes it), `stored`,
    `handed` (to code that is not followed), `shown` (to a person), `restored` (to the
    environment) or `lost`."""
    value: Decoding
    node: Node | None = None
    """The statement or clause that it ends in."""


_LARGEST = 150
"""Terms of a value that is worth following."""
_THROUGH = frozenset(
    {
        *("parenthesized_expression", "not_operator", "unary_operator", "comparison_operator"),
        *("binary_operator", "subscript", "conditional_expression", "boolean_operator", "attribute"),
        *("call", "argument_list", "keyword_argument", "named_expression", "await"),
    }
)
_STATEMENTS = frozenset({"if_statement", "elif_clause", "while_statement", "assert_statement", "if_clause"})
_DISPLAYS = frozenset({"tuple", "list", "set", "expression_list", "pair", "dictionary"})


def follow(
    node: Node, value: Decoding, spans: Spans, expressions: Expressions, scope: Scope, env: Environment
) -> Landing:
    """Climb from a node that holds a value as long as what is made of it can be told."""
    return _Climb(spans, expressions, scope, env).climb(node, value)


class _Climb:
    def __init__(self, spans: Spans, expressions: Expressions, scope: Scope, env: Environment) -> None:
        self._spans = spans
        self._expressions = expressions
        self._scope = scope
        self._env = env
        self._source = expressions.source

    def climb(self, node: Node, value: Decoding) -> Landing:
        held = self._expressions.substituted
        before = held.get(node.id)
        held[node.id] = value
        try:
            while True:
                above = node.parent
                if above is None:
                    return Landing("lost", value)
                if above.type == "call" and node == above.child_by_field_name("function"):
                    return self._lost(value, above)
                step = self._step(node, above, value)
                if isinstance(step, Landing):
                    return step
                held.pop(node.id, None)
                node, value = step
                if terms.size(value, _LARGEST) >= _LARGEST:
                    return Landing("lost", UNTOLD)
                held[node.id] = value
        finally:
            held.pop(node.id, None)
            if before is not None:
                held[node.id] = before

    def _step(self, node: Node, above: Node, value: Decoding) -> "Landing | tuple[Node, Decoding]":
        kind = above.type
        if kind in _THROUGH:
            return self._through(node, above, value)
        if kind in _STATEMENTS:
            return Landing("condition", terms.truth(value), above)
        if kind in ("return_statement", "lambda"):
            return Landing("returned", value, above)
        if kind in ("assignment", "augmented_assignment"):
            return self._assigned(above, value)
        if kind in ("interpolation", "format_expression", "list_splat", "dictionary_splat"):
            return Landing("shown" if self._shown(above) else "handed", value, above)
        if kind in _DISPLAYS:
            return self._displayed(node, above, value)
        if kind == "match_statement":
            return Landing("matched", value, above)
        if kind in ("expression_statement", "raise_statement", "delete_statement"):
            return Landing("lost", value, above)
        if kind == "for_in_clause" and above.parent is not None:
            return self._made(above.parent, value, "lost")
        if kind in ("for_statement", "yield", *COMPREHENSIONS):
            return Landing("handed" if isinstance(value, Apply) else "lost", value, above)
        return Landing("stored", value, above)

    def _through(self, node: Node, above: Node, value: Decoding) -> "Landing | tuple[Node, Decoding]":
        match above.type:
            case "parenthesized_expression" | "await":
                return above, value
            case "named_expression":
                return self._named(above, value)
            case "keyword_argument":
                return self._argument(above, value)
            case "argument_list":
                return self._argument(node, value)
            case "attribute":
                call = above.parent
                if call is not None and call.type == "call" and call.child_by_field_name("function") == above:
                    return self._made(call, value, "lost")
                return self._lost(value, above)
            case "boolean_operator":
                return self._operand(node, above, value)
            case "conditional_expression":
                return self._arm(node, above, value)
            case "subscript" if above.child_by_field_name("value") != node:
                return self._made(above, value, "handed")
        return self._made(above, value, "lost")

    def _made(self, above: Node, value: Decoding, otherwise: str) -> "Landing | tuple[Node, Decoding]":
        """Go on with what an expression makes of the value, if that can be told."""
        made = self._expressions.of(above, self._scope, self._env)
        if terms.asks(made, self._spans) and terms.told(made):
            return above, made
        judged = _judgement(above)
        if judged is not None:
            made = self._expressions.of(judged, self._scope, self._env)
            if terms.asks(made, self._spans) and terms.told(made):
                return judged, made
        return Landing(otherwise, value, above) if otherwise != "lost" else self._lost(value, above)

    def _lost(self, value: Decoding, above: Node) -> Landing:
        return Landing("handed" if terms.decided(value) or isinstance(value, Apply) else "lost", value, above)

    def _named(self, above: Node, value: Decoding) -> "Landing | tuple[Node, Decoding]":
        name = above.child_by_field_name("name")
        if name is not None:
            self._env[text(name, self._source)] = value
        return above, value

    def _argument(self, node: Node, value: Decoding) -> "Landing | tuple[Node, Decoding]":
        arguments = node.parent
        call = arguments.parent if arguments is not None else None
        if call is None or call.type != "call":
            return Landing("handed", value, node)
        made = self._expressions.of(call, self._scope, self._env)
        if terms.asks(made, self._spans):
            return call, made
        return Landing("shown" if self._shown(call) else "handed", value, call)

    def _operand(self, node: Node, above: Node, value: Decoding) -> "Landing | tuple[Node, Decoding]":
        left, right = above.child_by_field_name("left"), above.child_by_field_name("right")
        operator = above.child_by_field_name("operator")
        beside = self._expressions.of(left if node == right else right, self._scope, self._env)
        if node == right and (not terms.asks(beside, self._spans) or not terms.told(beside)):
            return above, value
        made = self._expressions.of(above, self._scope, self._env)
        switch = terms.decided(value) == "switch" or self._expressions.reads.is_switch(value)
        if terms.told(made) and not (switch and (terms.others(made, self._spans) or self._is_beside(beside))):
            return above, made
        if switch or (operator is not None and operator.type == "and"):
            return Landing("operand", terms.truth(value), above)
        return above, made if not isinstance(made, Untold) else value

    def _is_beside(self, operand: Decoding) -> bool:
        """Say whether the other side of an operator is a question of its own."""
        return not terms.asks(operand, self._spans) and not isinstance(operand, Constant)

    def _arm(self, node: Node, above: Node, value: Decoding) -> "Landing | tuple[Node, Decoding]":
        made = self._expressions.of(above, self._scope, self._env)
        if terms.told(made) and terms.asks(made, self._spans):
            return above, made
        parts = [child for child in above.named_children if child.type != "comment"]
        if len(parts) == 3 and node == parts[1]:
            if terms.asks(made, self._spans) and terms.told(terms.truth(value)):
                return Landing("condition", terms.truth(value), above)
            return Landing("condition", terms.truth(value), above)
        return above, made if terms.asks(made, self._spans) else value

    def _assigned(self, above: Node, value: Decoding) -> Landing:
        target = above.child_by_field_name("left")
        if target is not None and target.type == "identifier" and self._scope.kind == "function":
            return Landing("local", value, above)
        if target is not None and target.type == "subscript":
            mapping = target.child_by_field_name("value")
            if self._expressions.values.mapping(self._expressions.values.of(mapping, self._scope)):
                return Landing("restored", value, above)
        return Landing("stored", value, above)

    def _displayed(self, node: Node, above: Node, value: Decoding) -> "Landing | tuple[Node, Decoding]":
        if above.type == "pair" and node != above.child_by_field_name("value"):
            return Landing("handed", value, above)
        return Landing("stored", value, above)

    def _shown(self, node: Node) -> bool:
        """Say whether an expression is part of what is told to a person."""
        at: Node | None = node
        while at is not None and not at.type.endswith("_statement") and at.type != "block":
            function = at.child_by_field_name("function") if at.type == "call" else None
            if function is not None and text(function, self._source).rpartition(".")[2] in conversions.SHOWS:
                return True
            at = at.parent
        return at is not None and at.type in ("raise_statement", "assert_statement")


def _judgement(node: Node) -> Node | None:
    """Give the call of `any(… for …)` that an expression is judged by, item for item."""
    at: Node | None = node
    while at is not None and at.type in (*_THROUGH, "generator_expression"):
        above = at.parent
        if at.type == "generator_expression" and above is not None and above.type == "call":
            return above
        at = above
    return None
