"""Lookups in the whole environment: maps made of it, and its names compared one by one."""

from collections.abc import Iterator

from tree_sitter import Node

from leverlint.facts import Changed, Element, Expression, Item, Path, Reference
from leverlint.languages.rust.api import WALKS
from leverlint.languages.rust.expressions import element
from leverlint.languages.rust.file import File
from leverlint.languages.rust.literals import LITERALS
from leverlint.languages.rust.nodes import arguments_of, method_of, parts_of

_EQUAL = frozenset({"eq", "eq_ignore_ascii_case"})


class Walks:
    """Says which variables are looked for where the environment, or a name of it, is used."""

    def __init__(self, file: File) -> None:
        self._file = file

    def lookups(self, node: Node, parent: Node) -> Iterator[tuple[Node, Path, Expression]]:
        """Give what `parent` makes of `node`: where a variable is looked for, how, and its name."""
        match parent.type:
            case "index_expression":
                walk = self._file.types.of(node) if node == parts_of(parent)[0] else None
                if walk in WALKS.values() and walk is not None:
                    yield parent, (*walk, "get"), self._file.names.lower(parts_of(parent)[-1])
            case "binary_expression":
                yield from self._compared(node, parent)
            case "match_expression":
                if node == parent.child_by_field_name("value") and (walk := self._walk_of(node)):
                    yield from self._arms(parent, walk)
            case "field_expression":
                yield from self._by_method(node, parent)
            case "arguments":
                yield from self._given(node, parent)

    def _walk_of(self, node: Node) -> Path | None:
        """Give the walk that a name comes from."""
        value = self._file.names.lower(node)
        while isinstance(value, Changed):
            value = value.operand
        match value:
            case Item(Element(Reference(path)), 0) if path in WALKS.values():
                return path
        return None

    def _compared(self, node: Node, comparison: Node) -> Iterator[tuple[Node, Path, Expression]]:
        operator = comparison.child_by_field_name("operator")
        sides = [comparison.child_by_field_name(side) for side in ("left", "right")]
        other = next((side for side in sides if side is not None and side != node), None)
        if operator is None or other is None or (walk := self._walk_of(node)) is None:
            return
        # `!=` in a filter leaves a variable out; in an `if` it sorts the others out.
        decides = comparison.parent is not None and comparison.parent.type == "if_expression"
        if operator.type == "==" or (operator.type == "!=" and decides):
            yield comparison, (*walk, "key"), self._file.names.lower(other)

    def _arms(self, match: Node, walk: Path) -> Iterator[tuple[Node, Path, Expression]]:
        body = match.child_by_field_name("body")
        for arm in body.named_children if body is not None else ():
            pattern = arm.child_by_field_name("pattern")
            yield from self._patterns(pattern, walk) if pattern is not None else ()

    def _patterns(self, pattern: Node, walk: Path) -> Iterator[tuple[Node, Path, Expression]]:
        pending = [pattern]
        while pending:
            node = pending.pop()
            if node.type in (*LITERALS, "identifier", "scoped_identifier"):
                yield node, (*walk, "key"), self._file.names.lower(node)
            else:
                condition = node.child_by_field_name("condition")
                pending += [child for child in node.named_children if child != condition]

    def _by_method(self, node: Node, callee: Node) -> Iterator[tuple[Node, Path, Expression]]:
        method = method_of(callee.parent, self._file.source) if callee.parent is not None else None
        if method is None or callee.parent is None or method[1] not in _EQUAL:
            return
        if (given := arguments_of(callee.parent)) and (walk := self._walk_of(node)):
            yield callee.parent, (*walk, "key"), self._file.names.lower(given[0])

    def _given(self, node: Node, arguments: Node) -> Iterator[tuple[Node, Path, Expression]]:
        call = arguments.parent
        if call is None:
            return
        method, given = method_of(call, self._file.source), arguments_of(call)
        contains = method is not None and method[1] == "contains"
        matches = self._file.opened.calls.get(call.start_byte) == "matches!" and node == given[0]
        walk = self._walk_of(node) if contains or matches else None
        if walk is None:
            return
        if method is not None:
            yield call, (*walk, "key"), element(self._file.names.lower(method[0]))
        for pattern in given[1:] if matches else ():
            yield from self._patterns(pattern, walk)
