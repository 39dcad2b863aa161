"""The functions and classes of a file that turned out to matter, by number and by path."""

import builtins
from collections.abc import Iterator
from typing import TYPE_CHECKING

from tree_sitter import Node

from leverlint.facts import Class, Function, Path, Reference, Span
from leverlint.languages.python.bindings import Binding, parameters, parts
from leverlint.languages.python.imports import module_of
from leverlint.languages.python.scopes import Scope, Scopes
from leverlint.languages.syntax import occurrences, text

if TYPE_CHECKING:
    from leverlint.languages.python.values import Values

BUILTINS = frozenset(dir(builtins))
_ENUMERATIONS = frozenset({"Enum", "IntEnum", "StrEnum"})
_DATA_BASES = frozenset({"NamedTuple", "BaseModel", "Struct"})
_DATA_DECORATORS = frozenset({"dataclass", "define", "frozen", "attrs", "attr"})
MEMOISERS = frozenset({"lru_cache", "cache", "cached_property", "memoize", "cached"})


class Registry:
    def __init__(self, scopes: Scopes) -> None:
        self.scopes = scopes
        self.source = scopes.source
        self.functions: list[Scope] = []
        self.wrappers: set[int] = set()
        """Functions one of whose parameters reaches a read, or is called with a name."""
        self.wrapper_classes: set[Path] = set()
        """Classes whose objects read a name that they were made with."""
        self._indices: dict[int, int] = {}
        self._parameters: dict[int, list[Binding]] = {}
        self._classes: dict[Path, Scope | None] = {}
        self._bases: dict[Path, tuple[Path, ...]] = {}
        self._stars: list[Path] | None = None

    # --- Functions ------------------------------------------------------------------------

    def index(self, scope: Scope) -> int:
        """Give the number of a function, counting those around it as well."""
        known = self._indices.get(scope.node.id)
        if known is None:
            self.around(scope.parent)
            known = self._indices[scope.node.id] = len(self.functions)
            self.functions.append(scope)
        return known

    def around(self, scope: Scope | None) -> int:
        """Give the number of the innermost function that a scope lies in, `-1` at module level."""
        while scope is not None and scope.kind != "function":
            scope = scope.parent
        return -1 if scope is None else self.index(scope)

    def parameters(self, function: int) -> list[Binding]:
        if function not in self._parameters:
            scope = self.functions[function]
            declared = self.fields(scope.parent) if scope.node.type == "class_definition" else None
            self._parameters[function] = declared or [
                each for each in parameters(scope, self.source) if each.kind == "parameter"
            ]
        return self._parameters[function]

    def takes_object(self, function: int) -> bool:
        """Say whether a function is a method of an object, and not of its class."""
        scope = self.functions[function]
        first = parameters(scope, self.source)[:1]
        if not first or first[0].kind != "receiver":
            return False
        return all(self._last_segment(each) != "classmethod" for each in self.decorators(scope.node))

    def facts(self, test_file: bool) -> list[Function]:
        return [self._fact(scope, index, test_file) for index, scope in enumerate(self.functions)]

    def _fact(self, scope: Scope, index: int, test_file: bool) -> Function:
        names = self.parameters(index)
        variadic = next((each.index for each in names if each.path == ("*",)), -1)
        keywords = next((each.index for each in names if each.path == ("**",)), -1)
        method = scope.parent is not None and scope.parent.kind == "class"
        closure = scope.node.type == "lambda"
        return Function(
            path=("",) if closure else scope.path,
            kind="closure" if closure else "method" if method else "function",
            span=Span(scope.node.start_byte, scope.node.end_byte),
            parameters=tuple(text(each.name, self.source) for each in names),
            variadic=variadic,
            parent=self.around(scope.parent),
            test=test_file and scope.path[-1].startswith("test_"),
            memoised=self.memoised(scope),
            private=any(_is_private(name) for name in scope.path),
            keywords=keywords,
        )

    def memoised(self, scope: Scope) -> Span | None:
        """Give the decorator that makes a function keep its results."""
        for decorator in self.decorators(scope.node):
            name = self._last_segment(decorator)
            if name in MEMOISERS:
                return Span(decorator.start_byte, decorator.end_byte)
        return None

    def decorators(self, definition: Node) -> list[Node]:
        around = definition.parent
        if around is None or around.type != "decorated_definition":
            return []
        return [child for child in around.named_children if child.type == "decorator"]

    def _last_segment(self, decorator: Node) -> str:
        node: Node | None = decorator.named_children[0] if decorator.named_children else None
        if node is not None and node.type == "call":
            node = node.child_by_field_name("function")
        if node is not None and node.type == "attribute":
            node = node.child_by_field_name("attribute")
        return text(node, self.source) if node is not None else ""

    def parameter_name(self, function: int, index: int) -> str:
        found = next((each for each in self.parameters(function) if each.index == index), None)
        return text(found.name, self.source) if found is not None else ""

    def annotation(self, function: int, index: int, values: "Values") -> Path | None:
        """Give the class that a parameter is annotated with."""
        binding = next((each for each in self.parameters(function) if each.index == index), None)
        kind = binding.node.child_by_field_name("type") if binding is not None and binding.node else None
        if kind is None or binding is None or binding.scope is None or not kind.named_children:
            return None
        if binding.path != ("",):
            return None
        node = kind.named_children[0]
        if node.type == "string":
            quoted = values.text_of(values.of(node, binding.scope))
            value = values.name(quoted.value, binding.scope) if quoted else None
        else:
            value = values.of(node, binding.scope)
        if isinstance(value, Reference) and values.is_class(value.path):
            return value.path
        return None

    # --- Classes --------------------------------------------------------------------------

    def class_at(self, path: Path) -> Scope | None:
        """Give the class that a path of this file leads to."""
        if path not in self._classes:
            self._classes[path] = None
            self._classes[path] = self._find_class(path)
        return self._classes[path]

    def _find_class(self, path: Path) -> Scope | None:
        scope = self.scopes.module
        for name in path:
            (self.scopes.wanted if scope.kind == "module" else self.scopes.members).add(name)
            found = [
                each
                for each in self.scopes.names(scope).get(name, ())
                if each.kind in ("class", "function") and each.node is not None
            ]
            if not found or found[0].node is None:
                return None
            scope = self.scopes.scope_of(found[0].node, scope)
        return scope if scope.kind == "class" else None

    def bases(self, scope: Scope, values: "Values") -> tuple[Path, ...]:
        if scope.path not in self._bases:
            self._bases[scope.path] = ()
            listed = scope.node.child_by_field_name("superclasses")
            found = [
                values.of(child, scope.parent)
                for child in (parts(listed) if listed is not None else ())
                if child.type != "keyword_argument" and scope.parent is not None
            ]
            self._bases[scope.path] = tuple(each.path for each in found if isinstance(each, Reference))
        return self._bases[scope.path]

    def is_enumeration(self, path: Path, values: "Values") -> bool:
        """Say whether a path of this file leads to a class whose members are what its body assigns."""
        scope = self.class_at(path) if path else None
        return scope is not None and any(base[-1] in _ENUMERATIONS for base in self.bases(scope, values))

    def classes(self, values: "Values") -> list[Class]:
        scopes = [scope for scope in list(self._classes.values()) if scope is not None]
        return [Class(scope.path, self.bases(scope, values)) for scope in scopes]

    def instance_values(self, scope: Scope, name: str) -> Iterator[tuple[Node, Node, Scope]]:
        """Give what methods of a class assign to an attribute of their receiver."""
        token = b"." + name.encode()
        for offset in occurrences(self.source, token, scope.node.start_byte, scope.node.end_byte):
            chain = self.scopes.chain(offset + 1)
            # Looked at first: a leaf may be a long string.
            if len(chain) < 3 or chain[-2].type != "attribute" or text(chain[-1], self.source) != name:
                continue
            assignment = chain[-3]
            if assignment.type != "assignment" or assignment.child_by_field_name("left") != chain[-2]:
                continue
            method = self.scopes.scope_at(chain)
            owner, value = chain[-2].child_by_field_name("object"), assignment.child_by_field_name("right")
            if owner is not None and value is not None and self._receives(owner, method, scope):
                yield chain[-2], value, method

    def _receives(self, owner: Node, method: Scope, owner_class: Scope) -> bool:
        found = self.scopes.lookup(text(owner, self.source), method) if owner.type == "identifier" else None
        return (
            found is not None
            and found.bindings[0].kind == "receiver"
            and found.scope.parent is not None
            and found.scope.parent.path == owner_class.path
        )

    # --- Classes whose constructor is made from their fields ----------------------------------

    def field(self, scope: Scope, name: str) -> tuple[int, Binding] | None:
        """Give the constructor of a class of data, and the parameter of it that a field is."""
        for each in self.fields(scope):
            if text(each.name, self.source) == name:
                made = Scope("function", scope.node, scope, (*scope.path, "__init__"))
                return self.index(made), each
        return None

    def fields(self, scope: Scope | None) -> list[Binding]:
        """Give the fields of a class of data as the parameters of its constructor."""
        body = scope.node.child_by_field_name("body") if scope is not None else None
        if (
            scope is None
            or body is None
            or not self._is_data(scope)
            or "__init__" in self.scopes.names(scope)
        ):
            return []
        found: list[Binding] = []
        for statement in parts(body):
            field = statement.named_children[0] if statement.type == "expression_statement" else None
            kind = field.child_by_field_name("type") if field is not None else None
            name = field.child_by_field_name("left") if field is not None else None
            if name is not None and kind is not None and b"ClassVar" not in (kind.text or b""):
                found.append(Binding("parameter", name, field, scope, ("",), (), len(found)))
        return found

    def stored(self, scope: Scope) -> Iterator[str]:
        """Give the names of what an object of a class holds from the time that it is made."""
        for field in self.fields(scope):
            yield text(field.name, self.source)
        for binding in self.scopes.names(scope).get("__init__", ()):
            body = binding.node.child_by_field_name("body") if binding.node is not None else None
            for statement in parts(body) if body is not None else ():
                target = statement.named_children[0] if statement.type == "expression_statement" else None
                left = target.child_by_field_name("left") if target is not None else None
                name = left.child_by_field_name("attribute") if left is not None else None
                if name is not None:
                    yield text(name, self.source)

    def _is_data(self, scope: Scope) -> bool:
        listed = scope.node.child_by_field_name("superclasses")
        heads = [text(each, self.source).rpartition(".")[2] for each in parts(listed)] if listed else []
        made = {self._last_segment(decorator) for decorator in self.decorators(scope.node)}
        return not _DATA_BASES.isdisjoint(heads) or not _DATA_DECORATORS.isdisjoint(made)

    # --- Star imports ---------------------------------------------------------------------

    def stars(self) -> list[Path]:
        """Give the modules that this file imports everything from."""
        if self._stars is None:
            self._stars = []
            for offset in occurrences(self.source, b"import *"):
                chain = self.scopes.chain(offset)
                if len(chain) > 1 and chain[-2].type == "import_from_statement":
                    self._stars.append(module_of(chain[-2], self.scopes))
        return self._stars


def _is_private(name: str) -> bool:
    return name.startswith("_") and not name.endswith("__")
