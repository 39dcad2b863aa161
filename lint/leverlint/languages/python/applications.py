"""Lowering calls, lookups and slices: conversions, methods of text, helpers, tables of words."""

from typing import TYPE_CHECKING

from tree_sitter import Node

from leverlint.facts import (
    UNTOLD,
    Apply,
    Constant,
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
from leverlint.languages import machine
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
            return self._collected(function, arguments, scope, env)
        if arguments.type != "argument_list":
            return UNTOLD
        if any(child.type in ("list_splat", "dictionary_splat") for child in parts(arguments)):
            return UNTOLD
        positional, keywords = self._given(arguments, scope, env)
        if function.type == "identifier":
            name = text(function, self._source)
            if name not in env and self._expressions.values.scopes.lookup(name, scope) is None:
                if name == "isinstance":
                    return self._instance(arguments, scope, env)
                return self._builtin(name, positional, keywords)
        if function.type == "attribute":
            changed = self._method(function, positional, keywords, scope, env)
            if changed is not None:
                return changed
        return self._applied(function, positional, keywords, scope)

    def _collected(self, function: Node, generator: Node, scope: Scope, env: "Environment") -> Decoding:
        """Lower `tuple(… for …)`, `any(… for …)` and their like."""
        name = text(function, self._source) if function.type == "identifier" else ""
        if name in _COLLECTIONS:
            return self._expressions.of(generator, scope, env)
        if name not in conversions.ANY_OR_ALL or self._expressions.values.scopes.lookup(name, scope):
            return UNTOLD
        found = self._expressions.each(generator, scope, env)
        if found is not None:
            start, join = (terms.FALSE, terms.either) if name == "any" else (terms.TRUE, terms.both)
            whole: Decoding = start
            for condition in reversed(found):
                whole = join(terms.truth(condition), whole) if not isinstance(whole, Untold) else UNTOLD
            return whole
        value = self._expressions.of(generator, scope, env)
        return UNTOLD if isinstance(value, Untold) else Apply(f"py:{name}", (value,))

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

    def _instance(self, arguments: Node, scope: Scope, env: "Environment") -> Decoding:
        """Lower `isinstance(value, str)`, also with several types, if they are built in."""
        given = parts(arguments)
        if len(given) != 2:
            return UNTOLD
        kinds = [given[1]]
        while any(kind.type in ("tuple", "binary_operator", "parenthesized_expression") for kind in kinds):
            kinds = [
                part
                for kind in kinds
                for part in (parts(kind) if kind.type not in ("identifier", "none") else [kind])
            ]
        names = [text(kind, self._source) for kind in kinds]
        lookup = self._expressions.values.scopes.lookup
        if any((name not in conversions.TYPES and name != "None") or lookup(name, scope) for name in names):
            return UNTOLD
        value = self._expressions.of(given[0], scope, env)
        if isinstance(value, Untold):
            return UNTOLD
        return Apply("py:isinstance", (value, *map(Constant, names)))

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
        if name in conversions.MATCHING and len(positional) == 1 and not keywords:
            pattern = self._pattern(owner, scope)
            if pattern is not None:
                return self._fitting(name, pattern, positional[0])
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
        if path == ("os", "path", "join") and positional and not keywords:
            told = not any(isinstance(each, Untold) for each in positional)
            return Apply("path_join", positional) if told else UNTOLD
        if path == ("pathlib", "Path", "home"):
            return Constant(machine.HOME)
        if path == ("datetime", "timedelta"):
            return self._span_of_time(positional, keywords)
        if path[0] == "re" and path[-1] in conversions.MATCHING and len(path) == 2 and len(positional) == 2:
            return UNTOLD if keywords else self._fitting(path[-1], *positional)
        operation = conversions.FUNCTIONS.get(path)
        if operation is None and path[-1] == "strtobool" and path[0] != ".":
            operation = "py:strtobool"
        if operation is None:
            return None
        if keywords or len(positional) != 1 or isinstance(positional[0], Untold):
            return UNTOLD
        return Apply(operation, positional)

    def _span_of_time(self, positional: tuple[Decoding, ...], keywords: dict[str, Decoding]) -> Decoding:
        """Lower `timedelta(minutes=value)`."""
        given = dict(zip(conversions.SPAN, positional, strict=False)) | keywords
        if not given or not given.keys() <= conversions.SECONDS.keys():
            return UNTOLD
        if any(isinstance(value, Untold) for value in given.values()):
            return UNTOLD
        amounts = ((value, Constant(conversions.SECONDS[unit])) for unit, value in given.items())
        return Apply("duration", tuple(part for pair in amounts for part in pair))

    def _pattern(self, node: Node, scope: Scope) -> Decoding | None:
        """Give the text of a pattern that this file compiles; `None` when a name is no such pattern."""
        if node.type == "identifier":
            found = self._expressions.values.scopes.lookup(text(node, self._source), scope)
            binding = found.bindings[0] if found is not None and len(found.bindings) == 1 else None
            if binding is None or binding.kind != "value" or binding.node is None or found is None:
                return None
            node, scope = binding.node, binding.scope or found.scope
        function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        if node.type != "call" or function is None or arguments is None:
            return None
        callee = self._expressions.values.of(function, scope)
        if not isinstance(callee, Reference) or callee.path != ("re", "compile"):
            return None
        given = parts(arguments)
        return self._expressions.of(given[0], scope, {}) if len(given) == 1 else UNTOLD

    def _fitting(self, name: str, pattern: Decoding, value: Decoding) -> Decoding:
        if not isinstance(pattern, Constant) or isinstance(value, Untold):
            return UNTOLD
        return Apply(f"py:{name}", (pattern, value))

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
