"""Recording the calls, subscripts and operators that may touch the environment."""

from collections.abc import Callable
from typing import NamedTuple, TypeGuard

from tree_sitter import Node

from leverlint.facts import (
    UNKNOWN,
    AnyOf,
    Argument,
    Attribute,
    Element,
    Expression,
    FunctionValue,
    Instance,
    Items,
    Parameter,
    Path,
    Reference,
    Span,
    Text,
)
from leverlint.languages.python import api, prefixes, relevance, texts
from leverlint.languages.python.bindings import Binding, parts
from leverlint.languages.python.copies import open_walk, stored_before
from leverlint.languages.python.parameters import parameters_in
from leverlint.languages.python.patches import ENVIRONMENT, patches
from leverlint.languages.python.scopes import Scope
from leverlint.languages.python.values import Values
from leverlint.languages.syntax import text

Callee = Path | Parameter | FunctionValue

_SPLATS = frozenset({"list_splat", "dictionary_splat"})
_ITERATING = frozenset({"list", "sorted", "tuple", "set", "frozenset", "iter", "reversed", "enumerate"})
_NAMED_ON_INSTANCE = frozenset(
    {"__init__", "__new__", "__set_name__", "__call__", "__getitem__", "__getattr__"}
)
_DECLARING = tuple(keyword.encode() for keyword in (*api.DECLARED, *api.PREFIXES))


def path_of(callee: Callee | None) -> Path | None:
    """Give the path of a callee that is named by one; facts are tuples themselves."""
    return None if callee is None or isinstance(callee, Parameter | FunctionValue) else callee


class Recorded(NamedTuple):
    chain: list[Node]
    """From the module down to the node that the call is."""
    scope: Scope
    callee: Callee
    arguments: tuple[Argument, ...]
    span: Span
    declared: bool = False
    """Said, not done: the value is read when an object is made, wherever this stands."""
    receiver: Expression | None = None
    """See `Call.receiver`."""


class Calls:
    def __init__(self, values: Values) -> None:
        self.values = values
        self.source = values.source
        self.recorded: dict[tuple[Span, Callee, tuple[Argument, ...]], Recorded] = {}
        self._considered: set[tuple[int, int]] = set()
        self._worthy: dict[tuple[int, int], bool] = {}
        self.learn: Callable[[str, Span], None] = lambda name, where: None

    # --- Calls ----------------------------------------------------------------------------

    def call(self, chain: list[Node], scope: Scope, below: list[Node]) -> None:
        node = chain[-1]
        function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        if function is None or arguments is None:
            return
        # Most calls around an occurrence merely pass on what something inside of them gave.
        if below[0] == arguments and not self._worth(below, scope):
            return
        key = (node.id, self.values.knowledge)
        if key in self._considered:
            return
        self._considered.add(key)
        given = self.arguments(arguments, scope)
        if any(relevance.has_lever(each.value, self.values) for each in given):
            self.walk_of(function.child_by_field_name("object"), scope)
        value = self.values.of(function, scope)
        callee = self.callee(value)
        if self._declared_keywords(chain, scope, given) or self._special(
            chain, scope, function, callee, given
        ):
            return
        path = path_of(callee)
        for patch in patches(path, given, self.values):
            self.touch(chain, scope, *patch)
            return
        if path is not None and path in api.API:
            self.touch(chain, scope, path, prefixes.applied(chain, scope, path, given, self.values))
        elif self.values.mapping(self.values.of(node, scope)):
            return
        elif not self._handed_on(chain, scope, callee, given) and self._matters(callee, value, given):
            self._mark_environments(callee, given)
            bound = given[self._objects(function, path, scope) :]
            self.record(chain, scope, callee, bound, receiver=self.receiver(value, callee))

    def _worth(self, below: list[Node], scope: Scope) -> bool:
        """Say whether the argument that an occurrence stands in gives the call a meaning."""
        argument = below[1] if len(below) > 1 and below[0].type == "argument_list" else below[0]
        if self.source.startswith(_DECLARING, argument.start_byte):
            return True
        if self.source.startswith(ENVIRONMENT, argument.start_byte + 1):
            return True
        key = (argument.id, self.values.knowledge)
        if key not in self._worthy:
            inner = argument.named_children[0] if argument.type in _SPLATS else argument
            self._worthy[key] = self.values.matters(self.values.of(inner, scope))
        return self._worthy[key]

    def _matters(
        self, callee: Callee | None, value: Expression, given: tuple[Argument, ...]
    ) -> TypeGuard[Callee]:
        if callee is None:
            return False
        if callee[0] == "" and callee[1] not in api.METHODS:
            return relevance.reads(value, self.values)
        return relevance.reads(value, self.values) or any(self.values.matters(each.value) for each in given)

    def callee(self, value: Expression) -> Callee | None:
        """Give what a call leads to: the environment API if it may be that, else the name as written."""
        for option in self.values.options(value):
            if isinstance(option, Reference) and option.path in api.API:
                return option.path
            if isinstance(option, Instance) and option.path in relevance.READERS:
                return (*option.path, "__call__")
        for option in value.options if isinstance(value, AnyOf) else (value,):
            if isinstance(option, Attribute):
                return self._of_object(option)
            if isinstance(option, Reference):
                return self._through_instance(option)
            if isinstance(option, Instance):
                return (*option.path, "__call__")
            if isinstance(option, FunctionValue | Parameter):
                return option
        return None

    def _of_object(self, member: Attribute) -> Callee | None:
        """Give a method of an object without a name: by its class, or open, for callers to tell."""
        for owner in self.values.options(member.owner):
            if isinstance(owner, Instance):
                return self._through_instance(Reference((*owner.path, member.name)))
        return ("", member.name)

    def _through_instance(self, reference: Reference) -> Callee | None:
        value = self.values.dereference(reference)
        if isinstance(value, Instance):
            return (*value.path, "__call__")
        if isinstance(value, Text | Items):
            return None
        if (
            isinstance(value, FunctionValue)
            and self.values.registry.functions[value.function].node.type == "lambda"
        ):
            return reference.path
        return value.path if isinstance(value, Reference) else reference.path

    def _objects(self, function: Node, path: Path | None, scope: Scope) -> int:
        """Count the arguments that are the object: one of `Class.method(x, …)`."""
        owner = function.child_by_field_name("object")
        if owner is None or path is None or len(path) < 3:
            return 0
        if not isinstance(self.values.of(owner, scope), Reference):
            return 0
        if path[-1] == "__init__" or path[0] != ".":
            return int(path[-1] == "__init__")
        method = self.values.dereference(Reference(path))
        if not isinstance(method, FunctionValue) or self.values.registry.class_at(path[1:-1]) is None:
            return 0
        return int(self.values.registry.takes_object(method.function))

    def receiver(self, value: Expression, callee: Callee) -> Expression | None:
        """Give the object whose method a callee is, where no name says which."""
        for option in value.options if isinstance(value, AnyOf) else (value,):
            if isinstance(option, Attribute):
                return option.owner
            # An object that is called itself, and one whose class the callee names in its place.
            for each in (option, Reference(option.path[:-1]) if isinstance(option, Reference) else option):
                if isinstance(each, Reference | Instance) and self._is_made(each):
                    return None if callee == option.path else each  # type: ignore[union-attr]
        return None

    def _is_made(self, value: Reference | Instance) -> bool:
        """Say whether a value is an object of which it is known what it was made with."""
        if isinstance(value, Reference) and len(value.path) < 2:
            return False
        made = self.values.dereference(value)
        return isinstance(made, Instance) and bool(made.arguments)

    def arguments(self, node: Node, scope: Scope) -> tuple[Argument, ...]:
        if node.type != "argument_list":
            return (Argument("", self.values.of(node, scope)),)
        found: list[Argument] = []
        for child in parts(node):
            if child.type == "keyword_argument":
                name = child.child_by_field_name("name")
                value = self.values.of(child.child_by_field_name("value"), scope)
                found.append(Argument(text(name, self.source) if name is not None else "", value))
            elif child.type == "list_splat":
                found.append(Argument("*", self.values.of(child.named_children[0], scope)))
            elif child.type == "dictionary_splat":
                found.append(Argument("**", self.values.of(child.named_children[0], scope)))
            else:
                found.append(Argument("", self.values.of(child, scope)))
        return tuple(found)

    def touch(self, chain: list[Node], scope: Scope, path: Path, given: tuple[Argument, ...]) -> None:
        """Record a use of the API; `update({…}, NAME=…)` once for every name."""
        if path[-1] in ("keys",) and len(chain) > 1 and chain[-2].type == "comparison_operator":
            return
        if path[:-1] == api.COPY and self._is_stored(chain, scope, given):
            return
        if path[-1] != "update":
            self.record(chain, scope, path, given)
            return
        for keyword, value in given:
            names: tuple[Expression, ...] = self.values.sequences.keys(value) or (UNKNOWN,)
            if keyword not in ("", "*", "**"):
                names = (Text(keyword, texts.span(chain[-1])),)
            for name in names:
                self.record(chain, scope, path, (Argument("", name),))

    def _is_stored(self, chain: list[Node], scope: Scope, given: tuple[Argument, ...]) -> bool:
        """Say whether a lookup in a copy of the environment finds what this code put there."""
        function = chain[-1].child_by_field_name("function")
        owner = function.child_by_field_name("object") if function is not None else None
        return (
            owner is not None
            and bool(given)
            and stored_before(chain, owner, given[0].value, scope, self.values)
        )

    # --- Calls of calls -------------------------------------------------------------------

    def _special(
        self,
        chain: list[Node],
        scope: Scope,
        function: Node,
        callee: Callee | None,
        given: tuple[Argument, ...],
    ) -> bool:
        positional = [argument.value for argument in given if not argument.keyword]
        if callee == ("functools", "partial") and positional:
            bound = self.callee(positional[0])
            if len(positional) > 1 and bound is not None and self.values.matters(positional[0]):
                self.record(chain, scope, bound, given[1:])
            return len(positional) == 1 or self.values.matters(positional[0])
        if function.type == "identifier" and callee is None and positional:
            name = text(function, self.source)
            if name in ("map", "filter") and len(positional) > 1:
                return self._mapped(chain, scope, positional)
            if name in _ITERATING and chain[-2].type not in ("for_statement", "for_in_clause"):
                self._walked(chain, scope, positional[0])
        attribute = function.child_by_field_name("attribute")
        method = text(attribute, self.source) if attribute is not None else ""
        if method in ("substitute", "safe_substitute"):
            return self._substituted(chain, scope, function, given)
        if method in api.PREFIXES and given:
            self.record(chain, scope, api.PREFIXES[method], given[:1], declared=True)
            return True
        return False

    def _mapped(self, chain: list[Node], scope: Scope, positional: list[Expression]) -> bool:
        applied = self.callee(positional[0])
        if applied is not None and relevance.matters(positional[0], self.values):
            self.record(chain, scope, applied, (Argument("", Element(positional[1])),))
            return True
        self._walked(chain, scope, positional[1])
        return False

    def _walked(self, chain: list[Node], scope: Scope, value: Expression) -> None:
        mapping = self.values.mapping(value)
        if mapping is not None:
            self.record(chain, scope, (*mapping, "__iter__"), ())

    def _substituted(
        self, chain: list[Node], scope: Scope, function: Node, given: tuple[Argument, ...]
    ) -> bool:
        if not any(self.values.mapping(argument.value) for argument in given):
            return False
        owner = function.child_by_field_name("object")
        if owner is not None and owner.type == "identifier":
            found = self.values.scopes.lookup(text(owner, self.source), scope)
            if found is not None and len(found.bindings) == 1 and found.bindings[0].kind == "value":
                owner, scope = found.bindings[0].node, found.bindings[0].scope or scope
        if owner is None or owner.type != "call":
            return False
        template, arguments = owner.child_by_field_name("function"), owner.child_by_field_name("arguments")
        if self.values.of(template, scope) != Reference(api.TEMPLATE[:-1]) or arguments is None:
            return False
        self.record(chain, scope, api.TEMPLATE, self.arguments(arguments, scope)[:1])
        return True

    def _handed_on(
        self, chain: list[Node], scope: Scope, callee: Callee | None, given: tuple[Argument, ...]
    ) -> bool:
        """Record `submit(os.environ.pop, NAME)`: a function of the API handed on with its arguments."""
        outer = path_of(callee)
        if callee is not None and (outer is None or outer[0] == "."):
            return False
        for position, argument in enumerate(given):
            target = path_of(self.callee(argument.value))
            if target is not None and target in api.API:
                rest = [each for each in given[position + 1 :] if not each.keyword]
                if argument.keyword == "target":
                    bundled = [each.value for each in given if each.keyword == "args"]
                    rest = [
                        Argument("", item)
                        for each in bundled
                        if isinstance(each, Items)
                        for item in each.items
                    ]
                if rest:
                    self.record(chain, scope, target, tuple(rest))
                    return True
        return False

    def _declared_keywords(self, chain: list[Node], scope: Scope, given: tuple[Argument, ...]) -> bool:
        found = False
        for argument in given:
            walk = api.PREFIXES.get(argument.keyword)
            if walk is not None:
                self.record(chain, scope, walk, (Argument("", argument.value),), declared=True)
            path = api.DECLARED.get(argument.keyword)
            if path is not None and relevance.may_name_lever(argument.value, self.values):
                self.record(chain, scope, path, (Argument("", argument.value),), declared=True)
                found = True
        return found

    def walk_of(self, name: Node | None, scope: Scope) -> None:
        """Record the walk over what callers hand over that gives a name which is tested for a prefix."""
        walk = open_walk(name, scope, self.values)
        if walk is not None:
            chain = self.values.scopes.chain(walk.node.start_byte)
            while chain and chain[-1] != walk.node:
                chain.pop()
            if chain:
                self.record(chain, walk.scope, ("", walk.method), (), receiver=walk.owner)

    # --- What follows from a record -----------------------------------------------------------

    def record(
        self,
        chain: list[Node],
        scope: Scope,
        callee: Callee,
        arguments: tuple[Argument, ...],
        span: Span | None = None,
        declared: bool = False,
        receiver: Expression | None = None,
    ) -> None:
        where = span or texts.span(chain[-1])
        key = (where, callee, arguments)
        if key in self.recorded:
            return
        self.recorded[key] = Recorded(chain, scope, callee, arguments, where, declared, receiver)
        for function in self._reaching(callee, arguments, receiver):
            self.mark(function)

    def _reaching(
        self, callee: Callee, arguments: tuple[Argument, ...], receiver: Expression | None
    ) -> list[int]:
        """Give the functions whose parameters this call turns into a name."""
        path = path_of(callee)
        known = api.API.get(path) if path is not None else None
        values = [argument.value for argument in arguments]
        if known is not None:
            named = [argument.value for argument in arguments if argument.keyword == known.keyword != ""]
            positional = [argument.value for argument in arguments if not argument.keyword]
            values = named or positional[max(known.name, 0) : known.name + 1]
        elif isinstance(callee, Parameter):
            values.append(callee)
        elif path is not None and path[0] == "":
            values.extend([receiver] if receiver is not None else [])
        elif not self._is_wrapper(callee):
            return []
        return [each.function for value in values for each in parameters_in(value, self.values)]

    def _is_wrapper(self, callee: Path | FunctionValue) -> bool:
        value = callee if isinstance(callee, FunctionValue) else Reference(callee)
        return relevance.reads(value, self.values)

    def mark(self, function: int) -> None:
        """Take a function for a wrapper, and have its uses looked at."""
        registry = self.values.registry
        if function in registry.wrappers:
            return
        registry.wrappers.add(function)
        self.values.forget_locals()
        scope = registry.functions[function]
        parent = scope.parent
        if scope.node.type == "lambda" or parent is None:
            return
        everywhere = Span(0, len(self.source))
        if parent.kind == "class" and scope.path[-1] in _NAMED_ON_INSTANCE:
            self.mark_class(parent)
        elif parent.kind == "function":
            self.learn(scope.path[-1], texts.span(parent.node))
        else:
            self.learn(scope.path[-1], everywhere)

    def mark_class(self, scope: Scope) -> None:
        """Take a class for one whose objects read the name that they were made with."""
        if scope.path not in self.values.registry.wrapper_classes:
            self.values.registry.class_at(scope.path)
            self.values.registry.wrapper_classes.add(scope.path)
            self.learn(scope.path[-1], Span(0, len(self.source)))

    def subclass(self, scope: Scope) -> None:
        """A class made from a reading class reads as well."""
        for base in self.values.registry.bases(scope, self.values):
            if relevance.is_wrapper(Reference(base), self.values):
                self.mark_class(scope)
                # A constructor of its own says what that of the base is given.
                if self.values.definition((*scope.path, "__init__")) is not None:
                    self.learn("__init__", texts.span(scope.node))

    def _mark_environments(self, callee: Callee, given: tuple[Argument, ...]) -> None:
        """Note which parameters of a function of this file are handed the environment."""
        if not any(self.values.mapping(argument.value) for argument in given):
            return
        target = callee if isinstance(callee, FunctionValue) else None
        path = path_of(callee)
        if path is not None and path[0] == ".":
            found = self.values.dereference(Reference(path))
            target = found if isinstance(found, FunctionValue) else None
        if target is None:
            return
        for position, argument in enumerate(given):
            mapping = self.values.mapping(argument.value)
            if mapping is None:
                continue
            for each in self.values.registry.parameters(target.function):
                if each.path != ("**",) and (argument.keyword or position) in (
                    text(each.name, self.source),
                    each.index,
                ):
                    self._hand(target.function, each, mapping)

    def _hand(self, function: int, parameter: Binding, mapping: Path) -> None:
        if self.values.environments.hand(function, parameter.index, mapping):
            around = self.values.registry.functions[function].node
            self.learn(text(parameter.name, self.source), texts.span(around))
