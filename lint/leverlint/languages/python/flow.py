"""Which of several bindings of a name can be in force where the name is used.

Not control flow in full: a binding rules whatever follows it in its own block, and a loop
variable rules the body of its loop. What no binding rules may be any of them.
"""

from typing import NamedTuple

from tree_sitter import Node

from leverlint.languages.python.bindings import Binding
from leverlint.languages.python.imports import Word

_BLOCKS = frozenset({"block", "module"})
_LOOPS = frozenset({"for_statement", "while_statement"})
_MOST = 64
"""Bindings of one name that are told apart."""


class _Region(NamedTuple):
    start: int
    end: int


def reaching(bindings: list[Binding], use: int) -> list[Binding]:
    """Give the bindings that a use at a byte offset may see, in their own scope."""
    if len(bindings) < 2 or len(bindings) > _MOST:
        return bindings
    ruling: Binding | None = None
    for binding in bindings:
        region = _ruled(binding)
        if region is not None and region.start <= use < region.end:
            ruling = binding
    if ruling is None:
        return bindings
    first = ruling.name.start_byte
    return [
        binding
        for binding in bindings
        if binding.name.start_byte >= first
        and (binding.name.start_byte < use or _comes_round(binding.name, first, use))
    ]


def _ruled(binding: Binding) -> _Region | None:
    """Give where a binding is in force for certain, until another one comes."""
    if binding.kind in ("parameter", "receiver"):
        return _Region(binding.name.start_byte, 1 << 62)
    statement: Node | Word = binding.name
    above = statement.parent
    while above is not None and above.type not in _BLOCKS:
        if above.type in ("named_expression", "case_clause", "conditional_expression", "except_clause"):
            return None
        if above.type == "for_statement":
            body = above.child_by_field_name("body")
            return _Region(body.start_byte, body.end_byte) if body is not None else None
        inner = statement = above
        above = inner.parent
        if inner.type == "with_statement":
            body = inner.child_by_field_name("body")
            return _Region(body.start_byte, body.end_byte) if body is not None else None
    return _Region(statement.end_byte, above.end_byte) if above is not None else None


def _comes_round(name: Node | Word, first: int, use: int) -> bool:
    """Say whether a loop leads from a binding back to a use before it, past the ruling one."""
    above = name.parent
    while above is not None and above.start_byte > first:
        if above.type in _LOOPS and above.start_byte <= use < above.end_byte:
            return True
        above = above.parent
    return False
