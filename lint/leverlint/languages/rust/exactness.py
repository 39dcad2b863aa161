"""Which expressions say everything about a value that was read: what can be proved, not what is likely.

An expression is exact when it holds nothing but one read, what is written in the code, and methods
whose meaning is told to the last; a function is when it does nothing else.
"""

import re
from collections.abc import Mapping

from tree_sitter import Node

from leverlint.facts import Call, Constant, Exact, FunctionValue, Helper, Named, Parameter, Span
from leverlint.languages.rust.api import API
from leverlint.languages.rust.attributes import attributes_of
from leverlint.languages.rust.file import File
from leverlint.languages.rust.lowering import Lowering
from leverlint.languages.rust.nodes import (
    arguments_of,
    method_of,
    parameter_nodes,
    parts_of,
    path_segments,
    tail,
)
from leverlint.languages.rust.outcomes import is_told, reads
from leverlint.languages.rust.source import Chain, span_of

_LITERALS = frozenset(
    {"boolean_literal", "integer_literal", "float_literal", "negative_literal", "char_literal"}
)
_THROUGH = frozenset({"field_expression", "generic_function", "arguments", "parenthesized_expression"})
_ELSEWHERE = frozenset({"block", "reference_expression"})
"""What is an expression, and not one that a value can simply take the place of."""
_SIGNS = frozenset({"==", "!=", "&&", "||", "<", "<=", ">", ">="})
_METHODS = frozenset(
    {
        *("as_deref", "as_ref", "as_str", "clone", "cloned", "copied", "to_owned", "to_string", "to_str"),
        *("ok", "is_ok", "is_err", "is_some", "is_none", "is_some_and", "is_ok_and", "is_none_or"),
        *("map", "map_or", "map_or_else", "and_then", "filter", "or", "unwrap_or", "unwrap_or_else"),
        *("unwrap_or_default", "trim", "trim_start", "trim_end", "to_lowercase", "to_uppercase"),
        *("to_ascii_lowercase", "to_ascii_uppercase", "eq_ignore_ascii_case", "is_empty", "len", "parse"),
        *("starts_with", "ends_with", "contains", "eq", "ne", "min", "max", "clamp", "not"),
    }
)
_MADE = frozenset({("Some",), ("Ok",), ("OsStr", "new"), ("Option", "Some"), ("Result", "Ok")})
_PATTERN = re.compile(rb'(?:Ok|Some|Err|None|true|false|_|[|()]|\s|"[^"\\]*"|\.\.)+')
"""Patterns that only take `Option` and `Result` apart and compare with words."""
_OPEN_ENDED = "matches!"
_FARTHEST = 32
_DEEPEST = 40
_LONGEST = 2000
"""Bytes of an expression that still decodes one value."""


class Exactness:
    def __init__(self, file: File, lowering: Lowering, calls: Mapping[Span, Call]) -> None:
        self._file = file
        self._source = file.source
        self._lowering = lowering
        self._calls = calls
        self._depth = 0
        self._known: dict[int, bool] = {}

    # --- Around a read ---------------------------------------------------------------------------------

    def around(self, chain: Chain) -> tuple[Exact, ...]:
        """Give the exact expressions around the recorded call at the end of `chain`, innermost first."""
        found: list[Exact] = []
        end = len(chain) - 1
        for depth in range(end, max(end - _FARTHEST, 0), -1):
            node = chain[depth]
            if node.type in _THROUGH:
                continue
            if node.type in _ELSEWHERE or not self._pure(node, frozenset()):
                break
            if (
                node.type == "unary_expression"
                and self._source.text[node.start_byte : node.start_byte + 1] != b"!"
            ):
                break
            decoding = self._lowering.lower(node, {})
            if is_told(decoding) and reads(decoding) and not self._has_comment(node):
                found.append(Exact(span_of(node), decoding, self._lowering.kinds.of(decoding)))
        return () if self._is_in_macro(chain, found[-1].span if found else None) else tuple(found)

    def _is_in_macro(self, chain: Chain, span: Span | None) -> bool:
        """Say whether what can be replaced stands in a macro, which may do with it whatever it likes."""
        for node in chain:
            if node.type in ("macro_invocation", "macro_definition", "token_tree"):
                return True
            name = self._file.opened.calls.get(node.start_byte)
            around = span is None or (node.start_byte <= span.start and span.end <= node.end_byte)
            if name is not None and node.type == "call_expression" and around and name != _OPEN_ENDED:
                return True
            if node.start_byte in self._file.opened.definitions and node.type == "function_item":
                return True
        return False

    def _has_comment(self, node: Node) -> bool:
        pending = [node]
        while pending:
            at = pending.pop()
            if at.type in ("line_comment", "block_comment"):
                return True
            pending.extend(at.named_children)
        return False

    def stored(self, chain: Chain, exact: tuple[Exact, ...]) -> Span | None:
        """Give the exact expression that a field is set to in the struct that a function always gives."""
        spans = {each.span for each in exact}
        for depth in range(len(chain) - 1, 3, -1):
            node, above = chain[depth], chain[depth - 1]
            if above.type == "field_initializer" and above.child_by_field_name("value") == node:
                is_always = self._is_always(chain, depth - 3)
                return span_of(node) if span_of(node) in spans and is_always else None
            if node.type in ("block", "closure_expression"):
                break
        return None

    def _is_always(self, chain: Chain, depth: int) -> bool:
        """Say whether a struct is what a function gives, whatever happens."""
        struct, outer = chain[depth], depth - 1
        held: Node | None = None
        if chain[outer].type == "let_declaration":
            held = chain[outer].child_by_field_name("pattern")
            if any(child.type == "mutable_specifier" for child in chain[outer].children):
                return False
            outer -= 1
        block, function = chain[outer], chain[outer - 1]
        if struct.type != "struct_expression" or block.type != "block" or function.type != "function_item":
            return False
        given = tail(block)
        if held is None:
            return given == struct and not _leaves(block)
        name = self._source.text_of(held)
        lets = [part for part in parts_of(block) if part.type == "let_declaration"]
        others = [
            part for part in lets if self._source.text_of(part.child_by_field_name("pattern") or part) == name
        ]
        is_given = given is not None and self._source.text_of(given) == name
        return held.type == "identifier" and is_given and len(others) == 1 and not _leaves(block)

    # --- Expressions -----------------------------------------------------------------------------------

    def _pure(self, node: Node, names: frozenset[str]) -> bool:
        """Say whether an expression is worth what it is lowered to; `names` are parameters and bindings."""
        # perf: on its way outwards from a read, each expression is looked at as part of the next.
        known = self._known.get(node.id) if not names else None
        if known is not None:
            return known
        if self._depth > _DEEPEST or node.end_byte - node.start_byte > _LONGEST:
            return False
        self._depth += 1
        try:
            found = self._is_pure(node, names)
        finally:
            self._depth -= 1
        if not names:
            self._known[node.id] = found
        return found

    def _is_pure(self, node: Node, names: frozenset[str]) -> bool:
        inner = parts_of(node)
        match node.type:
            case "string_literal" | "raw_string_literal":
                return self._source.text[node.start_byte : node.start_byte + 1] in (b'"', b"r")
            case "identifier" | "scoped_identifier":
                return self._source.text_of(node) in (*names, "None") or self._is_constant(node)
            case "parenthesized_expression" | "reference_expression":
                return len(inner) == 1 and self._pure(inner[0], names)
            case "unary_expression":
                return self._source.text[node.start_byte : node.start_byte + 1] in (
                    b"!",
                    b"*",
                ) and self._pure(inner[0], names)
            case "binary_expression":
                sign = node.child_by_field_name("operator")
                return (
                    sign is not None
                    and sign.type in _SIGNS
                    and all(self._pure(each, names) for each in inner)
                )
            case "block":
                return len(inner) == 1 and self._pure(inner[0], names)
            case "call_expression":
                return self._is_plain_call(node, names)
            case "match_expression":
                return self._is_plain_match(node, names)
            case "if_expression":
                return self._is_plain_choice(node, names)
        return node.type in _LITERALS

    def _is_constant(self, node: Node) -> bool:
        return isinstance(self._lowering.lower(node, {}), Constant | Named)

    def _is_plain_call(self, node: Node, names: frozenset[str]) -> bool:
        if span_of(node) in self._calls:
            return self._is_plain_read(node, names)
        given = arguments_of(node)
        opened = self._file.opened.calls.get(node.start_byte)
        if opened is not None:
            is_as_written = opened == _OPEN_ENDED and len(given) == 2 and self._is_plain_pattern(given[1])
            return is_as_written and self._pure(given[0], names)
        method = method_of(node, self._source)
        if method is not None:
            receiver, name = method
            return (
                name in _METHODS
                and self._pure(receiver, names)
                and all(self._is_plain_argument(each, names) for each in given)
            )
        function = node.child_by_field_name("function")
        if function is None or not all(self._pure(each, names) for each in given):
            return False
        if path_segments(function, self._source.text) in _MADE:
            return True
        # A function of the project: whether it is exact itself is told where its result is.
        return isinstance(self._lowering.lower(node, {}), Helper)

    def _is_plain_argument(self, node: Node, names: frozenset[str]) -> bool:
        if node.type != "closure_expression":
            known = node.type in ("identifier", "scoped_identifier") and self._is_function(node)
            return known or self._pure(node, names)
        parameters = node.child_by_field_name("parameters")
        bound = parameter_nodes(parameters) if parameters is not None else []
        body = node.child_by_field_name("body")
        if body is None or any(each.type not in ("identifier", "_") for each in bound):
            return False
        return self._pure(body, names | {self._source.text_of(each) for each in bound})

    def _is_function(self, node: Node) -> bool:
        """Say whether a path names a conversion of the standard library: `str::trim`, `str::to_string`."""
        segments = path_segments(node, self._source.text) or ()
        return len(segments) == 2 and segments[0] in ("str", "String") and segments[1] in _METHODS

    def _is_plain_read(self, node: Node, names: frozenset[str]) -> bool:
        callee = self._calls[span_of(node)].callee
        if isinstance(callee, Parameter | FunctionValue):
            return False
        api = API.get(callee)
        if api is not None and (
            api.answer not in ("var", "var_os") or api.kind != "read" or api.compile_time
        ):
            return False
        function, given = node.child_by_field_name("function"), arguments_of(node)
        if function is None or function.type not in ("identifier", "scoped_identifier") or not given:
            return False
        named = given[0].type == "scoped_identifier" or self._pure(given[0], names)
        return named and all(self._pure(each, names) for each in given[1:])

    # --- Branches --------------------------------------------------------------------------------------

    def _is_plain_pattern(self, node: Node) -> bool:
        return _PATTERN.fullmatch(self._source.text, node.start_byte, node.end_byte) is not None

    def _bindings(self, pattern: Node) -> frozenset[str] | None:
        """Give the name that `Ok(name)` binds, if that is all that a pattern does beside comparing."""
        if self._is_plain_pattern(pattern):
            return frozenset()
        written = self._source.text_of(pattern)
        bound = re.fullmatch(r"(?:Ok|Some)\(\s*(?:ref\s+)?([a-z_]\w*)\s*\)", written)
        return frozenset({bound[1]}) if bound else None

    def _is_plain_match(self, node: Node, names: frozenset[str]) -> bool:
        value, body = node.child_by_field_name("value"), node.child_by_field_name("body")
        if value is None or body is None or not self._pure(value, names):
            return False
        for arm in parts_of(body):
            pattern, result = arm.child_by_field_name("pattern"), arm.child_by_field_name("value")
            if pattern is None or result is None or pattern.child_by_field_name("condition") is not None:
                return False
            bound = self._bindings(pattern)
            if bound is None or not self._pure(result, names | bound):
                return False
        return True

    def _is_plain_choice(self, node: Node, names: frozenset[str]) -> bool:
        condition, then, otherwise = (
            node.child_by_field_name(part) for part in ("condition", "consequence", "alternative")
        )
        if condition is None or then is None or otherwise is None or not parts_of(otherwise):
            return False
        bound: frozenset[str] | None = frozenset()
        if condition.type == "let_condition":
            pattern, condition = (
                condition.child_by_field_name("pattern"),
                condition.child_by_field_name("value"),
            )
            bound = self._bindings(pattern) if pattern is not None else None
        if condition is None or bound is None or not self._pure(condition, names):
            return False
        return self._pure(then, names | bound) and self._pure(parts_of(otherwise)[0], names)

    # --- Functions -------------------------------------------------------------------------------------

    def of_function(self, node: Node) -> bool:
        """Say whether a function gives what it is lowered to, and does nothing else."""
        body, parameters = node.child_by_field_name("body"), node.child_by_field_name("parameters")
        if node.type != "function_item" or body is None or parameters is None:
            return False
        if node.start_byte in self._file.opened.definitions or node.child_by_field_name("type_parameters"):
            return False
        if any(child.type in ("function_modifiers",) for child in node.children):
            return False
        outer = self._source.chain_to(node)[:-1]
        if any(
            each.type in ("impl_item", "trait_item", "function_item", "macro_definition") for each in outer
        ):
            return False
        if any(b"cfg" in self._source.text[each.start_byte : each.end_byte] for each in attributes_of(node)):
            return False
        names: set[str] = set()
        for each in parameters.named_children:
            pattern = each.child_by_field_name("pattern") if each.type == "parameter" else None
            if pattern is None or pattern.type != "identifier":
                return False
            names.add(self._source.text_of(pattern))
        return self._is_plain_body(self._source.inside(body), frozenset(names))

    def _is_plain_body(self, body: Node, names: frozenset[str]) -> bool:
        statements = parts_of(body)
        for statement in statements[:-1]:
            pattern, value = (statement.child_by_field_name(part) for part in ("pattern", "value"))
            is_let = (
                statement.type == "let_declaration" and statement.child_by_field_name("alternative") is None
            )
            if not is_let or pattern is None or pattern.type != "identifier" or value is None:
                return False
            if not self._pure(value, names):
                return False
            names = names | {self._source.text_of(pattern)}
        last = statements[-1] if statements else None
        if last is not None and last.type == "expression_statement" and last.children[-1].type != ";":
            last = parts_of(last)[0]
        return last is not None and self._pure(last, names)


def _leaves(block: Node) -> bool:
    """Say whether a function may be left before its end."""
    pending = [block]
    while pending:
        at = pending.pop()
        if at.type in ("return_expression", "try_expression"):
            return True
        if at.type not in ("closure_expression", "function_item"):
            pending.extend(at.named_children)
    return False
