"""Who wants the value of a field, in the bytes of one Rust file: a `Room` of `languages.consumers`."""

import re
from collections.abc import Collection, Iterable

from tree_sitter import Node

from leverlint.languages.consumers import KEY, MEMBER, NAME
from leverlint.languages.rust.source import words
from leverlint.languages.syntax import text

_SHOWING = frozenset(
    {"Debug", "Display", "Default", "Clone", "PartialEq", "Eq", "Hash", "PartialOrd", "Ord", "Serialize"}
)
"""Traits whose implementations look at every field because it is there."""
_DEFAULTS = frozenset({"default", "defaults"})
_BINDING = {
    "function_item": "name",
    "function_signature_item": "name",
    "const_item": "name",
    "static_item": "name",
    "let_declaration": "pattern",
    "parameter": "pattern",
    "field_initializer": "field",
    "struct_item": "name",
    "enum_item": "name",
    "enum_variant": "name",
    "mod_item": "name",
    "type_item": "name",
    "macro_definition": "name",
}
_DECLARING = frozenset(
    {"use_declaration", "field_declaration",
     "shorthand_field_initializer", "closure_parameters", "captured_pattern", "ref_pattern", "mut_pattern",
     "type_parameters"}
)  # fmt: skip
_SHOWN = re.compile(
    rb"\b(?:%s)(?:<[^>]*>)? for\b|\bfn (?:%s)\b"
    % ("|".join(sorted(_SHOWING)).encode(), "|".join(sorted(_DEFAULTS)).encode())
)
_CODE = re.compile(rb"(?:(?!//)[^\"])*\Z")
_STORED = re.compile(rb"\s*=(?!=)")
_QUOTE = re.compile(rb"(?<![\\'])\"")
_HARMLESS = frozenset(
    {"inline", "must_use", "allow", "expect", "doc", "cfg", "cold", "track_caller", "deprecated", "warn"}
)
_BY_KEY = frozenset({"get", "get_mut", "remove", "contains_key"})


def places(source: bytes, name: str) -> Iterable[int]:
    return words(source, name, 0, len(source))


def plainly_read(names: Collection[str], source: bytes) -> set[str]:
    """See `leverlint.languages.consumers.plainly_read`."""
    if b"/*" in source or b'r#"' in source or _SHOWN.search(source):
        return set()
    return {name for name in names if _is_plainly_read(name, source)}


def _is_plainly_read(name: str, source: bytes) -> bool:
    for offset in words(source, name, 0, len(source)):
        line = source.rfind(b"\n", 0, offset) + 1
        if (
            source[offset - 1 : offset] == b"."
            and _CODE.match(source, line, offset)
            and not _STORED.match(source, offset + len(name))
            and len(_QUOTE.findall(source, 0, line)) % 2 == 0
        ):
            return True
    return False


def how(nodes: list[Node], source: bytes) -> str | None:
    node, above = nodes[-1], nodes[-2]
    if any(outer.type == "use_declaration" for outer in nodes):
        return None
    if node.type == "string_content" or above.type == "string_content":
        return _of_text(nodes, source)
    if above.type == "token_tree":
        return _in_macro(node, above, source)
    if above.type == "field_pattern":
        return MEMBER if above.child_by_field_name("name") == node else None
    if above.type == "field_expression" and above.child_by_field_name("field") == node:
        return None if _is_assigned(nodes[:-1]) else MEMBER
    if node.type not in ("identifier", "type_identifier") or above.type in _DECLARING:
        return None
    field = _BINDING.get(above.type)
    return None if field is not None and above.child_by_field_name(field) == node else NAME


def _is_assigned(nodes: list[Node]) -> bool:
    above = nodes[-2]
    return above.type == "assignment_expression" and above.child_by_field_name("left") == nodes[-1]


def _in_macro(node: Node, tree: Node, source: bytes) -> str | None:
    """Tell from its neighbours what a token is, where no grammar says so."""
    if node.type != "identifier":
        return None
    tokens = tree.children
    position = tokens.index(node)
    before = text(tokens[position - 1], source)
    after = text(tokens[position + 1], source) if position + 1 < len(tokens) else ""
    if before == ".":
        return None if after == "=" else MEMBER
    return None if after == ":" or before in ("fn", "let", "mut", "const", "static") else NAME


def _of_text(nodes: list[Node], source: bytes) -> str | None:
    """Say whether a literal that spells the whole name is the key of a look-up."""
    literal = next((node for node in reversed(nodes) if node.type == "string_literal"), None)
    if literal is None or text(literal, source) != f'"{text(nodes[-1], source)}"':
        return None
    position = nodes.index(literal)
    above = nodes[position - 1]
    if above.type == "index_expression":
        return KEY
    function = nodes[position - 2].child_by_field_name("function") if above.type == "arguments" else None
    field = function.child_by_field_name("field") if function is not None else None
    return KEY if field is not None and text(field, source) in _BY_KEY else None


def only_shows(nodes: list[Node], source: bytes) -> bool:
    for node in nodes[:-1]:
        if node.type == "impl_item" and _trait(node, source) in _SHOWING:
            return True
        if node.type == "function_item" and _text_of(node, "name", source) in _DEFAULTS:
            return True
    return False


def is_registered(nodes: list[Node], source: bytes) -> bool:
    """Say whether a function is called by others than those who name it: a trait's method, an export."""
    above = nodes[-2]
    if above.type != "function_item" or above.child_by_field_name("name") != nodes[-1]:
        return False
    if any(node.type == "impl_item" and node.child_by_field_name("trait") for node in nodes):
        return True
    attribute = above.prev_named_sibling
    while attribute is not None and attribute.type in ("attribute_item", "line_comment", "block_comment"):
        if attribute.type == "attribute_item" and _attribute(attribute, source) not in _HARMLESS:
            return True
        attribute = attribute.prev_named_sibling
    return False


def _attribute(item: Node, source: bytes) -> str:
    return text(item, source).strip("#[ ").partition("(")[0].rstrip("] ")


def into(nodes: list[Node], source: bytes) -> str:
    """Give the field of the resolver that takes what is computed at the end of `nodes`."""
    for position in range(len(nodes) - 2, 0, -1):
        node, below = nodes[position], nodes[position + 1]
        if node.type == "field_initializer" and below == node.child_by_field_name("value"):
            return _text_of(node, "field", source)
        if node.type == "assignment_expression" and below == node.child_by_field_name("right"):
            left = node.child_by_field_name("left")
            holder = _text_of(left, "value", source) if left is not None else ""
            return _text_of(left, "field", source) if left is not None and holder == "self" else ""
        if node.type in ("block", "function_item", "closure_expression"):
            return ""
    return ""


def _trait(implementation: Node, source: bytes) -> str:
    return _text_of(implementation, "trait", source).partition("<")[0].rpartition("::")[2]


def _text_of(node: Node, field: str, source: bytes) -> str:
    child = node.child_by_field_name(field)
    return text(child, source) if child is not None else ""
