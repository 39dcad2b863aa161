"""The places of a file that must be looked at, and how each leads to the next.

Tokens are found in the bytes; the tree is asked only there. What is learnt at a place (an
alias, a local wrapper) becomes a token itself, until nothing is new.
"""

from tree_sitter import Node

from leverlint.facts import Span, Vocabulary
from leverlint.languages.python import api, prefixes
from leverlint.languages.python.calls import Calls
from leverlint.languages.python.declarative import Declarative
from leverlint.languages.python.imports import imported
from leverlint.languages.python.operators import Operators
from leverlint.languages.python.scopes import Scope
from leverlint.languages.python.values import Values
from leverlint.languages.python.words import words
from leverlint.languages.syntax import text

_MOST = 400000
"""Places looked at in one file; beyond that it is generated or hostile."""

_STATEMENT_ENDS = frozenset({"block", "module"})


class Worklist:
    def __init__(self, values: Values, calls: Calls) -> None:
        self._values = values
        self._calls = calls
        self._operators = Operators(calls)
        self._scopes = values.scopes
        self._source = values.source
        self._tokens: set[tuple[bytes, int, int]] = set()
        self._queue: list[int] = []
        self._seen: set[int] = set()
        self._understood: set[tuple[int, int]] = set()
        self.everywhere: set[str] = set()
        """Names learnt that any part of the file may use."""
        self.mentioned: list[Node] = []
        """String literals that begin like a lever."""
        self._declarative = Declarative(values, calls, self.learn)

    def run(self, starts: list[int], vocabulary: Vocabulary) -> None:
        self._calls.learn = self.learn
        self._queue.extend(starts)
        for wrapper in vocabulary.wrappers:
            self.learn(wrapper, Span(0, len(self._source)))
        position = 0
        while position < len(self._queue) and position < _MOST:
            self._visit(self._queue[position])
            position += 1

    def learn(self, name: str, where: Span) -> None:
        """Have every use of a name within a range looked at."""
        key = (name.encode(), where.start, where.end)
        if not name or key in self._tokens:
            return
        self._tokens.add(key)
        if where.end == len(self._source):
            self.everywhere.add(name)
        self._queue.extend(words(self._source, *key))

    def _visit(self, offset: int) -> None:
        if offset in self._seen:
            return
        self._seen.add(offset)
        chain = self._scopes.chain(offset)
        leaf = chain[-1]
        if leaf.type in ("comment", "module", "ERROR") or leaf.end_byte <= offset:
            return
        literal = self._literal(chain)
        if literal is not None and not self._names_lever(chain, literal):
            return
        along = self._scopes.along(chain)
        for position in range(len(chain) - 1, 0, -1):
            kind = chain[position].type
            if kind in _STATEMENT_ENDS:
                break
            handler = _HANDLERS.get(kind)
            if handler is not None:
                handler(self, chain[: position + 1], along[position], chain[position + 1 :] or [leaf])

    def _literal(self, chain: list[Node]) -> int | None:
        """Give the position of the string that the leaf is text of."""
        if chain[-1].type in ("identifier",):
            return None
        for position in range(len(chain) - 1, 0, -1):
            if chain[position].type == "interpolation":
                return None
            if chain[position].type == "string":
                return position
        return None

    def _names_lever(self, chain: list[Node], position: int) -> bool:
        """Say whether a literal counts, and note it: docstrings and other bare text do not."""
        whole = position - 1 if chain[position - 1].type == "concatenated_string" else position
        above = whole - 1
        while chain[above].type == "parenthesized_expression":
            above -= 1
        if chain[above].type == "expression_statement":
            return False
        self.mentioned.append(chain[whole])
        return True

    def _news(self, node: Node) -> bool:
        """Say whether a value has not been looked at with what is known by now."""
        key = (node.id, self._values.knowledge)
        news = key not in self._understood
        self._understood.add(key)
        return news

    # --- What a place binds ------------------------------------------------------------------

    def _call(self, chain: list[Node], scope: Scope, below: list[Node]) -> None:
        self._calls.call(chain, scope, below)

    def _subscript(self, chain: list[Node], scope: Scope, below: list[Node]) -> None:
        self._operators.subscript(chain, scope)

    def _comparison(self, chain: list[Node], scope: Scope, below: list[Node]) -> None:
        self._operators.comparison(chain, scope)

    def _loop(self, chain: list[Node], scope: Scope, below: list[Node]) -> None:
        node = chain[-1]
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None or below[0] != right:
            return
        outer = chain[-2] if node.type == "for_in_clause" else node
        where = self._scopes.along([*chain, right])[-1]
        if not self._news(right):
            return
        self._operators.loop(chain, right, where)
        if node.type == "for_statement":
            self._operators.filled(node, where)
        if self._values.matters(self._values.of(right, where)) or below[-1].type.startswith("string"):
            self._learn_targets(left, Span(outer.start_byte, outer.end_byte), where)

    def _assignment(self, chain: list[Node], scope: Scope, below: list[Node]) -> None:
        node = chain[-1]
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None:
            return
        if below[0] != right:
            self._operators.descriptor(chain, right, scope, below[-1])
            return
        if not self._news(right):
            return
        mapping_of_names = right.type == "dictionary" and below[-1].type.startswith("string")
        if mapping_of_names or self._values.matters(self._values.of(right, scope)):
            self._learn_targets(left, self._reach(scope), scope)

    def _augmented(self, chain: list[Node], scope: Scope, below: list[Node]) -> None:
        self._operators.augmented(chain, scope)

    def _walrus(self, chain: list[Node], scope: Scope, below: list[Node]) -> None:
        name, value = (chain[-1].child_by_field_name(field) for field in ("name", "value"))
        if name is not None and self._values.matters(self._values.of(value, scope)):
            self._learn_targets(name, self._reach(scope), scope)

    def _default(self, chain: list[Node], scope: Scope, below: list[Node]) -> None:
        name, value = (chain[-1].child_by_field_name(field) for field in ("name", "value"))
        if name is not None and len(chain) > 2 and self._values.matters(self._values.of(value, scope)):
            function = chain[-3]
            self._learn_targets(name, Span(function.start_byte, function.end_byte), scope)

    def _alias(self, chain: list[Node], scope: Scope, below: list[Node]) -> None:
        alias = chain[-1].child_by_field_name("alias")
        if alias is not None:
            self._learn_targets(alias, self._reach(scope), scope)

    def _import(self, chain: list[Node], scope: Scope, below: list[Node]) -> None:
        """Readers of libraries are called with names that need not stand in the same file."""
        for name, path in imported(chain[-1], self._scopes):
            if path in api.LIBRARIES:
                self.learn(text(name, self._source), self._reach(scope))

    def _class(self, chain: list[Node], scope: Scope, below: list[Node]) -> None:
        opened = self._scopes.scope_of(chain[-1], scope)
        self._calls.subclass(opened)
        self._declarative.settings(chain, opened)

    def _pair(self, chain: list[Node], scope: Scope, below: list[Node]) -> None:
        self._operators.pair(chain, scope)

    def _with(self, chain: list[Node], scope: Scope, below: list[Node]) -> None:
        """`with env.prefixed("ATLAS_"):` makes a reader's names within it longer."""
        reader = prefixes.prefixed_reader(chain[-1], self._source)
        if reader is not None:
            self.learn(reader, Span(chain[-1].start_byte, chain[-1].end_byte))

    def _learn_targets(self, target: Node, where: Span, scope: Scope) -> None:
        if target.type == "identifier":
            name = text(target, self._source)
            if scope.kind in ("module", "class"):
                self._values.definition((*scope.path, name))
            if name in scope.globals:
                where = Span(0, len(self._source))
            self.learn(name, where)
        elif target.type == "attribute":
            attribute = target.child_by_field_name("attribute")
            if attribute is not None:
                self.learn(text(attribute, self._source), Span(0, len(self._source)))
        elif target.type not in ("subscript", "call"):
            for child in target.named_children:
                self._learn_targets(child, where, scope)

    def _reach(self, scope: Scope) -> Span:
        """Give the range in which a name bound in a scope can be used by that name."""
        at: Scope | None = scope
        while at is not None and at.kind == "comprehension":
            at = at.parent
        if at is None or at.kind != "function":
            return Span(0, len(self._source))
        return Span(at.node.start_byte, at.node.end_byte)


_HANDLERS = {
    "call": Worklist._call,
    "subscript": Worklist._subscript,
    "comparison_operator": Worklist._comparison,
    "for_statement": Worklist._loop,
    "for_in_clause": Worklist._loop,
    "assignment": Worklist._assignment,
    "augmented_assignment": Worklist._augmented,
    "named_expression": Worklist._walrus,
    "default_parameter": Worklist._default,
    "typed_default_parameter": Worklist._default,
    "aliased_import": Worklist._alias,
    "import_from_statement": Worklist._import,
    "import_statement": Worklist._import,
    "class_definition": Worklist._class,
    "pair": Worklist._pair,
    "with_statement": Worklist._with,
}
