"""Prefixes that readers of libraries put before the names that they are asked for."""

from typing import TYPE_CHECKING

from tree_sitter import Node

from leverlint.facts import Argument, Expression, Path
from leverlint.languages.python import texts
from leverlint.languages.python.bindings import parts
from leverlint.languages.python.scopes import Scope
from leverlint.languages.syntax import text

if TYPE_CHECKING:
    from leverlint.languages.python.values import Values

_CONSTRUCTED = {"starlette": "env_prefix", "environs": "prefix"}
"""The keyword under which the constructor of a library's reader takes a prefix."""


def applied(
    chain: list[Node], scope: Scope, path: Path, given: tuple[Argument, ...], values: "Values"
) -> tuple[Argument, ...]:
    """Give the arguments of a reader's call with its prefixes before the name."""
    if not given or given[0].keyword:
        return given
    before: list[Expression] = []
    if path[0] == "environs":
        before = [
            values.of(prefix, scope)
            for node in chain
            if node.type == "with_statement"
            for _, prefix in _prefixed(node, values.source)
        ]
    if path[0] in _CONSTRUCTED:
        before = [*_of_construction(chain[-1], _CONSTRUCTED[path[0]], scope, values), *before]
    if not before:
        return given
    name = texts.joined([*before, given[0].value], texts.span(chain[-1]))
    return (Argument("", name), *given[1:])


def prefixed_reader(statement: Node, source: bytes) -> str | None:
    """Give the name of the reader that a `with` statement sets a prefix for."""
    return next((text(reader, source) for reader, _ in _prefixed(statement, source)), None)


def _prefixed(statement: Node, source: bytes) -> list[tuple[Node, Node]]:
    """Give reader and prefix of every `reader.prefixed(prefix)` in the head of a `with`."""
    found = []
    items = [
        item for clause in statement.named_children if clause.type == "with_clause" for item in parts(clause)
    ]
    for item in items:
        call = item.child_by_field_name("value")
        if call is not None and call.type == "as_pattern" and call.named_children:
            call = call.named_children[0]
        function = call.child_by_field_name("function") if call is not None else None
        arguments = call.child_by_field_name("arguments") if call is not None else None
        if function is None or arguments is None or function.type != "attribute":
            continue
        reader, method = function.child_by_field_name("object"), function.child_by_field_name("attribute")
        given = parts(arguments)
        if reader is not None and method is not None and text(method, source) == "prefixed" and given:
            found.append((reader, given[0]))
    return found


def _of_construction(call: Node, keyword: str, scope: Scope, values: "Values") -> list[Expression]:
    """Give the prefix that the object of a call was made with."""
    function = call.child_by_field_name("function")
    if function is not None and function.type == "attribute":
        function = function.child_by_field_name("object")
    made = function if function is not None and function.type == "call" else None
    if function is not None and function.type == "identifier":
        found = values.scopes.lookup(text(function, values.source), scope)
        made = found.bindings[0].node if found is not None and len(found.bindings) == 1 else None
    arguments = made.child_by_field_name("arguments") if made is not None else None
    return [
        values.of(child.child_by_field_name("value"), scope)
        for child in (parts(arguments) if arguments is not None else ())
        if child.type == "keyword_argument"
        and text(child, values.source).partition("=")[0].strip() == keyword
    ]
