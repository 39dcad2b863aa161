"""Patterns: where in a destructured value a bound name sits."""

from collections.abc import Iterator

from tree_sitter import Node

Route = tuple[int | str, ...]
"""Steps from a value to a part of it: positions of tuples and names of fields."""

_TRANSPARENT = frozenset(
    {
        "reference_pattern",
        "mut_pattern",
        "ref_pattern",
        "or_pattern",
        "match_pattern",
        "parameter",
        "captured_pattern",
    }
)


def route_to(pattern: Node, name: str, text: bytes) -> Route | None:
    """Give the way to `name` in what `pattern` takes apart; `None` when it does not bind it."""
    if name.encode() not in text[pattern.start_byte : pattern.end_byte]:
        return None
    return next((route for bound, route in bindings(pattern, text) if bound == name), None)


def bindings(pattern: Node, text: bytes) -> Iterator[tuple[str, Route]]:
    """Give every name that `pattern` binds."""
    kind = pattern.type
    if kind in ("identifier", "shorthand_field_identifier"):
        yield text[pattern.start_byte : pattern.end_byte].decode("utf-8", "replace"), ()
    elif kind == "parameter":
        inner = pattern.child_by_field_name("pattern")
        if inner is not None:
            yield from bindings(inner, text)
    elif kind == "match_pattern":
        for child in pattern.named_children[:1]:
            yield from bindings(child, text)
    elif kind in _TRANSPARENT:
        for child in pattern.named_children:
            yield from bindings(child, text)
    elif kind in ("tuple_pattern", "slice_pattern", "tuple_struct_pattern"):
        yield from _positions(pattern, text)
    elif kind == "struct_pattern":
        for child in pattern.named_children:
            if child.type == "field_pattern":
                yield from _field(child, text)


def _positions(pattern: Node, text: bytes) -> Iterator[tuple[str, Route]]:
    parts: list[tuple[int, Node]] = []
    position = 0
    type_node = pattern.child_by_field_name("type")
    for child in pattern.children:
        if child.type == ",":
            position += 1
        elif child.is_named and child != type_node and not child.type.endswith("comment"):
            parts.append((position, child))
    # `Some(name)`, `Ok(name)`: the one thing inside stands for the whole.
    through = type_node is not None and position == 0
    for at, child in parts:
        for name, route in bindings(child, text):
            yield name, route if through else (at, *route)


def _field(field: Node, text: bytes) -> Iterator[tuple[str, Route]]:
    name, inner = field.child_by_field_name("name"), field.child_by_field_name("pattern")
    if name is None:
        return
    key = text[name.start_byte : name.end_byte].decode("utf-8", "replace")
    if inner is None:
        yield key, (key,)
        return
    for bound, route in bindings(inner, text):
        yield bound, (key, *route)
