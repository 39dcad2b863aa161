"""Text literals: what their source stands for, and how formatted ones are put together."""

import re
from collections.abc import Callable

from tree_sitter import Node

from leverlint.facts import UNKNOWN, Expression, Joined, Span, Text
from leverlint.languages.python.bindings import parts
from leverlint.languages.syntax import Placed, text

_ESCAPE = re.compile(
    r"\\(\r\n|[0-7]{1,3}|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|N\{[^}]*\}|.)", re.S
)
_SIMPLE = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}
_SIMPLE |= {"\n": "", "\r\n": "", "\r": "", "\\": "\\", "'": "'", '"': '"'}
_PERCENT = re.compile(r"%(?:\((\w+)\))?[-#0 +]*(?:\*|\d+)?(?:\.\d+)?([%a-zA-Z])")
_BRACES = re.compile(r"\{\{|\}\}|\{([^{}:!]*)(?:![rsa])?(?::[^{}]*)?\}")

Evaluate = Callable[[Node], Expression]


def span(node: Placed) -> Span:
    return Span(node.start_byte, node.end_byte)


def joined(pieces: list[Expression], where: Span) -> Expression:
    """Put text together; parts that are known already become one."""
    merged: list[Expression] = []
    for piece in pieces:
        for part in piece.parts if isinstance(piece, Joined) else (piece,):
            last = merged[-1] if merged else None
            if isinstance(part, Text) and isinstance(last, Text):
                merged[-1] = Text(last.value + part.value, Span(last.span.start, part.span.end))
            elif not (isinstance(part, Text) and not part.value and len(pieces) > 1 and last is not None):
                merged.append(part)
    if all(isinstance(part, Text) for part in merged):
        return Text("".join(part.value for part in merged if isinstance(part, Text)), where)
    return Joined(tuple(merged))


def literal(node: Node, source: bytes, evaluate: Evaluate) -> Expression:
    """Lower a string node, f-strings included."""
    pieces: list[Expression] = []
    children = node.named_children
    prefix = text(node.children[0], source).lower()
    if len(children) == 3 and children[1].type == "string_content":
        return Text(unescape(text(children[1], source), prefix), span(node))
    for child in children:
        if child.type == "string_content":
            pieces.append(Text(unescape(text(child, source), prefix), span(child)))
        elif child.type == "interpolation":
            inner = child.child_by_field_name("expression")
            converted = child.child_by_field_name("type_conversion")
            pieces.append(UNKNOWN if inner is None or converted is not None else evaluate(inner))
    return joined(pieces, span(node))


def unescape(raw: str, prefix: str) -> str:
    if "f" in prefix:
        raw = raw.replace("{{", "{").replace("}}", "}")
    if "\\" not in raw or "r" in prefix:
        return raw
    return _ESCAPE.sub(_escape, raw)


def _escape(match: re.Match[str]) -> str:
    code = match[1]
    if code in _SIMPLE:
        return _SIMPLE[code]
    if code[0] in "01234567":
        return chr(int(code, 8))
    if code[0] in "xuU" and len(code) > 1:
        number = int(code[1:], 16)
        return chr(number) if number < 0x110000 else "?"
    return match[0]


def percent(template: Text, operand: Node, evaluate: Evaluate) -> Expression:
    """Lower `"…%s…" % operand`."""
    values = parts(operand) if operand.type in ("tuple", "expression_list") else [operand]
    pieces: list[Expression] = []
    at = used = 0
    for match in _PERCENT.finditer(template.value):
        pieces.append(Text(template.value[at : match.start()], template.span))
        at = match.end()
        if match[2] == "%":
            pieces.append(Text("%", template.span))
        elif match[1] is None and match[2] == "s" and used < len(values):
            pieces.append(evaluate(values[used]))
            used += 1
        else:
            used += 1
            pieces.append(UNKNOWN)
    pieces.append(Text(template.value[at:], template.span))
    return joined(pieces, template.span)


def braces(template: Text, arguments: Node, source: bytes, evaluate: Evaluate) -> Expression:
    """Lower `"…{}…".format(…)`."""
    positional: list[Node] = []
    named: dict[str, Node] = {}
    for child in parts(arguments):
        if child.type == "keyword_argument":
            name, value = child.child_by_field_name("name"), child.child_by_field_name("value")
            if name is not None and value is not None:
                named[text(name, source)] = value
        else:
            positional.append(child)
    pieces: list[Expression] = []
    at = automatic = 0
    for match in _BRACES.finditer(template.value):
        pieces.append(Text(template.value[at : match.start()], template.span))
        at = match.end()
        if match[0] in ("{{", "}}"):
            pieces.append(Text(match[0][0], template.span))
            continue
        key = match[1] or str(automatic)
        automatic += not match[1]
        found = named.get(key)
        if key.isdigit() and int(key) < len(positional):
            found = positional[int(key)]
        known = found is not None and found.type not in ("list_splat", "dictionary_splat")
        pieces.append(evaluate(found) if known and found is not None else UNKNOWN)
    pieces.append(Text(template.value[at:], template.span))
    return joined(pieces, template.span)
