"""Where a value is kept for longer than one model lives."""

import re

from tree_sitter import Node

from leverlint.facts import Instance, Kept, Reference
from leverlint.languages.python import texts
from leverlint.languages.python.places import Place, Places
from leverlint.languages.python.scopes import Scope
from leverlint.languages.python.values import Values
from leverlint.languages.python.words import words
from leverlint.languages.syntax import text

_MOST_CALLS = 100
"""Places at which the name of one function is looked at."""
_CALLED_AS_WRITTEN = frozenset({b"@staticmethod", b"@classmethod"})
_EMPTY = frozenset({b"dict", b"list", b"OrderedDict", b"defaultdict", b"SimpleNamespace"})
_RETURN = re.compile(rb"\breturn\b")


class Keeping:
    def __init__(self, values: Values, places: Places) -> None:
        self._values = values
        self._source = values.source
        self._places = places
        self._by_caller: dict[int, Kept | None] = {}

    def of(self, place: Place) -> Kept | None:
        chain, along = place
        for position in range(len(chain) - 2, 0, -1):
            node, below = chain[position], chain[position + 1]
            match node.type:
                case "function_definition" | "lambda" if below == node.child_by_field_name("body"):
                    return self._in_function(along[position + 1], place)
                case "default_parameter" | "typed_default_parameter":
                    name = node.child_by_field_name("name")
                    return Kept("parameter-default", self._text(name), texts.span(node))
                case "decorator":
                    return Kept("decorator-argument", self._decorated(chain[position - 1]), texts.span(node))
                case "assignment" | "named_expression":
                    kept = self._by_target(node, below, along[position])
                    if kept is not None:
                        return kept
        return None

    def _decorated(self, node: Node) -> str:
        definition = node.child_by_field_name("definition")
        return self._text(definition.child_by_field_name("name")) if definition is not None else ""

    def _by_target(self, node: Node, below: Node, scope: Scope) -> Kept | None:
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
        how = self._holder(base, scope) if target != base else ""
        if how == "class-attribute" and target.type == "attribute":
            name = self._text(target.child_by_field_name("attribute"))
        return Kept(how, name, texts.span(target)) if how else None

    def _is_variable(self, target: Node, scope: Scope) -> bool:
        """Say whether an item of the environment is assigned to: nothing here holds on to the value."""
        owner = target.child_by_field_name("value") if target.type == "subscript" else None
        return owner is not None and self._values.mapping(self._values.of(owner, scope)) is not None

    def _holder(self, base: Node, scope: Scope) -> str:
        """Say what it is that a function stores into: a class, or something that the module holds."""
        found = self._values.scopes.lookup(self._text(base), scope) if base.type == "identifier" else None
        if found is None:
            return ""
        kinds = {binding.kind for binding in found.bindings}
        if kinds == {"class"} or (kinds == {"receiver"} and self._text(base) == "cls"):
            return "class-attribute"
        if found.scope.kind != "module" or kinds != {"value"} or not _is_memo(found.bindings[0].node):
            return ""
        return "module-global"

    # --- Functions ------------------------------------------------------------------------

    def _in_function(self, scope: Scope, place: Place) -> Kept | None:
        memoised = self._values.registry.memoised(scope) if scope.node.type != "lambda" else None
        if memoised is not None:
            return Kept("memoised-function", scope.path[-1], memoised)
        for use in self._places.local_uses(place):
            for position in range(len(use.chain) - 2, 0, -1):
                if use.chain[position].type == "assignment":
                    kept = self._by_target(use.chain[position], use.chain[position + 1], use.along[position])
                    if kept is not None:
                        return kept
                if use.chain[position].type == "block":
                    break
        if scope.node.type != "lambda" and self._is_returned(place):
            return self._by_callers(scope)
        return None

    def _is_returned(self, place: Place) -> bool:
        """Say whether what a function returns depends on a value."""
        return any(self._decides_return(each) for each in (place, *self._places.local_uses(place)))

    def _decides_return(self, place: Place) -> bool:
        for position in range(len(place.chain) - 2, 0, -1):
            node, below = place.chain[position], place.chain[position + 1]
            match node.type:
                case "return_statement":
                    return True
                case "if_statement" if below == node.child_by_field_name("condition"):
                    return _RETURN.search(self._source, below.end_byte, node.end_byte) is not None
                case "elif_clause" | "match_statement" if below.type != "block":
                    return _RETURN.search(self._source, below.end_byte, node.end_byte) is not None
                case "assignment" if below == node.child_by_field_name("right"):
                    target = node.child_by_field_name("left")
                    around = next((each for each in reversed(place.chain) if each.type == "block"), None)
                    if target is None or around is None or target.type == "identifier":
                        return False
                    name = re.escape(self._source[_base(target).start_byte : _base(target).end_byte])
                    returned = re.compile(rb"\breturn\s+" + name + rb"\b")
                    return returned.search(self._source, node.end_byte, around.end_byte) is not None
                case "block" | "function_definition":
                    return False
        return False

    def _by_callers(self, scope: Scope) -> Kept | None:
        """Look for a call, without arguments, of a function whose result is kept."""
        key = scope.node.id
        if key not in self._by_caller:
            # A function may lead back to itself.
            self._by_caller[key] = None
            if self._is_called_by_name(scope):
                self._by_caller[key] = self._by_some_caller(scope)
        return self._by_caller[key]

    def _is_called_by_name(self, scope: Scope) -> bool:
        registry = self._values.registry
        own = scope.parent is not None and scope.parent.kind in ("module", "class")
        written = {each.text for each in registry.decorators(scope.node)}
        receives = scope.parent is not None and scope.parent.kind == "class" and not written
        return own and not receives and written <= _CALLED_AS_WRITTEN

    def _by_some_caller(self, scope: Scope) -> Kept | None:
        name = scope.path[-1]
        self._values.scopes.tokens.add(name)
        for offset in words(self._source, name.encode(), 0, len(self._source), _MOST_CALLS):
            chain = self._values.scopes.chain(offset)
            call = self._call_of(chain, scope)
            kept = self.of(self._places.place(call)) if call else None
            if kept is not None:
                return kept._replace(by_caller=True)
        return None

    def _call_of(self, chain: list[Node], scope: Scope) -> list[Node]:
        """Give the chain down to the call, without arguments, of a function whose name stands at the end."""
        end = len(chain) - 1
        if chain[end].type != "identifier" or end < 2:
            return []
        if (
            chain[end - 1].type == "attribute"
            and chain[end - 1].child_by_field_name("attribute") == chain[end]
        ):
            end -= 1
        call, function = chain[end - 1], chain[end]
        arguments = call.child_by_field_name("arguments") if call.type == "call" else None
        if arguments is None or call.child_by_field_name("function") != function or arguments.named_children:
            return []
        around = self._values.scopes.along(chain)[end]
        return chain[:end] if self._is_function(function, around, scope) else []

    def _is_function(self, callee: Node, around: Scope, scope: Scope) -> bool:
        """Say whether an expression leads to a function, by its whole path."""
        if callee.type == "identifier":
            found = self._values.scopes.lookup(self._text(callee), around)
            return found is not None and any(each.node == scope.node for each in found.bindings)
        owner = self._values.of(callee.child_by_field_name("object"), around)
        if scope.parent is None or scope.parent.kind != "class":
            return False
        return isinstance(owner, Reference | Instance) and owner.path == (".", *scope.parent.path)

    def _text(self, node: Node | None) -> str:
        return text(node, self._source) if node is not None else ""


def _base(target: Node) -> Node:
    """Give the name that `NAME[…]` or `NAME.attribute` starts with."""
    at: Node | None = target
    while at is not None and at.type in ("subscript", "attribute"):
        at = at.child_by_field_name("value") or at.child_by_field_name("object")
    return at or target


def _is_memo(value: Node | None) -> bool:
    """Say whether a global begins as an empty mapping or list, to be filled later."""
    if value is None:
        return False
    if value.type in ("dictionary", "list"):
        return not value.named_children
    function = value.child_by_field_name("function") if value.type == "call" else None
    return function is not None and function.text in (
        b"dict",
        b"list",
        b"OrderedDict",
        b"defaultdict",
        b"SimpleNamespace",
    )
