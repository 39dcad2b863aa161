"""Lowering: from the expressions of Rust to the expressions that facts know."""

import re
from collections.abc import Callable

from tree_sitter import Node

from leverlint.facts import (
    UNKNOWN,
    Changed,
    Expression,
    FunctionValue,
    Items,
    Parameter,
    Path,
    Reference,
    Returned,
    Text,
)
from leverlint.languages.rust import expressions, methods
from leverlint.languages.rust.api import EXTERNAL_CRATES, RESULT, WALKS
from leverlint.languages.rust.formatting import formatted
from leverlint.languages.rust.functions import Functions
from leverlint.languages.rust.literals import LITERALS, literal_value
from leverlint.languages.rust.macros import Opened
from leverlint.languages.rust.nodes import arguments_of, method_of, parts_of, path_segments, tail
from leverlint.languages.rust.patterns import Route
from leverlint.languages.rust.receivers import Receivers
from leverlint.languages.rust.scopes import Item, Local, Scopes
from leverlint.languages.rust.source import Chain, Source, span_of
from leverlint.languages.rust.types import Types

_DEEPEST = 40

_SAME = frozenset(
    {"reference_expression", "parenthesized_expression", "type_cast_expression", "try_expression",
     "await_expression", "unsafe_block", "const_block", "else_clause", "expression_statement",
     "match_pattern"}
)  # fmt: skip


class Names:
    """Says what text an expression may be."""

    def __init__(
        self,
        source: Source,
        scopes: Scopes,
        functions: Functions,
        types: Types,
        opened: Opened,
    ) -> None:
        self._source = source
        self._scopes = scopes
        self._functions = functions
        self._types = types
        self._receivers = Receivers(source, scopes, types)
        self._opened = opened
        self._busy: set[tuple[str, int]] = set()
        self.touched: dict[Path, None] = {}
        """Paths of this file that expressions refer to."""
        self.closed: set[int] = set()
        """Offsets of macros whose inside was needed and is not open."""

    def lower(self, node: Node | None, depth: int = 0) -> Expression:
        if node is None or depth > _DEEPEST:
            return UNKNOWN
        kind, deeper = node.type, depth + 1
        if kind in LITERALS:
            return Text(literal_value(node, self._source.text), span_of(node))
        if kind in ("identifier", "scoped_identifier", "generic_function"):
            return self._path(node, deeper)
        if kind in _SAME:
            return (
                self.lower(parts_of(node)[-1 if kind == "unsafe_block" else 0], deeper)
                if parts_of(node)
                else UNKNOWN
            )
        match kind:
            case "call_expression":
                return self._call(node, deeper)
            case "array_expression" | "tuple_expression":
                return self._items(node, deeper)
            case "closure_expression":
                return FunctionValue(self._functions.index(node))
            case "block":
                return self.lower(tail(node), deeper)
            case "if_expression":
                arms = (node.child_by_field_name("consequence"), node.child_by_field_name("alternative"))
                return expressions.any_of(self.lower(arm, deeper) for arm in arms)
            case "match_expression":
                return self._match(node, deeper)
            case "unary_expression":
                star = node.children[0].type == "*"
                return self.lower(parts_of(node)[-1], deeper) if star else UNKNOWN
            case "binary_expression":
                return self._binary(node, deeper)
            case "field_expression":
                return self._field(node, deeper)
            case "index_expression":
                return self._index(node, deeper)
            case "macro_invocation" | "macro_definition":
                self.closed.add(node.start_byte)
            case "integer_literal":
                return UNKNOWN
        return UNKNOWN

    # --- Names -------------------------------------------------------------------------------------

    def _path(self, node: Node, depth: int) -> Expression:
        segments = path_segments(node, self._source.text)
        if segments is None:
            return UNKNOWN
        chain = self._source.chain_to(node)
        if chain[-1] != node:
            chain = (*chain, node)
        if len(segments) > 1:
            return self._refer(self._scopes.absolute(segments, chain))
        return self._named(segments[0], node, depth)

    def named(self, name: str, node: Node) -> Expression:
        """Lower a bare name as it would be understood at `node`."""
        return self._named(name, node, 0)

    def _named(self, name: str, node: Node, depth: int) -> Expression:
        chain = self._source.chain_to(node)
        if chain[-1] != node:
            chain = (*chain, node)
        found = self._scopes.lookup(name, chain)
        if isinstance(found, Local):
            return self._local(name, found, depth)
        if isinstance(found, Item) and found.local:
            return self._local_item(found, depth)
        return self._refer(self._scopes.absolute((name,), chain))

    def of_path(self, segments: Path, chain: Chain) -> Expression:
        """Lower a path of several names as it would be understood where `chain` ends."""
        return self._refer(self._scopes.absolute(segments, chain))

    def _refer(self, path: Path) -> Expression:
        self.touched[path] = None
        return Reference(path)

    def _local_item(self, item: Item, depth: int) -> Expression:
        if item.kind == "function":
            return FunctionValue(self._functions.index(item.node))
        if item.kind == "constant":
            return self._guarded(
                "value", item.node, lambda: self.lower(item.node.child_by_field_name("value"), depth)
            )
        return self._refer(self._scopes.path_of(item))

    def _local(self, name: str, local: Local, depth: int) -> Expression:
        key = local.binder or local.node
        if key is None:
            return UNKNOWN
        return self._guarded(
            name, key, lambda: self._routed(self._local_value(name, local, depth), local.route, local)
        )

    def _guarded(self, what: str, node: Node, lower: Callable[[], Expression]) -> Expression:
        """Lower what a name stands for, unless that is under way already."""
        key = (what, node.start_byte)
        if key in self._busy:
            return UNKNOWN
        self._busy.add(key)
        try:
            return lower()
        finally:
            self._busy.discard(key)

    def _local_value(self, name: str, local: Local, depth: int) -> Expression:
        if local.kind == "element":
            return expressions.element(self.lower(local.node, depth))
        if local.kind == "parameter":
            assert local.node is not None
            return self._parameter(local.node, local.position, depth)
        values = [self.lower(local.node, depth)]
        if local.binder is not None and local.binder.type == "let_declaration":
            values += self._assigned(name, local.binder, depth)
        return expressions.any_of(values)

    def _assigned(self, name: str, let: Node, depth: int) -> list[Expression]:
        """Lower what is assigned to a variable after its `let`."""
        block = let.parent
        if block is None or not (
            let.child_by_field_name("value") is None or b"mut" in _head(let, self._source.text)
        ):
            return []
        pattern = re.compile(rb"(?<![\w.])" + name.encode() + rb"\s*=(?![=>])")
        values = []
        for found in pattern.finditer(self._source.text, let.end_byte, block.end_byte):
            for node in reversed(self._source.chain(found.start())):
                if node.type == "assignment_expression" and node.start_byte == found.start():
                    values.append(self.lower(node.child_by_field_name("right"), depth))
                    break
        return values

    def _parameter(self, function: Node, index: int, depth: int) -> Expression:
        if function.type == "closure_expression":
            sequence = self.applied_to(function)
            if sequence is not None:
                return self.content(sequence, depth)
        return Parameter(self._functions.index(function), index)

    def _routed(self, value: Expression, route: Route, local: Local) -> Expression:
        for step in route:
            if isinstance(step, int):
                value = expressions.item(value, step)
            else:
                value = self._types.field_of_pattern(local, step)
        return value

    # --- Sequences and what is done to each item ---------------------------------------------------

    def applied_to(self, function: Node) -> Node | None:
        """Give what a method like `map` applies a closure or function name to."""
        arguments = function.parent
        if arguments is None or arguments.type != "arguments" or arguments.parent is None:
            return None
        callee = arguments.parent.child_by_field_name("function")
        if callee is None or callee.type != "field_expression":
            return None
        name = callee.child_by_field_name("field")
        if name is None or self._source.text_of(name) not in methods.APPLYING:
            return None
        return callee.child_by_field_name("value")

    def content(self, value: Node, depth: int = 0) -> Expression:
        """Lower an item of a sequence, or what an `Option` holds."""
        inner = self.lower(value, depth + 1)
        return expressions.element(inner) if self._is_sequence(value) else inner

    def _is_sequence(self, node: Node, depth: int = 0) -> bool:
        if node.type in ("array_expression", "range_expression"):
            return True
        if node.type in ("parenthesized_expression", "reference_expression") and parts_of(node):
            return self._is_sequence(parts_of(node)[-1], depth)
        method = method_of(node, self._source)
        if method is not None:
            return method[1] in methods.SEQUENCE_MAKING or self._is_sequence(method[0], depth)
        if node.type == "call_expression" and not arguments_of(node):
            walked = self.lower(node)
            return isinstance(walked, Reference) and walked.path in WALKS.values()
        if node.type == "identifier" and depth < 4:
            found = self._scopes.lookup(self._source.text_of(node), self._source.chain_to(node))
            if (
                isinstance(found, Local)
                and found.kind == "value"
                and found.node is not None
                and not found.route
            ):
                return self._is_sequence(found.node, depth + 1)
        return False

    def _items(self, node: Node, depth: int) -> Expression:
        parts = [
            c
            for c in node.named_children
            if c.type not in ("line_comment", "block_comment", "attribute_item")
        ]
        if len(parts) > 1 and any(child.type == ";" for child in node.children):
            parts = parts[:1]
        if len(parts) > 400:
            return UNKNOWN
        return expressions.items([self.lower(part, depth) for part in parts])

    # --- Compound expressions ------------------------------------------------------------------------

    def _match(self, node: Node, depth: int) -> Expression:
        body = node.child_by_field_name("body")
        arms = body.named_children if body is not None else []
        return expressions.any_of(
            self.lower(arm.child_by_field_name("value"), depth)
            for arm in arms[:64]
            if arm.type == "match_arm"
        )

    def _binary(self, node: Node, depth: int) -> Expression:
        operator = node.child_by_field_name("operator")
        if operator is None or operator.type != "+":
            return UNKNOWN
        sides = (node.child_by_field_name("left"), node.child_by_field_name("right"))
        return expressions.joined(self.lower(side, depth) for side in sides)

    def _field(self, node: Node, depth: int) -> Expression:
        value, field = node.child_by_field_name("value"), node.child_by_field_name("field")
        if value is None or field is None:
            return UNKNOWN
        name = self._source.text_of(field)
        if name.isdigit():
            lowered = self.lower(value, depth)
            if lowered != UNKNOWN:
                return expressions.item(lowered, int(name))
        path = self._types.field(value, name)
        return self._refer(path) if path is not None else UNKNOWN

    def _index(self, node: Node, depth: int) -> Expression:
        sequence, *_, index = parts_of(node)
        lowered = self.lower(sequence, depth)
        if index.type == "integer_literal" and self._source.text_of(index).isdigit():
            return expressions.item(lowered, int(self._source.text_of(index)))
        if index.type == "range_expression":
            return lowered
        return expressions.element(lowered)

    # --- Calls -----------------------------------------------------------------------------------------

    def _call(self, node: Node, depth: int) -> Expression:
        macro = self._opened.macro(node)
        if macro is not None:
            return self._macro(node, macro.rpartition("::")[2], depth)
        method = method_of(node, self._source)
        if method is not None:
            return self._method(node, method[0], method[1], depth)
        callee = node.child_by_field_name("function")
        segments = path_segments(callee, self._source.text) if callee is not None else None
        given = arguments_of(node)
        if segments is None or callee is None:
            return UNKNOWN
        if len(given) == 1 and (
            "::".join(segments[-2:]) in methods.WRAPPING_CALLS or segments[-1] in ("Some", "Ok")
        ):
            return self.lower(given[0], depth)
        called = self.lower(callee, depth)
        if isinstance(called, Reference) and called.path in WALKS:
            return Reference(WALKS[called.path])
        return self._result(called, given, depth)

    def _result(self, callee: Expression, given: list[Node], depth: int) -> Expression:
        """Lower what a function of this file returns when it is called with `given`."""
        if depth > 12:
            return UNKNOWN
        function = None
        if isinstance(callee, Reference):
            function = self._types.function_at(callee.path)
        elif isinstance(callee, FunctionValue):
            function = self._functions.nodes[callee.function]
        body = function.child_by_field_name("body") if function is not None else None
        if function is None and isinstance(callee, Reference):
            return self._returned(callee.path, given, depth)
        if function is None or body is None or body.end_byte - body.start_byte > 4000:
            return UNKNOWN
        returned = self._guarded("result", function, lambda: self.lower(self._source.inside(body), depth + 8))
        if not any(isinstance(part, Text) for part in expressions.everything_in(returned)):
            return UNKNOWN
        arguments = [self.lower(argument, depth) for argument in given]
        return expressions.substitute(returned, self._functions.index(function), arguments)

    def _returned(self, path: Path, given: list[Node], depth: int) -> Expression:
        """Leave it to the index what a function of another file, or a method of a constant, returns."""
        if path[0] in EXTERNAL_CRATES or path[-1][:1].isupper() or path[-1].endswith("!"):
            return UNKNOWN
        self.touched[(*path, RESULT)] = None
        return Returned(path, tuple(self.lower(argument, depth) for argument in given))

    def _method(self, node: Node, receiver: Node, name: str, depth: int) -> Expression:
        given = arguments_of(node)
        if name in methods.CHANGING:
            changed = self.lower(receiver, depth)
            return Changed(methods.CHANGING[name], changed) if changed != UNKNOWN else UNKNOWN
        if name in methods.FALLING_BACK:
            return expressions.any_of(self.lower(part, depth) for part in (receiver, *given[:1]))
        if name in ("map", "and_then", "filter_map") and given:
            return self._mapped(receiver, given[0], depth)
        if name in methods.TRANSPARENT and not self._receivers.own(receiver, name):
            return self.lower(receiver, depth)
        if name in methods.PICKING:
            return expressions.element(self.lower(receiver, depth))
        if name == "enumerate":
            return Items((Items((UNKNOWN, expressions.element(self.lower(receiver, depth)))),))
        if name == "zip" and given:
            pair = [expressions.element(self.lower(part, depth)) for part in (receiver, given[0])]
            return Items((Items(tuple(pair)),))
        if name in ("concat", "join"):
            between = self.lower(given[0], depth) if given else None
            return expressions.concatenated(self.lower(receiver, depth), between)
        path = self._receivers.method(receiver, name)
        if path is None:
            return UNKNOWN
        return self._result(Reference(path), given, depth)

    def _mapped(self, receiver: Node, function: Node, depth: int) -> Expression:
        if function.type == "closure_expression":
            result = self.lower(function.child_by_field_name("body"), depth)
        elif (
            path_segments(function, self._source.text) is not None
            and "::".join((path_segments(function, self._source.text) or ())[-2:]) in methods.WRAPPING_CALLS
        ):
            return self.lower(receiver, depth)
        else:
            return UNKNOWN
        return expressions.items([result]) if self._is_sequence(receiver) else result

    # --- Macros ------------------------------------------------------------------------------------------

    def _macro(self, node: Node, name: str, depth: int) -> Expression:
        given = arguments_of(node)
        if name in ("format!", "format_args!"):
            return self.formatted(given, depth)
        if name == "stringify!" and len(given) == 1:
            return self._spelled(given[0])
        if name == "concat!":
            return expressions.joined(self.lower(part, depth) for part in given)
        if name in ("vec!", "smallvec!", "hashset!", "btreeset!"):
            return expressions.items([self.lower(part, depth) for part in given[:400]])
        if name in ("dbg!", "cstr!", "c_str!") and given:
            return self.lower(given[0], depth)
        return UNKNOWN

    def _spelled(self, node: Node) -> Expression:
        """Lower what `stringify!` makes of a name: in a macro, of the name that it is given."""
        if node.type != "identifier":
            return UNKNOWN
        found = self._scopes.lookup(self._source.text_of(node), self._source.chain_to(node))
        macro = found.node if isinstance(found, Local) and found.kind == "parameter" else None
        if isinstance(found, Local) and macro is not None and macro.start_byte in self._opened.definitions:
            return Changed("spelled", Parameter(self._functions.index(macro), found.position))
        return Text(self._source.text_of(node), span_of(node))

    def formatted(self, given: list[Node], depth: int = 0) -> Expression:
        """Lower what a format string and its arguments make."""
        return formatted(
            given,
            self._source,
            lambda node: self.lower(node, depth),
            lambda name, node: self._named(name, node, depth),
        )


def _head(let: Node, text: bytes) -> bytes:
    pattern = let.child_by_field_name("pattern")
    return text[let.start_byte : pattern.end_byte] if pattern is not None else b""
