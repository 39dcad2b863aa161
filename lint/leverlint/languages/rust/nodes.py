"""Small questions about the shape of Rust syntax."""

from tree_sitter import Node

from leverlint.facts import Path, Span
from leverlint.languages.rust.source import Source, span_of

FUNCTION_KINDS = ("function_item", "closure_expression")


COMMENTS = frozenset({"line_comment", "block_comment"})


def parts_of(node: Node) -> list[Node]:
    """Give the named children without comments, which may stand anywhere."""
    return [child for child in node.named_children if child.type not in COMMENTS]


def tokens_of(tree: Node) -> list[Node]:
    """Give the tokens of a token tree without comments."""
    return [child for child in tree.children if child.type not in COMMENTS]


def name_of(item: Node, source: Source) -> tuple[str, Span]:
    name = item.child_by_field_name("name")
    return (source.text_of(name), span_of(name)) if name is not None else ("", span_of(item))


def tail(block: Node) -> Node | None:
    """Give the expression that a block is worth."""
    for child in reversed(block.named_children):
        if child.type in COMMENTS:
            continue
        if child.type == "expression_statement":
            inner = next(iter(parts_of(child)), None)
            if inner is not None and inner.type == "return_expression":
                return next(iter(parts_of(inner)), None)
            return child if child.children[-1].type != ";" else None
        return None if child.type.endswith(("_item", "_declaration")) else child
    return None


def method_of(node: Node, source: Source) -> tuple[Node, str] | None:
    """Give receiver and name when `node` is a method call."""
    if node.type != "call_expression":
        return None
    callee = node.child_by_field_name("function")
    if callee is not None and callee.type == "generic_function":
        callee = callee.child_by_field_name("function")
    if callee is None or callee.type != "field_expression":
        return None
    value, field = callee.child_by_field_name("value"), callee.child_by_field_name("field")
    return (value, source.text_of(field)) if value is not None and field is not None else None


def arguments_of(call: Node) -> list[Node]:
    arguments = call.child_by_field_name("arguments")
    skipped = ("line_comment", "block_comment", "attribute_item")
    return [c for c in arguments.named_children if c.type not in skipped] if arguments is not None else []


def parameter_nodes(parameters: Node) -> list[Node]:
    """Give the parameters of a function or closure in order, without a receiver."""
    skipped = ("self_parameter", "attribute_item", "line_comment", "block_comment")
    named = [child for child in parameters.named_children if child.type not in skipped]
    if parameters.type != "closure_parameters":
        return named
    found: list[Node | None] = [None]
    for child in parameters.children:
        if child.type == ",":
            found.append(None)
        elif child.type != "|" and child.type not in skipped:
            found[-1] = child
    return [child for child in found if child is not None]


def path_segments(node: Node, text: bytes) -> Path | None:
    """Give the names of a path as written, `"::"` first when it begins so; `None` for what is none."""
    segments: list[str] = []
    current: Node | None = node
    while current is not None:
        kind = current.type
        if kind in ("scoped_identifier", "scoped_type_identifier"):
            name = current.child_by_field_name("name")
            if name is None:
                return None
            segments.append(text[name.start_byte : name.end_byte].decode("utf-8", "replace"))
            path = current.child_by_field_name("path")
            if path is None:
                segments.append("::")
            current = path
        elif kind in ("bracketed_type", "qualified_type", "dynamic_type"):
            # `<T as Trait>::member` is a member of `T`.
            inner = current.child_by_field_name("type") or current.child_by_field_name("trait")
            current = inner or next(iter(parts_of(current)), None)
            if current is None:
                return None
        elif kind in ("generic_type", "generic_function"):
            current = current.child_by_field_name("type") or current.child_by_field_name("function")
        elif kind in ("identifier", "type_identifier", "self", "super", "crate"):
            segments.append(text[current.start_byte : current.end_byte].decode("utf-8", "replace"))
            current = None
        else:
            return None
    segments.reverse()
    return tuple(segments) or None
