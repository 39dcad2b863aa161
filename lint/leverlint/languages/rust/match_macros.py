"""`matches!(value, pattern if guard)`, opened or not."""

from typing import TYPE_CHECKING

from tree_sitter import Node

from leverlint.facts import UNTOLD, Decoding
from leverlint.languages.rust.nodes import arguments_of, parts_of, tokens_of
from leverlint.languages.rust.omissions import Omission
from leverlint.languages.rust.outcomes import is_told
from leverlint.languages.rust.source import parse

if TYPE_CHECKING:
    from leverlint.languages.rust.lowering import Lowering, Names

_OPENING = b"fn f(){match "


def matched(node: Node, names: "Names", lowering: "Lowering") -> Decoding:
    given = arguments_of(node)
    if node.type == "call_expression" and len(given) == 2 and _is_as_written(given[1], lowering):
        # An opened macro shows most patterns as the expressions that look like them.
        value = lowering.lower(given[0], names)
        fits = lowering.numbers.then(
            value, lambda got: lowering.branches.patterns.test(given[1], got, names)[0]
        )
        if is_told(fits) or not is_told(value):
            return fits
    parsed = _as_match(node, lowering)
    if parsed is None:
        return UNTOLD
    source, body = lowering.file.source, parsed.child_by_field_name("body")
    opened = source.text
    start, end = body.start_byte if body is not None else parsed.end_byte, parsed.end_byte
    # The names in the pattern stand where they were written, not where the macro was opened.
    source.text = opened[:start] + lowering.original[start:end] + opened[end:]
    try:
        value = lowering.lower(parsed.child_by_field_name("value"), names)
        return lowering.numbers.then(value, lambda got: _first_fits(parsed, got, names, lowering))
    finally:
        source.text = opened


def _is_as_written(pattern: Node, lowering: "Lowering") -> bool:
    span = slice(pattern.start_byte, pattern.end_byte)
    return lowering.original[span] == lowering.file.source.text[span]


def _first_fits(parsed: Node, value: Decoding, names: "Names", lowering: "Lowering") -> Decoding:
    arms = lowering.branches.arms(parsed, value, names)
    return arms[0][0] if arms else UNTOLD


def _as_match(node: Node, lowering: "Lowering") -> Node | None:
    """Parse the macro as the `match` that it stands for, at the same places."""
    inside = node.child_by_field_name("arguments") or parts_of(node)[-1]
    comma = next((child for child in tokens_of(inside) if child.type == ","), None)
    if comma is None or inside.start_byte < len(_OPENING):
        return None
    # The pattern as it was written: an opened macro shows it only where it looks like an expression.
    pattern = lowering.original[comma.end_byte : inside.end_byte - 1].rstrip()
    pattern = pattern[:-1] if pattern.endswith(b",") else pattern
    value = lowering.file.source.text[inside.start_byte + 1 : comma.start_byte]
    start = inside.start_byte + 1
    blank = b" " * (start - len(_OPENING))
    # perf: the parser would look at every blank of a long file.
    unseen = (Omission(len(_OPENING), start),) if blank else ()
    tree = parse(_OPENING + blank + value + b"{" + pattern + b"=>0,_=>0}}", unseen)
    if tree.root_node.has_error:
        return None
    found = tree.root_node.descendant_for_byte_range(len(_OPENING) - 6, len(_OPENING) - 1)
    while found is not None and found.type != "match_expression":
        found = found.parent
    return found
