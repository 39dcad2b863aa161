"""Lowering of blocks, conditions and `match`."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tree_sitter import Node

from leverlint.facts import UNTOLD, Decoding
from leverlint.languages.rust.match_patterns import Patterns
from leverlint.languages.rust.nodes import parts_of
from leverlint.languages.rust.outcome_kinds import STORED, Kind, content, kind_of_type
from leverlint.languages.rust.outcomes import (
    TRUE,
    UNIT,
    both,
    choose,
    is_untold,
    returns,
)
from leverlint.languages.rust.parse_types import retyped
from leverlint.languages.rust.patterns import bindings

if TYPE_CHECKING:
    from leverlint.languages.rust.lowering import Lowering, Names

_LEAVING = re.compile(
    rb"\breturn\b|\?|\bbreak\b|\bcontinue\b|\b(?:bail|panic|ensure|todo|unreachable)!|\bexit\("
)
_ITEMS = ("_item", "use_declaration", "macro_definition", "empty_statement", "attribute_item")


class Branches:
    def __init__(self, lowering: "Lowering") -> None:
        self._lowering = lowering
        self._source = lowering.file.source
        self.patterns = Patterns(lowering)

    # --- Blocks -------------------------------------------------------------------------------------

    def block(self, block: Node, names: "Names", expected: Kind) -> Decoding:
        parts = parts_of(block)
        if len(parts) > 1 and parts[-2].type == "attribute_item":
            # What the block is worth is chosen when it is compiled.
            return UNTOLD
        statements = [part for part in parts if not part.type.endswith(_ITEMS)]
        return self.sequence(statements, names, expected)

    def sequence(self, statements: Sequence[Node], names: "Names", expected: Kind = "") -> Decoding:
        if not statements:
            return UNIT
        first, rest = statements[0], statements[1:]
        if first.type == "let_declaration":
            return self._let(first, rest, names, expected)
        if first.type == "expression_statement":
            inner = parts_of(first)
            ends = first.children[-1].type == ";" and expected != STORED
            if inner and (rest or ends):
                return self._statement(inner[0], rest, names, expected)
            return self._lowering.lower(inner[0], names, expected) if inner else UNIT
        if rest:
            return self._statement(first, rest, names, expected)
        return self._lowering.lower(first, names, expected)

    def _let(self, let: Node, rest: Sequence[Node], names: "Names", expected: Kind) -> Decoding:
        pattern, value_node = let.child_by_field_name("pattern"), let.child_by_field_name("value")
        otherwise = let.child_by_field_name("alternative")
        if pattern is None:
            return UNTOLD
        value = self.value_of_let(let, names) if value_node is not None else UNTOLD
        if is_untold(value):
            if otherwise is not None or (value_node is not None and self._may_leave(value_node)):
                return UNTOLD
            hidden = {name: UNTOLD for name, _ in bindings(pattern, self._source.text)}
            return self.sequence(rest, {**names, **hidden}, expected)

        def onward(got: Decoding) -> Decoding:
            fits, bound = self.patterns.test(pattern, got, names)
            onward = self.sequence(rest, {**names, **bound}, expected)
            if otherwise is None:
                return onward
            return choose(fits, onward, self.block(otherwise, names, ""))

        return self._lowering.numbers.then(value, onward)

    def value_of_let(self, let: Node, names: "Names") -> Decoding:
        """Lower the right side of a `let`, whose type may settle what is parsed."""
        declared = content(kind_of_type(let.child_by_field_name("type"), self._source))
        value = self._lowering.lower(let.child_by_field_name("value"), names, declared)
        return retyped(value, declared) if declared else value

    def _may_leave(self, node: Node) -> bool:
        return _LEAVING.search(self._source.text, node.start_byte, node.end_byte) is not None

    def _statement(self, node: Node, rest: Sequence[Node], names: "Names", expected: Kind) -> Decoding:
        """Carry out a statement for what it does to the variables, or for leaving."""
        if node.type == "assignment_expression":
            return self._assignment(node, rest, names, expected)
        leaves = self._may_leave(node)
        changed = [name for name in names if self._assigns(node, name)]
        if not leaves and not changed:
            return self.sequence(rest, names, expected)
        if changed and not leaves:
            return self.sequence(rest, {**names, **self._conditionally(node, names, changed)}, expected)
        if changed:
            return UNTOLD
        if node.type == "for_expression":
            value = self._once(node, names)
        else:
            value = self._lowering.lower(node, names)
        return self._lowering.numbers.all((value,), lambda got: self._after(got[0], rest, names, expected))

    def _after(self, value: Decoding, rest: Sequence[Node], names: "Names", expected: Kind) -> Decoding:
        """Go on behind a statement that may have left."""
        if is_untold(value):
            return UNTOLD
        return self.sequence(rest, names, expected)

    def _once(self, loop: Node, names: "Names") -> Decoding:
        """Lower what a loop over names does for one of them: a reader that takes the first that is set."""
        pattern, body = loop.child_by_field_name("pattern"), loop.child_by_field_name("body")
        if pattern is None or body is None:
            return UNTOLD
        hidden = {name: UNTOLD for name, _ in bindings(pattern, self._source.text)}
        value = self.block(body, {**names, **hidden}, "")
        return value if returns(value) else UNTOLD

    def _assigns(self, node: Node, name: str) -> bool:
        written = self._source.text[node.start_byte : node.end_byte]
        pattern = rb"(?<![\w.])" + re.escape(name.encode()) + rb"\s*(?:[-+*/|&^]|<<|>>)?=(?![=>])"
        return re.search(pattern, written) is not None

    def _assignment(self, node: Node, rest: Sequence[Node], names: "Names", expected: Kind) -> Decoding:
        left = node.child_by_field_name("left")
        value = self._lowering.lower(node.child_by_field_name("right"), names)
        if left is None or left.type != "identifier":
            return self._after(UNIT if not returns(value) else UNTOLD, rest, names, expected)
        name = self._source.text_of(left)
        return self._lowering.numbers.all(
            (value,), lambda got: self.sequence(rest, {**names, name: got[0]}, expected)
        )

    def _conditionally(self, node: Node, names: "Names", changed: list[str]) -> dict[str, Decoding]:
        """Give what variables are after `if condition { name = value; }`."""
        body = node.child_by_field_name("consequence") if node.type == "if_expression" else None
        condition = node.child_by_field_name("condition")
        inside = parts_of(body) if body is not None else []
        unknown: dict[str, Decoding] = dict.fromkeys(changed, UNTOLD)
        if len(changed) != 1 or len(inside) != 1 or node.child_by_field_name("alternative") is not None:
            return unknown
        assignment = parts_of(inside[0])[0] if parts_of(inside[0]) else inside[0]
        left = assignment.child_by_field_name("left")
        if assignment.type != "assignment_expression" or left is None or condition is None:
            return unknown
        fits, bound = self.condition(condition, names)
        value = self._lowering.lower(assignment.child_by_field_name("right"), {**names, **bound})
        return {changed[0]: choose(fits, value, names[changed[0]])}

    # --- Conditions ----------------------------------------------------------------------------------

    def condition(self, node: Node, names: "Names") -> tuple[Decoding, dict[str, Decoding]]:
        """Lower a condition; gives when it holds, and what it binds then."""
        if node.type == "let_condition":
            value = self._lowering.lower(node.child_by_field_name("value"), names)
            pattern = node.child_by_field_name("pattern")
            if pattern is None or returns(value):
                return UNTOLD, {}
            return self.patterns.test(pattern, value, names)
        if node.type == "let_chain":
            fits: Decoding = TRUE
            bound: dict[str, Decoding] = {}
            for part in parts_of(node):
                holds, more = self.condition(part, {**names, **bound})
                fits, bound = both(fits, holds), {**bound, **more}
            return fits, bound
        return self._lowering.lower(node, names), {}

    def conditional(self, node: Node, names: "Names", expected: Kind) -> Decoding:
        condition = node.child_by_field_name("condition")
        if condition is None:
            return UNTOLD
        if condition.type == "let_condition":
            return self._matched(condition, node, names, expected)
        fits, bound = self.condition(condition, names)
        return self._lowering.numbers.all(
            (fits,), lambda got: self._arms(node, got[0], {**names, **bound}, names, expected)
        )

    def _matched(self, condition: Node, node: Node, names: "Names", expected: Kind) -> Decoding:
        """Lower `if let`: its value is worked out once, and may leave."""
        pattern = condition.child_by_field_name("pattern")
        value = self._lowering.lower(condition.child_by_field_name("value"), names)
        if pattern is None:
            return UNTOLD

        def onward(got: Decoding) -> Decoding:
            fits, bound = self.patterns.test(pattern, got, names)
            return self._arms(node, fits, {**names, **bound}, names, expected)

        return self._lowering.numbers.then(value, onward)

    def _arms(
        self, node: Node, fits: Decoding, inside: "Names", outside: "Names", expected: Kind
    ) -> Decoding:
        body, otherwise = node.child_by_field_name("consequence"), node.child_by_field_name("alternative")
        then = self._lowering.lower(body, inside, expected)
        if otherwise is None:
            return choose(fits, then, UNIT)
        return choose(fits, then, self._lowering.lower(parts_of(otherwise)[0], outside, expected))

    # --- match ---------------------------------------------------------------------------------------

    def match(self, node: Node, names: "Names", expected: Kind) -> Decoding:
        value = self._lowering.lower(node.child_by_field_name("value"), names)
        return self._lowering.numbers.then(value, lambda got: self._choice(node, got, names, expected))

    def _choice(self, node: Node, value: Decoding, names: "Names", expected: Kind) -> Decoding:
        found: Decoding | None = None
        for fits, bound, arm in reversed(self.arms(node, value, names)):
            body = self._lowering.lower(arm.child_by_field_name("value"), {**names, **bound}, expected)
            found = body if found is None else choose(fits, body, found)
        return UNTOLD if found is None else found

    def arms(
        self, node: Node, value: Decoding, names: "Names"
    ) -> list[tuple[Decoding, dict[str, Decoding], Node]]:
        """Give for each arm of a `match` when it is taken (unless one before it was), and what it binds.

        The last is taken when no other was: a `match` is complete.
        """
        body = node.child_by_field_name("body")
        found = []
        for arm in body.named_children if body is not None else ():
            pattern = arm.child_by_field_name("pattern") if arm.type == "match_arm" else None
            if pattern is None:
                continue
            fits, bound = self.patterns.test(
                parts_of(pattern)[0] if parts_of(pattern) else pattern, value, names
            )
            guard = pattern.child_by_field_name("condition")
            if guard is not None:
                holds, more = self.condition(guard, {**names, **bound})
                fits, bound = both(fits, holds), {**bound, **more}
            found.append((fits, bound, arm))
        return found
