"""Settings classes: fields that are read from variables nobody calls a function for."""

from collections.abc import Callable, Iterator

from tree_sitter import Node

from leverlint.facts import Argument, Expression, Items, Path, Span, Text
from leverlint.languages.python import api, relevance, texts
from leverlint.languages.python.alternatives import any_of
from leverlint.languages.python.bindings import parts
from leverlint.languages.python.calls import Calls
from leverlint.languages.python.scopes import Scope
from leverlint.languages.python.values import Values
from leverlint.languages.syntax import text

_BASES: frozenset[Path] = frozenset(
    {
        ("pydantic_settings", "BaseSettings"),
        ("pydantic_settings", "main", "BaseSettings"),
        ("pydantic", "BaseSettings"),
        ("pydantic", "v1", "BaseSettings"),
    }
)
_ALIASES = ("env", "validation_alias", "alias")


class Declarative:
    def __init__(self, values: Values, calls: Calls, learn: Callable[[str, Span], None]) -> None:
        self._values = values
        self._calls = calls
        self._learn = learn
        self._known: set[Path] = set()

    def settings(self, chain: list[Node], scope: Scope) -> None:
        """Record the fields of a class made from pydantic's `BaseSettings`."""
        bases = self._values.registry.bases(scope, self._values)
        if scope.path in self._known or not any(self._is_settings(base) for base in bases):
            return
        self._known.add(scope.path)
        self._values.registry.class_at(scope.path)
        self._learn(scope.path[-1], Span(0, len(self._values.source)))
        prefix = self._prefix(scope)
        body = chain[-1].child_by_field_name("body")
        for statement in parts(body) if body is not None else ():
            field = statement.named_children[0] if statement.type == "expression_statement" else None
            if body is not None and field is not None and field.type == "assignment":
                self._field([*chain, body, statement, field], scope, prefix)

    def _is_settings(self, base: Path) -> bool:
        return base in _BASES or (base[0] == "." and base[1:] in self._known)

    def _field(self, chain: list[Node], scope: Scope, prefix: Expression) -> None:
        node = chain[-1]
        name, value = node.child_by_field_name("left"), node.child_by_field_name("right")
        if name is None or name.type != "identifier" or node.child_by_field_name("type") is None:
            return
        written = text(name, self._values.source)
        kind = text(node.child_by_field_name("type") or node, self._values.source)
        if written == "model_config" or written.startswith("_") or "ClassVar" in kind:
            return
        names = self._aliases(value, scope) or self._configured(written, scope)
        if not names:
            names = [texts.joined([prefix, Text(written.upper(), texts.span(name))], texts.span(name))]
        read = any_of(names)
        if relevance.has_lever(read, self._values) or not isinstance(prefix, Text):
            argument = Argument("", read)
            self._calls.record(chain, scope, api.SETTINGS_FIELD, (argument,), declared=True)

    def _aliases(self, value: Node | None, scope: Scope) -> list[Expression]:
        """Give the names that a `Field(…)` says instead of its own."""
        arguments = (
            value.child_by_field_name("arguments") if value is not None and value.type == "call" else None
        )
        found: list[Expression] = []
        for child in parts(arguments) if arguments is not None else ():
            keyword = child.child_by_field_name("name") if child.type == "keyword_argument" else None
            if keyword is not None and text(keyword, self._values.source) in _ALIASES:
                found.extend(self._choices(child.child_by_field_name("value"), scope))
        return [self._upper(each) for each in found]

    def _configured(self, field: str, scope: Scope) -> list[Expression]:
        """Give what `class Config` says under `fields`: `{"token": {"env": "TOKEN"}}`."""
        found: list[Expression] = []
        for fields, inner in self._settings_of(scope, "fields"):
            said = self._entry(fields, field, inner)
            if said is not None:
                found.extend(self._choices(self._entry(said, "env", inner) or said, inner))
        return [self._upper(each) for each in found]

    def _settings_of(self, scope: Scope, name: str) -> Iterator[tuple[Node, Scope]]:
        """Give what the `class Config` inside of a class sets a name to."""
        for binding in self._values.scopes.names(scope).get("Config", ()):
            if binding.kind == "class" and binding.node is not None:
                inner = self._values.scopes.scope_of(binding.node, scope)
                for each in self._values.scopes.names(inner).get(name, ()):
                    if each.node is not None:
                        yield each.node, inner

    def _entry(self, mapping: Node, key: str, scope: Scope) -> Node | None:
        for pair in parts(mapping) if mapping.type == "dictionary" else ():
            name = self._values.text_of(self._values.of(pair.child_by_field_name("key"), scope))
            if name is not None and name.value == key:
                return pair.child_by_field_name("value")
        return None

    def _choices(self, node: Node | None, scope: Scope) -> list[Expression]:
        arguments = (
            node.child_by_field_name("arguments") if node is not None and node.type == "call" else None
        )
        if arguments is not None:
            return [choice for child in parts(arguments) for choice in self._choices(child, scope)]
        value = self._values.of(node, scope)
        return list(value.items) if isinstance(value, Items) else [value]

    def _upper(self, value: Expression) -> Expression:
        return Text(value.value.upper(), value.span) if isinstance(value, Text) else value

    def _prefix(self, scope: Scope | None, depth: int = 0) -> Expression:
        """Give the `env_prefix` of a class, its own or inherited."""
        nothing = Text("", Span(0, 0))
        if scope is None or depth > 8:
            return nothing
        own = self._own_prefix(scope)
        if own is not None:
            return self._upper(own)
        for base in self._values.registry.bases(scope, self._values):
            if base[0] == ".":
                return self._prefix(self._values.registry.class_at(base[1:]), depth + 1)
        return nothing

    def _own_prefix(self, scope: Scope) -> Expression | None:
        names = self._values.scopes.names(scope)
        for binding in names.get("model_config", ()):
            if binding.node is not None:
                found = self._in_configuration(binding.node, scope)
                if found is not None:
                    return found
        for prefix, inner in self._settings_of(scope, "env_prefix"):
            return self._values.of(prefix, inner)
        keywords = scope.node.child_by_field_name("superclasses")
        return self._keyword(keywords, scope.parent or scope) if keywords is not None else None

    def _in_configuration(self, node: Node, scope: Scope) -> Expression | None:
        arguments = node.child_by_field_name("arguments")
        if arguments is not None:
            return self._keyword(arguments, scope)
        prefix = self._entry(node, "env_prefix", scope)
        return self._values.of(prefix, scope) if prefix is not None else None

    def _keyword(self, arguments: Node, scope: Scope) -> Expression | None:
        for child in parts(arguments):
            name = child.child_by_field_name("name") if child.type == "keyword_argument" else None
            if name is not None and text(name, self._values.source) == "env_prefix":
                return self._values.of(child.child_by_field_name("value"), scope)
        return None
