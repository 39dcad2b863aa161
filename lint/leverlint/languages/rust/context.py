"""What becomes of a value that was read: where it is kept, stored, lost, and used up."""

import re

from tree_sitter import Node

from leverlint.facts import (
    Call,
    Expression,
    Field,
    FunctionValue,
    Joined,
    Parameter,
    Path,
    Span,
    Text,
)
from leverlint.languages.rust import expressions
from leverlint.languages.rust.api import ANY_CASE, API, EXTERNAL_CRATES, PREFIXED, UTF8_READS
from leverlint.languages.rust.file import File
from leverlint.languages.rust.keeping import Keeping, uses_of_variable
from leverlint.languages.rust.losses import Losses
from leverlint.languages.rust.nodes import (
    FUNCTION_KINDS,
    arguments_of,
    name_of,
    path_segments,
    tail,
)
from leverlint.languages.rust.source import Chain, span_of

_CHAINING = frozenset(
    {"field_expression", "try_expression", "reference_expression", "unary_expression", "binary_expression",
     "parenthesized_expression", "type_cast_expression", "index_expression", "await_expression"}
)  # fmt: skip
_LONGEST_CHOICE = 500
"""A choice with more bytes than this does more than to go on with the variable."""
_LEAVING = re.compile(rb"\b(?:return|break|continue)\b|\?;|\b(?:bail|panic|ensure)!|\bexit\(")


class Context:
    def __init__(self, file: File) -> None:
        self._file = file
        self._keeping = Keeping(file)
        self._losses = Losses(file.source, file.scopes)

    def fill(self, call: Call, chain: Chain, given: tuple[Expression, ...]) -> Call:
        callee: Path = () if isinstance(call.callee, Parameter | FunctionValue) else call.callee
        api = API.get(callee)
        top = self._used_up(chain)
        thrown_away = self._is_thrown_away(chain, top)
        return call._replace(
            kept=self._keeping.of(chain, api is not None and api.compile_time),
            lossy=self._losses.of(chain, callee in UTF8_READS),
            field=self._field(chain),
            used=None if thrown_away else span_of(chain[top]),
            decides=self._decides(chain, top) or self._decides_later(chain, top),
            leads_to=self._leads_to(chain, top),
            prefix_test=self._prefix_test(callee, chain, given)
            if api is not None and api.kind == "walk"
            else "",
        )

    # --- Use -----------------------------------------------------------------------------------------

    def _used_up(self, chain: Chain) -> int:
        """Give the depth of the expression that the value at the end of `chain` flows into."""
        depth = len(chain) - 1
        while depth > 0:
            node, parent = chain[depth], chain[depth - 1]
            kind = parent.type
            if (
                (
                    kind == "call_expression"
                    and node == parent.child_by_field_name("function")
                    and depth < len(chain) - 1
                )
                or kind in _CHAINING
                or (kind == "match_expression" and node == parent.child_by_field_name("value"))
            ):
                depth -= 1
            elif (kind == "let_condition" and self._is_value(chain, depth)) or (
                kind == "arguments" and self._file.opened.calls.get(chain[depth - 2].start_byte) == "matches!"
            ):
                depth -= 2
            else:
                break
        return depth

    def _decides(self, chain: Chain, top: int) -> Span | None:
        """Give the code that is run or not by what the value is; `None` when it is no condition."""
        depth = top
        while depth > 1 and chain[depth - 1].type in ("let_condition", "let_chain"):
            depth -= 1
        above, block = chain[depth - 1], chain[depth - 2] if depth > 1 else None
        if above.type in ("if_expression", "while_expression"):
            while block is not None and block.type != "block":
                block = block.parent
            leaves = _LEAVING.search(self._file.source.text, chain[depth].end_byte, above.end_byte)
            return Span(above.start_byte, block.end_byte if leaves and block is not None else above.end_byte)
        if above.type == "let_declaration" and above.child_by_field_name("alternative") is not None:
            return Span(above.start_byte, block.end_byte if block is not None else above.end_byte)
        if above.type == "let_declaration" and chain[top].type != "binary_expression":
            return None
        return span_of(chain[top]) if top < len(chain) - 1 else None

    def _leads_to(self, chain: Chain, top: int) -> tuple[Path, ...]:
        """Give the functions that are called in the branches between which the value chooses."""
        depth = top
        while depth > 1 and chain[depth - 1].type in ("let_condition", "let_chain", "binary_expression"):
            depth -= 1
        choice = chain[depth - 1]
        if choice.type != "if_expression" or choice.end_byte - choice.start_byte > _LONGEST_CHOICE:
            return ()
        found: dict[Path, None] = {}
        pending = [each for each in choice.named_children if each != chain[depth]]
        while pending:
            node = pending.pop(0)
            pending.extend(node.named_children)
            called = node.child_by_field_name("function") if node.type == "call_expression" else None
            segments = path_segments(called, self._file.source.text) if called is not None else None
            if called is not None and segments is not None:
                found[self._file.scopes.absolute(segments, self._file.source.chain_to(called))] = None
        return tuple(path for path in found if path[0] not in EXTERNAL_CRATES)

    def _decides_later(self, chain: Chain, top: int) -> Span | None:
        """Give the code up to where a variable that holds the value decides something for the last time."""
        if chain[top - 1].type != "let_declaration":
            return None
        ends = []
        for node in uses_of_variable(chain, self._file.source):
            outer = self._file.source.chain_to(node)
            decided = self._decides(outer, self._used_up(outer))
            if decided is not None:
                ends.append(decided.end)
        return Span(chain[-1].start_byte, max(ends)) if ends else None

    def _is_value(self, chain: Chain, depth: int) -> bool:
        """Say whether `if let … = value { … } else { … }` is itself a value."""
        branch = chain[depth - 2]
        if branch.type != "if_expression" or branch.child_by_field_name("alternative") is None:
            return False
        outer = chain[depth - 3]
        return outer.type != "expression_statement" or (
            outer.children[-1].type != ";" and tail(chain[depth - 4]) == outer
        )

    def _is_thrown_away(self, chain: Chain, top: int) -> bool:
        parent = chain[top - 1]
        if parent.type == "expression_statement":
            return parent.children[-1].type == ";"
        if parent.type == "let_declaration":
            pattern = parent.child_by_field_name("pattern")
            return pattern is not None and self._file.source.text_of(pattern) == "_"
        return False

    # --- Storing ---------------------------------------------------------------------------------------

    def _field(self, chain: Chain) -> Field | None:
        returned = False
        for depth in range(len(chain) - 1, 0, -1):
            node, parent = chain[depth], chain[depth - 1]
            kind = node.type
            if kind == "field_initializer":
                return self._field_of(node, self._file.source.chain_to(parent))
            if kind in ("static_item", "const_item"):
                return Field("", name_of(node, self._file.source)[0], "global")
            if kind == "let_declaration":
                return self._variable_field(chain[: depth + 1])
            returned |= kind == "return_expression"
            if kind == "expression_statement" and not returned and tail(parent) != node:
                return None
            if kind == "function_item":
                return self._function_field(chain[: depth + 1])
            if kind == "block" and parent.type in ("for_expression", "while_expression", "loop_expression"):
                return None
        return None

    def _field_of(self, initializer: Node, chain: Chain) -> Field | None:
        name = initializer.child_by_field_name("field") or initializer
        struct = next((node for node in reversed(chain) if node.type == "struct_expression"), None)
        owner = struct.child_by_field_name("name") if struct is not None else None
        if owner is None:
            return None
        spelled = self._file.source.text_of(owner).partition("<")[0].rpartition("::")[2].strip()
        if spelled == "Self":
            path = self._file.scopes.self_type(chain)
            spelled = path[-1] if path else spelled
        return Field(spelled, self._file.source.text_of(name), "field")

    def _variable_field(self, chain: Chain) -> Field | None:
        uses = uses_of_variable(chain, self._file.source)
        for node in uses:
            outer = self._file.source.chain_to(node)
            for depth in range(len(outer) - 1, 0, -1):
                if outer[depth].type in ("field_initializer", "shorthand_field_initializer"):
                    return self._field_of(outer[depth], outer)
                if outer[depth].type in ("let_declaration", "block", *FUNCTION_KINDS):
                    break
        returned = tail(chain[-2])
        if returned is not None and any(
            returned.start_byte <= node.start_byte < returned.end_byte for node in uses
        ):
            return self._field(self._file.source.chain_to(returned))
        return None

    def _function_field(self, chain: Chain) -> Field | None:
        # What a macro makes has the names that it is given.
        if any(node.start_byte in self._file.opened.definitions for node in chain):
            return None
        name = name_of(chain[-1], self._file.source)[0]
        owner = ""
        if any(node.type in ("impl_item", "trait_item") for node in chain[:-1]):
            path = self._file.scopes.self_type(chain)
            owner = path[-1] if path else ""
        return Field(owner, name, "function")

    # --- Walks and builders ----------------------------------------------------------------------------

    def _prefix_test(self, callee: Path, chain: Chain, given: tuple[Expression, ...]) -> str:
        if callee in PREFIXED:
            text = self._known_text(given[0]) if given else ""
            text = text.upper() if callee[0] in ANY_CASE else text
            return text + PREFIXED[callee] if text else ""
        start, end = self._region(chain)
        pattern = re.compile(rb"\b(?:starts_with|strip_prefix)\s*\(")
        for found in pattern.finditer(self._file.source.text, start, end):
            for node in reversed(self._file.source.chain(found.start())):
                if node.type == "call_expression":
                    argument = arguments_of(node)[:1]
                    text = self._known_text(self._file.names.lower(argument[0])) if argument else ""
                    if text:
                        return text
                    break
        return ""

    def _region(self, chain: Chain) -> tuple[int, int]:
        """Give where the names that a walk yields can be tested."""
        for depth in range(len(chain) - 1, 0, -1):
            node = chain[depth]
            if node.type == "let_declaration":
                return node.start_byte, chain[depth - 1].end_byte
            if node.type in ("for_expression", "expression_statement", "static_item", "function_item"):
                return node.start_byte, node.end_byte
        return chain[-1].start_byte, chain[-1].end_byte

    def _known_text(self, value: Expression) -> str:
        for part in expressions.everything_in(value):
            if isinstance(part, Text):
                return part.value
            if isinstance(part, Parameter | FunctionValue | Joined):
                return ""
        return self._file.levers.constant_text(value)
