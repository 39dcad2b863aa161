"""What a value's type is, as far as declarations nearby tell, and what its members stand for."""

import re

from tree_sitter import Node

from leverlint.facts import UNKNOWN, Expression, Path, Reference
from leverlint.languages.rust.builders import MADE_BY, MADE_BY_MACRO, builder_of
from leverlint.languages.rust.functions import Functions
from leverlint.languages.rust.nodes import arguments_of, method_of, parameter_nodes, parts_of, path_segments
from leverlint.languages.rust.patterns import bindings
from leverlint.languages.rust.scopes import Item, Local, Scopes
from leverlint.languages.rust.source import Source
from leverlint.languages.syntax import occurrences

_SEQUENCES = frozenset({"array_type", "slice_type"})
_HOLDERS = frozenset({"Vec", "Option", "VecDeque", "HashSet", "BTreeSet", "Iter", "Result"})
_MOST_LITERALS = 400


class Types:
    def __init__(self, source: Source, scopes: Scopes, functions: Functions) -> None:
        self._source = source
        self._scopes = scopes
        self._functions = functions
        self._busy: set[int] = set()
        self._openings: dict[tuple[str, bool], list[int]] = {}

    # --- Types -----------------------------------------------------------------------------------

    def of(self, node: Node, depth: int = 0) -> Path | None:
        """Give the path of the struct that an expression is of."""
        if depth > 8 or node.id in self._busy:
            return None
        self._busy.add(node.id)
        try:
            return self._of(node, depth + 1)
        finally:
            self._busy.discard(node.id)

    def _of(self, node: Node, depth: int) -> Path | None:
        match node.type:
            case "self":
                return self._scopes.self_type(self._source.chain_to(node))
            case "identifier":
                return self._of_name(node, depth)
            case "scoped_identifier":
                path = self._path(node)
                item = self.item_at(path)
                if item is not None:
                    return self._declared(item.node) if item.kind == "constant" else None
                # A constant of another file: the index knows its fields.
                return path if path is not None and path[-1].isupper() else None
            case "reference_expression" | "parenthesized_expression" | "unary_expression" | "try_expression":
                return self.of(parts_of(node)[-1], depth) if parts_of(node) else None
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
                return self._element_or_type(declared, local.node)
            return self._of_item(local.node, depth)
        if local.route:
            return None
        declared = local.binder.child_by_field_name("type") if local.binder is not None else None
        if declared is not None:
            return self._element_or_type(declared, local.node or declared)
        if local.kind == "element" and local.node is not None:
            return self._of_element(local.node, depth)
        return self.of(local.node, depth) if local.node is not None else None

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
        if method is not None and depth < 8:
            return self._of_element(method[0], depth + 1)
        if sequence.type == "identifier":
            return self._of_name(sequence, depth)
        if sequence.type in ("scoped_identifier", "field_expression"):
            return self.of(sequence, depth)
        return None

    def _declared(self, item: Node) -> Path | None:
        declared = item.child_by_field_name("type")
        return self._element_or_type(declared, item) if declared is not None else None

    def _element_or_type(self, node: Node, at: Node) -> Path | None:
        """Look through references, sequences and options for the struct inside."""
        if node.type in _SEQUENCES:
            inner = node.child_by_field_name("element") or (
                node.named_children[0] if node.named_children else None
            )
            return self._element_or_type(inner, at) if inner is not None else None
        if node.type in ("reference_type", "pointer_type"):
            inner = node.child_by_field_name("type")
            return self._element_or_type(inner, at) if inner is not None else None
        if node.type == "generic_type":
            outer, arguments = node.child_by_field_name("type"), node.child_by_field_name("type_arguments")
            if outer is not None and arguments is not None and self._source.text_of(outer) in _HOLDERS:
                return self._element_or_type(parts_of(arguments)[0], at)
        return self._scopes.type_path(node, self._source.chain_to(at))

    def _of_field(self, node: Node, depth: int) -> Path | None:
        value, field = node.child_by_field_name("value"), node.child_by_field_name("field")
        owner = self.of(value, depth) if value is not None else None
        item = self.item_at(owner) if owner is not None else None
        if item is None or field is None:
            return None
        body = item.node.child_by_field_name("body")
        for declaration in body.named_children if body is not None else ():
            name, declared = declaration.child_by_field_name("name"), declaration.child_by_field_name("type")
            if (
                name is not None
                and declared is not None
                and self._source.text_of(name) == self._source.text_of(field)
            ):
                return self._element_or_type(declared, item.node)
        return None

    def _of_call(self, node: Node, depth: int) -> Path | None:
        method = method_of(node, self._source)
        if method is not None:
            built = builder_of(node, self, self._source, depth)
            if built is not None:
                return built
            if method[1] in (
                "clone",
                "as_ref",
                "unwrap",
                "borrow",
                "lock",
                "get",
                "expect",
                "as_mut",
                "to_owned",
            ):
                return self.of(method[0], depth)
            return None
        callee = node.child_by_field_name("function")
        path = self._path(callee) if callee is not None else None
        if path is None:
            return None
        if path in MADE_BY:
            return MADE_BY[path]
        function = self.function_at(path)
        if function is not None:
            returned = function.child_by_field_name("return_type")
            return self._element_or_type(returned, function) if returned is not None else None
        # `Reader::new(…)`, `Reader::from_config(…)` by convention give a `Reader`.
        return path[:-1] if len(path) > 1 and path[-2][:1].isupper() else None

    # --- Members -----------------------------------------------------------------------------------

    def method(self, receiver: Node, name: str) -> Path | None:
        owner = self.of(receiver)
        return (*owner, name) if owner is not None else None

    def field(self, value: Node, name: str) -> Path | None:
        owner = self.of(value)
        return (*owner, name) if owner is not None else None

    def field_of_pattern(self, local: Local, field: str) -> Expression:
        """Give what `Spec { name, .. }` binds `name` to."""
        if local.binder is None:
            return UNKNOWN
        for node in _struct_patterns(local.binder):
            named = node.child_by_field_name("type")
            if named is not None and any(
                route[-1:] == (field,) for _, route in bindings(node, self._source.text)
            ):
                owner = self._scopes.type_path(named, self._source.chain_to(local.binder))
                if owner is not None:
                    return Reference((*owner, field))
        return UNKNOWN

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
        if member is not None:
            value = member.child_by_field_name("value")
            return [value] if value is not None else []
        owner = self.item_at(path[:-1])
        if owner is None:
            return []
        if owner.kind == "constant":
            declared = self._declared(owner.node)
            return self._literals(declared, path[-1], owner.node) if declared is not None else []
        return self._literals(path[:-1], path[-1], None)

    def _literals(self, owner: Path, field: str, inside: Node | None) -> list[Node]:
        """Find what a field is set to in struct literals and constructors of this file."""
        offsets = self._offsets_of_literals(owner[-1], field.isdigit())
        if inside is not None:
            offsets = [at for at in offsets if inside.start_byte <= at < inside.end_byte]
        found: list[Node] = []
        for offset in offsets:
            node = self._made_at(offset, owner)
            value = self._part(node, field) if node is not None else None
            if value is not None:
                found.append(value)
            if len(found) > _MOST_LITERALS:
                break
        return found

    def _offsets_of_literals(self, name: str, tuples: bool) -> list[int]:
        offsets = self._openings.get((name, tuples))
        if offsets is None:
            text, word = self._source.text, name.encode()
            opening = rb"\s*\(" if tuples else rb"\s*\{"
            pattern = re.compile(rb"\b(?:Self|" + re.escape(word) + rb")" + opening)
            # The pattern alone would be tried at every byte, which is slow.
            places = sorted({*occurrences(text, b"Self"), *occurrences(text, word)})
            offsets = self._openings[name, tuples] = [at for at in places if pattern.match(text, at)]
        return offsets

    def _made_at(self, offset: int, owner: Path) -> Node | None:
        for node in reversed(self._source.chain(offset)):
            if node.type in ("struct_expression", "call_expression"):
                name = node.child_by_field_name("name") or node.child_by_field_name("function")
                if name is None or self._scopes.type_path(name, self._source.chain_to(node)) != owner:
                    return None
                return node
        return None

    def _part(self, node: Node, field: str) -> Node | None:
        if node.type == "call_expression":
            given = arguments_of(node)
            return given[int(field)] if field.isdigit() and int(field) < len(given) else None
        body = node.child_by_field_name("body")
        for child in body.named_children if body is not None else ():
            if child.type == "field_initializer":
                name = child.child_by_field_name("field")
                if name is not None and self._source.text_of(name) == field:
                    return child.child_by_field_name("value")
            elif child.type == "shorthand_field_initializer" and self._source.text_of(child) == field:
                return parts_of(child)[-1]
        return None


def _struct_patterns(node: Node) -> list[Node]:
    found, pending = [], [node]
    while pending:
        current = pending.pop()
        if current.type == "struct_pattern":
            found.append(current)
        elif current.type not in ("block", "match_block", "arguments"):
            pending.extend(current.named_children)
    return found
