"""Lowering calls, lookups and slices: conversions, methods of text, helpers, tables of words."""

from typing import TYPE_CHECKING

from tree_sitter import Node

from leverlint.facts import (
    UNTOLD,
    Apply,
    Decoding,
    FunctionValue,
    Helper,
    If,
    Instance,
    Local,
    Parameter,
    Path,
    Raise,
    Reference,
    Untold,
)
from leverlint.languages.python import conversions, terms, texts
from leverlint.languages.python.bindings import parts
from leverlint.languages.python.scopes import Scope
from leverlint.languages.syntax import text

if TYPE_CHECKING:
    from leverlint.languages.python.expressions import Environment, Expressions

_COLLECTIONS = frozenset({"tuple", "list", "set", "frozenset"})
_MOST = 60
"""Entries of a table of words."""


class Applications:
    def __init__(self, expressions: "Expressions") -> None:
        self._expressions = expressions
        self._source = expressions.source

    # --- Calls ------------------------------------------------------------------------------

    def call(self, node: Node, scope: Scope, env: "Environment") -> Decoding:
        reads = self._expressions.reads
        asked = reads.at(texts.span(node))
        if asked is not None and not any(
            each.id in self._expressions.substituted for each in _arguments(node)
        ):
            return reads.answer(asked)
        function = node.child_by_field_name("function")
        arguments = node.child_by_field_name("arguments")
        if function is None or arguments is None:
            return UNTOLD
        if arguments.type == "generator_expression":
            collects = function.type == "identifier" and text(function, self._source) in _COLLECTIONS
            return self._expressions.of(arguments, scope, env) if collects else UNTOLD
        if arguments.type != "argument_list":
            return UNTOLD
        if any(child.type in ("list_splat", "dictionary_splat") for child in parts(arguments)):
            return UNTOLD
        positional, keywords = self._given(arguments, scope, env)
        if function.type == "identifier":
            name = text(function, self._source)
            if name not in env and self._expressions.values.scopes.lookup(name, scope) is None:
                return self._builtin(name, positional, keywords)
        if function.type == "attribute":
            changed = self._method(function, positional, keywords, scope, env)
            if changed is not None:
                return changed
        return self._applied(function, positional, keywords, scope)

    def _given(
        self, arguments: Node, scope: Scope, env: "Environment"
    ) -> tuple[tuple[Decoding, ...], dict[str, Decoding]]:
        positional: list[Decoding] = []
        keywords: dict[str, Decoding] = {}
        for child in parts(arguments):
            if child.type == "keyword_argument":
                name = text(child.child_by_field_name("name") or child, self._source)
                keywords[name] = self._expressions.of(child.child_by_field_name("value"), scope, env)
            else:
                positional.append(self._expressions.of(child, scope, env))
        return tuple(positional), keywords

    def _builtin(
        self, name: str, positional: tuple[Decoding, ...], keywords: dict[str, Decoding]
    ) -> Decoding:
        if name in ("exit", "quit"):
            return Raise()
        if name == "int" and tuple(keywords) == ("base",):
            positional, keywords = (*positional, keywords["base"]), {}
        operation = conversions.BUILTINS.get((name, len(positional)))
        if name in ("tuple", "list", "set", "frozenset") and not positional:
            return Apply("tuple", ())
        if operation is None or keywords or any(isinstance(each, Untold) for each in positional):
            return UNTOLD
        return terms.truth(positional[0]) if operation == "py:truth" else Apply(operation, positional)

    def _method(
        self,
        function: Node,
        positional: tuple[Decoding, ...],
        keywords: dict[str, Decoding],
        scope: Scope,
        env: "Environment",
    ) -> Decoding | None:
        """Lower a method of text or of a table; `None` when it is something else."""
        owner, attribute = function.child_by_field_name("object"), function.child_by_field_name("attribute")
        if owner is None or attribute is None:
            return None
        name = text(attribute, self._source)
        if name == "get" and positional and not keywords:
            table = self._table(owner, scope, env)
            if table is not None:
                return self._looked_up(
                    table, positional[0], positional[1] if len(positional) > 1 else terms.NONE
                )
        operation = conversions.METHODS.get((name, len(positional)))
        if name not in conversions.UNCHANGED and (operation is None or keywords):
            return None
        value = self._expressions.of(owner, scope, env)
        if isinstance(value, Untold) or any(isinstance(each, Untold) for each in positional):
            return None
        return value if operation is None else Apply(operation, (value, *positional))

    def _applied(
        self, function: Node, positional: tuple[Decoding, ...], keywords: dict[str, Decoding], scope: Scope
    ) -> Decoding:
        values = self._expressions.values
        callee = values.of(function, scope)
        if isinstance(callee, Parameter) and not keywords:
            called = self._expressions.of(function, scope, {})
            return Apply("py:call", (called, *positional)) if not isinstance(called, Untold) else UNTOLD
        if isinstance(callee, FunctionValue):
            return Helper(callee, positional, tuple(keywords.items()))
        if not isinstance(callee, Reference | Instance):
            return UNTOLD
        path = callee.path
        known = self._known(path, positional, keywords)
        if known is not None:
            return known
        if isinstance(callee, Instance):
            return UNTOLD
        return self._expressions.reads.helper(function, path, positional, keywords, scope)

    def _known(
        self, path: Path, positional: tuple[Decoding, ...], keywords: dict[str, Decoding]
    ) -> Decoding | None:
        """Lower a function of a library that is known here."""
        if path in conversions.ENDS:
            return Raise()
        if path in conversions.SAME and positional:
            return positional[-1]
        operation = conversions.FUNCTIONS.get(path)
        if operation is None and path[-1] == "strtobool" and path[0] != ".":
            operation = "py:strtobool"
        if operation is None:
            return None
        if keywords or len(positional) != 1 or isinstance(positional[0], Untold):
            return UNTOLD
        return Apply(operation, positional)

    # --- Items ------------------------------------------------------------------------------

    def item(self, node: Node, scope: Scope, env: "Environment") -> Decoding:
        owner, keys = node.child_by_field_name("value"), node.children_by_field_name("subscript")
        if owner is None or len(keys) != 1:
            return UNTOLD
        if keys[0].type == "slice":
            return self._slice(owner, keys[0], scope, env)
        key = self._expressions.of(keys[0], scope, env)
        table = self._table(owner, scope, env)
        if table is not None:
            return self._looked_up(table, key, Raise())
        value = self._expressions.of(owner, scope, env)
        if isinstance(value, Untold) or isinstance(key, Untold):
            return UNTOLD
        return Apply("py:item", (value, key))

    def _slice(self, owner: Node, node: Node, scope: Scope, env: "Environment") -> Decoding:
        value = self._expressions.of(owner, scope, env)
        bounds: list[Decoding] = [terms.NONE, terms.NONE]
        position = 0
        for child in node.children:
            if child.type == ":":
                position += 1
            elif position < 2 and child.is_named:
                bounds[position] = self._expressions.of(child, scope, env)
        if position != 1 or any(isinstance(each, Untold) for each in (value, *bounds)):
            return UNTOLD
        return Apply("py:slice", (value, *bounds))

    def _table(self, node: Node, scope: Scope, env: "Environment") -> list[tuple[Decoding, Decoding]] | None:
        """Give keys and values of a mapping that this file writes out."""
        found = self._mapping(node, scope)
        if found is None:
            return None
        mapping, where = found
        pairs = parts(mapping)
        if len(pairs) > _MOST or any(pair.type != "pair" for pair in pairs):
            return None
        return [
            (
                self._expressions.of(pair.child_by_field_name("key"), where, env),
                self._expressions.of(pair.child_by_field_name("value"), where, env),
            )
            for pair in pairs
        ]

    def _mapping(self, node: Node, scope: Scope) -> tuple[Node, Scope] | None:
        if node.type == "dictionary":
            return node, scope
        if node.type == "parenthesized_expression":
            return self._mapping(parts(node)[0], scope) if parts(node) else None
        if node.type != "identifier":
            return None
        found = self._expressions.values.scopes.lookup(text(node, self._source), scope)
        if found is None or len(found.bindings) != 1:
            return None
        binding = found.bindings[0]
        if binding.kind != "value" or binding.node is None or binding.node.type != "dictionary":
            return None
        return binding.node, binding.scope or found.scope

    def _looked_up(
        self, table: list[tuple[Decoding, Decoding]], key: Decoding, missing: Decoding
    ) -> Decoding:
        if isinstance(key, Untold) or any(isinstance(each, Untold) for each, _ in table):
            return UNTOLD
        number = self._expressions.number()
        again = key if terms.atomic(key) else Local(number)
        found = missing
        for word, value in reversed(table):
            found = If(Apply("equals", (again, word)), value, found)
        return found if terms.atomic(key) else terms.let(number, key, found)


def _arguments(node: Node) -> list[Node]:
    arguments = node.child_by_field_name("arguments")
    found = []
    for child in parts(arguments) if arguments is not None else ():
        value = child.child_by_field_name("value") if child.type == "keyword_argument" else child
        found.extend([value] if value is not None else [])
    return found
