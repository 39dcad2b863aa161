"""The conditions that the patterns of a `match` statement are."""

from tree_sitter import Node

from leverlint.facts import UNTOLD, Apply, Decoding, Untold
from leverlint.languages.python import terms
from leverlint.languages.python.bindings import parts
from leverlint.languages.python.expressions import Environment, Expressions
from leverlint.languages.python.scopes import Scope
from leverlint.languages.syntax import text


def matched(
    pattern: Node, subject: Decoding, expressions: Expressions, scope: Scope, env: Environment
) -> Decoding:
    """Give the condition that a subject matches a pattern, and bind the name that it captures."""
    inner = parts(pattern)
    if text(pattern, expressions.source).strip() == "_":
        return terms.TRUE
    if isinstance(subject, Untold) or len(inner) != 1:
        return UNTOLD
    node = inner[0]
    if node.type == "case_pattern":
        return matched(node, subject, expressions, scope, env)
    if node.type == "union_pattern":
        found: Decoding = terms.FALSE
        for option in reversed(parts(node)):
            found = terms.either(_alternative(option, subject, expressions, scope, env), found)
        return found
    if node.type == "as_pattern":
        return UNTOLD
    return _alternative(node, subject, expressions, scope, env)


def _alternative(
    node: Node, subject: Decoding, expressions: Expressions, scope: Scope, env: Environment
) -> Decoding:
    if node.type == "dotted_name":
        if len(node.named_children) == 1:
            env[text(node, expressions.source)] = subject
            return terms.TRUE
        return UNTOLD
    if node.type == "case_pattern":
        return matched(node, subject, expressions, scope, env)
    value = expressions.of(node, scope, env)
    if isinstance(value, Untold):
        return UNTOLD
    if terms.is_constant(value, None):
        return Apply("py:is_none", (subject,))
    return Apply("equals", (subject, value))
