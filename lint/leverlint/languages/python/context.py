"""Where a call stands: what keeps its result, which field takes it, what is lost of it."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from tree_sitter import Node

from leverlint.facts import Field, Instance, Kept, Lossy, Reference, Span
from leverlint.languages.python import texts
from leverlint.languages.python.bindings import parts
from leverlint.languages.python.scopes import Scope
from leverlint.languages.python.values import Values
from leverlint.languages.python.words import words
from leverlint.languages.syntax import text

_CONVERSIONS = frozenset(
    {
        "int",
        "float",
        "bool",
        "str",
        "bytes",
        "len",
        "set",
        "list",
        "tuple",
        "frozenset",
        "any",
        "all",
        "sorted",
    }
)
_LOSSES = {
    "ignore": "dropped",
    "replace": "replaced",
    "backslashreplace": "replaced",
    "namereplace": "replaced",
    "xmlcharrefreplace": "replaced",
}
_USES = 60
"""Uses of one local variable that are followed."""


class Place(NamedTuple):
    """A node with all that is around it."""

    chain: list[Node]
    along: list[Scope]


class Context:
    def __init__(self, values: Values) -> None:
        self._values = values
        self._source = values.source

    def place(self, chain: list[Node]) -> Place:
        return Place(chain, self._values.scopes.along(chain))

    # --- Kept -----------------------------------------------------------------------------

    def kept(self, place: Place) -> Kept | None:
        chain, along = place
        for position in range(len(chain) - 2, 0, -1):
            node, below = chain[position], chain[position + 1]
            match node.type:
                case "function_definition" | "lambda" if below == node.child_by_field_name("body"):
                    return self._kept_in_function(along[position + 1], place)
                case "default_parameter" | "typed_default_parameter":
                    name = node.child_by_field_name("name")
                    return Kept("parameter-default", self._text(name), texts.span(node))
                case "decorator":
                    return Kept("decorator-argument", self._decorated(chain[position - 1]), texts.span(node))
                case "assignment" | "named_expression":
                    kept = self._kept_by_target(node, below, along[position])
                    if kept is not None:
                        return kept
        return None

    def _decorated(self, node: Node) -> str:
        definition = node.child_by_field_name("definition")
        return self._text(definition.child_by_field_name("name")) if definition is not None else ""

    def _kept_by_target(self, node: Node, below: Node, scope: Scope) -> Kept | None:
        target = node.child_by_field_name("left") or node.child_by_field_name("name")
        if target is None or below == target or self._is_variable(target, scope):
            return None
        base = _base(target)
        name = self._text(base)
        while scope.kind == "comprehension" and scope.parent is not None:
            scope = scope.parent
        if scope.kind == "class":
            return Kept("class-attribute", name, texts.span(target))
        if scope.kind == "module" or (target.type == "identifier" and name in scope.globals):
            return Kept("module-global", name, texts.span(target))
        return None

    def _is_variable(self, target: Node, scope: Scope) -> bool:
        """Say whether an item of the environment is assigned to: nothing here holds on to the value."""
        owner = target.child_by_field_name("value") if target.type == "subscript" else None
        return owner is not None and self._values.mapping(self._values.of(owner, scope)) is not None

    def _kept_in_function(self, scope: Scope, place: Place) -> Kept | None:
        memoised = self._values.registry.memoised(scope) if scope.node.type != "lambda" else None
        if memoised is not None:
            return Kept("memoised-function", scope.path[-1], memoised)
        for use in self._local_uses(place):
            for position in range(len(use.chain) - 2, 0, -1):
                if use.chain[position].type == "assignment":
                    kept = self._kept_by_target(
                        use.chain[position], use.chain[position + 1], use.along[position]
                    )
                    if kept is not None:
                        return kept
                if use.chain[position].type == "block":
                    break
        return None

    # --- Field ----------------------------------------------------------------------------

    def field(self, place: Place) -> Field | None:
        found = self._own_field(place)
        if found is not None:
            return found
        for use in self._local_uses(place):
            found = self._own_field(use)
            if found is not None:
                return found
        return self._function(place.along[-1])

    def declared_field(self, place: Place) -> Field | None:
        """Give the attribute of a settings class that a declaration makes."""
        node, scope = place.chain[-1], place.along[-1]
        if node.type != "assignment" or scope.kind != "class":
            return self.field(place)
        return Field(scope.path[-1], self._text(node.child_by_field_name("left")), "attribute")

    def _own_field(self, place: Place) -> Field | None:
        """Give the field that the expression itself lands in, before any variable is followed."""
        chain, along = place
        for position in range(len(chain) - 2, 0, -1):
            node, below = chain[position], chain[position + 1]
            match node.type:
                case "keyword_argument" if position > 1:
                    owner = self._constructed(chain[position - 2], along[position])
                    if owner is not None:
                        return Field(owner, self._text(node.child_by_field_name("name")), "field")
                case "pair" if below == node.child_by_field_name("value"):
                    key = self._values.text_of(
                        self._values.of(node.child_by_field_name("key"), along[position])
                    )
                    return Field("", key.value, "key") if key is not None else None
                case "assignment" | "named_expression":
                    return self._target_field(node, below, along[position])
                case "function_definition" | "block":
                    return None
        return None

    def _constructed(self, call: Node, scope: Scope) -> str | None:
        """Give the class that a call makes an object of."""
        function = call.child_by_field_name("function") if call.type == "call" else None
        if function is None:
            return None
        name = self._text(function).rpartition(".")[2]
        if name == "cls":
            at: Scope | None = scope
            while at is not None and at.kind != "class":
                at = at.parent
            return at.path[-1] if at is not None else ""
        if name == "replace":
            return ""
        return name if name.lstrip("_")[:1].isupper() else None

    def _target_field(self, node: Node, below: Node, scope: Scope) -> Field | None:
        target = node.child_by_field_name("left") or node.child_by_field_name("name")
        if target is None or below == target:
            return None
        if target.type == "identifier":
            name = self._text(target)
            if scope.kind == "class":
                return Field(scope.path[-1], name, "attribute")
            outside = scope.kind == "module" or name in scope.globals
            return Field("", name, "global") if outside else None
        if target.type == "attribute":
            found = self._values.of(target.child_by_field_name("object"), scope)
            if not isinstance(found, Instance | Reference) or found.path[0] != ".":
                return None
            return Field(found.path[-1], self._text(target.child_by_field_name("attribute")), "field")
        if target.type == "subscript":
            keys = target.children_by_field_name("subscript")
            key = self._values.text_of(self._values.of(keys[0], scope)) if keys else None
            return Field("", key.value, "key") if key is not None else None
        return None

    def _function(self, scope: Scope) -> Field | None:
        at: Scope | None = scope
        while at is not None and (at.kind != "function" or at.node.type == "lambda"):
            at = at.parent
        if at is None or (at.path[-1].startswith("__") and at.path[-1].endswith("__")):
            return None
        owner = at.parent.path[-1] if at.parent is not None and at.parent.kind == "class" else ""
        return Field(owner, at.path[-1], "function")

    def _local_uses(self, place: Place) -> Iterator[Place]:
        """Give the places where the local variable that takes a result is used."""
        chain, along = place
        for position in range(len(chain) - 2, 0, -1):
            node = chain[position]
            if node.type in ("block", "lambda", "function_definition", "class_definition"):
                return
            if node.type in ("assignment", "named_expression"):
                target = node.child_by_field_name("left") or node.child_by_field_name("name")
                scope = along[position]
                while scope.kind == "comprehension" and scope.parent is not None:
                    scope = scope.parent
                if target is not None and target.type == "identifier" and scope.kind == "function":
                    yield from self._uses(self._text(target), node.end_byte, scope)
                return

    def _uses(self, name: str, after: int, scope: Scope) -> Iterator[Place]:
        for offset in words(self._source, name.encode(), after, scope.node.end_byte, _USES):
            chain = self._values.scopes.chain(offset)
            if chain[-1].type == "identifier":
                place = self.place(chain)
                found = self._values.scopes.lookup(name, place.along[-1])
                if found is not None and found.scope is scope:
                    yield place

    # --- Lossy ----------------------------------------------------------------------------

    def lossy(self, place: Place) -> Lossy | None:
        found = self._lossy_chain(place)
        if found is not None:
            return found
        for use in self._local_uses(place):
            found = self._lossy_chain(use)
            if found is not None:
                return found
        return None

    def _lossy_chain(self, place: Place) -> Lossy | None:
        """Look for `.decode(…, "ignore")` on the value itself."""
        chain = place.chain
        position = len(chain) - 2
        while position > 0 and chain[position].type in ("attribute", "call", "parenthesized_expression"):
            node = chain[position]
            if node.type == "call":
                function, arguments = (
                    node.child_by_field_name("function"),
                    node.child_by_field_name("arguments"),
                )
                method = function.child_by_field_name("attribute") if function is not None else None
                if arguments is None or chain[position + 1] == arguments:
                    return None
                if method is not None and self._text(method) in ("decode", "encode"):
                    how = self._loss(arguments, place.along[position])
                    if how is not None:
                        return Lossy(how, texts.span(node))
            position -= 1
        return None

    def _loss(self, arguments: Node, scope: Scope) -> str | None:
        given = parts(arguments)
        positional = [child for child in given if child.type != "keyword_argument"]
        errors = positional[1] if len(positional) > 1 else None
        for child in given:
            if child.type == "keyword_argument" and self._text(child.child_by_field_name("name")) == "errors":
                errors = child.child_by_field_name("value")
        known = self._values.text_of(self._values.of(errors, scope)) if errors is not None else None
        return _LOSSES.get(known.value) if known is not None else None

    # --- Used -----------------------------------------------------------------------------

    def used(self, place: Place) -> Span | None:
        """Give the expression that a result flows through; `None` when it is thrown away."""
        chain = place.chain
        position = len(chain) - 1
        while position > 1 and self._flows(chain[position - 1], chain[position]):
            position -= 1
        above = chain[position - 1] if position else None
        if above is None or above.type in ("expression_statement", "delete_statement"):
            return None
        if (
            above.type in ("assignment", "augmented_assignment")
            and above.child_by_field_name("left") == chain[position]
        ):
            return None
        return texts.span(chain[position])

    def tested(self, place: Place) -> bool:
        """Say whether a result, or the local that it is bound to, is a condition by itself."""
        chain = place.chain
        for position in range(len(chain) - 1, 0, -1):
            above, node = chain[position - 1], chain[position]
            match above.type:
                case "parenthesized_expression" | "boolean_operator" | "argument_list":
                    continue
                case "call":
                    return self._text(above.child_by_field_name("function")) == "bool"
                case "not_operator" | "assert_statement":
                    return True
                case "if_statement" | "elif_clause" | "while_statement":
                    return above.child_by_field_name("condition") == node
                case "conditional_expression":
                    return len(above.children) > 2 and above.children[2] == node
                case "assignment" | "named_expression":
                    name = self._text(above.child_by_field_name("left") or above.child_by_field_name("name"))
                    around = next((n for n in reversed(chain) if n.type == "function_definition"), None)
                    return bool(name) and around is not None and _is_condition(name, around, self._source)
            return False
        return False

    def _flows(self, above: Node, node: Node) -> bool:
        match above.type:
            case "attribute" | "await" | "comparison_operator" | "boolean_operator" | "not_operator":
                return True
            case "binary_operator" | "unary_operator" | "conditional_expression" | "parenthesized_expression":
                return True
            case "named_expression":
                return True
            case "call":
                return above.child_by_field_name("function") == node or (
                    node.type == "argument_list" and self._converts(above)
                )
            case "argument_list":
                return above.parent is not None and self._converts(above.parent)
            case "subscript":
                return above.child_by_field_name("value") == node
        return False

    def _converts(self, call: Node) -> bool:
        return self._text(call.child_by_field_name("function")) in _CONVERSIONS

    def _text(self, node: Node | None) -> str:
        return text(node, self._source) if node is not None else ""


def _base(target: Node) -> Node:
    """Give the name that `NAME[…]` or `NAME.attribute` starts with."""
    at: Node | None = target
    while at is not None and at.type in ("subscript", "attribute"):
        at = at.child_by_field_name("value") or at.child_by_field_name("object")
    return at or target


def _is_condition(name: str, around: Node, source: bytes) -> bool:
    """Say whether a name stands where a condition does, anywhere in a function."""
    word = rb"\b(?:if|elif|while|not|and|or|assert|bool\()\s*" + re.escape(name.encode()) + rb"\b"
    return re.compile(word).search(source, around.start_byte, around.end_byte) is not None
