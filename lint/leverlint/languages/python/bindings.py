"""The statements that bind names, and what each name is bound to."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from tree_sitter import Node

from leverlint.facts import Path
from leverlint.languages.python.imports import Word, imported
from leverlint.languages.syntax import text

if TYPE_CHECKING:
    from leverlint.languages.python.scopes import Scope, Scopes


class Binding(NamedTuple):
    kind: str
    """`value`, `element` (an item of the sequence `node`), `import`, `function`, `class`,
    `parameter`, `receiver` (`self`, `cls`), `declared` (annotated, no value) or `opaque`."""
    name: Node | Word
    node: Node | None = None
    scope: "Scope | None" = None
    """Where `node` is evaluated."""
    path: Path = ()
    positions: tuple[int, ...] = ()
    """The way into a value that is taken apart, outermost first."""
    index: int = -1  # type: ignore[assignment]
    """Of a parameter, without the receiver."""


_EXTRAS = frozenset({"comment", "line_continuation"})
_IMPORTS = frozenset({"import_statement", "import_from_statement"})
_NESTED = frozenset(
    {
        "module",
        "block",
        "if_statement",
        "elif_clause",
        "else_clause",
        "while_statement",
        "try_statement",
        "except_clause",
        "except_group_clause",
        "finally_clause",
        "match_statement",
        "case_clause",
        "ERROR",
    }
)
_PATTERNS = frozenset({"pattern_list", "tuple_pattern", "list_pattern", "tuple", "list", "expression_list"})


def parts(node: Node) -> list[Node]:
    """Give the named children that mean something: no comments, no line continuations."""
    return [child for child in node.named_children if child.type not in _EXTRAS]


def of_scope(scope: "Scope", scopes: "Scopes") -> Iterator[Binding]:
    """Give the bindings of one scope in source order, walrus targets excepted."""
    if scope.kind == "comprehension":
        yield from _of_comprehension(scope)
        return
    if scope.kind == "function":
        yield from parameters(scope, scopes.source)
        if scope.node.type == "lambda":
            return
    body = scope.node if scope.kind == "module" else scope.node.child_by_field_name("body")
    stack = [body] if body is not None else []
    while stack:
        node = stack.pop()
        kind = node.type
        if kind in _IMPORTS:
            for word, path in imported(node, scopes):
                yield Binding("import", word, None, None, path)
        elif kind in _NESTED:
            stack.extend(reversed(node.named_children))
        else:
            yield from _of_statement(node, scope, scopes, stack)


def _of_statement(node: Node, scope: "Scope", scopes: "Scopes", stack: list[Node]) -> Iterator[Binding]:
    match node.type:
        case "expression_statement":
            for child in node.named_children:
                yield from _of_assignment(child, scope)
        case "function_definition" | "class_definition":
            name = node.child_by_field_name("name")
            if name is not None:
                yield Binding("class" if node.type == "class_definition" else "function", name, node, scope)
        case "decorated_definition":
            definition = node.child_by_field_name("definition")
            if definition is not None:
                stack.append(definition)
        case "for_statement":
            left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
            if left is not None:
                yield from _targets(left, Binding("element", left, right, scope))
            stack.extend(child for child in reversed(node.named_children) if child.type in _NESTED)
        case "with_statement":
            for child in reversed(node.named_children):
                if child.type == "with_clause":
                    yield from _aliases(child)
                else:
                    stack.append(child)
        case "as_pattern" | "case_pattern":
            yield from _aliases(node)
        case "global_statement" | "nonlocal_statement":
            names = {text(child, scopes.source) for child in node.named_children}
            (scope.globals if node.type == "global_statement" else scope.nonlocals).update(names)
        case "delete_statement":
            for child in node.named_children:
                yield from _targets(child, Binding("opaque", child))
        case "type_alias_statement":
            left = node.child_by_field_name("left")
            if left is not None and left.named_children:
                yield from _targets(left.named_children[0], Binding("opaque", left))


def _of_assignment(node: Node, scope: "Scope") -> Iterator[Binding]:
    if node.type not in ("assignment", "augmented_assignment"):
        return
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or (right is None and scope.kind != "function"):
        return
    value = right
    while value is not None and value.type == "assignment":
        value = value.child_by_field_name("right")
    kind = "value" if node.type == "assignment" else "opaque"
    if value is None:
        kind = "declared"
    binding = Binding(kind, left, value, scope)
    if left.type == "identifier":
        yield binding
    else:
        yield from _targets(left, binding)
    if right is not None and right.type == "assignment":
        yield from _of_assignment(right, scope)


def _targets(target: Node, binding: Binding) -> Iterator[Binding]:
    """Spread one binding over everything that a target names."""
    if target.type == "identifier":
        yield binding._replace(name=target)
    elif target.type in ("list_splat_pattern", "list_splat"):
        for child in parts(target):
            yield from _targets(child, Binding("opaque", child))
    elif target.type == "parenthesized_expression":
        for child in target.named_children:
            yield from _targets(child, binding)
    elif target.type in _PATTERNS:
        for position, child in enumerate(parts(target)):
            yield from _targets(child, binding._replace(positions=(*binding.positions, position)))


def _aliases(node: Node) -> Iterator[Binding]:
    """Bind what `with`, `except` and `case` name; their values are beyond this model."""
    stack = [node]
    while stack:
        at = stack.pop()
        if at.type == "as_pattern_target":
            for child in at.named_children:
                yield from _targets(child, Binding("opaque", child))
        elif at.type in ("identifier", "dotted_name") and node.type == "case_pattern":
            name = at if at.type == "identifier" else at.named_children[0]
            if at.type == "identifier" or len(at.named_children) == 1:
                yield Binding("opaque", name)
        else:
            stack.extend(reversed(at.named_children))


def _of_comprehension(scope: "Scope") -> Iterator[Binding]:
    first = True
    for child in scope.node.named_children:
        if child.type == "for_in_clause":
            left, right = child.child_by_field_name("left"), child.child_by_field_name("right")
            if left is not None:
                yield from _targets(left, Binding("element", left, right, scope.parent if first else scope))
            first = False


def parameters(scope: "Scope", source: bytes) -> list[Binding]:
    """Give the parameters of a function, the receiver first, defaults as their `node`."""
    listed = scope.node.child_by_field_name("parameters")
    found: list[Binding] = []
    index = 0
    for child in parts(listed) if listed is not None else ():
        name, splat = _parameter_name(child)
        if name is None:
            continue
        if not found and not splat and _has_receiver(scope, source):
            found.append(Binding("receiver", name, child, scope.parent))
            continue
        found.append(Binding("parameter", name, child, scope.parent, (splat,), (), index))
        index += 1
    return found


def _parameter_name(node: Node) -> tuple[Node | None, str]:
    splat = ""
    at: Node | None = node
    while at is not None and at.type != "identifier":
        if at.type == "list_splat_pattern":
            splat = "*"
        elif at.type == "dictionary_splat_pattern":
            splat = "**"
        elif at.type not in ("typed_parameter", "default_parameter", "typed_default_parameter"):
            return None, ""
        at = at.child_by_field_name("name") or (at.named_children[0] if at.named_children else None)
    return at, splat


def _has_receiver(scope: "Scope", source: bytes) -> bool:
    if scope.parent is None or scope.parent.kind != "class" or scope.node.type == "lambda":
        return False
    around = scope.node.parent
    if around is None or around.type != "decorated_definition":
        return True
    return not any(
        source[child.start_byte : child.end_byte].lstrip(b"@ ") == b"staticmethod"
        for child in around.named_children
        if child.type == "decorator"
    )
