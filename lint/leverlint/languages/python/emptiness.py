"""Telling a switch from text that is tested for being empty before it is used."""

import re
from collections.abc import Container

from tree_sitter import Node

from leverlint.facts import Answer, Apply, Attempt, Constant, Decoding, If, Let, Local, Raise, Span, Untold
from leverlint.languages.python.calls import Recorded
from leverlint.languages.python.words import words

_TEXTUAL = frozenset(
    {
        *("lower", "upper", "strip", "lstrip", "rstrip", "replace", "remove_prefix", "remove_suffix"),
        *("py:casefold", "py:title", "py:capitalize", "py:str"),
        *("py:strip_chars", "py:lstrip_chars", "py:rstrip_chars"),
    }
)
_ORDERED = frozenset({"py:gt", "py:ge", "py:lt", "py:le"})
_TESTED = re.compile(rb"(?:\b(?:if|elif|while|not|and|or|assert)\s+|\bbool\(\s*)\Z")
_TIDYING = re.compile(rb"(?:\s*\.\s*(?:strip|lstrip|rstrip|lower|upper|casefold)\s*\(\s*\))*")
"""Methods that leave text as empty or full as it was."""
_GOES_ON = re.compile(rb"\s*(?:[.\[(=!<>+%*]|\bin\b)")
"""Signs behind a name that make more of it than a condition."""
_IS_NOTHING = re.compile(rb"\s*(?:[=!]=\s*(?:\"\"|'')|is\s+(?:not\s+)?None\b)")
_IS_SET = re.compile(rb"\s*=(?!=)")
_RENAMED = re.compile(rb"\n[ \t]*(\w+)\s*=\s*\Z")
_ENDS = re.compile(rb"[ \t]*(?:[;#\r\n]|\Z)")
_LINE = 100
_CARRIED = frozenset({"boolean_operator", "parenthesized_expression", "attribute", "call", "argument_list"})
_MOST_NAMES = 4


def tests_emptiness(decoding: Decoding, spans: Container[Span]) -> bool:
    """Say whether only the presence or the truth of the answer of some calls is asked."""
    match decoding:
        case Constant() | Raise() | Untold():
            return True
        case Apply("not", (inner,)):
            return tests_emptiness(inner, spans)
        case Apply(("py:truth" | "py:is_none"), (value,)):
            return _is_text(value, spans)
        case Apply("equals", (Apply("py:len", (value,)), Constant(0))):
            return _is_text(value, spans)
        case Apply(("equals" | "in"), (value, words)):
            return _is_text(value, spans) and _is_nothing(words)
        case Apply(operation, (Apply("py:len", (value,)), Constant(0 | 1))) if operation in _ORDERED:
            return _is_text(value, spans)
        case If(condition, then, otherwise):
            return all(tests_emptiness(part, spans) for part in (condition, then, otherwise))
        case Attempt(body, otherwise):
            return tests_emptiness(body, spans) and tests_emptiness(otherwise, spans)
        case Let(_, value, body):
            return _is_text(value, spans) and tests_emptiness(body, spans)
    return False


def _is_text(value: Decoding, spans: Container[Span]) -> bool:
    match value:
        case Answer(span):
            return span in spans
        case Local():
            return True
        case Apply(operation, (inner, *others)) if operation in _TEXTUAL:
            return _is_text(inner, spans) and all(isinstance(other, Constant) for other in others)
        case If(condition, then, otherwise) if _is_nothing(otherwise):
            return tests_emptiness(condition, spans) and _is_text(then, spans)
    return False


def _is_nothing(value: Decoding) -> bool:
    match value:
        case Constant(None | ""):
            return True
        case Apply("tuple", parts):
            return all(map(_is_nothing, parts))
    return False


def is_used_as_text(record: Recorded, around: Node | None, source: bytes) -> bool:
    """Say whether the local that holds an answer is more than a condition: then it is text."""
    holder = _holder(record, source)
    if holder is None:
        return False
    end = around.end_byte if around is not None else len(source)
    names = [source[holder[0].start_byte : holder[0].end_byte]]
    for name in names:
        for offset in words(source, name, holder[1].end_byte, end):
            before, behind = source[max(0, offset - _LINE) : offset], offset + len(name)
            if _IS_SET.match(source, behind):
                continue
            tidied = _TIDYING.match(source, behind)
            end_of_value = tidied.end() if tidied else behind
            if _IS_NOTHING.match(source, end_of_value):
                continue
            goes_on = _GOES_ON.match(source, end_of_value)
            renamed = _RENAMED.search(before) if _ENDS.match(source, end_of_value) else None
            if renamed and len(names) < _MOST_NAMES:
                names.extend({renamed[1]} - set(names))
            elif goes_on or not _TESTED.search(before):
                return True
    return False


def _holder(record: Recorded, source: bytes) -> tuple[Node, Node] | None:
    """Give the local that an answer goes to, and the assignment."""
    inside = record.chain[-1]
    for node in reversed(record.chain[:-1]):
        if node.type in ("assignment", "named_expression"):
            name = node.child_by_field_name("left") or node.child_by_field_name("name")
            return (name, node) if name is not None and name.type == "identifier" else None
        if node.type not in _CARRIED or (node.type == "call" and not _keeps_text(node, inside, source)):
            return None
        inside = node
    return None


def _keeps_text(call: Node, inside: Node, source: bytes) -> bool:
    """Say whether a call is a method of the text, or `str` of it."""
    function = call.child_by_field_name("function")
    return function is not None and (
        function == inside or source[function.start_byte : function.end_byte] == b"str"
    )
