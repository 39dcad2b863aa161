"""What the code around a read makes of it: up to where the value becomes a switch, number or choice.

From the read outwards as far as everything is told; a variable that holds the value is followed
to its first use that decides something.
"""

from typing import TYPE_CHECKING

from tree_sitter import Node

from leverlint.facts import (
    UNTOLD,
    Answer,
    Apply,
    Constant,
    Decoding,
    Helper,
    If,
    Span,
)
from leverlint.languages.rust.destinations import Destinations
from leverlint.languages.rust.emptiness import binds_text, tests_emptiness
from leverlint.languages.rust.nodes import method_of, parts_of
from leverlint.languages.rust.outcome_kinds import Kind, content, is_decided, kind_of_type, wrapped
from leverlint.languages.rust.outcomes import (
    FALSE,
    TRUE,
    UNIT,
    choose,
    is_told,
    is_true,
    is_unit,
    is_untold,
)
from leverlint.languages.rust.parse_types import retyped
from leverlint.languages.rust.source import Chain, span_of
from leverlint.languages.rust.statements import Statements
from leverlint.languages.rust.subject import Subject, is_worth_something, leaves, onward, settled

if TYPE_CHECKING:
    from leverlint.languages.rust.lowering import Lowering, Names

_BETWEEN = frozenset(
    {"arguments", "let_chain", "let_condition", "match_arm", "match_block", "else_clause", "field_expression",
     "generic_function", "match_pattern", "line_comment"}
)  # fmt: skip
"""What stands between an expression and the expression around it."""
_VALUES = frozenset(
    {"call_expression", "try_expression", "reference_expression", "unary_expression",
     "parenthesized_expression", "binary_expression", "type_cast_expression", "await_expression",
     "match_expression", "if_expression", "unsafe_block", "block", "const_block", "closure_expression",
     "index_expression", "tuple_expression", "array_expression"}
)  # fmt: skip
_INSISTING = frozenset({"unwrap", "expect"})
_FARTHEST = 40
_STEPS = 12


class Uses:
    def __init__(self, lowering: "Lowering") -> None:
        self._lowering = lowering
        self._file = lowering.file
        self._steps = 0
        self._lowering.begin()
        self.subject = Subject(Span(0, 0), lowering.kinds)
        self._statements = Statements(self, lowering)
        self._destinations = Destinations(lowering.file)

    def of_call(self, chain: Chain) -> Decoding:
        """Give what becomes of the value of the recorded call at the end of `chain`."""
        self._steps = 0
        self.subject = Subject(span_of(chain[-1]), self._lowering.kinds)
        found = self.followed(chain, {})
        if self._lowering.kinds.of(found) == "bool" and tests_emptiness(found):
            found = Answer(self.subject.span) if binds_text(chain, self._file.source) else found
        found = self.subject.without_joins(settled(found))
        return UNTOLD if self._is_under_way(found) else found

    # --- Outwards --------------------------------------------------------------------------------------

    def followed(self, chain: Chain, names: "Names") -> Decoding:
        """Follow the value at the end of `chain`; `names` holds what is known to come from the read."""
        self._steps += 1
        if self._steps > _STEPS:
            return UNTOLD
        expected = self._destinations.expected(chain)
        best = self._lowering.lower(chain[-1], names, expected)
        top = len(chain) - 1
        depth = top - 1
        while depth > 0 and len(chain) - depth < _FARTHEST:
            node, inside = chain[depth], chain[depth + 1]
            if node.type in _BETWEEN:
                depth -= 1
                continue
            if node.type not in _VALUES or self._is_statement(node, inside, chain[depth - 1]):
                break
            value = self._step(node, chain[depth - 1], names, best, expected)
            if value is None:
                break
            if not is_untold(value) and not self._is_under_way(value):
                best, top = value, depth
            depth -= 1
        return self._sunk(chain, top, best, names)

    def _is_under_way(self, value: Decoding) -> bool:
        """Say whether a value is an iterator, which is nothing before somebody goes through it."""
        return self._lowering.kinds.of(value).startswith("iter:")

    def _is_statement(self, node: Node, inside: Node, outer: Node) -> bool:
        """Say whether the value ends in a block without being what the block is worth."""
        if node.type == "block":
            inside_parts = parts_of(node)
            return not inside_parts or inside_parts[-1] != inside or inside.type == "let_declaration"
        return False

    def _step(
        self, node: Node, outer: Node, names: "Names", best: Decoding, expected: Kind
    ) -> Decoding | None:
        """Take in one more expression; `None`: stop here, `UNTOLD`: look further out."""
        if node.type == "closure_expression":
            return UNTOLD
        kind = self._lowering.kinds.of(best)
        decided = is_decided(kind) and not wrapped(kind)
        branching = node.type in ("match_expression", "if_expression")
        if decided and branching:
            return self._boolean(node, names)
        value = self._lowering.lower(node, names, expected)
        if isinstance(value, Apply) and value.operation == "path_join":
            # What is looked for below a path is no decoding of it.
            return None
        if node.type == "block" and len(parts_of(node)) > 1 and not self.subject.is_closed(value):
            # What other statements decide is not what becomes of the value.
            return None
        if is_untold(value) or not self.subject.is_about(value):
            return None if decided or branching else self._gap(node, outer)
        if isinstance(value, Helper) and (self._is_dropped(node) or not self._decodes(value, kind)):
            return None
        if not self.subject.is_closed(self.subject.first_condition(value)):
            return None
        if wrapped(kind) and is_decided(kind) and self._only_says_given(value):
            return None
        if self.subject.is_closed(value):
            return value
        if decided or not (self._is_looked_into(node) or any(map(is_worth_something, leaves(value)))):
            return None
        return None if branching and not any(map(is_worth_something, leaves(value))) else value

    def _only_says_given(self, value: Decoding) -> bool:
        """Say whether what a wrapper has decoded is only asked for being there: `switch("X").is_some()`."""
        answer = self._lowering.kinds.of(Answer(self.subject.span))
        return is_decided(answer) and self._lowering.kinds.of(value) == "bool" and tests_emptiness(value)

    def _is_looked_into(self, node: Node) -> bool:
        """Say whether code that is not told takes the text apart, rather than to use it whole."""
        written = self._file.source.text[node.start_byte : node.end_byte]
        return b".parse" in written or b".split" in written

    def _is_dropped(self, node: Node) -> bool:
        """Say whether a statement takes nothing of a value but that there is one."""
        around = node.parent
        while around is not None and (
            around.type in ("try_expression", "await_expression", "field_expression")
            or ((method := method_of(around, self._file.source)) is not None and method[1] in _INSISTING)
        ):
            around = around.parent
        return (
            around is not None and around.type == "expression_statement" and around.children[-1].type == ";"
        )

    def _decodes(self, helper: Helper, kind: Kind) -> bool:
        """Say whether a function that is given the value is likely to decode it, not to use it as text."""
        if is_decided(kind) and not wrapped(kind) and not self._lowering.is_here(helper):
            return False
        if not all(map(self.subject.is_closed, helper.arguments)) and not wrapped(kind):
            return False
        return self._lowering.may_decode(helper)

    def _gap(self, node: Node, outer: Node) -> Decoding | None:
        """Go on behind a block or call that tells nothing by itself, such as a closure's."""
        return UNTOLD if node.type in ("block", "unsafe_block") else None

    def _boolean(self, node: Node, names: "Names") -> Decoding | None:
        """Go on through a condition whose branches only say yes or no."""
        value = self._lowering.lower(node, names)
        ends = list(leaves(value))
        if self._lowering.kinds.of(value) != "bool" or not self.subject.is_closed(value):
            return None
        return value if len(ends) == 1 or len(set(map(is_true, ends))) > 1 else None

    # --- Where it ends ---------------------------------------------------------------------------------

    def _sunk(self, chain: Chain, top: int, best: Decoding, names: "Names") -> Decoding:
        if self.subject.is_decided(best):
            return self._typed(chain, top, best)
        depth = top - 1
        while depth > 0 and chain[depth].type in ("match_pattern", "expression_statement", "let_chain"):
            depth -= 1
        node = chain[depth]
        if node.type == "let_declaration":
            return self._in_variable(chain, depth, best, names)
        if node.type == "let_condition":
            return self._in_condition(chain, depth, names, best)
        if node.type == "match_expression":
            return self.chosen(node, best, names)
        if node.type in (
            "arguments",
            "field_expression",
            "generic_function",
            "macro_invocation",
            "for_expression",
        ):
            taken = node.type == "field_expression" and not self._is_looked_into(chain[depth - 1])
            return best if taken or not wrapped(self._lowering.kinds.of(best)) else UNTOLD
        return self._typed(chain, top, best)

    def _typed(self, chain: Chain, top: int, best: Decoding) -> Decoding:
        """Settle the type of what is parsed by where the value is put."""
        kind = self._destinations.expected(chain[: top + 1])
        return retyped(best, kind) if kind else best

    def _retyped(self, value: Decoding, declared: Node | None) -> Decoding:
        kind = content(kind_of_type(declared, self._file.source)) if declared is not None else ""
        return retyped(value, kind) if kind else value

    # --- Variables ---------------------------------------------------------------------------------------

    def _in_variable(self, chain: Chain, depth: int, value: Decoding, names: "Names") -> Decoding:
        let, block = chain[depth], chain[depth - 1]
        pattern = let.child_by_field_name("pattern")
        if pattern is None or block.type != "block":
            return value
        value = self._retyped(value, let.child_by_field_name("type"))
        return onward(value, lambda got: self._bound(let, pattern, block, got, names))

    def _bound(self, let: Node, pattern: Node, block: Node, value: Decoding, names: "Names") -> Decoding:
        """Follow the names that a `let` binds to parts of the value."""
        otherwise = let.child_by_field_name("alternative")
        fits, bound = self._lowering.branches.patterns.test(pattern, value, names)
        bound = {name: part for name, part in bound.items() if not is_untold(part)}
        if not bound:
            return value if is_true(fits) else fits
        found = self._statements.in_rest(block, let, {**names, **bound}, set(bound))
        found = found if found is not None else next(iter(bound.values()))
        return (
            choose(fits, found, self._statements.left(otherwise, names)) if otherwise is not None else found
        )

    # --- Conditions and choices ----------------------------------------------------------------------

    def _in_condition(self, chain: Chain, depth: int, names: "Names", best: Decoding) -> Decoding:
        """Follow what `if let` and `while let` bind into what they guard."""
        outer = depth - 1
        while chain[outer].type == "let_chain":
            outer -= 1
        node, condition = chain[outer], chain[outer + 1]
        if node.type not in ("if_expression", "while_expression"):
            return best
        fits, bound = self._partly(condition, names)
        if is_untold(fits):
            return best
        tracked = {name for name, value in bound.items() if self.subject.is_about(value)}
        body = node.child_by_field_name("consequence") or node.child_by_field_name("body")
        decided = [value for value in bound.values() if self.subject.is_decided(value)]
        inside = decided[0] if decided else None
        if inside is None and body is not None and tracked:
            inside = self._statements.in_block(body, {**names, **bound}, tracked)
        otherwise = node.child_by_field_name("alternative")
        if inside is None:
            exact = self._statements.value_of(body, {**names, **bound}) if body is not None else UNTOLD
            if not tracked or is_unit(exact) or is_untold(exact):
                return fits if not tracked else choose(fits, bound[min(tracked)], UNIT)
            inside = exact
        outside = self._statements.value_of(parts_of(otherwise)[0], names) if otherwise is not None else None
        return choose(fits, inside, outside if outside is not None else self._statements.before(body))

    def _partly(self, condition: Node, names: "Names") -> tuple[Decoding, dict[str, Decoding]]:
        """Lower a condition without the parts that have nothing to do with the value."""
        if condition.type != "let_chain":
            return self._lowering.branches.condition(condition, names)
        fits: Decoding = TRUE
        bound: dict[str, Decoding] = {}
        for part in parts_of(condition):
            holds, more = self._lowering.branches.condition(part, {**names, **bound})
            if self.subject.is_closed(holds):
                fits, bound = choose(fits, holds, FALSE), {**bound, **more}
        return fits, bound

    def chosen(self, node: Node, value: Decoding, names: "Names") -> Decoding:
        """Follow the value into the arms of a `match`."""
        found: Decoding | None = None
        plain = True
        arms = self._lowering.branches.arms(node, value, names)
        for fits, bound, arm in reversed(arms):
            body = arm.child_by_field_name("value")
            if body is None:
                continue
            tracked = {name for name, part in bound.items() if self.subject.is_about(part)}
            result = self._in_arm(body, {**names, **bound}, tracked)
            if result is None:
                result = self._word(fits) if len(arms) > 2 else UNTOLD
            else:
                plain = False
            found = result if found is None else choose(fits, result, found)
        if found is None or (plain and len(arms) == 2):
            return arms[0][0] if arms and is_told(arms[0][0]) else value
        return found

    def _in_arm(self, body: Node, names: "Names", tracked: set[str]) -> Decoding | None:
        exact = self._lowering.lower(body, names)
        if is_told(exact) and not is_unit(exact):
            return exact
        if tracked and self._statements.mentions(body, tracked):
            if body.type == "block":
                found = self._statements.in_block(body, names, tracked)
            else:
                found = self._statements.in_statement(
                    body, [], names, tracked, self._statements.mentions(body, tracked)
                )
            if found is not None:
                return found
        if body.type == "block" and self._statements.always_leaves(body):
            return self._statements.left(body, names)
        return UNIT if is_unit(exact) else None

    def _word(self, fits: Decoding) -> Decoding:
        """Name an arm that does something which is not told by the word that leads to it."""
        for part in [fits, *(_conditions(fits))]:
            if (
                isinstance(part, Apply)
                and part.operation == "equals"
                and isinstance(part.arguments[-1], Constant)
            ):
                return part.arguments[-1]
        return UNIT


def _conditions(decoding: Decoding) -> list[Decoding]:
    if isinstance(decoding, If):
        return [*_conditions(decoding.condition), *_conditions(decoding.then)]
    return [decoding]
