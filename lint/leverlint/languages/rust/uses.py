"""What the code around a read makes of it: up to where the value becomes a switch, number or choice.

From the read outwards as far as everything is told; a variable that holds the value is followed
to its first use that decides something.
"""

from collections.abc import Callable
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
    Let,
    Local,
    Passed,
    Raise,
    Span,
    Untold,
)
from leverlint.languages.rust.methods import SILENT_MACROS
from leverlint.languages.rust.nodes import parts_of
from leverlint.languages.rust.outcome_kinds import Kind, content, is_decided, kind_of_type, wrapped
from leverlint.languages.rust.outcomes import (
    FALSE,
    RAISE,
    TRUE,
    UNIT,
    apply,
    choose,
    everything_in,
    is_return,
    is_told,
    is_true,
    is_unit,
    is_untold,
    rebuild,
    returns,
    same,
)
from leverlint.languages.rust.scopes import Local as ScopedLocal
from leverlint.languages.rust.source import Chain, span_of, words

if TYPE_CHECKING:
    from leverlint.languages.rust.lowering import Lowering, Names

_BETWEEN = frozenset(
    {"arguments", "let_chain", "let_condition", "match_arm", "match_block", "else_clause", "field_expression",
     "generic_function", "match_pattern", "line_comment"}
)  # fmt: skip
"""What stands between an expression and the expression around it."""
_VALUES = frozenset(
    {"call_expression", "try_expression", "reference_expression", "unary_expression",
     "parenthesized_expression", "binary_expression", "type_cast_expression", "await_expression", "match_expression", "if_expression",
     "unsafe_block", "block", "const_block", "closure_expression", "index_expression", "tuple_expression",
     "array_expression"}
)  # fmt: skip
_FARTHEST = 40
_STEPS = 12


class Uses:
    def __init__(self, lowering: "Lowering") -> None:
        self._lowering = lowering
        self._file = lowering.file
        self._steps = 0
        self._lowering.begin()
        self._span = Span(0, 0)

    def of_call(self, chain: Chain) -> Decoding:
        """Give what becomes of the value of the recorded call at the end of `chain`."""
        self._steps = 0
        self._span = span_of(chain[-1])
        found = self._followed(chain, {})
        return _settled(found)

    # --- Outwards --------------------------------------------------------------------------------------

    def _followed(self, chain: Chain, names: "Names") -> Decoding:
        """Follow the value at the end of `chain`; `names` holds what is known to come from the read."""
        self._steps += 1
        if self._steps > _STEPS:
            return UNTOLD
        expected = self._expected(chain)
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
            if not is_untold(value):
                best, top = value, depth
            depth -= 1
        return self._sunk(chain, top, best, names)

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
        if node.type == "block" and len(parts_of(node)) > 1 and not self._is_closed(value):
            # What other statements decide is not what becomes of the value.
            return None
        if is_untold(value) or not self._is_about(value):
            return None if decided or branching else self._gap(node, outer)
        if isinstance(value, Helper) and not self._decodes(value, kind, outer):
            return None
        if not self._is_closed(self._first_condition(value)):
            return None
        if self._is_closed(value):
            return value
        if decided or not (self._is_looked_into(node) or any(map(_is_worth_something, _leaves(value)))):
            return None
        return None if branching and not any(map(_is_worth_something, _leaves(value))) else value

    def _is_looked_into(self, node: Node) -> bool:
        """Say whether code that is not told takes the text apart, rather than to use it whole."""
        written = self._file.source.text[node.start_byte : node.end_byte]
        return b".parse" in written or b".split" in written

    def _first_condition(self, value: Decoding) -> Decoding:
        """Give what decides first: when that is something else, the value only adds to it."""
        while isinstance(value, Let):
            value = value.value if self._is_about(value.value) else value.body
        return value.condition if isinstance(value, If) else TRUE

    def _is_about(self, value: Decoding) -> bool:
        if isinstance(value, Apply) and value.operation == "rs:error":
            return False
        return any(
            isinstance(part, Local) or (isinstance(part, Answer) and part.span == self._span)
            for part in everything_in(value)
        )

    def _is_closed(self, value: Decoding) -> bool:
        """Say whether a value depends on nothing else than the one read."""
        for part in everything_in(value):
            if isinstance(part, Untold | Passed) or (isinstance(part, Answer) and part.span != self._span):
                return False
            if isinstance(part, Helper) and not self._is_about(part) and not _has_locals(part):
                return False
        return True

    def _decodes(self, helper: Helper, kind: Kind, outer: Node) -> bool:
        """Say whether a function that is given the value is likely to decode it, not to use it as text."""
        if outer.type == "expression_statement" and outer.children[-1].type == ";":
            return False
        if is_decided(kind) and not wrapped(kind) and not self._lowering.is_here(helper):
            return False
        if not all(map(self._is_closed, helper.arguments)) and not wrapped(kind):
            return False
        return self._lowering.may_decode(helper)

    def _gap(self, node: Node, outer: Node) -> Decoding | None:
        """Go on behind a block or call that tells nothing by itself, such as a closure's."""
        return UNTOLD if node.type in ("block", "unsafe_block") else None

    def _boolean(self, node: Node, names: "Names") -> Decoding | None:
        """Go on through a condition whose branches only say yes or no."""
        value = self._lowering.lower(node, names)
        leaves = list(_leaves(value))
        if self._lowering.kinds.of(value) != "bool" or not self._is_closed(value):
            return None
        return value if len(leaves) == 1 or len(set(map(is_true, leaves))) > 1 else None

    def _is_decided(self, value: Decoding) -> bool:
        return is_decided(self._lowering.kinds.of(value))

    # --- Where it ends ---------------------------------------------------------------------------------

    def _sunk(self, chain: Chain, top: int, best: Decoding, names: "Names") -> Decoding:
        if self._is_decided(best):
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
            return self._chosen(node, best, names)
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
        kind = self._expected(chain[: top + 1])
        return self._lowering.retyped(best, kind) if kind else best

    def _expected(self, chain: Chain) -> Kind:
        """Give the kind of the variable, field or function that the value at the end of `chain` goes to."""
        for depth in range(len(chain) - 2, max(len(chain) - 24, 0), -1):
            node = chain[depth]
            declared = None
            match node.type:
                case "let_declaration" | "static_item" | "const_item":
                    declared = node.child_by_field_name("type")
                case "function_item" | "closure_expression":
                    declared = node.child_by_field_name("return_type")
                case "assignment_expression":
                    declared = self._type_of_variable(node.child_by_field_name("left"))
                case "field_initializer":
                    declared = self._field_type(node, chain[:depth])
                case "block" if chain[depth + 1].type == "expression_statement":
                    return ""
                case _:
                    continue
            if node.type != "closure_expression" or declared is not None:
                return content(kind_of_type(declared, self._file.source)) if declared is not None else ""
        return ""

    def _type_of_variable(self, node: Node | None) -> Node | None:
        if node is None or node.type != "identifier":
            return None
        found = self._file.scopes.lookup(self._file.source.text_of(node), self._file.source.chain_to(node))
        binder = found.binder if isinstance(found, ScopedLocal) else None
        return binder.child_by_field_name("type") if binder is not None else None

    def _retyped(self, value: Decoding, declared: Node | None) -> Decoding:
        kind = content(kind_of_type(declared, self._file.source)) if declared is not None else ""
        return self._lowering.retyped(value, kind) if kind else value

    def _field_type(self, initializer: Node, chain: Chain) -> Node | None:
        """Find the type that a struct of this file declares for a field."""
        name = initializer.child_by_field_name("field") or initializer
        struct = next((node for node in reversed(chain) if node.type == "struct_expression"), None)
        named = struct.child_by_field_name("name") if struct is not None else None
        path = self._file.scopes.type_path(named, chain) if named is not None else None
        if self._file.source.text_of(named) == "Self" if named is not None else False:
            path = self._file.scopes.self_type(chain)
        item = self._file.types.item_at(path)
        body = item.node.child_by_field_name("body") if item is not None else None
        for declaration in body.named_children if body is not None else ():
            field = declaration.child_by_field_name("name")
            if field is not None and self._file.source.text_of(field) == self._file.source.text_of(name):
                return declaration.child_by_field_name("type")
        return None

    # --- Variables ---------------------------------------------------------------------------------------

    def _in_variable(self, chain: Chain, depth: int, value: Decoding, names: "Names") -> Decoding:
        let, block = chain[depth], chain[depth - 1]
        pattern = let.child_by_field_name("pattern")
        if pattern is None or block.type != "block":
            return value
        value = self._retyped(value, let.child_by_field_name("type"))
        return _onward(value, lambda got: self._bound(let, pattern, block, got, names))

    def _bound(self, let: Node, pattern: Node, block: Node, value: Decoding, names: "Names") -> Decoding:
        """Follow the names that a `let` binds to parts of the value."""
        otherwise = let.child_by_field_name("alternative")
        fits, bound = self._lowering.branches.patterns.test(pattern, value, names)
        bound = {name: part for name, part in bound.items() if not is_untold(part)}
        if not bound:
            return value if is_true(fits) else fits
        found = self._in_rest(block, let, {**names, **bound}, set(bound))
        found = found if found is not None else next(iter(bound.values()))
        return choose(fits, found, self._left(otherwise, names)) if otherwise is not None else found

    def _left(self, block: Node, names: "Names") -> Decoding:
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

    def _in_rest(self, block: Node, behind: Node, names: "Names", tracked: set[str]) -> Decoding | None:
        """Look at the statements behind one for what they make of the tracked variables."""
        statements = [part for part in parts_of(block) if part.start_byte >= behind.end_byte]
        return self._in_statements(statements, names, tracked)

    def _in_statements(self, statements: list[Node], names: "Names", tracked: set[str]) -> Decoding | None:
        text: Decoding | None = None
        for position, statement in enumerate(statements):
            uses = self._mentions(statement, tracked)
            if not uses:
                continue
            found = self._in_statement(statement, statements[position + 1 :], names, tracked, uses)
            if found is None:
                continue
            if self._is_decided(found) or not is_told(found) or text is not None or _branches(found):
                if text is not None and self._is_plain_test(found):
                    return text
                if self._is_tested_again(found, statements[position + 1 :], names, tracked):
                    return text
                return found
            text = found
        return text

    def _is_plain_test(self, found: Decoding) -> bool:
        return self._lowering.kinds.of(found) == "bool" and not _branches(found)

    def _is_tested_again(self, found: Decoding, rest: list[Node], names: "Names", tracked: set[str]) -> bool:
        """Say whether other statements ask something else: then the text as such is what counts."""
        if not self._is_plain_test(found):
            return False
        for statement in rest:
            uses = self._mentions(statement, tracked)
            other = self._in_statement(statement, [], names, tracked, uses) if uses else None
            if other is not None and self._lowering.kinds.of(other) == "bool" and not same(other, found):
                return True
        return False

    def _mentions(self, node: Node, tracked: set[str]) -> list[int]:
        text = self._file.source.text
        found = [at for name in tracked for at in words(text, name, node.start_byte, node.end_byte)]
        return sorted(at for at in found if text[at - 1 : at] != b"." and text[at - 1 : at] != b'"')

    def _in_statement(
        self, statement: Node, rest: list[Node], names: "Names", tracked: set[str], uses: list[int]
    ) -> Decoding | None:
        inner = (
            parts_of(statement)[0]
            if statement.type == "expression_statement" and parts_of(statement)
            else statement
        )
        if statement.type == "let_declaration":
            return self._in_let(statement, rest, names, tracked, uses)
        if self._is_shown(inner):
            return None
        if inner.type == "if_expression":
            return self._in_if(inner, rest, names, tracked, uses)
        if inner.type == "match_expression":
            value = self._lowering.lower(inner.child_by_field_name("value"), names)
            if is_told(value) and self._is_about(value):
                return self._chosen(inner, value, names)
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
            found = self._followed(chain, names)
            if not is_untold(found) and (self._is_decided(found) or _branches(found)):
                return found
            text = text if text is not None or is_untold(found) else found
        return text

    def _in_let(
        self, let: Node, rest: list[Node], names: "Names", tracked: set[str], uses: list[int]
    ) -> Decoding | None:
        pattern = let.child_by_field_name("pattern")
        value = self._lowering.branches.value_of_let(let, names)
        if pattern is None or is_untold(value) or not self._is_closed(value) or not self._is_about(value):
            return self._at_first(uses, names)
        return _onward(value, lambda got: self._after_let(let, pattern, got, rest, names, tracked))

    def _after_let(
        self, let: Node, pattern: Node, value: Decoding, rest: list[Node], names: "Names", tracked: set[str]
    ) -> Decoding:
        fits, bound = self._lowering.branches.patterns.test(pattern, value, names)
        if self._is_decided(value) and is_true(fits):
            return value
        otherwise = let.child_by_field_name("alternative")
        found = self._in_statements(rest, {**names, **bound}, tracked | set(bound))
        if found is None:
            found = next(iter(bound.values()), value)
        return choose(fits, found, self._left(otherwise, names)) if otherwise is not None else found

    def _in_if(
        self, node: Node, rest: list[Node], names: "Names", tracked: set[str], uses: list[int]
    ) -> Decoding | None:
        condition, body = node.child_by_field_name("condition"), node.child_by_field_name("consequence")
        if condition is None or body is None:
            return None
        fits, bound = self._lowering.branches.condition(condition, names)
        if is_untold(fits) or not self._is_closed(fits) or not self._is_about(fits):
            return self._at_first(uses, names)
        otherwise = node.child_by_field_name("alternative")
        inside = self._in_block(body, {**names, **bound}, tracked | set(bound))
        if inside is None and self._always_leaves(body) and otherwise is None:
            onward = self._in_statements(rest, names, tracked)
            if onward is None:
                onward = self._lowering.branches.sequence(rest, names)
                if not is_told(onward) or is_unit(onward):
                    return fits
            return choose(fits, self._left(body, names), onward)
        outside = self._in_else(otherwise, names, tracked) if otherwise is not None else None
        if inside is None and outside is None:
            exact = self._lowering.lower(node, names)
            return exact if not rest and is_told(exact) and not is_unit(exact) else fits
        if inside is None:
            inside = self._value_of(body, {**names, **bound})
        if outside is None:
            outside = self._value_of(parts_of(otherwise)[0], names) if otherwise is not None else None
        return choose(fits, inside, outside if outside is not None else self._before(body))

    def _in_else(self, otherwise: Node, names: "Names", tracked: set[str]) -> Decoding | None:
        inner = parts_of(otherwise)[0]
        if inner.type == "if_expression":
            uses = self._mentions(inner, tracked)
            return self._in_if(inner, [], names, tracked, uses) if uses else None
        return self._in_block(inner, names, tracked)

    def _value_of(self, node: Node, names: "Names") -> Decoding:
        """Give what a branch is worth that does not look at the value any more."""
        value = self._lowering.lower(node, names)
        return value if is_told(value) else UNTOLD

    def _in_block(self, block: Node, names: "Names", tracked: set[str]) -> Decoding | None:
        return self._in_statements(parts_of(block), names, tracked)

    def _always_leaves(self, block: Node) -> bool:
        last = next(reversed(parts_of(block)), None)
        if last is not None and last.type == "expression_statement" and parts_of(last):
            last = parts_of(last)[0]
        if last is None:
            return False
        if last.type in ("return_expression", "continue_expression", "break_expression"):
            return True
        value = self._lowering.lower(last, {}) if last.type == "macro_invocation" else UNIT
        return isinstance(value, Raise) or is_return(value)

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
        tracked = {name for name, value in bound.items() if self._is_about(value)}
        body = node.child_by_field_name("consequence") or node.child_by_field_name("body")
        decided = [value for value in bound.values() if self._is_decided(value)]
        inside = decided[0] if decided else None
        if inside is None and body is not None and tracked:
            inside = self._in_block(body, {**names, **bound}, tracked)
        otherwise = node.child_by_field_name("alternative")
        if inside is None:
            exact = self._value_of(body, {**names, **bound}) if body is not None else UNTOLD
            if not tracked or is_unit(exact) or is_untold(exact):
                return fits if not tracked else choose(fits, bound[min(tracked)], UNIT)
            inside = exact
        outside = self._value_of(parts_of(otherwise)[0], names) if otherwise is not None else None
        return choose(fits, inside, outside if outside is not None else self._before(body))

    def _before(self, body: Node | None) -> Decoding:
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
                first = found.node if isinstance(found, ScopedLocal) and not found.route else None
                value = self._lowering.lower(first, {})
                return value if self._is_closed(value) else UNIT
        return UNIT

    def _partly(self, condition: Node, names: "Names") -> tuple[Decoding, dict[str, Decoding]]:
        """Lower a condition without the parts that have nothing to do with the value."""
        if condition.type != "let_chain":
            return self._lowering.branches.condition(condition, names)
        fits: Decoding = TRUE
        bound: dict[str, Decoding] = {}
        for part in parts_of(condition):
            holds, more = self._lowering.branches.condition(part, {**names, **bound})
            if self._is_closed(holds):
                fits, bound = choose(fits, holds, FALSE), {**bound, **more}
        return fits, bound

    def _chosen(self, node: Node, value: Decoding, names: "Names") -> Decoding:
        """Follow the value into the arms of a `match`."""
        found: Decoding | None = None
        plain = True
        arms = self._lowering.branches.arms(node, value, names)
        for fits, bound, arm in reversed(arms):
            body = arm.child_by_field_name("value")
            if body is None:
                continue
            tracked = {name for name, part in bound.items() if self._is_about(part)}
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
        if tracked and self._mentions(body, tracked):
            if body.type == "block":
                found = self._in_block(body, names, tracked)
            else:
                found = self._in_statement(body, [], names, tracked, self._mentions(body, tracked))
            if found is not None:
                return found
        if body.type == "block" and self._always_leaves(body):
            return self._left(body, names)
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


def _onward(value: Decoding, use: Callable[[Decoding], Decoding]) -> Decoding:
    """Go on with a value where the function was not left."""
    if not returns(value) or is_return(value):
        return value if is_return(value) else use(value)
    match value:
        case If(condition, then, otherwise):
            return choose(condition, _onward(then, use), _onward(otherwise, use))
        case Let(number, inner, body):
            return Let(number, inner, _onward(body, use))
    return UNTOLD


def _conditions(decoding: Decoding) -> list[Decoding]:
    if isinstance(decoding, If):
        return [*_conditions(decoding.condition), *_conditions(decoding.then)]
    return [decoding]


def _leaves(decoding: Decoding) -> list[Decoding]:
    match decoding:
        case If(_, then, otherwise):
            return [*_leaves(then), *_leaves(otherwise)]
        case Let(_, _, body):
            return _leaves(body)
    return [decoding]


def _has_locals(helper: Helper) -> bool:
    return any(isinstance(part, Local) for part in everything_in(helper))


def _is_worth_something(leaf: Decoding) -> bool:
    empty = isinstance(leaf, Apply) and leaf.operation in ("rs:none", "rs:err")
    return not (isinstance(leaf, Untold | Raise | Answer) or is_unit(leaf) or is_return(leaf) or empty)


def _branches(decoding: Decoding) -> bool:
    return isinstance(decoding, If | Let)


def _settled(decoding: Decoding) -> Decoding:
    """Take what is returned early for the outcome: an error means that the value is refused."""

    def outcome(part: Decoding) -> Decoding | None:
        if not is_return(part) or not isinstance(part, Apply):
            return None
        value = part.arguments[0]
        if isinstance(value, Apply) and value.operation in ("rs:ok", "rs:err"):
            return value.arguments[0] if value.arguments else RAISE
        return value

    return rebuild(decoding, outcome) if returns(decoding) else decoding


__all__ = ["Uses", "apply"]
