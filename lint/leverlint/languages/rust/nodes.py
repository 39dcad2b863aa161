"""Small questions about the shape of Rust syntax."""

from tree_sitter import Node

from leverlint.languages.rust.source import Source


def tail(block: Node) -> Node | None:
    """Give the expression that a block is worth."""
    for child in reversed(block.named_children):
        if child.type in ("line_comment", "block_comment"):
            continue
        if child.type == "expression_statement":
            inner = child.named_children[0] if child.named_children else None
            if inner is not None and inner.type == "return_expression":
                return inner.named_children[0] if inner.named_children else None
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
