"""Displays, comprehensions and what loops take out of sequences."""

from typing import TYPE_CHECKING

from tree_sitter import Node

from leverlint.facts import UNKNOWN, AnyOf, Element, Expression, Items, Reference
from leverlint.languages.python import api
from leverlint.languages.python.alternatives import any_of
from leverlint.languages.python.bindings import Binding, parts
from leverlint.languages.python.copies import names_variable
from leverlint.languages.python.scopes import COMPREHENSIONS, Scope
from leverlint.languages.syntax import text

if TYPE_CHECKING:
    from leverlint.languages.python.values import Values

_MOST = 2000
"""Items of a display that are looked at; longer ones are data."""

_SAME_ITEMS = frozenset({"sorted", "list", "tuple", "set", "frozenset", "reversed", "iter"})
_CHAINS = frozenset({("itertools", "chain"), ("itertools", "chain", "from_iterable")})


class Sequences:
    def __init__(self, values: "Values") -> None:
        self._values = values

    def display(self, node: Node, kind: str, scope: Scope) -> Expression:
        """Lower a list, tuple, set or dictionary, written out or as a comprehension."""
        if kind in ("list", "tuple", "set", "expression_list"):
            return Items(tuple(self._listed(node, scope)))
        if kind == "dictionary":
            return self._dictionary(node, scope)
        if kind in COMPREHENSIONS:
            body = node.child_by_field_name("body")
            inner = self._values.scopes.scope_of(node, scope)
            if body is not None and body.type == "pair":
                body = body.child_by_field_name("key")
                if names_variable(body, inner, self._values) is not None:
                    return Reference(api.COPY)
            return Items((self._values.of(body, inner),))
        return UNKNOWN

    def _listed(self, node: Node, scope: Scope) -> list[Expression]:
        found: list[Expression] = []
        for child in parts(node)[:_MOST]:
            if child.type != "list_splat":
                found.append(self._values.of(child, scope))
                continue
            inner = self._values.dereference(self._values.of(child.named_children[0], scope))
            found.extend(inner.items if isinstance(inner, Items) else (Element(inner),))
        return found

    def _dictionary(self, node: Node, scope: Scope) -> Expression:
        keys: list[Expression] = []
        for child in parts(node)[:_MOST]:
            if child.type == "pair":
                keys.append(self._values.of(child.child_by_field_name("key"), scope))
            elif child.type == "dictionary_splat":
                inner = self._values.of(child.named_children[0], scope)
                if self._values.mapping(inner):
                    return Reference(api.COPY)
                keys.extend(self.keys(inner))
        return Items(tuple(keys))

    def keys(self, mapping: Expression) -> tuple[Expression, ...]:
        """Give the keys of a mapping, or the first halves of pairs, as far as they can be told."""
        known = self._values.dereference(mapping)
        if isinstance(known, Items):
            pairs = ((item.items if isinstance(item, Items) else ()) for item in known.items)
            return tuple(pair[0] if pair else item for pair, item in zip(pairs, known.items, strict=True))
        return () if known == UNKNOWN else (Element(known),)

    def values(self, node: Node, scope: Scope) -> Expression | None:
        """Give the values of a mapping that this file writes out, as alternatives."""
        found = self._written_out(node, scope, 0)
        if found is None:
            return None
        mapping, where = found
        pairs = [child for child in parts(mapping)[:_MOST] if child.type == "pair"]
        values = [self._values.of(pair.child_by_field_name("value"), where) for pair in pairs]
        telling = [value for value in values if value != UNKNOWN]
        return any_of(telling)

    def _written_out(self, node: Node, scope: Scope, depth: int) -> tuple[Node, Scope] | None:
        if node.type == "dictionary":
            return node, scope
        bindings = self._bindings(node, scope) if depth < 8 else []
        if len(bindings) != 1 or bindings[0].kind != "value" or bindings[0].positions:
            return None
        inner, where = bindings[0].node, bindings[0].scope
        return self._written_out(inner, where, depth + 1) if inner is not None and where is not None else None

    def _bindings(self, node: Node, scope: Scope) -> list[Binding]:
        scopes = self._values.scopes
        if node.type == "identifier":
            found = scopes.lookup(text(node, scopes.source), scope)
            return found.bindings if found is not None else []
        if node.type != "attribute":
            return []
        value = self._values.of(node, scope)
        if not isinstance(value, Reference) or value.path[0] != ".":
            return []
        scopes.members.add(value.path[-1])
        owner = self._values.registry.class_at(value.path[1:-1])
        return scopes.names(owner).get(value.path[-1], []) if owner is not None else []

    def element(self, node: Node | None, scope: Scope, positions: tuple[int, ...]) -> Expression:
        """Give what a loop over a sequence puts into the target at `positions`."""
        if node is None:
            return UNKNOWN
        if node.type == "parenthesized_expression" and node.named_children:
            return self.element(node.named_children[0], scope, positions)
        if node.type == "call":
            taken = self._of_call(node, scope, positions)
            if taken is not None:
                return taken
        value: Expression = self._values.of(node, scope)
        if value == UNKNOWN:
            return UNKNOWN
        value = Element(self._members(value))
        for position in positions:
            value = self._values.item(value, position)
        return value

    def _members(self, value: Expression) -> Expression:
        """Give the members of an enumeration in the place of its class."""
        if not isinstance(value, Reference) or value.path[0] != ".":
            return value
        registry = self._values.registry
        owner = (
            registry.class_at(value.path[1:])
            if registry.is_enumeration(value.path[1:], self._values)
            else None
        )
        if owner is None:
            return value
        names = self._values.scopes.names(owner).items()
        return Items(
            tuple(Reference((*value.path, name)) for name, found in names if found[0].kind == "value")
        )

    def _of_call(self, node: Node, scope: Scope, positions: tuple[int, ...]) -> Expression | None:
        function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        if function is None or arguments is None or arguments.type != "argument_list":
            return None
        given = [child for child in parts(arguments) if child.type != "keyword_argument"]
        source = self._values.scopes.source
        if function.type == "attribute":
            attribute = function.child_by_field_name("attribute")
            owner = function.child_by_field_name("object")
            method = text(attribute, source) if attribute is not None else ""
            if owner is not None and method in ("items", "keys", "values") and not given:
                return self._of_mapping(owner, method, scope, positions)
        name = text(function, source)
        if function.type == "identifier" and self._values.scopes.lookup(name, scope) is None and given:
            return self._of_builtin(name, given, scope, positions)
        if self._values.of(function, scope) in [Reference(path) for path in _CHAINS]:
            return any_of([self.element(each, scope, positions) for each in given])
        return None

    def _of_builtin(
        self, name: str, given: list[Node], scope: Scope, positions: tuple[int, ...]
    ) -> Expression | None:
        if name == "enumerate" and positions:
            return self.element(given[0], scope, positions[1:]) if positions[0] == 1 else UNKNOWN
        if name == "zip" and positions:
            within = positions[0] < len(given)
            return self.element(given[positions[0]], scope, positions[1:]) if within else UNKNOWN
        return self.element(given[0], scope, positions) if name in _SAME_ITEMS else None

    def _of_mapping(
        self, owner: Node, method: str, scope: Scope, positions: tuple[int, ...]
    ) -> Expression | None:
        if method == "items" and not positions:
            return UNKNOWN
        wants_value = method == "values" or (method == "items" and positions[0] == 1)
        rest = positions[1:] if method == "items" else positions
        if wants_value:
            value = self.values(owner, scope) or UNKNOWN
            for position in rest:
                options = value.options if isinstance(value, AnyOf) else (value,)
                value = any_of([self._values.item(option, position) for option in options])
            return value
        keys = self._values.of(owner, scope)
        if self._values.mapping(keys) or keys == UNKNOWN:
            return UNKNOWN
        return self.element(owner, scope, rest)
