"""Objects that hold the name of a variable: what their fields and methods give, as far as this file tells."""

from tree_sitter import Node

from leverlint.facts import UNKNOWN, Expression, Path, Reference
from leverlint.languages.rust import expressions
from leverlint.languages.rust.functions import Functions
from leverlint.languages.rust.names import Names
from leverlint.languages.rust.nodes import arguments_of, parts_of, path_segments, tail
from leverlint.languages.rust.scopes import Scopes
from leverlint.languages.rust.source import Source
from leverlint.languages.rust.struct_literals import StructLiterals
from leverlint.languages.rust.types import Types


class Objects:
    def __init__(
        self, source: Source, scopes: Scopes, functions: Functions, types: Types, names: Names
    ) -> None:
        self._source = source
        self._scopes = scopes
        self._functions = functions
        self._types = types
        self._literals = StructLiterals(source, scopes)
        self._names = names

    def field(self, path: Path) -> Expression:
        """Give the field of a constant that a constructor of this file makes: `("." , "PORT", "name")`."""
        made = self._made(path[:-1])
        return self._field_of(made, path[-1]) if made is not None else UNKNOWN

    def fields(self, value: Node) -> list[str]:
        """Give the fields that what a constructor makes has, and that hold what it is given."""
        literal = self._literal(value)
        body = literal.child_by_field_name("body") if literal is not None else None
        names = [child.child_by_field_name("field") or child for child in (parts_of(body) if body else ())]
        return [self._source.text_of(name) for name in names]

    def result(self, path: Path) -> Expression:
        """Give what a method without arguments returns for a type, a variant or a constant."""
        *before, method = path
        owner = tuple(before)
        function = self._types.function_at(path)
        if function is not None:
            return self._returned(function, "")
        if len(owner) > 2 and (function := self._types.function_at((*owner[:-1], method))) is not None:
            return self._returned(function, owner[-1])
        made = self._made(owner)
        kind = self._types.of(made) if made is not None else None
        function = self._types.function_at((*kind, method)) if kind is not None else None
        if function is None or kind is None or made is None:
            return UNKNOWN
        value = self._returned(function, "")
        if isinstance(value, Reference) and value.path[:-1] == kind:
            return self._field_of(made, value.path[-1])
        return value

    def _made(self, path: Path) -> Node | None:
        item = self._types.item_at(path)
        if item is None or item.kind != "constant":
            return None
        return item.node.child_by_field_name("value")

    def _returned(self, function: Node, variant: str) -> Expression:
        """Lower what a method returns; of a variant, where it is the value of a `match` on the object."""
        body = function.child_by_field_name("body")
        value = tail(self._source.inside(body)) if body is not None else None
        while value is not None and value.type == "expression_statement":
            value = next(iter(parts_of(value)), None)
        if value is not None and value.type == "match_expression" and variant:
            value = self._arm(value, variant)
        return self._names.lower(value)

    def _arm(self, match: Node, variant: str) -> Node | None:
        body = match.child_by_field_name("body")
        for arm in parts_of(body) if body is not None else ():
            pattern = arm.child_by_field_name("pattern")
            for alternative in _alternatives(pattern) if pattern is not None else ():
                segments = path_segments(alternative, self._source.text)
                if alternative.type == "_" or (segments is not None and segments[-1] == variant):
                    return arm.child_by_field_name("value")
        return None

    def _field_of(self, value: Node, field: str) -> Expression:
        literal = self._literal(value)
        part = self._literals.part(literal, field) if literal is not None else None
        found = self._names.lower(part)
        if literal is None or literal == value:
            return found
        function = self._functions.enclosing(self._source.chain_to(literal))
        given = [self._names.lower(argument) for argument in arguments_of(value)]
        return expressions.substitute(found, function, given)

    def _literal(self, value: Node) -> Node | None:
        """Give the struct literal that a value is, or that the constructor called there makes."""
        if value.type == "struct_expression":
            return value
        callee = value.child_by_field_name("function") if value.type == "call_expression" else None
        segments = path_segments(callee, self._source.text) if callee is not None else None
        if segments is None:
            return None
        path = self._scopes.absolute(segments, (*self._source.chain_to(value), value))
        function = self._types.function_at(path)
        body = function.child_by_field_name("body") if function is not None else None
        made = tail(self._source.inside(body)) if body is not None else None
        return made if made is not None and made.type == "struct_expression" else None


def _alternatives(pattern: Node) -> list[Node]:
    if pattern.type in ("match_pattern", "or_pattern", "reference_pattern"):
        return [inner for child in pattern.children for inner in _alternatives(child)]
    if pattern.type in ("struct_pattern", "tuple_struct_pattern"):
        named = pattern.child_by_field_name("type")
        return [named] if named is not None else []
    return [pattern]
