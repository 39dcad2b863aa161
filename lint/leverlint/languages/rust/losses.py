"""Where a value that is not UTF-8 vanishes or is changed."""

from tree_sitter import Node

from leverlint.facts import Lossy, Span
from leverlint.languages.rust.nodes import method_of, parts_of, path_segments, tail
from leverlint.languages.rust.scopes import Item, Local, Scopes
from leverlint.languages.rust.source import Chain, Source, words

_PRESENCE = frozenset({"is_ok", "is_err"})
REPLACING = (b"to_string_lossy", b"from_utf8_lossy")


class Losses:
    def __init__(self, source: Source, scopes: Scopes) -> None:
        self._source = source
        self._scopes = scopes
        self._replaced: dict[int, Span] | None = None

    def of(self, chain: Chain, utf8: bool) -> Lossy | None:
        """Say what happens to the value of the call at the end of `chain`."""
        if utf8:
            absent = self._presence(chain)
            if absent is not None:
                return Lossy("absent", absent)
        if self._replaced is None:
            self._replaced = {}
            for word in REPLACING:
                for offset in words(self._source.text, word.decode(), 0, len(self._source.text)):
                    self._trace(offset, self._replaced)
        span = self._replaced.get(chain[-1].end_byte)
        return Lossy("replaced", span) if span is not None else None

    def _presence(self, chain: Chain) -> Span | None:
        """Find `.is_ok()` directly on the value."""
        if len(chain) < 3 or chain[-2].type != "field_expression":
            return None
        method = method_of(chain[-3], self._source)
        if method is None or method[0] != chain[-1] or method[1] not in _PRESENCE:
            return None
        return self._method_span(chain[-3])

    def _method_span(self, call: Node) -> Span:
        callee = call.child_by_field_name("function")
        field = callee.child_by_field_name("field") if callee is not None else None
        return Span(field.start_byte if field is not None else call.start_byte, call.end_byte)

    def _trace(self, offset: int, found: dict[int, Span]) -> None:
        """Note the end of the call whose value a lossy conversion is made on."""
        call = next(
            (node for node in reversed(self._source.chain(offset)) if node.type == "call_expression"), None
        )
        if call is None:
            return
        method = method_of(call, self._source)
        if method is None:
            arguments = call.child_by_field_name("arguments")
            origin = next(iter(parts_of(arguments)), None) if arguments is not None else None
            span = Span(call.start_byte, call.end_byte)
        else:
            origin, span = method[0], self._method_span(call)
        for _ in range(16):
            if origin is None:
                return
            found.setdefault(origin.end_byte, span)
            origin = self._origin(origin)

    def _origin(self, node: Node) -> Node | None:
        """Give the expression that the value of `node` comes from."""
        method = method_of(node, self._source)
        if method is not None:
            return method[0]
        if node.type == "call_expression":
            return self._returned(node)
        if node.type == "match_expression":
            return node.child_by_field_name("value")
        if node.type in (
            "try_expression",
            "reference_expression",
            "parenthesized_expression",
            "unary_expression",
        ):
            return parts_of(node)[-1]
        if node.type != "identifier":
            return None
        found = self._scopes.lookup(self._source.text_of(node), self._source.chain_to(node))
        if not isinstance(found, Local) or found.route:
            return None
        if found.kind != "parameter":
            return found.node if found.kind == "value" else None
        closure = found.node
        arguments = closure.parent if closure is not None and closure.type == "closure_expression" else None
        call = arguments.parent if arguments is not None and arguments.type == "arguments" else None
        method = method_of(call, self._source) if call is not None else None
        return method[0] if method is not None and found.position == 0 else None

    def _returned(self, call: Node) -> Node | None:
        """Give what a function of this file without parameters returns."""
        callee = call.child_by_field_name("function")
        segments = path_segments(callee, self._source.text) if callee is not None else None
        if callee is None or segments is None or len(segments) != 1:
            return None
        found = self._scopes.lookup(segments[0], self._source.chain_to(callee))
        if not isinstance(found, Item) or found.kind != "function":
            return None
        body = found.node.child_by_field_name("body")
        return tail(self._source.inside(body)) if body is not None else None
