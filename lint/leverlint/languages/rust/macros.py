"""Opening macros: making the tokens inside them readable as the expressions that they become.

tree-sitter sees a macro's arguments as loose tokens. Here a macro is overwritten, byte for
byte at the same length, by code of the same meaning for names: `assert!(a, b)` by the call
`assert (a, b)`, `lazy_static! { … }` by its statics, `macro_rules! f { … }` by `fn f() { … }`.
A second parse then shows real nodes at unchanged offsets.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from tree_sitter import Node

from leverlint.facts import Span
from leverlint.languages.rust.nodes import parts_of
from leverlint.languages.rust.omissions import Omissions
from leverlint.languages.rust.source import Source, parse

_SEPARATORS = frozenset({",", ";", "=>"})
_FLAT = frozenset({"thread_local!", "lazy_static!"})
_STATEMENT_PARENTS = frozenset({"source_file", "declaration_list", "block", "expression_statement"})
_REFERENCE = re.compile(rb"\bstatic(\s+)ref\b")
_CONDITION = re.compile(rb"\bif\s*#\s*\[[^\[\]]*\]")


class Arm(NamedTuple):
    """One rule of a `macro_rules!`: where its body is and what its parameters are called."""

    start: int
    end: int
    parameters: tuple[str, ...]
    repeated: bool
    """All of them are inside one repetition."""


class Opened(NamedTuple):
    """What was overwritten: lets an extraction know a call or function for the macro that it was."""

    calls: dict[int, str]
    """Start of a macro to its path as written, with `!`."""
    flats: list[tuple[int, int, str]]
    """Ranges of `thread_local!` and `lazy_static!`."""
    definitions: dict[int, tuple[Arm, ...]]
    """Start of a `macro_rules!` to its rules."""
    closed: set[int]
    """Starts of macros that could not be opened."""

    def macro(self, call: Node) -> str | None:
        """Give the macro that a call stands for, and not the method called on what a macro gives."""
        callee = call.child_by_field_name("function")
        while callee is not None and callee.type == "generic_function":
            callee = callee.child_by_field_name("function")
        if callee is None or callee.type == "field_expression":
            return None
        return self.calls.get(call.start_byte)


def nothing_opened() -> Opened:
    return Opened({}, [], {}, set())


def outermost_macro(chain: Iterable[Node]) -> Node | None:
    for node in chain:
        if node.type in ("macro_invocation", "macro_definition"):
            return node
    return None


def open_all(source: Source, offsets: Iterable[int], opened: Opened) -> Source | None:
    """Give the source with every macro around `offsets` opened; `None` when that changes nothing."""
    macros: dict[int, Node] = {}
    hits: dict[int, list[int]] = {}
    for offset in offsets:
        node = outermost_macro(source.chain(offset))
        if node is not None and node.start_byte not in opened.closed:
            macros[node.start_byte] = node
            hits.setdefault(node.start_byte, []).append(offset)
    if not macros:
        return None
    text = bytearray(source.text)
    for start, node in macros.items():
        _Opener(text, opened).open(node, 0, hits[start])
    if text == source.text:
        return None
    # A semicolon may have been put behind a macro.
    changed = [Span(node.start_byte, node.end_byte + 1) for node in macros.values()]
    return source.again(bytes(text), _outside(macros.values(), source.omitted), changed)


def _outside(macros: Iterable[Node], omitted: Omissions) -> Omissions:
    """Keep what is omitted only where no macro was opened around it."""
    return tuple(
        body
        for body in omitted
        if not any(macro.start_byte <= body.start < macro.end_byte for macro in macros)
    )


class _Opener:
    """Overwrites macros of one text."""

    def __init__(self, text: bytearray, opened: Opened) -> None:
        self.text = text
        self.opened = opened

    def open(self, node: Node, shift: int, hits: list[int], depth: int = 0) -> None:
        """Open `node`, whose offsets are `shift` less than those of the text."""
        start, end = node.start_byte + shift, node.end_byte + shift
        before = bytes(self.text[start:end])
        if node.type == "macro_definition":
            accepted = self._open_definition(node, shift)
        else:
            accepted = self._open_invocation(node, shift)
        if accepted is None:
            self.text[start:end] = before
            self.opened.closed.add(start)
            return
        if depth < 8:
            self._open_nested(accepted, start, end, hits, depth)

    def _open_nested(self, wrapped: bytes, start: int, end: int, hits: list[int], depth: int) -> None:
        """Go on with the macros that opening one has brought to light."""
        shift = start - (len(wrapped) - (end - start) - 1)
        inner = Source(wrapped)
        nested: dict[int, Node] = {}
        for hit in hits:
            node = outermost_macro(inner.chain(hit - shift))
            if node is not None:
                nested[node.start_byte] = node
        for node in nested.values():
            self.open(node, shift, hits, depth + 1)

    # --- Invocations -------------------------------------------------------------------------

    def _open_invocation(self, node: Node, shift: int) -> bytes | None:
        name, tokens = node.child_by_field_name("macro"), parts_of(node)[-1]
        if name is None or tokens.type != "token_tree":
            return None
        start = node.start_byte + shift
        spelled = self.text[start : name.end_byte + shift].decode("utf-8", "replace").replace(" ", "") + "!"
        first, last = tokens.start_byte + shift, tokens.end_byte + shift - 1
        brace = self.text[first : first + 1] == b"{"
        bare = node.parent is not None and node.parent.type in _STATEMENT_PARENTS
        if spelled.rpartition("::")[2] in _FLAT:
            return self._flat(start, first, last, spelled.rpartition("::")[2])
        before = bytes(self.text[start : last + 1])
        for shape in ("block", "call", "pieces") if brace and bare else ("call", "pieces", "block"):
            self.text[start : last + 1] = before
            if shape == "block":
                accepted = self._block(start, first, last)
            else:
                accepted = self._call(start, name.end_byte + shift, tokens, shift, shape == "pieces")
                if accepted is not None and brace and bare:
                    accepted = self._terminated(accepted, last + 1)
                if accepted is not None:
                    self.opened.calls[start] = spelled
            if accepted is not None:
                return accepted
        return None

    def _terminated(self, accepted: bytes, end: int) -> bytes | None:
        """Put a semicolon behind what was a statement without one."""
        if self.text[end : end + 1].isspace():
            self.text[end : end + 1] = b";"
        return accepted if self.text[end : end + 1] == b";" else None

    def _flat(self, start: int, first: int, last: int, name: str) -> bytes | None:
        """Let the statics of `thread_local!` stand in the scope around it."""
        before = bytes(self.text[start : last + 1])
        self._blank(start, first + 1)
        self.text[last : last + 1] = b";"
        body = _REFERENCE.sub(lambda found: b"static" + found[1] + b"   ", bytes(self.text[first:last]))
        self.text[first:last] = body
        accepted = self._accepted(start, last + 1, b"")
        if accepted is None:
            self.text[start : last + 1] = before
        else:
            self.opened.flats.append((start, last + 1, name))
        return accepted

    def _block(self, start: int, first: int, last: int) -> bytes | None:
        self._blank(start, first)
        body = bytes(self.text[first + 1 : last])
        # `cfg_if!` has an attribute where a condition belongs.
        body = _CONDITION.sub(lambda found: b"if _" + b" " * (len(found[0]) - 4), body)
        self.text[first : last + 1] = b"{" + body + b"}"
        return self._accepted(start, last + 1, b"fn f() {")

    def _call(self, start: int, name_end: int, tokens: Node, shift: int, pieces: bool) -> bytes | None:
        first, last = tokens.start_byte + shift, tokens.end_byte + shift
        inside = self._arguments(tokens, shift) if pieces else bytes(self.text[first + 1 : last - 1])
        self._blank(name_end, first)
        self.text[first:last] = b"(" + inside + b")"
        return self._accepted(start, last, b"fn f() {")

    def _arguments(self, tokens: Node, shift: int, depth: int = 0) -> bytes:
        """Give the inside of a token tree as a list of expressions, `_` where it is none."""
        result = bytearray(self.text[tokens.start_byte + shift + 1 : tokens.end_byte + shift - 1])
        base = tokens.start_byte + shift + 1
        pieces, separators = _split(tokens)
        for separator in separators:
            at = separator.start_byte + shift - base
            result[at : separator.end_byte + shift - base] = b"," + b" " * (
                separator.end_byte - separator.start_byte - 1
            )
        for piece in pieces:
            at, to = piece[0].start_byte + shift - base, piece[-1].end_byte + shift - base
            result[at:to] = self._expression(bytes(result[at:to]), piece, shift, depth)
        return bytes(result)

    def _expression(self, text: bytes, piece: list[Node], shift: int, depth: int) -> bytes:
        if _is_expression(text):
            return text
        begin = piece[0].start_byte
        for position, token in enumerate(piece[:-1]):
            if token.type in (":", "=", "?", "%", "if") or token.type == "&":
                rest = piece[position + 1].start_byte - begin
                if _is_expression(text[rest:]):
                    return b" " * rest + text[rest:]
        result = bytearray(b"_" + b" " * (len(text) - 1))
        for token in piece:
            if token.type == "token_tree" and depth < 16:
                inner = b"(" + self._arguments(token, shift, depth + 1) + b")"
                if _is_expression(inner):
                    at = token.start_byte - begin
                    result[:] = b" " * at + inner + b" " * (len(text) - at - len(inner))
        return bytes(result)

    # --- Definitions ---------------------------------------------------------------------------

    def _open_definition(self, node: Node, shift: int) -> bytes | None:
        name = node.child_by_field_name("name")
        if name is None:
            return None
        start, end = node.start_byte + shift, node.end_byte + shift
        spelled = self.text[name.start_byte + shift : name.end_byte + shift]
        rules = [child for child in node.named_children if child.type == "macro_rule"]
        opening = next(child for child in node.children if child.type in ("{", "(", "["))
        closing = next(child for child in reversed(node.children) if child.type in ("}", ")", "]"))
        head = b"fn " + spelled + b"()"
        self._blank(start, opening.start_byte + shift)
        self.text[start : start + len(head)] = head
        self.text[opening.start_byte + shift : opening.end_byte + shift] = b"{"
        self.text[closing.start_byte + shift : closing.end_byte + shift] = b"}"
        arms = tuple(arm for rule in rules for arm in self._arm(rule, shift))
        accepted = self._accepted(start, end, b"")
        if accepted is not None:
            self.opened.definitions[start] = arms
        return accepted

    def _arm(self, rule: Node, shift: int) -> Iterator[Arm]:
        left, right = rule.child_by_field_name("left"), rule.child_by_field_name("right")
        if left is None or right is None:
            return
        parameters = tuple(
            self.text[node.start_byte + shift + 1 : node.end_byte + shift].decode("utf-8", "replace")
            for node in _descendants(left, "token_binding_pattern")
            for node in node.named_children[:1]
        )
        repetitions = _descendants(left, "token_repetition_pattern")
        bound = [sum(1 for _ in _descendants(each, "token_binding_pattern")) for each in repetitions]
        repeated = len(parameters) in bound and len(parameters) > 0
        self._blank(rule.start_byte + shift, right.start_byte + shift)
        self._substitute(right, shift)
        start, end = right.start_byte + shift, right.end_byte + shift
        body = bytes(self.text[start + 1 : end - 1])
        if not _parses(b"fn f() {" + body + b"}"):
            arguments = b"(" + self._arguments(right, shift)[1:] + b")" if len(body) > 1 else body
            body = arguments if _parses(b"fn f() {" + arguments + b"}") else b" " * len(body)
        self.text[start:end] = b"{" + body + b"}"
        yield Arm(start, end, parameters, repeated)

    def _substitute(self, tokens: Node, shift: int) -> None:
        """Make names of metavariables and blocks of repetitions."""
        for node in _descendants(tokens, "metavariable"):
            start, end = node.start_byte + shift, node.end_byte + shift
            sign = b" " if self.text[start:end] == b"$crate" else b"_"
            self.text[start : start + 1] = sign
        for node in _descendants(tokens, "token_repetition"):
            opening = next((child for child in node.children if child.type == "("), None)
            closing = next((child for child in reversed(node.children) if child.type == ")"), None)
            if opening is None or closing is None:
                continue
            first, last = opening.start_byte + shift, closing.start_byte + shift
            if self.text[first + 1 : last].lstrip().startswith(b"#"):
                self._blank(node.start_byte + shift, node.end_byte + shift)
                continue
            self._blank(node.start_byte + shift, first)
            self._blank(last, node.end_byte + shift)
            self.text[first : first + 1] = b"{"
            self.text[last : last + 1] = b"}"

    # --- Bytes -----------------------------------------------------------------------------------

    def _blank(self, start: int, end: int) -> None:
        # Line ends stay, so that a line comment in between ends where it did.
        self.text[start:end] = re.sub(rb"[^\n]", b" ", bytes(self.text[start:end]))

    def _accepted(self, start: int, end: int, prefix: bytes) -> bytes | None:
        wrapped = prefix + bytes(self.text[start:end]) + b"}"
        if not prefix:
            wrapped = wrapped[:-1] + b"\n"
        return wrapped if _parses(wrapped) else None


def _split(tokens: Node) -> tuple[list[list[Node]], list[Node]]:
    """Split a token tree at its separators."""
    pieces: list[list[Node]] = [[]]
    separators = []
    for child in tokens.children[1:-1]:
        if child.type in _SEPARATORS:
            separators.append(child)
            pieces.append([])
        elif child.type not in ("line_comment", "block_comment"):
            pieces[-1].append(child)
    return [piece for piece in pieces if piece], separators


def _descendants(node: Node, kind: str) -> Iterator[Node]:
    pending = [node]
    while pending:
        current = pending.pop()
        if current.type == kind:
            yield current
        pending.extend(reversed(current.children))


# perf: an editor asks for the same macros again and again.
@lru_cache(maxsize=256)
def _parses(text: bytes) -> bool:
    return not parse(text).root_node.has_error


def _is_expression(text: bytes) -> bool:
    return _parses(b"fn f() {(" + text + b")}")
