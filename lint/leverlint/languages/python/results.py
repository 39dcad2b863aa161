"""What calls give back, as far as the vocabulary of facts has words for it."""

from typing import TYPE_CHECKING

from tree_sitter import Node

from leverlint.facts import (
    UNKNOWN,
    Argument,
    Changed,
    Expression,
    FunctionValue,
    Instance,
    Items,
    Path,
    Reference,
    Text,
)
from leverlint.languages.python import api, relevance, texts
from leverlint.languages.python.alternatives import any_of
from leverlint.languages.python.bindings import parts
from leverlint.languages.python.copies import walked
from leverlint.languages.python.parameters import replaced
from leverlint.languages.python.scopes import Scope
from leverlint.languages.syntax import occurrences, text

if TYPE_CHECKING:
    from leverlint.languages.python.values import Values

_TRANSPARENT = frozenset({"str", "bytes", "sorted", "list", "tuple", "set", "frozenset", "reversed", "iter"})
_CHANGES = frozenset({"upper", "lower", "strip", "lstrip", "rstrip", "casefold", "title", "capitalize"})
_COPIERS = frozenset({("copy", "copy"), ("copy", "deepcopy")})
_CHAIN = ("collections", "ChainMap")
_MAPPINGS = frozenset(
    {
        *(_CHAIN, ("collections", "OrderedDict"), ("collections", "UserDict")),
        *(("collections", "defaultdict"), ("types", "MappingProxyType")),
    }
)
_PATH_CHANGES = frozenset({"expanduser", "abspath", "normpath", "realpath"})
_SPLATS = frozenset({"list_splat", "dictionary_splat"})
_HANDED = 12
"""Arguments of a constructor that are looked at."""
_RETURNS = 8
"""Functions with more ways out are no mere spelling of a name."""

_SAME = frozenset({"keys", "copy", "encode", "decode"})
_METHODS = _CHANGES | _SAME | {"format", "join", "split", "get"}


class Results:
    def __init__(self, values: "Values") -> None:
        self._values = values
        self.source = values.source
        self._returns: dict[int, Expression] = {}

    def of(self, node: Node, scope: Scope) -> Expression:
        function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        if function is None or arguments is None:
            return UNKNOWN
        given = parts(arguments) if arguments.type == "argument_list" else [arguments]
        if (
            function.type == "identifier"
            and self._values.scopes.lookup(text(function, self.source), scope) is None
        ):
            return self._builtin(text(function, self.source), given, scope)
        if function.type == "attribute":
            changed = self._method(function, given, arguments, scope)
            if changed is not None:
                return changed
        return self._made(self._values.of(function, scope), given, scope)

    def _builtin(self, name: str, given: list[Node], scope: Scope) -> Expression:
        if name == "super":
            return self._parent(scope)
        if name == "dict":
            return self._dictionary(given, scope)
        if not given:
            return UNKNOWN
        if name == "__import__":
            return self._module(given[0], scope)
        first = self._values.of(given[0], scope)
        if name == "vars":
            return self._values.attribute(first, "__dict__")
        if name == "getattr" and len(given) > 1:
            attribute = self._values.text_of(self._values.of(given[1], scope))
            return self._values.attribute(first, attribute.value) if attribute else UNKNOWN
        if name == "iter" and self._values.mapping(first):
            return Reference(api.COPY)
        return first if name in _TRANSPARENT and given[0].type != "keyword_argument" else UNKNOWN

    def _dictionary(self, given: list[Node], scope: Scope) -> Expression:
        """Lower `dict(mapping, NAME=…, **more)`: a copy of the environment, or the keys."""
        keys: list[Expression] = []
        for child in given:
            if child.type == "keyword_argument":
                name = child.child_by_field_name("name")
                keys.extend([Text(text(name, self.source), texts.span(name))] if name is not None else [])
                continue
            value = self._values.of(child.named_children[0] if child.type in _SPLATS else child, scope)
            if self._values.mapping(value) or walked(child, (0,), scope, self._values):
                return Reference(api.COPY)
            keys.extend(self._values.sequences.keys(value))
        return Items(tuple(keys))

    def _method(self, function: Node, given: list[Node], arguments: Node, scope: Scope) -> Expression | None:
        """Lower a method of text or of a mapping; `None` when it is something else."""
        owner, attribute = function.child_by_field_name("object"), function.child_by_field_name("attribute")
        name = text(attribute, self.source) if attribute is not None else ""
        if owner is None or name not in _METHODS:
            return None
        if name == "get":
            return self._entry(owner, given, scope)
        value = self._values.of(owner, scope)
        if name == "copy" and self._values.mapping(value):
            return Reference(api.COPY)
        if value == UNKNOWN or isinstance(value, Instance):
            return UNKNOWN if value == UNKNOWN else None
        if isinstance(value, Reference) and (*value.path, name) in _COPIERS:
            return None
        if name in _CHANGES:
            return Changed(name, value)
        return value if name in _SAME else self._formatted(name, value, given, arguments, scope)

    def _entry(self, owner: Node, given: list[Node], scope: Scope) -> Expression | None:
        """Lower `NAMES.get(key, default)` of a mapping that is written out in this file."""
        values = self._values.sequences.values(owner, scope)
        if values is None and given:
            values = self._values.in_namespace(self._values.of(owner, scope), given[0], scope)
        if values is None:
            return None
        return any_of([values, *(self._values.of(child, scope) for child in given[1:2])])

    def _formatted(
        self, name: str, value: Expression, given: list[Node], arguments: Node, scope: Scope
    ) -> Expression | None:
        template = self._values.text_of(value)
        if template is None:
            return None
        if name == "split":
            return Items(tuple(Text(word, template.span) for word in template.value.split()))
        if name == "format":
            return texts.braces(template, arguments, self.source, lambda inner: self._values.of(inner, scope))
        pieces = self._values.dereference(self._values.of(given[0], scope)) if given else UNKNOWN
        if not isinstance(pieces, Items):
            return UNKNOWN
        between = [piece for item in pieces.items for piece in (template, item)][1:]
        return texts.joined(between, texts.span(arguments)) if between else UNKNOWN

    def _made(self, callee: Expression, given: list[Node], scope: Scope) -> Expression:
        for option in self._values.options(callee):
            if isinstance(option, FunctionValue):
                return self._returned(option.function, given, scope)
            if not isinstance(option, Reference):
                continue
            if option.path == ("importlib", "import_module") and given:
                return self._module(given[0], scope)
            if option.path == ("functools", "partial") and given:
                bound = [child for child in given[1:] if child.type != "keyword_argument"]
                return UNKNOWN if bound else self._values.of(given[0], scope)
            if option.path in _MAPPINGS:
                return self._mapping(option.path, given, scope)
            if option.path in _COPIERS and given:
                # A copy of the environment's own object writes to the process as that does.
                return self._values.of(given[0], scope)
            if option.path[:2] == ("os", "path") and option.path[-1] in _PATH_CHANGES and given:
                value = self._values.of(given[0], scope)
                return value if value == UNKNOWN else Changed(option.path[-1], value)
            if self._values.is_class(option.path):
                return Instance(option.path, self._handed(given, scope))
        return UNKNOWN

    def _mapping(self, kind: Path, given: list[Node], scope: Scope) -> Expression:
        """Lower a mapping made of others: changes to a chain of them go to the first."""
        inside = [self._values.mapping(self._values.of(child, scope)) for child in given]
        if kind == _CHAIN and inside and inside[0] is not None:
            return Reference(inside[0])
        return Reference(api.COPY) if any(inside) else UNKNOWN

    def _handed(self, given: list[Node], scope: Scope) -> tuple[Argument, ...] | None:
        """Give what an object is made with, if any of it can be told."""
        found: list[Argument] = []
        for child in given if len(given) <= _HANDED else ():
            if child.type in _SPLATS:
                return None
            name = child.child_by_field_name("name") if child.type == "keyword_argument" else None
            keyword = text(name, self.source) if name is not None else ""
            found.append(Argument(keyword, self._values.of(child, scope)))
        return tuple(found) if any(each.value != UNKNOWN for each in found) else None

    def _returned(self, function: int, given: list[Node], scope: Scope) -> Expression:
        """Give what a function of this file returns, with its parameters replaced by the arguments."""
        if function not in self._returns:
            self._returns[function] = UNKNOWN
            self._returns[function] = self._return_value(self._values.registry.functions[function])
        value = self._returns[function]
        if value == UNKNOWN:
            return UNKNOWN
        bound: dict[int, Expression] = {}
        for position, child in enumerate(given):
            keyword = child.child_by_field_name("name") if child.type == "keyword_argument" else None
            for each in self._values.registry.parameters(function):
                if each.path == ("**",):
                    continue
                name = text(each.name, self.source)
                if name == text(keyword, self.source) if keyword is not None else each.index == position:
                    bound[each.index] = self._values.of(child, scope)
        return replaced(value, function, bound)

    def _return_value(self, function: Scope) -> Expression:
        found: list[Expression] = []
        body = function.node.child_by_field_name("body")
        if body is None or function.node.type == "lambda":
            return self._if_telling(self._values.of(body, function))
        offsets = occurrences(self.source, b"return", body.start_byte, body.end_byte)
        for offset in offsets if len(offsets) <= _RETURNS else ():
            chain = self._values.scopes.chain(offset)
            if chain[-2].type == "return_statement" and self._values.scopes.scope_at(chain) is function:
                inner = parts(chain[-2])
                found.append(self._values.of(inner[0], function) if inner else UNKNOWN)
        return self._if_telling(any_of(found))

    def _if_telling(self, value: Expression) -> Expression:
        """Only what leads to levers or to the environment is worth carrying on."""
        if any(isinstance(option, Instance) for option in self._values.options(value)):
            return value
        return value if relevance.matters(value, self._values) else UNKNOWN

    def _module(self, node: Node, scope: Scope) -> Expression:
        name = self._values.text_of(self._values.of(node, scope))
        return Reference(tuple(name.value.split("."))) if name and name.value else UNKNOWN

    def _parent(self, scope: Scope) -> Expression:
        at: Scope | None = scope
        while at is not None and at.kind != "class":
            at = at.parent
        bases = self._values.registry.bases(at, self._values) if at is not None else ()
        return Instance(bases[0]) if bases else UNKNOWN
