"""What a walk over the environment tests the names with."""

from collections.abc import Iterator

from tree_sitter import Node

from leverlint.facts import Text
from leverlint.languages.python import api
from leverlint.languages.python.bindings import parts
from leverlint.languages.python.calls import Recorded, path_of
from leverlint.languages.python.scopes import COMPREHENSIONS, Scope
from leverlint.languages.python.values import Values
from leverlint.languages.syntax import text

_MOST = 3000
_TESTS = frozenset({"startswith", "removeprefix", "partition", "match", "fullmatch"})
_PREFIXES = frozenset(api.PREFIXES.values())


def prefix_test(record: Recorded, values: Values) -> str:
    """Give the text that names must start with, when the walk says so where it stands."""
    path = path_of(record.callee)
    known = api.API.get(path) if path is not None else None
    is_open = path is not None and path[0] == ""
    if not is_open and (known is None or known.kind != "walk"):
        return ""
    if path in _PREFIXES:
        first = values.text_of(record.arguments[0].value) if record.arguments else None
        return first.value + "_" * (path in api.SEPARATED) if first is not None else ""
    region = _region(record.chain)
    if region is None:
        return ""
    found = [test for node in _nodes(region) for test in _tests(node, record.scope, values)]
    return next(
        (each for each in found if each.startswith(values.vocabulary.prefixes)), found[0] if found else ""
    )


def _region(chain: list[Node]) -> Node | None:
    """Give the loop, comprehension or call chain that a walk feeds."""
    region = None
    for node in reversed(chain):
        if node.type in COMPREHENSIONS or node.type == "for_statement":
            return node
        if node.type in ("block", "module"):
            break
        region = node
    return region


def _nodes(region: Node) -> Iterator[Node]:
    stack, count = [region], 0
    while stack and count < _MOST:
        node = stack.pop()
        count += 1
        if node.type in ("call", "comparison_operator"):
            yield node
        stack.extend(reversed(node.named_children))


def _tests(node: Node, scope: Scope, values: Values) -> Iterator[str]:
    if node.type == "call":
        function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        method = function.child_by_field_name("attribute") if function is not None else None
        if method is not None and arguments is not None and text(method, values.source) in _TESTS:
            for child in parts(arguments):
                yield from _known(child, scope, values)
        return
    children = parts(node)
    if any(child.type == "subscript" for child in children):
        for child in children:
            yield from _known(child, scope, values)
    elif any(child.type in ("in", "not in") for child in node.children):
        # What a name is found among is whole names.
        yield from _known(children[0], scope, values)


def _known(node: Node, scope: Scope, values: Values) -> Iterator[str]:
    value = values.of(node, scope)
    options = getattr(value, "items", None)
    for option in options if isinstance(options, tuple) else (value,):
        for each in values.options(option):
            if isinstance(each, Text) and each.value:
                yield each.value.lstrip("^")
