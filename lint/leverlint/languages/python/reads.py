"""What decodings must know of a file: which nodes are recorded reads, and what names lead to."""

from bisect import bisect_left
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from tree_sitter import Node

from leverlint.facts import (
    UNTOLD,
    Answer,
    Api,
    Apply,
    Constant,
    Decoding,
    FunctionValue,
    Helper,
    If,
    Instance,
    Named,
    Parameter,
    Passed,
    Path,
    Raise,
    Reference,
    Span,
    Text,
    Untold,
)
from leverlint.languages import machine
from leverlint.languages.python import api, conversions, libraries, terms
from leverlint.languages.python.bindings import Binding, parts
from leverlint.languages.python.calls import Recorded, path_of
from leverlint.languages.python.scopes import Scope
from leverlint.languages.python.values import Values
from leverlint.languages.syntax import occurrences, text

if TYPE_CHECKING:
    from leverlint.languages.python.expressions import Expressions

_DATA = frozenset(
    {
        *("string", "concatenated_string", "integer", "float", "true", "false", "none", "identifier"),
        *("attribute", "unary_operator", "binary_operator", "not_operator", "comparison_operator"),
        *("parenthesized_expression", "tuple", "list", "set", "call", "subscript"),
    }
)
"""What arguments are looked at."""
_CONVERTING = frozenset({"str", "int", "float", "bool", "tuple", "list", "set", "frozenset"})
_ON_PATHS = frozenset({"join", "expanduser", "home", "Path"})


class Reads:
    expressions: "Expressions"

    def __init__(
        self,
        values: Values,
        recorded: Iterable[Recorded],
        result: Callable[[int], Decoding],
    ) -> None:
        self._values = values
        self._source = values.source
        self._result = result
        self.records = sorted((each for each in recorded if self.asks(each)), key=lambda each: each.span)
        self._by_span = {each.span: each for each in self.records if not each.declared}
        self._starts = [each.span.start for each in self.records]
        self._alike: dict[Span, frozenset[Span]] | None = None
        self.needed: set[int] = set()
        """Functions of this file that a helper leads to."""

    # --- Recorded reads ---------------------------------------------------------------------

    def asks(self, record: Recorded) -> bool:
        known = self._api(record)
        return known is None or known.kind == "read"

    def asks_presence(self, record: Recorded) -> bool:
        known = self._api(record)
        return known is not None and known.answer == "contains"

    def _api(self, record: Recorded) -> Api | None:
        path = path_of(record.callee)
        return api.API.get(path) if path is not None else None

    def at(self, span: Span) -> Span | None:
        return span if span in self._by_span else None

    def answer(self, span: Span) -> Decoding:
        """Give what a recorded read gives, whatever it is of."""
        made = libraries.called(self._by_span[span], self.expressions) if span in self._by_span else None
        return Answer(span) if made is None else made

    def between(self, left: Node, right: Node) -> Span | None:
        """Give the span of a recorded `left in right`."""
        return self.at(Span(left.start_byte, right.end_byte))

    def within(self, start: int, end: int) -> bool:
        first = bisect_left(self._starts, start)
        return first < len(self._starts) and self._starts[first] < end

    def demands(self, span: Span) -> bool:
        """Say whether a read raises when the variable is not set."""
        record = self._by_span.get(span)
        known = self._api(record) if record is not None else None
        return known is not None and known.answer == "item"

    def without_others(self, decoding: Decoding, span: Span) -> Decoding:
        """Put what an unset variable gives where a decoding asks for others as well."""
        if not terms.others(decoding, {span}):
            return decoding
        own = self._by_span.get(span)
        return terms.replaced(decoding, lambda node: self._unset(node, span, own))

    def _unset(self, node: Decoding, span: Span, own: Recorded | None) -> Decoding | None:
        if not isinstance(node, Answer) or node.span == span:
            return None
        record = self._by_span.get(node.span)
        known = self._api(record) if record is not None else None
        if record is None or known is None or (own is not None and record.span in self.alike(own.span)):
            return node
        name = self._name(record)
        if name in machine.HOMES and known.answer in ("get", "item"):
            return Constant(machine.HOME)
        if machine.is_set_by_machines(name):
            return UNTOLD
        if known.answer == "contains":
            return terms.FALSE
        if known.answer == "item":
            return Raise()
        return self.default(record) if known.answer == "get" else node

    def alike(self, span: Span) -> frozenset[Span]:
        """Give the calls that name the same variable as one does, itself included."""
        if self._alike is None:
            groups: dict[tuple[object, ...], list[Span]] = {}
            for record in self.records:
                groups.setdefault(_variable(record), []).append(record.span)
            self._alike = {each: frozenset(spans) for spans in groups.values() for each in spans}
        return self._alike.get(span) or frozenset({span})

    def _name(self, record: Recorded) -> str:
        name = self._values.text_of(record.arguments[0].value) if record.arguments else None
        return name.value if name is not None else ""

    def is_switch(self, value: Decoding) -> bool:
        """Say whether a wrapper calls itself one that gives `True` or `False`."""
        record = self._by_span.get(value.span) if isinstance(value, Answer) else None
        path = path_of(record.callee) if record is not None and self._api(record) is None else None
        return path is not None and any(word in path[-1].lower() for word in ("bool", "flag", "enabled"))

    def default(self, record: Recorded) -> Decoding:
        """Give what a `get` gives for a variable that is not set."""
        found = dict(zip(self._positions(record), self.values(record), strict=False))
        return found.get("default", found.get("1", terms.NONE))

    def _positions(self, record: Recorded) -> list[str]:
        return [each.keyword or str(position) for position, each in enumerate(record.arguments)]

    def values(self, record: Recorded) -> tuple[Decoding, ...]:
        """Give the arguments of a recorded call as data."""
        node = record.chain[-1]
        arguments = node.child_by_field_name("arguments") if node.type == "call" else None
        given = parts(arguments) if arguments is not None and arguments.type == "argument_list" else []
        if len(given) != len(record.arguments):
            return ()
        name = 0 if self._api(record) is not None else -1
        return tuple(
            UNTOLD if position == name else self._given(child, record) for position, child in enumerate(given)
        )

    def _given(self, child: Node, record: Recorded) -> Decoding:
        scope = record.scope
        node = child.child_by_field_name("value") if child.type == "keyword_argument" else child
        if node is None or node.type not in _DATA:
            return UNTOLD
        span = Span(node.start_byte, node.end_byte)
        if node.type in ("call", "subscript") and self.at(span) is None and not self._converts(node):
            return UNTOLD
        return self.without_others(self.expressions.of(node, scope, {}), record.span)

    def _converts(self, node: Node) -> bool:
        function = node.child_by_field_name("function")
        spelt = text(function, self._source) if function is not None else ""
        return spelt in _CONVERTING or spelt.rpartition(".")[2] in _ON_PATHS

    # --- Names ------------------------------------------------------------------------------

    def parameter(self, scope: Scope, binding: Binding) -> Decoding:
        if binding.index < 0 or any(binding.path):
            return UNTOLD
        return Passed(Parameter(self._values.registry.index(scope), binding.index))

    def attribute(self, owner: Node, name: str, scope: Scope) -> Decoding:
        """Give what `owner.name` holds: an attribute of the object or class, or an imported constant."""
        value = self._values.of(owner, scope)
        if isinstance(value, Instance) and value.path[0] == ".":
            return self._of_object(value.path[1:], name)
        if not isinstance(value, Reference):
            return UNTOLD
        if value.path[0] != ".":
            return Named((*value.path, name))
        return self._of_class(value.path[1:], name)

    def _of_object(self, path: Path, name: str) -> Decoding:
        owner = self._values.registry.class_at(path)
        if owner is None:
            return UNTOLD
        self._values.scopes.members.add(name)
        made = [
            (value, method)
            for _, value, method in self._values.registry.instance_values(owner, name)
            if method.path[-1] == "__init__"
        ]
        if len(made) == 1:
            return self.expressions.of(made[0][0], made[0][1], {})
        return UNTOLD if made else self._of_class(path, name)

    def _of_class(self, path: Path, name: str) -> Decoding:
        owner = self._values.registry.class_at(path)
        if owner is None:
            return UNTOLD
        self._values.scopes.members.add(name)
        bindings = self._values.scopes.names(owner).get(name, [])
        bindings = [binding for binding in bindings if binding.kind != "declared"]
        if len(bindings) != 1 or bindings[0].kind != "value" or bindings[0].positions:
            return UNTOLD
        return self.expressions.of(bindings[0].node, bindings[0].scope or owner, {})

    def later(self, node: Node, scope: Scope) -> Decoding:
        """Give what a function that is returned gives when it is called without arguments."""
        value = self._values.of(node, scope)
        if not isinstance(value, FunctionValue) or self._values.registry.parameters(value.function):
            return UNTOLD
        return self._result(value.function)

    # --- Helpers ----------------------------------------------------------------------------

    def helper(
        self,
        function: Node,
        path: Path,
        positional: tuple[Decoding, ...],
        keywords: dict[str, Decoding],
        scope: Scope,
    ) -> Decoding:
        """Lower the call of a function that is given values."""
        if path[0] != ".":
            if self._takes_text(path):
                return UNTOLD
            return Helper(path, positional, tuple(keywords.items()))
        owner = self._receiver(function, scope)
        if owner is not None and self._is_overridden(path[-1]):
            return Helper(("self", *owner.path, path[-1]), positional, tuple(keywords.items()))
        found = self._values.dereference(Reference(path))
        if not isinstance(found, FunctionValue):
            if self._values.registry.class_at(path[1:]) is not None:
                return self._made(path[1:], positional, keywords)
            return Helper(path, positional, tuple(keywords.items())) if owner is None else UNTOLD
        if owner is not None:
            return self._inlined(found.function, path, positional, keywords)
        self.needed.add(found.function)
        return Helper(path, positional, tuple(keywords.items()))

    def _takes_text(self, path: Path) -> bool:
        """Say whether a function of another module uses text as it is, rather than decoding it."""
        if path[0] in conversions.TEXT_MODULES or path[-1].lstrip("_")[:1].isupper():
            return True
        if path[0].startswith("/") or path[0] in self._values.scopes.directory.split("/"):
            return False
        return not any(word in path[-1].lower() for word in conversions.DECODING)

    def _receiver(self, function: Node, scope: Scope) -> Scope | None:
        """Give the class whose method is called on the object itself."""
        owner = function.child_by_field_name("object") if function.type == "attribute" else None
        if owner is None or owner.type != "identifier":
            return None
        found = self._values.scopes.lookup(text(owner, self._source), scope)
        if found is None or found.bindings[0].kind != "receiver" or found.scope.parent is None:
            return None
        return found.scope.parent

    def _is_overridden(self, name: str) -> bool:
        """Say whether several classes of this file have a method, and want all of them."""
        self._values.scopes.tokens.add(name)
        found = occurrences(self._source, b"def " + name.encode() + b"(")
        if len(found) < 2:
            return False
        for offset in found:
            self.ask(offset + 4)
        return True

    def ask(self, offset: int) -> Path | None:
        """Have the result told of a function whose name stands at an offset; give the path of a constant."""
        chain = self._values.scopes.chain(offset)
        if len(chain) < 2 or chain[-1].start_byte != offset:
            return None
        scope = self._values.scopes.along(chain)[-2]
        if chain[-2].type == "function_definition" and chain[-1] == chain[-2].child_by_field_name("name"):
            self.needed.add(self._values.registry.index(self._values.scopes.scope_of(chain[-2], scope)))
        elif chain[-2].type == "assignment" and chain[-1] == chain[-2].child_by_field_name("left"):
            return (*scope.path, text(chain[-1], self._source)) if scope.kind != "function" else None
        return None

    def construct(self, owner: Scope) -> None:
        """Have the result told of what makes objects of a class."""
        self._values.scopes.members.add("__init__")
        for binding in self._values.scopes.names(owner).get("__init__", ()):
            if binding.kind == "function" and binding.node is not None:
                self.needed.add(
                    self._values.registry.index(self._values.scopes.scope_of(binding.node, owner))
                )

    def constant(self, path: Path) -> Decoding:
        """Give what a name of module or class scope holds."""
        if len(path) > 1:
            return self._of_class(path[:-1], path[-1])
        return self.expressions.name(path[0], self._values.scopes.module, {})

    def _inlined(
        self, function: int, path: Path, positional: tuple[Decoding, ...], keywords: dict[str, Decoding]
    ) -> Decoding:
        """Put the result of a method of the same object, which may use what the object holds."""
        names = [text(each.name, self._source) for each in self._values.registry.parameters(function)]

        def given(node: Decoding) -> Decoding | None:
            if not isinstance(node, Passed) or node.parameter.function != function:
                return None
            index = node.parameter.index
            if index < len(positional):
                return positional[index]
            return keywords.get(names[index], UNTOLD) if index < len(names) else UNTOLD

        return terms.replaced(self._result(function), given)

    def _made(self, path: Path, positional: tuple[Decoding, ...], keywords: dict[str, Decoding]) -> Decoding:
        """Lower making a member of an enumeration from its value."""
        owner = self._values.registry.class_at(path)
        if owner is None or keywords or len(positional) != 1 or isinstance(positional[0], Untold):
            return UNTOLD
        if not self._values.registry.is_enumeration(path, self._values):
            return UNTOLD
        members = [
            self._of_class(path, name)
            for name, bindings in self._values.scopes.names(owner).items()
            if bindings[0].kind == "value" and not name.startswith("_")
        ]
        words = terms.of_tuple(members)
        if isinstance(words, Untold):
            return UNTOLD
        return If(Apply("in", (positional[0], words)), positional[0], Raise())


def _variable(record: Recorded) -> tuple[object, ...]:
    """Give what tells the variable of a call from those of others in its function."""
    name = record.arguments[0].value if record.arguments else record.span
    return id(record.scope), type(name), name.value if isinstance(name, Text) else name
