"""What an expression of the source stands for, in the vocabulary of facts.

Local variables are replaced by what they hold; names of module and class scope stay
references, and what they were defined as is noted on the way.
"""

from collections.abc import Iterator

from tree_sitter import Node

from leverlint.facts import (
    UNKNOWN,
    AnyOf,
    Attribute,
    Definition,
    Element,
    Expression,
    FunctionValue,
    Instance,
    Item,
    Items,
    Parameter,
    Path,
    Reference,
    Text,
    Vocabulary,
)
from leverlint.languages.python import api, relevance, texts
from leverlint.languages.python.alternatives import any_of
from leverlint.languages.python.bindings import Binding, parts
from leverlint.languages.python.environments import Environments
from leverlint.languages.python.flow import reaching
from leverlint.languages.python.patches import FIXTURES
from leverlint.languages.python.registry import BUILTINS, Registry
from leverlint.languages.python.results import Results
from leverlint.languages.python.scopes import Found, Scope, Scopes
from leverlint.languages.python.sequences import Sequences
from leverlint.languages.syntax import text

_DEEPEST = 40
_STEPS = 5000
"""Steps in finding out what one value may be; real ones take a few, but a list may be made of lists."""
_TAKEN = 8
"""How many sequences an item may be taken out of, one inside of the other."""


class Values:
    """Lowers the expressions of one file."""

    def __init__(self, scopes: Scopes, vocabulary: Vocabulary) -> None:
        self.scopes = scopes
        self.source = scopes.source
        self.vocabulary = vocabulary
        self.registry = Registry(scopes)
        self.sequences = Sequences(self)
        self.results = Results(self)
        self.definitions: dict[Path, Definition] = {}
        self.environments = Environments(self)
        self.knowledge = 0
        """Grows whenever something was learnt that may change what values are."""
        self._working: set[object] = set()
        self._undefined: set[Path] = set()
        self._locals: dict[tuple[int | str, ...], Expression] = {}

    # --- Expressions ----------------------------------------------------------------------

    def of(self, node: Node | None, scope: Scope) -> Expression:
        """Lower one expression, as it is evaluated in `scope`."""
        if node is None or len(self._working) > _DEEPEST:
            return UNKNOWN
        key = (node.id, id(scope))
        if key in self._working:
            return UNKNOWN
        self._working.add(key)
        try:
            return self._of(node, scope)
        finally:
            self._working.discard(key)

    def _of(self, node: Node, scope: Scope) -> Expression:
        match node.type:
            case "identifier":
                return self.name(text(node, self.source), scope, node.start_byte)
            case "attribute":
                name = node.child_by_field_name("attribute")
                owner = self.of(node.child_by_field_name("object"), scope)
                return self.attribute(owner, text(name, self.source)) if name else UNKNOWN
            case "string":
                return texts.literal(node, self.source, lambda inner: self.of(inner, scope))
            case "concatenated_string":
                pieces = [self.of(child, scope) for child in parts(node)]
                return texts.joined(pieces, texts.span(node))
            case "call":
                return self.results.of(node, scope)
            case "binary_operator":
                return self._operated(node, scope)
            case "boolean_operator":
                return self._either(node, scope)
            case "conditional_expression":
                arms = parts(node)
                return any_of([self.of(arms[0], scope), self.of(arms[-1], scope)])
            case "parenthesized_expression" | "await":
                inner = parts(node)
                return self.of(inner[0], scope) if inner else UNKNOWN
            case "named_expression" | "keyword_argument":
                return self.of(node.child_by_field_name("value"), scope)
            case "lambda":
                return FunctionValue(self.registry.index(self.scopes.scope_of(node, scope)))
            case "subscript":
                return self._subscript(node, scope)
            case kind:
                return self.sequences.display(node, kind, scope)

    def _either(self, node: Node, scope: Scope) -> Expression:
        left, right = (self.of(node.child_by_field_name(side), scope) for side in ("left", "right"))
        operator = node.child_by_field_name("operator")
        return right if operator is not None and operator.type == "and" else any_of([left, right])

    def _operated(self, node: Node, scope: Scope) -> Expression:
        operator = node.child_by_field_name("operator")
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        sign = operator.type if operator is not None else ""
        if left is None or right is None:
            return UNKNOWN
        if sign == "%":
            template = self.text_of(self.of(left, scope))
            if template is None:
                return UNKNOWN
            return texts.percent(template, right, lambda inner: self.of(inner, scope))
        if sign == "|":
            sides = (self.of(left, scope), self.of(right, scope))
            return Reference(api.COPY) if any(map(self.mapping, sides)) else UNKNOWN
        return self._sum(node, scope) if sign == "+" else UNKNOWN

    def _sum(self, node: Node, scope: Scope) -> Expression:
        operands: list[Node] = []
        at: Node | None = node
        while at is not None and at.type == "binary_operator" and len(operands) < 100:
            right = at.child_by_field_name("right")
            operands.extend([right] if right is not None else [])
            at = at.child_by_field_name("left")
        operands.extend([at] if at is not None else [])
        values = [self.of(operand, scope) for operand in reversed(operands)]
        if all(value == UNKNOWN for value in values):
            return UNKNOWN
        resolved = [self.dereference(value) for value in values]
        if any(isinstance(value, Items) for value in resolved):
            items = [
                item
                for value in resolved
                for item in (value.items if isinstance(value, Items) else (UNKNOWN,))
            ]
            return Items(tuple(items))
        return texts.joined(values, texts.span(node))

    def _subscript(self, node: Node, scope: Scope) -> Expression:
        owner = node.child_by_field_name("value")
        keys = [child for child in node.children_by_field_name("subscript") if child.type != "comment"]
        if owner is None or len(keys) != 1:
            return UNKNOWN
        if (values := self.sequences.values(owner, scope)) is not None:
            return values
        value = self.of(owner, scope)
        if (named := self.in_namespace(value, keys[0], scope)) is not None:
            return named
        if keys[0].type == "integer" and value != UNKNOWN:
            digits = text(keys[0], self.source)
            return self.item(value, int(digits)) if digits.isdecimal() else UNKNOWN
        return UNKNOWN

    def in_namespace(self, owner: Expression, key: Node, scope: Scope) -> Expression | None:
        """Give what `vars(module)["name"]` and `sys.modules["module"]` stand for."""
        if not isinstance(owner, Reference) or owner.path[-1] not in ("__dict__", "modules"):
            return None
        name = self.text_of(self.of(key, scope))
        if name is None:
            return None
        if owner.path == ("sys", "modules"):
            return Reference(tuple(name.value.split(".")))
        return self.attribute(Reference(owner.path[:-1]), name.value) if len(owner.path) > 1 else None

    def item(self, sequence: Expression, index: int) -> Expression:
        """Give what stands at a fixed position."""
        if isinstance(sequence, Items):
            return sequence.items[index] if index < len(sequence.items) else UNKNOWN
        return UNKNOWN if sequence == UNKNOWN else Item(sequence, index)

    # --- Names ----------------------------------------------------------------------------

    def name(self, name: str, scope: Scope, use: int = -1) -> Expression:
        """Give what a name stands for where it is used, as far as the place tells."""
        found = self.scopes.lookup(name, scope)
        if found is None:
            return self._from_star(name)
        bindings = found.bindings
        if use >= 0 and len(bindings) > 1 and _surrounding(scope) is found.scope:
            bindings = reaching(bindings, use)
        if all(binding.kind == "import" for binding in bindings):
            return any_of([Reference(binding.path) for binding in bindings])
        if found.scope.kind in ("module", "class") and len(bindings) == len(found.bindings):
            return Reference((".", *found.scope.path, name))
        return self._local(name, Found(found.scope, bindings))

    def _local(self, name: str, found: Found) -> Expression:
        places = [binding.name.start_byte for binding in found.bindings[:65]]
        key: tuple[int | str, ...] = (found.scope.node.id, name, *places)
        if key in self._locals:
            return self._locals[key]
        if key in self._working:
            return UNKNOWN
        self._working.add(key)
        try:
            filled = self.environments.of_local(found.scope, name)
            value = any_of([self._bound(found.bindings, found.scope), *filled])
        finally:
            self._working.discard(key)
        self._locals[key] = value
        return value

    def forget_locals(self) -> None:
        """Have local variables looked at again, now that more is known about parameters."""
        self.knowledge += 1
        self._locals.clear()

    def _from_star(self, name: str) -> Expression:
        targets = self.registry.stars()
        if ("os",) in targets and name in api.STAR_NAMES:
            return Reference(("os", name))
        return Reference((".", name)) if targets and name not in BUILTINS else UNKNOWN

    def _bound(self, bindings: list[Binding], scope: Scope) -> Expression:
        telling = [binding for binding in bindings if binding.kind != "declared"]
        return any_of([self.binding(binding, scope) for binding in telling])

    def binding(self, binding: Binding, scope: Scope) -> Expression:
        """Give what one binding puts under its name; `scope` is where the name lives."""
        match binding.kind:
            case "value" if binding.scope is not None:
                value = self.of(binding.node, binding.scope)
                for position in binding.positions:
                    value = self.item(self.dereference(value), position)
                return value
            case "element" if binding.scope is not None:
                return self.sequences.element(binding.node, binding.scope, binding.positions)
            case "import":
                return Reference(binding.path)
            case "function" if binding.node is not None:
                return FunctionValue(self.registry.index(self.scopes.scope_of(binding.node, scope)))
            case "class":
                return Reference((".", *scope.path, text(binding.name, self.source)))
            case "parameter":
                return self._parameter(binding, scope)
            case "receiver" if scope.parent is not None:
                path = (".", *scope.parent.path)
                return Reference(path) if text(binding.name, self.source) == "cls" else Instance(path)
        return UNKNOWN

    def _parameter(self, binding: Binding, scope: Scope) -> Expression:
        function = self.registry.index(scope)
        parameter = Parameter(function, binding.index)
        default = binding.node.child_by_field_name("value") if binding.node is not None else None
        options: list[Expression] = [parameter]
        if default is not None and binding.scope is not None:
            given = self.of(default, binding.scope)
            options.extend([given] if self.matters(given) else [])
        return any_of([*options, *self.environments.of_parameter(function, binding.index)])

    # --- Members and definitions ------------------------------------------------------------

    def attribute(self, owner: Expression, name: str, seen: frozenset[Path] = frozenset()) -> Expression:
        """Give what an attribute of something stands for."""
        match owner:
            case AnyOf(options):
                known = [self.attribute(option, name, seen) for option in options]
                return any_of([value for value in known if value != UNKNOWN])
            case Reference(path) if path[0] == "." and self.registry.class_at(path[1:]) is None:
                value = None if path in seen else self.definition(path[1:])
                if value is None:
                    return UNKNOWN if path in seen else Reference((*path, name))
                if isinstance(value, Instance) and value.arguments:
                    return Reference((*path, name))
                if isinstance(value, Reference | Instance | AnyOf):
                    return self.attribute(value, name, seen | {path})
                if name == "name" and self.registry.is_enumeration(path[1:-1], self):
                    return Text(path[-1], self.definitions[path[1:]].span)
                return owner if name == "value" else UNKNOWN
            case Instance(_, arguments) if arguments:
                return Attribute(owner, name)
            case Reference(path) | Instance(path, _):
                return Reference((*path, name)) if len(path) < 32 else UNKNOWN
            case Parameter(function, index):
                kind = self.registry.annotation(function, index, self)
                kind = kind or FIXTURES.get(self.registry.parameter_name(function, index))
                return Reference((*kind, name)) if kind else Attribute(owner, name)
            case Element() | Item() | Attribute():
                return Attribute(owner, name)
        return UNKNOWN

    def definition(self, path: Path) -> Expression | None:
        """Give what a name of module or class scope was defined as, noting it as a fact."""
        (self.scopes.wanted if len(path) == 1 else self.scopes.members).add(path[-1])
        if path in self.definitions:
            return self.definitions[path].value
        if path in self._working or path in self._undefined or not path:
            return None
        self._working.add(path)
        try:
            value = self._define(path)
        finally:
            self._working.discard(path)
        if value is None:
            self._undefined.add(path)
        return value

    def _define(self, path: Path) -> Expression | None:
        scope = self.scopes.module if len(path) == 1 else self.registry.class_at(path[:-1])
        if scope is None:
            return None
        bindings = [each for each in self.scopes.names(scope).get(path[-1], []) if each.kind != "declared"]
        if bindings and bindings[0].kind == "class" and len(bindings) == 1:
            return None
        values = [self.binding(binding, scope) for binding in bindings]
        where = [binding.name for binding in bindings]
        field = self.registry.field(scope, path[-1]) if scope.kind == "class" else None
        if field is not None:
            constructor, parameter = field
            values.insert(0, Parameter(constructor, parameter.index))
            where.insert(0, parameter.name)
        if scope.kind == "class" and not bindings:
            for target, value, method in self.registry.instance_values(scope, path[-1]):
                values.append(self.of(value, method))
                where.append(target)
        if not values:
            return None
        values.extend(self.environments.of_member(path))
        imported = all(binding.kind == "import" for binding in bindings) and bool(bindings)
        definition = Definition(path, any_of(values), texts.span(where[0]), imported)
        self.definitions[path] = definition
        return definition.value

    def is_class(self, path: Path) -> bool:
        """Say whether calling what a path leads to makes an object of that class."""
        if path[0] == ".":
            return self.registry.class_at(path[1:]) is not None
        return path[-1].lstrip("_")[:1].isupper() and path not in api.API

    # --- Looking through names ---------------------------------------------------------------

    def options(self, value: Expression) -> Iterator[Expression]:
        """Give everything that a value may be, as far as this file tells."""
        return self._options(value, set(), frozenset(), [_STEPS])

    def _options(
        self, value: Expression, seen: set[Expression], taking: frozenset[Expression], left: list[int]
    ) -> Iterator[Expression]:
        """Give what a value may be beyond what was `seen`; a list may be made of its own items."""
        left[0] -= 1
        if left[0] < 0:
            return
        if isinstance(value, AnyOf):
            for option in value.options:
                yield from self._options(option, seen, taking, left)
        elif isinstance(value, Reference) and value.path[0] == ".":
            if value in seen:
                return
            inner = self._member(value.path[1:]) or self._of_object(value.path)
            if inner is None:
                yield value
            else:
                seen.add(value)
                yield from self._options(inner, seen, taking, left)
        elif isinstance(value, Attribute):
            for owner in self._options(value.owner, set(), taking, left):
                if isinstance(owner, Instance):
                    yield from self._options(Reference((*owner.path, value.name)), seen, taking, left)
            yield value
        elif isinstance(value, Element | Item):
            if value not in seen and value not in taking and len(taking) < _TAKEN:
                seen.add(value)
                yield from self._taken(value, seen, taking | {value}, left)
        else:
            yield value

    def _member(self, path: Path) -> Expression | None:
        """Look a definition up, through the bases that this file defines."""
        value = self.definition(path)
        seen = 0
        while value is None and len(path) > 1 and seen < 16:
            scope = self.registry.class_at(path[:-1])
            bases = self.registry.bases(scope, self) if scope is not None else ()
            if not bases or bases[0][0] != ".":
                return None
            path = (*bases[0][1:], path[-1])
            value = self.definition(path)
            seen += 1
        return value

    def _of_object(self, path: Path) -> Expression | None:
        """Give what a member of an object that is made and named here stands for in its class."""
        owner = self.definition(path[1:-1]) if len(path) > 2 else None
        return Reference((*owner.path, path[-1])) if isinstance(owner, Instance) else None

    def _taken(
        self, value: Element | Item, seen: set[Expression], taking: frozenset[Expression], left: list[int]
    ) -> Iterator[Expression]:
        for sequence in self._options(value.sequence, set(), taking, left):
            if not isinstance(sequence, Items):
                yield value
            elif isinstance(value, Element):
                for item in sequence.items:
                    yield from self._options(item, seen, taking, left)
            elif value.index < len(sequence.items):
                yield from self._options(sequence.items[value.index], seen, taking, left)

    def dereference(self, value: Expression) -> Expression:
        """Follow a name of this file to the one thing that it stands for."""
        options = list(self.options(value))
        return options[0] if len(options) == 1 else value

    def text_of(self, value: Expression) -> Text | None:
        found = self.dereference(value)
        return found if isinstance(found, Text) else None

    def mapping(self, value: Expression) -> Path | None:
        """Give the environment, or the copy of it, that a value may be."""
        for option in self.options(value):
            if isinstance(option, Reference) and option.path in api.MAPPINGS:
                return option.path
        return None

    def matters(self, value: Expression) -> bool:
        """Say whether code that uses a value must be looked at."""
        return relevance.matters(value, self)


def _surrounding(scope: Scope) -> Scope:
    """Give the scope whose statements a name is used among."""
    while scope.kind == "comprehension" and scope.parent is not None:
        scope = scope.parent
    return scope
