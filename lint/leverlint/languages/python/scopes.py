"""What every name of a file is bound to, scope by scope, as Python's own rules have it.

A scope is looked into only when a name in it is asked for. No meaning is given to values here.
"""

from collections.abc import Iterator
from typing import NamedTuple

from tree_sitter import Node

from leverlint.facts import Path
from leverlint.languages.python import bindings
from leverlint.languages.python.bindings import Binding
from leverlint.languages.python.imports import Word
from leverlint.languages.syntax import nodes_around, occurrences, text

# Deeper trees are hostile or generated: every occurrence costs its depth.
DEPTH = 300

COMPREHENSIONS = frozenset(
    {"list_comprehension", "set_comprehension", "dictionary_comprehension", "generator_expression"}
)
FUNCTIONS = frozenset({"function_definition", "lambda"})


class Scope:
    """A module, class, function, lambda or comprehension."""

    __slots__ = ("_names", "globals", "kind", "node", "nonlocals", "parent", "path")

    def __init__(self, kind: str, node: Node, parent: "Scope | None", path: Path) -> None:
        self.kind = kind
        self.node = node
        self.parent = parent
        self.path = path
        self.globals: set[str] = set()
        self.nonlocals: set[str] = set()
        self._names: dict[str, list[Binding]] | None = None


class Found(NamedTuple):
    scope: Scope
    bindings: list[Binding]


class Scopes:
    """All scopes of one file, made on demand."""

    def __init__(self, source: bytes, root: Node, path: str) -> None:
        self.source = source
        self.root = root
        self.directory = path.rpartition("/")[0]
        self.module = Scope("module", root, None, ())
        self.wanted: set[str] = set()
        """Names that were looked for in the module."""
        self.members: set[str] = set()
        """Names that were looked for in classes and their methods."""
        self.tokens: set[str] = set()
        """Words that all of the file was searched for."""
        self._scopes: dict[int, Scope] = {}

    def chain(self, offset: int) -> list[Node]:
        """Give the nodes around a byte, from the module down to the token."""
        return nodes_around(self.root, offset, DEPTH)

    def along(self, chain: list[Node]) -> list[Scope]:
        """Give, for each node of a chain, the scope that it is evaluated in."""
        scope = self.module
        scopes = [scope]
        for position in range(1, len(chain)):
            above = chain[position - 1]
            kind = above.type
            if kind in FUNCTIONS or kind == "class_definition" or kind in COMPREHENSIONS:
                after = chain[position + 1] if position + 1 < len(chain) else None
                if self._inside(above, kind, chain[position], after):
                    scope = self.scope_of(above, scope)
            scopes.append(scope)
        return scopes

    def scope_at(self, chain: list[Node]) -> Scope:
        """Give the scope that the last node of a chain is evaluated in."""
        return self.along(chain)[-1]

    def _inside(self, node: Node, kind: str, below: Node, after: Node | None) -> bool:
        if kind in COMPREHENSIONS:
            if below.type != "for_in_clause" or after is None:
                return True
            first = next(child for child in node.named_children if child.type == "for_in_clause")
            return below != first or after != first.child_by_field_name("right")
        return below == node.child_by_field_name("body")

    def scope_of(self, node: Node, parent: Scope) -> Scope:
        """Give the scope that a definition, lambda or comprehension opens."""
        known = self._scopes.get(node.id)
        if known is None:
            known = self._scopes[node.id] = self._open(node, parent)
        return known

    def _open(self, node: Node, parent: Scope) -> Scope:
        kind = node.type
        if kind == "lambda":
            return Scope("function", node, parent, (*parent.path, ""))
        if kind in COMPREHENSIONS:
            return Scope("comprehension", node, parent, parent.path)
        name = node.child_by_field_name("name")
        path = (*parent.path, text(name, self.source) if name else "")
        return Scope("class" if kind == "class_definition" else "function", node, parent, path)

    def names(self, scope: Scope) -> dict[str, list[Binding]]:
        """Give everything that is bound in a scope itself."""
        if scope._names is None:
            scope._names = {}
            for name, binding in self._collect(scope):
                if name in scope.globals or name in scope.nonlocals:
                    continue
                scope._names.setdefault(name, []).append(binding)
            if scope.kind == "module":
                self._bind_globals(scope, scope._names)
        return scope._names

    def _collect(self, scope: Scope) -> Iterator[tuple[str, Binding]]:
        for binding in [*bindings.of_scope(scope, self), *self._walruses(scope)]:
            word = binding.name
            yield word.text if isinstance(word, Word) else text(word, self.source), binding

    def _walruses(self, scope: Scope) -> Iterator[Binding]:
        if scope.kind == "comprehension":
            return
        for offset in occurrences(self.source, b":=", scope.node.start_byte, scope.node.end_byte):
            chain = self.chain(offset)
            while chain and chain[-1].type != "named_expression":
                chain.pop()
            if not chain:
                continue
            within = self.scope_at(chain)
            owner = within
            while owner.kind == "comprehension" and owner.parent is not None:
                owner = owner.parent
            name, value = (chain[-1].child_by_field_name(field) for field in ("name", "value"))
            if owner is scope and name is not None:
                yield Binding("value", name, value, within)

    def _bind_globals(self, module: Scope, names: dict[str, list[Binding]]) -> None:
        """Add what functions assign to names that they declare `global`."""
        for offset in occurrences(self.source, b"global "):
            chain = self.chain(offset)
            if len(chain) < 2 or chain[-2].type != "global_statement":
                continue
            scope = self.scope_at(chain)
            declared = {text(child, self.source) for child in chain[-2].named_children}
            scope.globals |= declared
            for name, binding in self._collect(scope):
                known = names.setdefault(name, []) if name in declared else [binding]
                if binding not in known:
                    known.append(binding)

    def lookup(self, name: str, scope: Scope) -> Found | None:
        """Find what a name means where it is used, or `None` when nothing here binds it."""
        at: Scope | None = scope
        start = True
        while at is not None:
            if at.kind == "module":
                self.wanted.add(name)
            elif at.kind == "class":
                self.members.add(name)
            bound = self.names(at)
            if at.kind != "class" or start:
                if name in at.globals:
                    at = self.module
                    bound = self.names(at)
                elif name in bound:
                    return Found(at, bound[name])
                if at.kind == "module":
                    return Found(at, bound[name]) if name in bound else None
            # The class scope around a comprehension is visible only to its first iterable.
            start = False
            at = at.parent
        return None
