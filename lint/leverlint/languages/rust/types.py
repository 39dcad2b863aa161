"""What a value's type is, as far as declarations nearby tell, and what its members stand for."""

import re

from tree_sitter import Node

from leverlint.facts import UNKNOWN, Expression, Path, Reference
from leverlint.languages.rust import methods
from leverlint.languages.rust.api import EXTERNAL_CRATES, RESULT, WALKS
from leverlint.languages.rust.builders import BUILDERS, MADE_BY, MADE_BY_MACRO
from leverlint.languages.rust.functions import FUNCTIONS, Functions
from leverlint.languages.rust.generics import arguments_of_type, position_of
from leverlint.languages.rust.nodes import (
    arguments_of,
    method_of,
    parameter_nodes,
    parts_of,
    path_segments,
    tail,
)
from leverlint.languages.rust.patterns import bindings
from leverlint.languages.rust.scopes import Item, Local, Scopes
from leverlint.languages.rust.source import Source
from leverlint.languages.rust.struct_literals import StructLiterals

_MAPS = frozenset({"HashMap", "BTreeMap", "IndexMap", "FxHashMap", "AHashMap", "Vars", "VarsOs"})
_SEQUENCES = frozenset({"array_type", "slice_type"})
_MAKING = re.compile(r"new|default|(?:from|with|new)_\w+")
"""Associated functions that by convention give an object of their type."""
_DEEPEST = 24
_LONGEST = 48
"""Names in the path of what a chain of calls gives."""


class Types:
    def __init__(self, source: Source, scopes: Scopes, functions: Functions) -> None:
        self._source = source
        self._scopes = scopes
        self._functions = functions
        self._busy: set[int] = set()
        self._known: dict[Node, Path | None] = {}
        self._cut = 0
        """How often the way to a type was given up, because of where it was begun."""
        self._literals = StructLiterals(source, scopes)

    # --- Types -----------------------------------------------------------------------------------

    def of(self, node: Node, depth: int = 0) -> Path | None:
        """Give the path of the struct that an expression is of."""
        if node in self._known:
            return self._known[node]
        if depth > _DEEPEST or node.id in self._busy:
            self._cut += 1
            return None
        cut = self._cut
        self._busy.add(node.id)
        try:
            found = self._of(node, depth + 1)
        finally:
            self._busy.discard(node.id)
        if self._cut == cut or not self._busy:
            self._known[node] = found
        return found

    def _of(self, node: Node, depth: int) -> Path | None:
        match node.type:
            case "self":
                return self._scopes.self_type(self._source.chain_to(node))
            case "identifier":
                return self._of_name(node, depth)
            case "scoped_identifier":
                return self._of_path(self._path(node))
            case (
                "reference_expression"
                | "parenthesized_expression"
                | "unary_expression"
                | "try_expression"
                | "await_expression"
            ):
                return self.of(parts_of(node)[-1], depth) if parts_of(node) else None
            case "index_expression":
                return self._of_element(parts_of(node)[0], depth) if parts_of(node) else None
            case "struct_expression":
                name = node.child_by_field_name("name")
                return self._scopes.type_path(name, self._source.chain_to(node)) if name is not None else None
            case "field_expression":
                return self._of_field(node, depth)
            case "call_expression":
                return self._of_call(node, depth)
            case "macro_invocation":
                macro = node.child_by_field_name("macro")
                return MADE_BY_MACRO.get(self._source.text_of(macro)) if macro is not None else None
        return None

    def _of_path(self, path: Path | None) -> Path | None:
        item = self.item_at(path)
        if path is None or (item is not None and item.kind == "constant"):
            return self._declared(item.node) if item is not None else None
        if len(path) > 1 and path[-2][:1].isupper() and not path[-1].isupper():
            # A variant is of its enumeration.
            return path[:-1]
        # A unit struct, or a constant of a type or of another file: the index knows of what type.
        return path if path[-1][:1].isupper() else None

    def _of_name(self, node: Node, depth: int) -> Path | None:
        chain = self._source.chain_to(node)
        name = self._source.text_of(node)
        found = self._scopes.lookup(name, chain)
        if isinstance(found, Local):
            return self._of_local(found, depth)
        if isinstance(found, Item) and found.kind == "constant":
            return self._declared(found.node)
        if isinstance(found, Item) and found.kind in ("type", "alias"):
            return self._scopes.absolute((name,), chain)
        if isinstance(found, Item) and found.kind == "import":
            # A unit struct or a static of another file: the index knows which.
            return found.path
        if found is None:
            path = self._scopes.absolute((name,), chain)
            item = self.item_at(path)
            if item is not None:
                return self._declared(item.node) if item.kind == "constant" else path
        return None

    def _of_local(self, local: Local, depth: int) -> Path | None:
        if local.kind == "parameter" and local.node is not None and not local.route:
            parameters = local.node.child_by_field_name("parameters")
            nodes = parameter_nodes(parameters) if parameters is not None else []
            declared = (
                nodes[local.position].child_by_field_name("type") if local.position < len(nodes) else None
            )
            if declared is not None:
                return self.of_type(declared, local.node)
            return self._of_item(local.node, depth)
        if local.route:
            return self._of_part(local)
        declared = local.binder.child_by_field_name("type") if local.binder is not None else None
        if declared is not None and not (self._is_map(declared) and local.node is not None):
            return self.of_type(declared, local.node or declared)
        if local.kind == "element" and local.node is not None:
            return self._of_element(local.node, depth)
        found = self.of(local.node, depth) if local.node is not None else None
        if local.kind == "value" and (found is None or found[:2] == ("std", "collections")):
            return self._filled_by(local) or found
        return found

    def _filled_by(self, local: Local) -> Path | None:
        """Give the walk that fills a map which was empty at first."""
        let, block = local.binder, local.binder.parent if local.binder is not None else None
        pattern = let.child_by_field_name("pattern") if let is not None else None
        if let is None or block is None or pattern is None or let.type != "let_declaration":
            return None
        name = self._source.text_of(pattern).removeprefix("mut ").encode()
        filling = re.compile(rb"(?<![\w.])" + re.escape(name) + rb"\s*\.\s*(?:extend|insert)\s*\(")
        for found in filling.finditer(self._source.text, let.end_byte, block.end_byte):
            chain = reversed(self._source.chain(found.end() - 1))
            call = next((node for node in chain if node.type == "call_expression"), None)
            given = arguments_of(call) if call is not None else []
            walk = self._walk_of_item(given[0]) if given else None
            if walk is not None:
                return walk
        return None

    def _walk_of_item(self, node: Node) -> Path | None:
        """Give the walk that a value is, or is a name of."""
        held = self._scopes.lookup(self._source.text_of(node), self._source.chain_to(node))
        if isinstance(held, Local) and held.kind == "element" and held.route == (0,) and held.node:
            return self._walk_among([held.node])
        return self._walk_among([node])

    def _of_part(self, local: Local) -> Path | None:
        """Give the type of the field that a pattern takes out of a struct."""
        field = local.route[-1]
        owner = self._taken_apart(local, field) if isinstance(field, str) else None
        return self._type_of_field(owner, str(field), local.binder) if owner is not None else None

    def _of_item(self, closure: Node, depth: int) -> Path | None:
        """Give the type of what a method like `map` hands to a closure."""
        arguments = closure.parent
        call = arguments.parent if arguments is not None and arguments.type == "arguments" else None
        method = method_of(call, self._source) if call is not None else None
        return self._of_element(method[0], depth) if method is not None else None

    def _of_element(self, sequence: Node, depth: int) -> Path | None:
        """Give the type of the items of a sequence."""
        if sequence.type in ("reference_expression", "parenthesized_expression"):
            return self._of_element(parts_of(sequence)[-1], depth)
        if sequence.type == "array_expression" and parts_of(sequence):
            return self.of(parts_of(sequence)[0], depth)
        method = method_of(sequence, self._source)
        if method is not None:
            if depth < 8:
                return self._of_element(method[0], depth + 1)
            self._cut += 1
            return None
        if sequence.type == "identifier":
            return self._of_name(sequence, depth)
        if sequence.type in ("scoped_identifier", "field_expression"):
            return self.of(sequence, depth)
        return None

    def _declared(self, item: Node) -> Path | None:
        declared = item.child_by_field_name("type")
        return self.of_type(declared, item) if declared is not None else None

    def of_type(self, node: Node, at: Node) -> Path | None:
        """Look through references, sequences and options of a type for the struct inside."""
        if node.type in _SEQUENCES:
            inner = node.child_by_field_name("element") or (
                node.named_children[0] if node.named_children else None
            )
            return self.of_type(inner, at) if inner is not None else None
        if node.type in ("reference_type", "pointer_type"):
            inner = node.child_by_field_name("type")
            return self.of_type(inner, at) if inner is not None else None
        if node.type == "generic_type":
            outer, arguments = node.child_by_field_name("type"), arguments_of_type(node)
            name = self._source.text_of(outer).rpartition("::")[2] if outer is not None else ""
            if name in methods.HOLDERS and arguments:
                return self.of_type(arguments[0], at)
        return self._scopes.type_path(node, self._source.chain_to(at))

    def _of_field(self, node: Node, depth: int) -> Path | None:
        value, field = node.child_by_field_name("value"), node.child_by_field_name("field")
        owner = self.of(value, depth) if value is not None else None
        if owner is None or field is None:
            return None
        return self._type_of_field(owner, self._source.text_of(field), node)

    def _type_of_field(self, owner: Path, field: str, at: Node | None) -> Path | None:
        item = self.item_at(owner)
        if item is None or item.kind not in ("type", "alias"):
            return _elsewhere((*owner, field))
        declared = self.declared_field(item, field)
        if declared is None:
            return None
        if self._is_map(declared):
            return self._walk_among(self._literals.values(owner, field, None))
        given = self._given_by_impl(item, declared, at) if at is not None else None
        return given or self.of_type(declared, item.node)

    def declared_field(self, item: Item, field: str) -> Node | None:
        """Find the type that a struct of this file declares for a field."""
        body = item.node.child_by_field_name("body")
        if body is None:
            return None
        if field.isdigit():
            kinds = ("visibility_modifier", "attribute_item")
            types = [child for child in parts_of(body) if child.type not in kinds]
            return types[int(field)] if int(field) < len(types) else None
        for declaration in body.named_children:
            name = declaration.child_by_field_name("name")
            if name is not None and self._source.text_of(name) == field:
                return declaration.child_by_field_name("type")
        return None

    def _given_by_impl(self, item: Item, declared: Node, at: Node) -> Path | None:
        """Give what the `impl` around a place puts in for a type parameter of its struct."""
        while declared.type == "reference_type" and (inner := declared.child_by_field_name("type")):
            declared = inner
        position = position_of(self._source.text_of(declared), item.node, self._source.text)
        chain = self._source.chain_to(at)
        around = next((node for node in reversed(chain) if node.type == "impl_item"), None)
        target = around.child_by_field_name("type") if around is not None else None
        if position is None or target is None or around is None:
            return None
        if self._scopes.type_path(target, chain) != (".", *item.path):
            return None
        given = arguments_of_type(target)
        return self.of_type(given[position], target) if position < len(given) else None

    def _of_call(self, node: Node, depth: int) -> Path | None:
        if method_of(node, self._source) is not None:
            return self._of_chain(node, depth)
        callee = node.child_by_field_name("function")
        path = self._path(callee) if callee is not None else None
        if path is None:
            return None
        if path in MADE_BY or path[:-1] in BUILDERS:
            return MADE_BY.get(path, path[:-1])
        if self.function_at(path) is not None:
            return self.returned(path)
        if path in WALKS:
            return WALKS[path]
        # `Some(reader)`, `Box::new(reader)`.
        given = arguments_of(node)
        if len(given) == 1 and path[-1] in ("Some", "Ok", "from_iter"):
            return self.of(given[0], depth)
        if len(path) > 1 and path[-2][:1].isupper() and _MAKING.fullmatch(path[-1]):
            return path[:-1]
        if path[-1][:1].isupper():
            # A tuple struct, or a variant with something in it.
            return path[:-1] if len(path) > 1 and path[-2][:1].isupper() else path
        return _elsewhere((*path, RESULT))

    def _of_chain(self, node: Node, depth: int) -> Path | None:
        """Give what methods called one after another give: chains are long, those of builders above all."""
        names = []
        while node not in self._known and (method := method_of(node, self._source)) is not None:
            node, name = method
            names.append(name)
        owner = self.of(node, depth)
        while names and owner is not None and owner not in BUILDERS:
            owner = self._of_method(owner, names.pop())
        return owner

    def _of_method(self, owner: Path, name: str) -> Path | None:
        if self.function_at((*owner, name)) is not None:
            return self.returned((*owner, name))
        if name in methods.HOLDING:
            return owner
        if name in methods.STANDARD or name in methods.SEQUENCE_MAKING:
            return None
        return _elsewhere((*owner, name, RESULT)) if len(owner) < _LONGEST else None

    def returned(self, path: Path) -> Path | None:
        """Give the type of what a function of this file returns."""
        function = self.function_at(path)
        declared = function.child_by_field_name("return_type") if function is not None else None
        if function is None or declared is None:
            return None
        if self._is_map(declared):
            body = function.child_by_field_name("body")
            value = tail(self._source.inside(body)) if body is not None else None
            return self._walk_among([value] if value is not None else [])
        return self.of_type(declared, declared)

    def _is_map(self, declared: Node) -> bool:
        """Say whether a type is one that what a walk yields is collected into."""
        while declared.type == "reference_type" and (inner := declared.child_by_field_name("type")):
            declared = inner
        return self._source.text_of(declared).partition("<")[0].rpartition("::")[2].strip() in _MAPS

    def _walk_among(self, values: list[Node]) -> Path | None:
        """Give the walk that a map may be made of."""
        found = (self.of(value) for value in values)
        return next((path for path in found if path in WALKS.values()), None)

    # --- Members -----------------------------------------------------------------------------------

    def method(self, receiver: Node, name: str) -> Path | None:
        owner = self.of(receiver)
        return (*owner, name) if owner is not None else None

    def field(self, value: Node, name: str) -> Path | None:
        owner = self.of(value)
        return (*owner, name) if owner is not None else None

    def field_of_pattern(self, local: Local, field: str) -> Expression:
        """Give what `Spec { name, .. }` binds `name` to."""
        owner = self._taken_apart(local, field)
        return Reference((*owner, field)) if owner is not None else UNKNOWN

    def _taken_apart(self, local: Local, field: str) -> Path | None:
        """Give the struct out of which a pattern takes a field."""
        if local.binder is None:
            return None
        for node in _struct_patterns(local.binder):
            named = node.child_by_field_name("type")
            taken = any(route[-1:] == (field,) for _, route in bindings(node, self._source.text))
            if named is not None and taken:
                return self._scopes.type_path(named, self._source.chain_to(local.binder))
        return None

    def _path(self, node: Node) -> Path | None:
        segments = path_segments(node, self._source.text)
        return self._scopes.absolute(segments, (*self._source.chain_to(node), node)) if segments else None

    # --- What paths of this file lead to -------------------------------------------------------------

    def item_at(self, path: Path | None) -> Item | None:
        if path is None or path[0] != "." or len(path) < 2:
            return None
        scope = self._scopes.module(path[1:-1])
        return scope.items.get(path[-1]) if scope is not None else None

    def function_at(self, path: Path) -> Node | None:
        """Find the function, macro or method that a path of this file leads to."""
        if path[-1].endswith("!"):
            macro = self._scopes.macros.get(path[-1])
            return macro.node if macro is not None else None
        item = self.item_at(path)
        if item is not None:
            return item.node if item.node.type == "function_item" else None
        node = self._functions.method(path[:-1], path[-1]) if len(path) > 2 and path[0] == "." else None
        return (
            node if node is not None and node.type in ("function_item", "function_signature_item") else None
        )

    def value_at(self, path: Path) -> list[Node]:
        """Find the expressions that a constant, associated constant or field of this file may be."""
        item = self.item_at(path)
        if item is not None:
            value = item.node.child_by_field_name("value") if item.kind == "constant" else None
            return [value] if value is not None else []
        if len(path) < 3 or path[0] != ".":
            return []
        member = self._functions.method(path[:-1], path[-1])
        # A field may have the name of a method.
        if member is not None and member.type not in FUNCTIONS:
            value = member.child_by_field_name("value")
            return [value] if value is not None else []
        owner = self.item_at(path[:-1])
        if owner is None:
            return []
        if owner.kind == "constant":
            declared = self._declared(owner.node)
            return self._literals.values(declared, path[-1], owner.node) if declared is not None else []
        return self._literals.values(path[:-1], path[-1], None)


def _elsewhere(path: Path) -> Path | None:
    """Give the path of a part of what another file declares: the index knows its type."""
    return None if path[0] in EXTERNAL_CRATES else path


def _struct_patterns(node: Node) -> list[Node]:
    found, pending = [], [node]
    while pending:
        current = pending.pop()
        if current.type == "struct_pattern":
            found.append(current)
        elif current.type not in ("block", "match_block", "arguments"):
            pending.extend(current.named_children)
    return found
