"""Recording what touches the environment without being called: subscripts, `in`, loops, fields."""

from tree_sitter import Node

from leverlint.facts import Argument, Attribute, Expression, Instance, Items, Parameter, Path, Reference, Span
from leverlint.languages.python import api, relevance, texts
from leverlint.languages.python.calls import Calls
from leverlint.languages.python.copies import filled, names_variable, stored_before
from leverlint.languages.python.scopes import Scope
from leverlint.languages.syntax import text


class Operators:
    def __init__(self, calls: Calls) -> None:
        self._calls = calls
        self._values = calls.values

    def pair(self, chain: list[Node], scope: Scope) -> None:
        """Record `{"auto_envvar_prefix": …}`: every option of a command gets a variable."""
        key, value = (chain[-1].child_by_field_name(field) for field in ("key", "value"))
        name = self._values.text_of(self._values.of(key, scope))
        if name is not None and name.value in api.PREFIXES:
            argument = Argument("", self._values.of(value, scope))
            self._calls.record(chain, scope, api.PREFIXES[name.value], (argument,), declared=True)

    def subscript(self, chain: list[Node], scope: Scope) -> None:
        node = chain[-1]
        owner, keys = node.child_by_field_name("value"), node.children_by_field_name("subscript")
        if owner is None or len(keys) != 1:
            return
        key = self._values.of(keys[0], scope)
        value = self._values.of(owner, scope)
        base = self._mapping(value, key)
        if base is None:
            return
        receiver = self._open(value) if base == ("",) else None
        for method in self._methods(chain):
            if base == api.COPY and (
                (*base, method) not in api.API or stored_before(chain, owner, key, scope, self._values)
            ):
                continue
            self._calls.record(chain, scope, (*base, method), (Argument("", key),), receiver=receiver)

    def _mapping(self, value: Expression, key: Expression) -> Path | None:
        """Give the environment, or something of another module that may be it."""
        mapping = self._values.mapping(value)
        if mapping is not None or not relevance.has_lever(key, self._values):
            return mapping
        for option in self._values.options(value):
            if isinstance(option, Reference | Instance) and option.path[0] != "typing":
                return option.path
        return ("",) if self._open(value) is not None else None

    def _open(self, value: Expression) -> Expression | None:
        """Give something that only callers know, and that may be the environment."""
        for option in self._values.options(value):
            if isinstance(option, Parameter | Attribute):
                return option
        return None

    def _methods(self, chain: list[Node]) -> tuple[str, ...]:
        node, above = chain[-1], chain[-2]
        while above.type in (
            "expression_list",
            "pattern_list",
            "tuple_pattern",
            "tuple",
            "parenthesized_expression",
        ):
            node, chain = above, chain[:-1]
            above = chain[-2]
        if above.type == "delete_statement":
            return ("__delitem__",)
        is_left = above.child_by_field_name("left") == node
        if above.type in ("assignment", "for_statement", "for_in_clause") and is_left:
            return ("__setitem__",)
        return (
            ("__getitem__", "__setitem__")
            if above.type == "augmented_assignment" and is_left
            else ("__getitem__",)
        )

    def comparison(self, chain: list[Node], scope: Scope) -> None:
        children = [child for child in chain[-1].children if child.type != "comment"]
        for position in range(1, len(children) - 1):
            if children[position].type in ("==", "!=", "in"):
                self._picked(chain, children[position - 1], children[position + 1], scope)
            if children[position].type not in ("in", "not in"):
                continue
            key = self._values.of(children[position - 1], scope)
            value = self._values.of(children[position + 1], scope)
            base = self._mapping(value, key)
            if base == api.COPY and stored_before(chain, children[position + 1], key, scope, self._values):
                continue
            if base is not None:
                span = Span(children[position - 1].start_byte, children[position + 1].end_byte)
                receiver = self._open(value) if base == ("",) else None
                named = (Argument("", key),)
                self._calls.record(chain, scope, (*base, "__contains__"), named, span, receiver=receiver)

    def _picked(self, chain: list[Node], left: Node, right: Node, scope: Scope) -> None:
        """Record `name == NAME` and `name in NAMES` in a walk over the environment: lookups, one by one."""
        for name, other in ((left, right), (right, left)):
            key = self._values.of(other, scope)
            if not relevance.has_lever(key, self._values):
                continue
            self._calls.walk_of(name, scope)
            if name.type == "subscript":
                # `name[:6] == PREFIX`
                self._calls.walk_of(name.child_by_field_name("value"), scope)
            mapping = names_variable(name, scope, self._values)
            if mapping is not None:
                known = self._values.dereference(key)
                names = known.items if isinstance(known, Items) else (key,)
                for each in names:
                    self._calls.record(chain, scope, (*mapping, "items()"), (Argument("", each),))

    def augmented(self, chain: list[Node], scope: Scope) -> None:
        node = chain[-1]
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        operator = node.child_by_field_name("operator")
        mapping = self._values.mapping(self._values.of(left, scope))
        if mapping is None or operator is None or operator.type != "|=":
            return
        update = (*mapping, "update")
        if update in api.API:
            self._calls.touch(chain, scope, update, (Argument("", self._values.of(right, scope)),))

    def loop(self, chain: list[Node], right: Node, scope: Scope) -> None:
        """Record a walk by `for … in environ`; its methods are recorded as calls."""
        if right.type == "call":
            function = right.child_by_field_name("function")
            if function is not None and function.type == "attribute":
                return
        mapping = self._values.mapping(self._values.of(right, scope))
        if mapping is not None:
            self._calls.record(chain, scope, (*mapping, "__iter__"), (), texts.span(right))

    def filled(self, loop: Node, scope: Scope) -> None:
        """Take what a walk over the environment fills name by name for a copy of it."""
        for owner in filled(loop, scope, self._values):
            name = self._values.environments.fill(owner, scope)
            if name:
                self._calls.learn(name, Span(0, len(self._values.source)))

    def descriptor(self, chain: list[Node], right: Node, scope: Scope, leaf: Node) -> None:
        """Record `NAME = Kind(…)`: the object may read what it is assigned to."""
        if right.type != "call" or scope.kind not in ("module", "class") or leaf.type != "identifier":
            return
        if not relevance.is_lever(text(leaf, self._values.source), self._values.vocabulary):
            return
        function, arguments = right.child_by_field_name("function"), right.child_by_field_name("arguments")
        callee = self._calls.callee(self._values.of(function, scope)) if function is not None else None
        if callee is not None and arguments is not None and callee not in api.API:
            self._calls.record([*chain, right], scope, callee, self._calls.arguments(arguments, scope))
