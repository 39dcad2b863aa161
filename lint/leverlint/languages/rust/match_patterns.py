"""When a value fits a pattern, and what the pattern binds then."""

from typing import TYPE_CHECKING

from tree_sitter import Node

from leverlint.facts import UNTOLD, Apply, Constant, Decoding
from leverlint.languages.rust.literals import LITERALS
from leverlint.languages.rust.nodes import arguments_of, parts_of, path_segments
from leverlint.languages.rust.numbers import number
from leverlint.languages.rust.outcomes import TRUE, apply, both, either
from leverlint.languages.rust.patterns import bindings

if TYPE_CHECKING:
    from leverlint.languages.rust.lowering import Lowering, Names

Fit = tuple[Decoding, dict[str, Decoding]]

_INSIDE = frozenset(
    {"reference_pattern", "mut_pattern", "ref_pattern", "parameter", "parenthesized_expression",
     "reference_expression", "parenthesized_pattern", "tuple_pattern_parenthesized"}
)  # fmt: skip


class Patterns:
    def __init__(self, lowering: "Lowering") -> None:
        self._lowering = lowering
        self._source = lowering.file.source

    def test(self, pattern: Node, value: Decoding, names: "Names") -> Fit:
        """Say when `value` fits; patterns may be given as the expressions that look like them."""
        kind = pattern.type
        if kind == "match_pattern":
            return self.test(parts_of(pattern)[0], value, names) if parts_of(pattern) else (TRUE, {})
        if kind == "_":
            return TRUE, {}
        if kind in LITERALS or kind in ("boolean_literal", "char_literal"):
            return apply("equals", value, self._lowering.lower(pattern, {})), {}
        if kind in ("integer_literal", "float_literal", "negative_literal"):
            return apply("equals", value, self._lowering.lower(pattern, {})), {}
        if kind in _INSIDE:
            inner = pattern.child_by_field_name("pattern") or next(reversed(parts_of(pattern)), None)
            return self.test(inner, value, names) if inner is not None else (UNTOLD, {})
        match kind:
            case "identifier":
                return self._name(pattern, value)
            case "scoped_identifier":
                return apply("equals", value, self._lowering.name(pattern, {})), {}
            case "or_pattern" | "binary_expression":
                return self._either(parts_of(pattern), value, names)
            case "captured_pattern":
                bound_name, *within = parts_of(pattern)
                fits, bound = self.test(within[0], value, names) if within else (TRUE, {})
                return fits, {**bound, self._source.text_of(bound_name): value}
            case "tuple_struct_pattern":
                named = pattern.child_by_field_name("type")
                parts = [part for part in pattern.children if part.is_named or part.type == "_"]
                inside = [part for part in parts if part != named and "comment" not in part.type]
                return self._struct(named, inside, value, names, pattern)
            case "call_expression":
                function = pattern.child_by_field_name("function")
                given = pattern.child_by_field_name("arguments")
                inside = arguments_of(pattern)
                if given is not None and not inside and "_" in [child.type for child in given.children]:
                    inside = [child for child in given.children if child.type == "_"]
                return self._struct(function, inside, value, names, pattern)
            case "tuple_pattern" | "tuple_expression":
                return self._tuple(pattern, value, names)
            case "range_pattern" | "range_expression":
                return self._range(pattern, value)
        return self._untold(pattern)

    def _untold(self, pattern: Node) -> Fit:
        return UNTOLD, {name: UNTOLD for name, _ in bindings(pattern, self._source.text)}

    def _name(self, pattern: Node, value: Decoding) -> Fit:
        name = self._source.text_of(pattern)
        if name == "_":
            return TRUE, {}
        if name == "None":
            return apply("not", apply("rs:holds", value)), {}
        if name.isupper() and len(name) > 1:
            return apply("equals", value, self._lowering.name(pattern, {})), {}
        return TRUE, {name: value}

    def _either(self, parts: list[Node], value: Decoding, names: "Names") -> Fit:
        fits: Decoding | None = None
        bound: dict[str, Decoding] = {}
        for part in parts:
            holds, more = self.test(part, value, names)
            fits = holds if fits is None else either(fits, holds)
            # Every alternative binds the same names, but not to the same parts.
            bound = {
                name: more[name] if bound.get(name, more[name]) == more[name] else UNTOLD for name in more
            }
        return fits if fits is not None else UNTOLD, bound

    def _struct(
        self, named: Node | None, inside: list[Node], value: Decoding, names: "Names", pattern: Node
    ) -> Fit:
        segments = path_segments(named, self._source.text) if named is not None else None
        name = segments[-1] if segments else ""
        holds = apply("rs:holds", value)
        if name in ("Some", "Ok") and len(inside) == 1:
            fits, bound = self.test(inside[0], apply("rs:payload", value), names)
            return both(holds, fits), bound
        if name == "Err":
            return self._error(inside, value, names)
        if name == "NotUnicode":
            return apply("equals", value, Constant(name)), self._untold(pattern)[1]
        return self._untold(pattern)

    def _error(self, inside: list[Node], value: Decoding, names: "Names") -> Fit:
        failed = apply("not", apply("rs:holds", value))
        if not inside:
            return failed, {}
        fits, bound = self.test(inside[0], apply("rs:error", value), names)
        return both(failed, fits), bound

    def _tuple(self, pattern: Node, value: Decoding, names: "Names") -> Fit:
        parts = [
            part
            for part in pattern.children
            if (part.is_named or part.type == "_") and "comment" not in part.type
        ]
        whole = value.arguments if isinstance(value, Apply) and value.operation == "tuple" else ()
        if len(parts) != len(whole):
            return self._untold(pattern)
        fits: Decoding = TRUE
        bound: dict[str, Decoding] = {}
        for part, item in zip(parts, whole, strict=True):
            holds, more = self.test(part, item, names)
            fits, bound = both(fits, holds), {**bound, **more}
        return fits, bound

    def _range(self, pattern: Node, value: Decoding) -> Fit:
        fits: Decoding = TRUE
        sign = next((child for child in pattern.children if child.type in ("..", "..=", "...")), None)
        for part in parts_of(pattern):
            limit = number(self._source.text_of(part))
            if limit is None or sign is None:
                return UNTOLD, {}
            low = part.end_byte <= sign.start_byte
            operation = "ge" if low else "lt" if sign.type == ".." else "le"
            fits = both(fits, apply(operation, value, Constant(limit)))
        return fits, {}
