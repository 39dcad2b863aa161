"""Following a variable that holds what was read through the statements behind it."""

from typing import TYPE_CHECKING

from tree_sitter import Node

from leverlint.facts import UNTOLD, Decoding, Raise
from leverlint.languages.rust.emptiness import is_used_as_text, tests_emptiness
from leverlint.languages.rust.methods import SILENT_MACROS
from leverlint.languages.rust.nodes import parts_of
from leverlint.languages.rust.outcome_kinds import content
from leverlint.languages.rust.outcomes import (
    UNIT,
    choose,
    is_return,
    is_told,
    is_true,
    is_unit,
    is_untold,
    same,
)
from leverlint.languages.rust.scopes import Local
from leverlint.languages.rust.source import words
from leverlint.languages.rust.subject import is_branching, onward

if TYPE_CHECKING:
    from leverlint.languages.rust.lowering import Lowering, Names
    from leverlint.languages.rust.uses import Uses


def inner_of(statement: Node) -> Node:
    """Give the expression that a statement is made of, or the statement."""
    parts = parts_of(statement) if statement.type == "expression_statement" else []
    return parts[0] if parts else statement


class Statements:
    def __init__(self, uses: "Uses", lowering: "Lowering") -> None:
        self._uses = uses
        self._lowering = lowering
        self._file = lowering.file

    def in_rest(self, block: Node, behind: Node, names: "Names", tracked: set[str]) -> Decoding | None:
        """Look at the statements behind one for what they make of the tracked variables."""
        statements = [part for part in parts_of(block) if part.start_byte >= behind.end_byte]
        return self.in_statements(statements, names, tracked)

    def in_statements(self, statements: list[Node], names: "Names", tracked: set[str]) -> Decoding | None:
        text: Decoding | None = None
        for position, statement in enumerate(statements):
            uses = self.mentions(statement, tracked)
            if not uses:
                continue
            found = self.in_statement(statement, statements[position + 1 :], names, tracked, uses)
            if found is None:
                continue
            if (
                self._uses.subject.is_decided(found)
                or not is_told(found)
                or text is not None
                or is_branching(found)
            ):
                if text is not None and self._uses.subject.is_plain_test(found):
                    return text
                if self._is_tested_again(found, statements[position + 1 :], names, tracked):
                    return text
                if self._is_text(found, statement, statements, names, tracked):
                    return text
                return found
            text = found
        return text

    def _is_tested_again(self, found: Decoding, rest: list[Node], names: "Names", tracked: set[str]) -> bool:
        """Say whether other statements ask something else: then the text as such is what counts."""
        if not self._uses.subject.is_plain_test(found):
            return False
        for statement in rest:
            uses = self.mentions(statement, tracked)
            other = self.in_statement(statement, [], names, tracked, uses) if uses else None
            if other is not None and self._lowering.kinds.of(other) == "bool" and not same(other, found):
                return True
        return False

    def _is_text(
        self, found: Decoding, tested: Node, statements: list[Node], names: "Names", tracked: set[str]
    ) -> bool:
        """Say whether a test for emptiness stands beside a use of the text, in whatever statement."""
        if self._lowering.kinds.of(found) != "bool" or not tests_emptiness(found):
            return False
        for statement in statements:
            uses = self.mentions(statement, tracked)
            used = any(is_used_as_text(offset, self._file.source) for offset in uses)
            if used and not self._is_shown(inner_of(statement)):
                return True
            other = (
                self.in_statement(statement, [], names, tracked, uses)
                if uses and statement != tested
                else None
            )
            if other is not None and content(self._lowering.kinds.of(other)) == "text":
                return True
        return False

    def mentions(self, node: Node, tracked: set[str]) -> list[int]:
        text = self._file.source.text
        found = [at for name in tracked for at in words(text, name, node.start_byte, node.end_byte)]
        return sorted(at for at in found if text[at - 1 : at] != b"." and text[at - 1 : at] != b'"')

    def in_statement(
        self, statement: Node, rest: list[Node], names: "Names", tracked: set[str], uses: list[int]
    ) -> Decoding | None:
        inner = inner_of(statement)
        if statement.type == "let_declaration":
            return self._in_let(statement, rest, names, tracked, uses)
        if self._is_shown(inner):
            return None
        if inner.type == "if_expression":
            return self._in_if(inner, rest, names, tracked, uses)
        if inner.type == "match_expression":
            value = self._lowering.lower(inner.child_by_field_name("value"), names)
            if is_told(value) and self._uses.subject.is_about(value):
                return self._uses.chosen(inner, value, names)
        return self._at_first(uses, names)

    def _is_shown(self, node: Node) -> bool:
        """Say whether a statement only prints."""
        macro = node.child_by_field_name("macro") if node.type == "macro_invocation" else None
        name = self._file.source.text_of(macro) if macro is not None else ""
        name = name or self._file.opened.calls.get(node.start_byte, "").removesuffix("!")
        return name.rpartition("::")[2] in SILENT_MACROS

    def _at_first(self, uses: list[int], names: "Names") -> Decoding | None:
        """Follow the uses of a variable until one decides something."""
        text: Decoding | None = None
        for offset in uses[:4]:
            chain = self._file.source.chain(offset)
            if chain[-1].type != "identifier":
                continue
            found = self._uses.followed(chain, names)
            if not is_untold(found) and (self._uses.subject.is_decided(found) or is_branching(found)):
                return found
            text = text if text is not None or is_untold(found) else found
        return text

    def _in_let(
        self, let: Node, rest: list[Node], names: "Names", tracked: set[str], uses: list[int]
    ) -> Decoding | None:
        pattern = let.child_by_field_name("pattern")
        value = self._lowering.branches.value_of_let(let, names)
        if (
            pattern is None
            or is_untold(value)
            or not self._uses.subject.is_closed(value)
            or not self._uses.subject.is_about(value)
        ):
            return self._at_first(uses, names)
        return onward(value, lambda got: self._after_let(let, pattern, got, rest, names, tracked))

    def _after_let(
        self, let: Node, pattern: Node, value: Decoding, rest: list[Node], names: "Names", tracked: set[str]
    ) -> Decoding:
        fits, bound = self._lowering.branches.patterns.test(pattern, value, names)
        if self._uses.subject.is_decided(value) and is_true(fits):
            return value
        otherwise = let.child_by_field_name("alternative")
        found = self.in_statements(rest, {**names, **bound}, tracked | set(bound))
        if found is None:
            found = next(iter(bound.values()), value)
        return choose(fits, found, self.left(otherwise, names)) if otherwise is not None else found

    def _in_if(
        self, node: Node, rest: list[Node], names: "Names", tracked: set[str], uses: list[int]
    ) -> Decoding | None:
        condition, body = node.child_by_field_name("condition"), node.child_by_field_name("consequence")
        if condition is None or body is None:
            return None
        fits, bound = self._lowering.branches.condition(condition, names)
        if is_untold(fits) or not self._uses.subject.is_closed(fits) or not self._uses.subject.is_about(fits):
            return self._at_first(uses, names)
        otherwise = node.child_by_field_name("alternative")
        inside = self.in_block(body, {**names, **bound}, tracked | set(bound))
        if inside is None and self.always_leaves(body) and otherwise is None:
            onward = self.in_statements(rest, names, tracked)
            if onward is None:
                onward = self._lowering.branches.sequence(rest, names)
                if not is_told(onward) or is_unit(onward):
                    return fits
            return choose(fits, self.left(body, names), onward)
        outside = self._in_else(otherwise, names, tracked) if otherwise is not None else None
        if inside is None and outside is None:
            exact = self._lowering.lower(node, names)
            return exact if not rest and is_told(exact) and not is_unit(exact) else fits
        if inside is None:
            inside = self.value_of(body, {**names, **bound})
        if outside is None:
            outside = self.value_of(parts_of(otherwise)[0], names) if otherwise is not None else None
        return choose(fits, inside, outside if outside is not None else self.before(body))

    def _in_else(self, otherwise: Node, names: "Names", tracked: set[str]) -> Decoding | None:
        inner = parts_of(otherwise)[0]
        if inner.type == "if_expression":
            uses = self.mentions(inner, tracked)
            return self._in_if(inner, [], names, tracked, uses) if uses else None
        return self.in_block(inner, names, tracked)

    def value_of(self, node: Node, names: "Names") -> Decoding:
        """Give what a branch is worth that does not look at the value any more."""
        value = self._lowering.lower(node, names)
        return value if is_told(value) else UNTOLD

    def in_block(self, block: Node, names: "Names", tracked: set[str]) -> Decoding | None:
        return self.in_statements(parts_of(block), names, tracked)

    def left(self, block: Node, names: "Names") -> Decoding:
        """Give what happens when the value does not fit: something is returned, or the turn is over."""
        value = self._lowering.branches.block(block, names, "")
        if is_untold(value) and any(
            part.type in ("continue_expression", "break_expression", "return_expression")
            for part in (
                parts_of(part)[0] if part.type == "expression_statement" and parts_of(part) else part
                for part in parts_of(block)[-1:]
            )
        ):
            return UNIT
        return value

    def always_leaves(self, block: Node) -> bool:
        last = next(reversed(parts_of(block)), None)
        if last is not None and last.type == "expression_statement" and parts_of(last):
            last = parts_of(last)[0]
        if last is None:
            return False
        if last.type in ("return_expression", "continue_expression", "break_expression"):
            return True
        value = self._lowering.lower(last, {}) if last.type == "macro_invocation" else UNIT
        return isinstance(value, Raise) or is_return(value)

    def before(self, body: Node | None) -> Decoding:
        """Give what the variable that a branch sets is without it: `let mut n = 4; if … { n = … }`."""
        for statement in parts_of(body) if body is not None else ():
            inner = (
                next(iter(parts_of(statement)), None) if statement.type == "expression_statement" else None
            )
            left = inner.child_by_field_name("left") if inner is not None else None
            if inner is None or inner.type != "assignment_expression" or left is None:
                continue
            if left.type == "identifier":
                found = self._file.scopes.lookup(
                    self._file.source.text_of(left), self._file.source.chain_to(left)
                )
                first = found.node if isinstance(found, Local) and not found.route else None
                value = self._lowering.lower(first, {})
                return value if self._uses.subject.is_closed(value) else UNIT
        return UNIT
