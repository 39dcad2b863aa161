"""Which expressions say everything about a value that was read: what can be proved, not what is likely.

An expression is exact when it holds nothing but one read, what is written in the code, and
operations whose meaning is told to the last; a function is when it does nothing else.
"""

import re

from tree_sitter import Node

from leverlint.facts import Exact, Path, Span
from leverlint.languages.python import terms
from leverlint.languages.python.bindings import parts
from leverlint.languages.python.calls import Recorded, path_of
from leverlint.languages.python.exact_expressions import ExactExpressions
from leverlint.languages.python.expressions import Expressions
from leverlint.languages.python.reads import Reads
from leverlint.languages.python.scopes import Scope
from leverlint.languages.syntax import text

_THROUGH = frozenset({"attribute", "argument_list"})
"""What stands between an expression and the call that is made of it."""
_BINDING = frozenset({"assignment", "augmented_assignment", "for_statement", "for_in_clause"})
_FARTHEST = 24
_LONGEST = 2000
"""Bytes of an expression or function that still decodes one value."""


class Exactness:
    def __init__(self, expressions: Expressions, reads: Reads) -> None:
        self._expressions = expressions
        self._source = expressions.source
        self._scopes = expressions.values.scopes
        self._exact = ExactExpressions(expressions, reads)

    # --- Around a read ----------------------------------------------------------------------

    def around(self, record: Recorded) -> tuple[Exact, ...]:
        """Give the exact expressions around a recorded call, innermost first."""
        chain = record.chain
        end = next((depth for depth in range(len(chain) - 1, 0, -1) if self._is_at(chain[depth], record)), 0)
        if not end or record.declared or not self._is_value(chain, end):
            return ()
        found: list[Exact] = []
        for depth in range(end, max(end - _FARTHEST, 0), -1):
            node = chain[depth]
            if node.type in _THROUGH:
                continue
            if node.end_byte - node.start_byte > _LONGEST or not self._exact.is_exact(
                node, record.scope, frozenset()
            ):
                break
            if node.type == "parenthesized_expression" or _has_comment(node):
                continue
            exact = self._lowered(node, record.scope)
            found.extend([exact] if exact is not None else [])
        return tuple(found)

    def _is_at(self, node: Node, record: Recorded) -> bool:
        return (node.start_byte, node.end_byte) == record.span and node.type != "expression_statement"

    def _lowered(self, node: Node, scope: Scope) -> Exact | None:
        decoding = self._expressions.of(node, scope, {})
        if not terms.told(decoding) or not terms.asks(decoding):
            return None
        return Exact(Span(node.start_byte, node.end_byte), decoding)

    def _is_value(self, chain: list[Node], depth: int) -> bool:
        """Say whether something else may stand there: it is no target, and nothing shows its source."""
        for position in range(depth, 0, -1):
            node, above = chain[position], chain[position - 1]
            if above.type in _BINDING and above.child_by_field_name("left") == node:
                return False
            shown = above.type == "interpolation" and any(child.type == "=" for child in above.children)
            if shown or above.type in ("delete_statement", "as_pattern_target", "type"):
                return False
            if above.type in ("block", "module"):
                return True
        return True

    def stored(self, record: Recorded, exact: tuple[Exact, ...]) -> Span | None:
        """Give the exact expression that a field is set to where it is always set."""
        spans = {each.span for each in exact}
        chain = record.chain
        for depth in range(len(chain) - 1, 0, -1):
            node, above = chain[depth], chain[depth - 1]
            span = Span(node.start_byte, node.end_byte)
            if above.type == "keyword_argument" and above.child_by_field_name("value") == node:
                taken = chain[depth - 3] if depth > 3 else above
                return span if span in spans and self._is_always(chain, depth - 3, taken) else None
            if above.type == "assignment" and above.child_by_field_name("right") == node:
                declared = self._is_declared(chain, depth - 1, path_of(record.callee))
                return span if span in spans and declared else None
            if node.type in ("block", "lambda"):
                break
        return None

    def _is_always(self, chain: list[Node], depth: int, call: Node) -> bool:
        """Say whether an object that a function makes is the one that it always gives."""
        if call.type != "call" or depth < 1:
            return False
        outer = depth - 1
        held: Node | None = None
        if chain[outer].type == "assignment" and chain[outer].child_by_field_name("right") == call:
            held = chain[outer].child_by_field_name("left")
            outer -= 1
        if chain[outer].type not in ("return_statement", "expression_statement"):
            return False
        block, owner = chain[outer - 1], chain[outer - 2] if outer > 1 else None
        # What is made at the top of a module is read when that is imported, which may be too early.
        if block.type != "block" or owner is None or owner.type != "function_definition":
            return False
        return len(_leaving(owner)) <= 1 and (held is None or self._is_bound_once(held, owner))

    def _is_bound_once(self, name: Node, function: Node) -> bool:
        binding = rb"\b%s\s*(?::[^=\n]*)?=(?!=)" % re.escape(text(name, self._source).encode())
        body = self._source[function.start_byte : function.end_byte]
        return name.type == "identifier" and len(re.findall(binding, body)) == 1

    def _is_declared(self, chain: list[Node], depth: int, callee: Path | None) -> bool:
        """Say whether an assignment declares a lever with the kit, or is made for every object of a class."""
        if depth < 3 or chain[depth - 1].type != "expression_statement" or chain[depth - 2].type != "block":
            return False
        owner, target = chain[depth - 3], chain[depth].child_by_field_name("left")
        if target is None:
            return False
        if owner.type == "class_definition":
            return target.type == "identifier" and callee is not None and callee[0] == "atlas_levers"
        name = owner.child_by_field_name("name")
        return (
            owner.type == "function_definition"
            and name is not None
            and text(name, self._source) == "__init__"
            and target.type == "attribute"
            and not _leaving(owner)
        )

    # --- Functions --------------------------------------------------------------------------

    def of_function(self, function: Scope) -> bool:
        """Say whether a function gives what it is lowered to, and does nothing else."""
        node, body = function.node, function.node.child_by_field_name("body")
        if body is None or body.end_byte - body.start_byte > _LONGEST:
            return False
        if function.parent is None or function.parent.kind not in ("module", "function"):
            return False
        if any(child.type == "async" for child in node.children):
            return False
        if node.parent is not None and node.parent.type == "decorated_definition":
            return False
        names = self._parameters(function)
        if names is None:
            return False
        if node.type == "lambda":
            return self._exact.is_exact(body, function, names)
        return self._runs(parts(body), function, names) is not None

    def _parameters(self, function: Scope) -> frozenset[str] | None:
        listed = function.node.child_by_field_name("parameters")
        names = set()
        for each in parts(listed) if listed is not None else ():
            default = each.child_by_field_name("value")
            if default is not None and not self._exact.is_exact(default, self._scopes.module, frozenset()):
                return None
            name = each if each.type == "identifier" else each.child_by_field_name("name")
            name = name or (each.named_children[0] if each.named_children else None)
            if name is None or name.type != "identifier":
                return None
            names.add(text(name, self._source))
        return frozenset(names)

    def _runs(self, statements: list[Node], scope: Scope, names: frozenset[str]) -> frozenset[str] | None:
        """Give the names that are known after statements; `None` when something in them is not told."""
        for position, statement in enumerate(statements):
            inner = parts(statement)
            match statement.type:
                case "return_statement" if inner:
                    if not self._exact.is_exact(inner[0], scope, names):
                        return None
                case "expression_statement" if len(inner) == 1 and inner[0].type == "assignment":
                    target, value = (inner[0].child_by_field_name(side) for side in ("left", "right"))
                    if target is None or target.type != "identifier" or value is None:
                        return None
                    if not self._exact.is_exact(value, scope, names):
                        return None
                    names = names | {text(target, self._source)}
                case "expression_statement" if position == 0 and inner and inner[0].type == "string":
                    continue
                case "if_statement":
                    if not self._branches(statement, scope, names):
                        return None
                case "return_statement" | "pass_statement":
                    continue
                case _:
                    return None
        return names

    def _branches(self, statement: Node, scope: Scope, names: frozenset[str]) -> bool:
        for arm in (statement, *statement.children_by_field_name("alternative")):
            condition = arm.child_by_field_name("condition")
            if condition is not None and not (
                self._exact.is_exact(condition, scope, names) and self._exact.asks(condition, names)
            ):
                return False
            block = arm.child_by_field_name("consequence") or arm.child_by_field_name("body")
            if block is None or self._runs(parts(block), scope, names) is None:
                return False
        return True


def _has_comment(node: Node) -> bool:
    pending = [node]
    while pending:
        at = pending.pop()
        if at.type == "comment":
            return True
        pending.extend(at.named_children)
    return False


def _leaving(function: Node) -> list[Node]:
    """Give the statements that leave a function."""
    found, pending = [], [function.child_by_field_name("body")]
    while pending:
        node = pending.pop()
        if node is None or node.type in ("function_definition", "lambda", "class_definition"):
            continue
        if node.type == "return_statement":
            found.append(node)
        pending.extend(node.named_children)
    return found
