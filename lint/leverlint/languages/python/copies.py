"""Copies of the environment: code that makes one name by name, and what it puts into one itself."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from tree_sitter import Node

from leverlint.facts import Expression, Path, Text
from leverlint.languages.python.bindings import parts
from leverlint.languages.python.parameters import parameters_in
from leverlint.languages.python.scopes import Scope
from leverlint.languages.syntax import text

if TYPE_CHECKING:
    from leverlint.languages.python.values import Values

_SAME_ITEMS = frozenset({"sorted", "list", "tuple", "set", "frozenset", "reversed", "iter"})
_BLOCKS = frozenset({"block", "module"})
_CLOSED = frozenset({"function_definition", "lambda", "class_definition"})
_STATEMENTS = 200
"""Statements before a lookup that are looked through for one that stored the name."""


class _Walk(NamedTuple):
    node: Node
    method: str
    owner: Node
    """The mapping whose names are taken."""


class OpenWalk(NamedTuple):
    """A walk over something that only callers know."""

    node: Node
    method: str
    owner: Expression
    scope: Scope


# --- Walks that copy ----------------------------------------------------------------------


def walked(iterable: Node | None, positions: tuple[int, ...], scope: Scope, values: "Values") -> Path | None:
    """Give the environment whose names a loop over `iterable` puts at `positions` of its target."""
    walk = _walk(iterable, positions, scope, values)
    return None if walk is None else values.mapping(values.of(walk.owner, scope))


def names_variable(node: Node | None, scope: Scope, values: "Values") -> Path | None:
    """Give the environment that a loop variable takes its value from the names of."""
    for walk, where in _walks(node, scope, values):
        mapping = values.mapping(values.of(walk.owner, where))
        if mapping is not None:
            return mapping
    return None


def open_walk(node: Node | None, scope: Scope, values: "Values") -> OpenWalk | None:
    """Give the walk over what callers hand over that a loop variable takes its value from."""
    for walk, where in _walks(node, scope, values):
        owner = values.of(walk.owner, where)
        if values.mapping(owner) is None and any(parameters_in(owner, values)):
            return OpenWalk(walk.node, walk.method, owner, where)
    return None


def _walks(node: Node | None, scope: Scope, values: "Values") -> Iterator[tuple[_Walk, Scope]]:
    if node is None or node.type != "identifier":
        return
    found = values.scopes.lookup(text(node, values.source), scope)
    for binding in found.bindings if found is not None else ():
        if binding.kind == "element" and binding.scope is not None:
            walk = _walk(binding.node, binding.positions, binding.scope, values)
            if walk is not None:
                yield walk, binding.scope


def _walk(iterable: Node | None, positions: tuple[int, ...], scope: Scope, values: "Values") -> _Walk | None:
    while iterable is not None and iterable.type == "call":
        function, arguments = iterable.child_by_field_name("function"), _arguments(iterable)
        if function is None:
            return None
        if function.type == "identifier" and text(function, values.source) in _SAME_ITEMS and arguments:
            iterable = arguments[0]
            continue
        attribute, owner = function.child_by_field_name("attribute"), function.child_by_field_name("object")
        method = text(attribute, values.source) if attribute is not None else ""
        if owner is None or (method, positions) not in (("items", (0,)), ("keys", ())):
            break
        return _Walk(iterable, method, owner)
    return None if positions or iterable is None else _Walk(iterable, "__iter__", iterable)


def filled(loop: Node, scope: Scope, values: "Values") -> list[Node]:
    """Give the mappings that a loop over the environment stores things in under the names it takes."""
    body = loop.child_by_field_name("body")
    found, pending = [], [body] if body is not None else []
    while pending:
        node = pending.pop()
        if node.type == "assignment":
            target = node.child_by_field_name("left")
            owner = target.child_by_field_name("value") if target is not None else None
            if target is not None and target.type == "subscript" and owner is not None:
                keys = target.children_by_field_name("subscript")
                if len(keys) == 1 and names_variable(keys[0], scope, values) is not None:
                    found.append(owner)
        elif node.type not in _CLOSED:
            pending.extend(reversed(node.named_children))
    return found


# --- What is stored before it is looked up ----------------------------------------------------


def stored_before(lookup: list[Node], owner: Node, key: Expression, scope: Scope, values: "Values") -> bool:
    """Say whether code before a lookup in a copy has put something there under the same name."""
    return _Stored(owner, key, scope, values).before(lookup)


class _Stored:
    def __init__(self, owner: Node, key: Expression, scope: Scope, values: "Values") -> None:
        self._owner = text(owner, values.source)
        self._is_name = owner.type == "identifier"
        self._key = values.dereference(key)
        self._scope = scope
        self._values = values

    def before(self, lookup: list[Node]) -> bool:
        for position in range(len(lookup) - 2, -1, -1):
            block, statement = lookup[position], lookup[position + 1]
            if block.type in _CLOSED:
                break
            if block.type in _BLOCKS:
                told = self._among(block, statement)
                if told is not None:
                    return told
        return self._from_outside()

    def _among(self, block: Node, statement: Node) -> bool | None:
        """Look through the statements before one; `None` when none of them says anything."""
        before = statement.prev_named_sibling
        for _ in range(_STATEMENTS):
            if before is None:
                return None
            done = parts(before)[0] if before.type == "expression_statement" and parts(before) else None
            told = self._stores(done) if done is not None else None
            if told is not None:
                return told
            before = before.prev_named_sibling
        return None

    def _stores(self, node: Node) -> bool | None:
        match node.type:
            case "assignment":
                return self._assigned(node.child_by_field_name("left"), node.child_by_field_name("right"))
            case "augmented_assignment":
                left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
                return True if self._is_owner(left) and self._names(right) else None
            case "call":
                function = node.child_by_field_name("function")
                method = function.child_by_field_name("attribute") if function is not None else None
                if function is None or method is None or text(method, self._values.source) != "update":
                    return None
                taken = self._is_owner(function.child_by_field_name("object"))
                return True if taken and self._given(_arguments(node)) else None
        return None

    def _assigned(self, target: Node | None, value: Node | None) -> bool | None:
        if target is None:
            return None
        if self._is_owner(target):
            return self._names(value)
        if target.type != "subscript" or not self._is_owner(target.child_by_field_name("value")):
            return None
        keys = target.children_by_field_name("subscript")
        return True if len(keys) == 1 and self._is_key(keys[0]) else None

    def _names(self, node: Node | None) -> bool:
        """Say whether a mapping is written out with the name in it, behind whatever it is a copy of."""
        match node.type if node is not None else "":
            case "dictionary":
                return self._given(parts(node)) if node is not None else False
            case "call":
                return self._given(_arguments(node)) if node is not None else False
            case "binary_operator":
                return self._names(node.child_by_field_name("right")) if node is not None else False
        return False

    def _given(self, entries: list[Node]) -> bool:
        named = False
        for entry in entries:
            if entry.type == "dictionary_splat":
                named = self._names(entry.named_children[0])
            elif entry.type == "pair":
                named |= self._is_key(entry.child_by_field_name("key"))
            elif entry.type == "keyword_argument":
                name = entry.child_by_field_name("name")
                named |= name is not None and text(name, self._values.source) == self._word
            else:
                named |= entry.type == "dictionary" and self._names(entry)
        return named

    def _from_outside(self) -> bool:
        """Ask the one statement that makes a copy which is looked into elsewhere."""
        if not self._is_name:
            return False
        found = self._values.scopes.lookup(self._owner, self._scope)
        if found is None or len(found.bindings) != 1 or found.bindings[0].kind != "value":
            return False
        return found.scope is not self._scope and self._names(found.bindings[0].node)

    @property
    def _word(self) -> str | None:
        return self._key.value if isinstance(self._key, Text) else None

    def _is_owner(self, node: Node | None) -> bool:
        return node is not None and text(node, self._values.source) == self._owner

    def _is_key(self, node: Node | None) -> bool:
        key = self._values.dereference(self._values.of(node, self._scope))
        return isinstance(key, Text) and key.value == self._word


def _arguments(call: Node | None) -> list[Node]:
    arguments = call.child_by_field_name("arguments") if call is not None else None
    return parts(arguments) if arguments is not None else []
