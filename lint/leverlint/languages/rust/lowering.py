"""Lowering: from the expressions of Rust to decodings.

Names that were bound on the way are in an environment; what was bound outside of it is looked up
in the file. What a name stands for is put in its place, so nothing here changes anything.
"""

import re
from collections.abc import Callable, Mapping
from functools import partial

from tree_sitter import Node

from leverlint.facts import (
    UNTOLD,
    Answer,
    Apply,
    Constant,
    Decoding,
    Helper,
    Named,
    Parameter,
    Passed,
    Path,
    Span,
)
from leverlint.languages.rust.branches import Branches
from leverlint.languages.rust.file import File
from leverlint.languages.rust.invocations import Invocations
from leverlint.languages.rust.literals import LITERALS, literal_value
from leverlint.languages.rust.nodes import parameter_nodes, parts_of, path_segments
from leverlint.languages.rust.numbers import LIMITS, number
from leverlint.languages.rust.outcome_kinds import NUMBERS, Kind, Kinds, content, kind_of_type
from leverlint.languages.rust.outcomes import (
    ERROR,
    NONE,
    UNIT,
    Numbers,
    apply,
    both,
    choose,
    depends,
    either,
    is_large,
    is_untold,
    reads,
    returned,
    returns,
)
from leverlint.languages.rust.parse_types import retyped
from leverlint.languages.rust.scopes import Item, Local
from leverlint.languages.rust.source import Chain, Source, span_of, words

Names = Mapping[str, Decoding]
"""What names stand for that were bound on the way."""

_DEEPEST = 48
_ASSIGNED = re.compile(rb"\s*(?:[-+*/%|&^]|<<|>>)?=(?![=>])")
_MOST_WORK = 4000
"""Expressions looked at for one read; more is no decoding, or meant to take time."""
_SAME = frozenset({"reference_expression", "parenthesized_expression", "await_expression", "const_block"})
_COMPARISONS = {"<": "lt", "<=": "le", ">": "gt", ">=": "ge"}
_ARITHMETIC = {
    "+": "add",
    "-": "sub",
    "*": "mul",
    "/": "rs:div",
    "%": "rs:rem",
    "<<": "rs:shl",
    ">>": "rs:shr",
}


class Lowering:
    def __init__(
        self,
        file: File,
        original: bytes,
        answers: Callable[[Node], bool],
        kind_of_answer: Callable[[Span], Kind],
        kind_of_helper: Callable[[Helper], Kind],
        may_decode: Callable[[Helper], bool],
        is_here: Callable[[Helper], bool],
        is_reader: Callable[[Node], bool],
    ) -> None:
        self.is_reader = is_reader
        self.may_decode = may_decode
        self.is_here = is_here
        self.file = file
        self.original = original
        """The text before macros were opened in it."""
        self.is_answer = answers
        self.numbers = Numbers()
        self.kinds = Kinds(self.numbers.values, kind_of_answer, self.kind_of_parameter, kind_of_helper)
        self.branches = Branches(self)
        self.invocations = Invocations(self)
        self._busy: set[tuple[str, int]] = set()
        self._depth = 0
        self._work = 0
        self._known: dict[tuple[int, int, str, Kind], Decoding] = {}

    def begin(self) -> None:
        """Start on another read or function: how much may be looked at counts from here."""
        self._work = 0

    def lower(self, node: Node | None, names: Names, expected: Kind = "") -> Decoding:
        """Give what an expression is worth; `expected` is the kind inside of all wrapping."""
        if node is None or self._depth > _DEEPEST or self._work > _MOST_WORK:
            return UNTOLD
        # perf: on its way outwards from a read, each expression is lowered as part of the next.
        key = (node.start_byte, node.end_byte, node.type, expected)
        kept = not names and not self._busy
        if kept and key in self._known:
            return self._known[key]
        self._work += 1
        self._depth += 1
        try:
            lowered = self._lower(node, names, expected)
        finally:
            self._depth -= 1
        lowered = UNTOLD if is_large(lowered) else lowered
        if kept and self._work <= _MOST_WORK:
            self._known[key] = lowered
        return lowered

    def _lower(self, node: Node, names: Names, expected: Kind) -> Decoding:
        kind = node.type
        if kind in LITERALS:
            return Constant(literal_value(node, self.file.source.text))
        if kind in ("identifier", "scoped_identifier"):
            return self.name(node, names)
        if kind in _SAME:
            return self.lower(parts_of(node)[-1], names, expected) if parts_of(node) else UNTOLD
        match kind:
            case "call_expression" | "macro_invocation":
                return self.invocations.lower(node, names, expected)
            case "block" | "unsafe_block":
                block = node if kind == "block" else parts_of(node)[-1]
                return self.branches.block(block, names, expected)
            case "if_expression":
                return self.branches.conditional(node, names, expected)
            case "match_expression":
                return self.branches.match(node, names, expected)
            case "try_expression":
                return self._try(node, names, expected)
            case "return_expression":
                value = next(iter(parts_of(node)), None)
                return returned(self.lower(value, names, expected) if value is not None else UNIT)
            case "binary_expression":
                return self._binary(node, names, expected)
            case "unary_expression":
                return self._unary(node, names, expected)
            case "type_cast_expression":
                return self._cast(node, names)
            case "array_expression" | "tuple_expression":
                return self._items(node, names)
            case "field_expression":
                return self._field(node, names)
            case "index_expression":
                return self._index(node, names)
            case "struct_expression":
                return self._struct(node, names)
            case "unit_expression":
                return UNIT
            case "expression_statement":
                return self.lower(parts_of(node)[0], names, expected) if parts_of(node) else UNTOLD
        return self._literal(node)

    def _literal(self, node: Node) -> Decoding:
        text = self.file.source.text_of(node)
        match node.type:
            case "boolean_literal":
                return Constant(text == "true")
            case "char_literal":
                written = text.removeprefix("b")[1:-1]
                return Constant(written) if len(written) == 1 else UNTOLD
            case "integer_literal" | "float_literal" | "negative_literal":
                value = number(text)
                return Constant(value) if value is not None else UNTOLD
        return UNTOLD

    # --- Names -------------------------------------------------------------------------------------

    def name(self, node: Node, names: Names) -> Decoding:
        segments = path_segments(node, self.file.source.text)
        if segments is None:
            return UNTOLD
        if len(segments) == 1:
            if segments[0] in names:
                return names[segments[0]]
            if segments[0] == "None":
                return NONE
        else:
            limit = LIMITS.get(segments[-2:])
            if limit is not None:
                return Constant(limit)
        chain = self._chain(node)
        found = self.file.scopes.lookup(segments[0], chain) if len(segments) == 1 else None
        if isinstance(found, Local):
            return self._guarded(
                segments[0], found.binder or found.node, lambda: self._local(segments[0], found)
            )
        if isinstance(found, Item) and found.local and found.kind == "constant":
            return self.constant(found.node)
        return self.global_name(segments, chain)

    def _chain(self, node: Node) -> Chain:
        chain = self.file.source.chain_to(node)
        return chain if chain[-1] == node else (*chain, node)

    def _guarded(self, what: str, node: Node | None, lower: Callable[[], Decoding]) -> Decoding:
        """Lower what a name stands for, unless that is under way already."""
        if node is None or (what, node.start_byte) in self._busy:
            return UNTOLD
        self._busy.add((what, node.start_byte))
        try:
            return lower()
        finally:
            self._busy.discard((what, node.start_byte))

    def _local(self, name: str, local: Local) -> Decoding:
        if local.kind == "parameter" and local.node is not None:
            return self._parameter(local)
        binder = local.binder
        if local.kind != "value" or binder is None or self.is_changed(name, binder):
            return UNTOLD
        declared = kind_of_type(binder.child_by_field_name("type"), self.file.source)
        value = self.lower(local.node, {}, content(declared))
        pattern = binder.child_by_field_name("pattern")
        if pattern is None or is_untold(value) or returns(value):
            return UNTOLD
        return self.branches.patterns.test(pattern, value, {})[1].get(name, UNTOLD)

    def is_changed(self, name: str, binder: Node) -> bool:
        """Say whether a variable is given another value after its `let`."""
        pattern, block = binder.child_by_field_name("pattern"), binder.parent
        if binder.type != "let_declaration" or pattern is None or block is None:
            return False
        text = self.file.source.text
        if b"mut" not in text[binder.start_byte : pattern.end_byte] and binder.child_by_field_name("value"):
            return False
        return any(
            _ASSIGNED.match(text, offset + len(name))
            or text[max(offset - 8, 0) : offset].rstrip().endswith(b"&mut")
            for offset in words(text, name, binder.end_byte, block.end_byte)
        )

    def _parameter(self, local: Local) -> Decoding:
        if local.route or local.node is None:
            return UNTOLD
        return Passed(Parameter(self.file.functions.index(local.node), local.position))

    def constant(self, item: Node) -> Decoding:
        declared = kind_of_type(item.child_by_field_name("type"), self.file.source)
        value = item.child_by_field_name("value")
        return self._guarded("constant", item, lambda: self.lower(value, {}, content(declared)))

    def global_name(self, segments: Path, chain: Chain) -> Decoding:
        path = self.file.scopes.absolute(segments, chain)
        item = self.file.types.item_at(path)
        if item is not None:
            return self.constant(item.node) if item.kind == "constant" else UNTOLD
        nodes = self.file.types.value_at(path)
        if nodes:
            holder = nodes[0].parent
            return self.constant(holder) if holder is not None and len(nodes) == 1 else UNTOLD
        last = segments[-1]
        if last.isupper() or (last.upper() == last and "_" in last):
            if path[0] == ".":
                self.file.names.touched[path] = None
            return Named(path)
        if len(segments) > 1 and last[:1].isupper() and segments[-2][:1].isupper():
            # A variant: its name tells it from the others.
            return Constant(last)
        return UNTOLD

    def kind_of_parameter(self, parameter: Parameter) -> Kind:
        parameters = self.file.functions.nodes[parameter.function].child_by_field_name("parameters")
        nodes = parameter_nodes(parameters) if parameters is not None else []
        declared = (
            nodes[parameter.index].child_by_field_name("type") if parameter.index < len(nodes) else None
        )
        return kind_of_type(declared, self.file.source)

    # --- Compound expressions ------------------------------------------------------------------------

    def _try(self, node: Node, names: Names, expected: Kind) -> Decoding:
        value = self.lower(parts_of(node)[0], names, expected)
        return self.numbers.then(value, self._or_leave)

    def _or_leave(self, value: Decoding) -> Decoding:
        kind = self.kinds.of(value)
        left = NONE if kind.startswith("option:") else ERROR if kind.startswith("result:") else value
        return choose(apply("rs:holds", value), apply("rs:payload", value), returned(left))

    def _binary(self, node: Node, names: Names, expected: Kind) -> Decoding:
        operator = node.child_by_field_name("operator")
        sign = operator.type if operator is not None else ""
        inside = expected if sign in _ARITHMETIC else ""
        left = self.lower(node.child_by_field_name("left"), names, inside)
        right = self.lower(node.child_by_field_name("right"), names, inside)
        if sign in ("&&", "||"):
            join = both if sign == "&&" else either
            return self.numbers.all((left,), lambda got: join(got[0], right))
        return self.numbers.all((left, right), lambda got: self._operate(sign, *got))

    def _operate(self, sign: str, left: Decoding, right: Decoding) -> Decoding:
        if sign in ("==", "!="):
            left, right = self.typed_like(left, right), self.typed_like(right, left)
            same = apply("equals", left, right)
            return same if sign == "==" else apply("not", same)
        if sign in ("&", "|") and self.kinds.of(left) == self.kinds.of(right) == "bool":
            return both(left, right) if sign == "&" else either(left, right)
        operation = _COMPARISONS.get(sign) or _ARITHMETIC.get(sign)
        if operation is None:
            return UNTOLD
        if self.kinds.of(left) == "text":
            return UNTOLD
        left, right = self.typed_like(left, right), self.typed_like(right, left)
        return apply(operation, left, right)

    def typed_like(self, value: Decoding, other: Decoding) -> Decoding:
        """Let a number that is parsed as something have the type of what it is used with."""
        kind = content(self.kinds.of(other))
        return retyped(value, kind) if kind in NUMBERS or kind == "bool" else value

    def _unary(self, node: Node, names: Names, expected: Kind) -> Decoding:
        sign = node.children[0].type
        value = self.lower(parts_of(node)[-1], names, expected)
        if sign == "*":
            return value
        if sign == "-":
            if isinstance(value, Constant) and isinstance(value.value, int | float):
                return Constant(-value.value)
            return self.numbers.all((value,), lambda got: apply("rs:neg", *got))
        return self.numbers.all((value,), lambda got: apply("not", *got))

    def _cast(self, node: Node, names: Names) -> Decoding:
        kind = kind_of_type(node.child_by_field_name("type"), self.file.source)
        value = self.lower(node.child_by_field_name("value"), names)
        if kind == "char" and self.kinds.of(value) == "text":
            # A byte of a text is told as its sign.
            return value
        if kind not in NUMBERS:
            return UNTOLD
        if self.kinds.of(value) == kind:
            return value
        return self.numbers.all((value,), lambda got: apply(f"rs:as:{kind}", *got))

    def _items(self, node: Node, names: Names) -> Decoding:
        parts = [part for part in parts_of(node) if part.type != "attribute_item"]
        if len(parts) > 64 or any(child.type == ";" for child in node.children):
            return UNTOLD
        # Items that are not told do not hide the others: a match may look at one alone.
        return Apply("tuple", tuple(self.lower(part, names) for part in parts))

    def _field(self, node: Node, names: Names) -> Decoding:
        value, field = node.child_by_field_name("value"), node.child_by_field_name("field")
        name = self.file.source.text_of(field) if field is not None else ""
        if not name.isdigit():
            return self._field_of_constant(value, name) if value is not None else UNTOLD
        whole = self.lower(value, names)
        if isinstance(whole, Apply) and whole.operation == "tuple" and int(name) < len(whole.arguments):
            return whole.arguments[int(name)]
        return UNTOLD

    def _struct(self, node: Node, names: Names) -> Decoding:
        """Let a struct stand for the one field that is read."""
        body = node.child_by_field_name("body")
        values = []
        for part in parts_of(body) if body is not None else ():
            value = part.child_by_field_name("value") if part.type == "field_initializer" else None
            if part.type == "shorthand_field_initializer":
                value = next(iter(parts_of(part)), None)
            values.append(self.lower(value, names) if value is not None else UNTOLD)
        found = [value for value in values if reads(value)] or [value for value in values if depends(value)]
        return found[0] if len(found) == 1 else UNTOLD

    def _field_of_constant(self, value: Node, field: str) -> Decoding:
        """Lower a field of a constant that is written as a struct, such as `Levers::OFF.verbose`."""
        segments = path_segments(value, self.file.source.text)
        if segments is None or segments == ("self",):
            return UNTOLD
        for struct in self.file.types.value_at(self.file.scopes.absolute(segments, self._chain(value))):
            initial = _initial(struct, field, self.file.source)
            if initial is not None:
                return self._guarded("field", initial, partial(self.lower, initial, {}))
        return UNTOLD

    def _index(self, node: Node, names: Names) -> Decoding:
        sequence, *_, index = parts_of(node)
        if index.type == "range_expression" and not parts_of(index):
            return self.lower(sequence, names)
        value = self.lower(sequence, names)
        kind = self.kinds.of(value)
        if index.type == "integer_literal" and (kind == "text" or kind.startswith("list:")):
            signs = apply("rs:chars", value) if kind == "text" else value
            return apply("rs:unwrap", apply("rs:nth", signs, self.lower(index, names)))
        return UNTOLD

    def guarded_closure(self, node: Node, lower: Callable[[], Decoding]) -> Decoding:
        return self._guarded("closure", node, lower)

    def is_recorded(self, node: Node) -> bool:
        return self.is_answer(node)

    def answer(self, node: Node) -> Decoding:
        return Answer(span_of(node))


def _initial(struct: Node, field: str, source: Source) -> Node | None:
    """Find what a field is set to in a struct literal."""
    body = struct.child_by_field_name("body") if struct.type == "struct_expression" else None
    for part in parts_of(body) if body is not None else ():
        name = part.child_by_field_name("field") if part.type == "field_initializer" else None
        if name is not None and source.text_of(name) == field:
            return part.child_by_field_name("value")
    return None
