"""What reading functions of libraries make of their variable: environs, decouple, declaration kits.

Such a call is lowered around the text that the variable holds, or nothing.
"""

from tree_sitter import Node

from leverlint.facts import (
    UNTOLD,
    Answer,
    Apply,
    Attempt,
    Constant,
    Decoding,
    If,
    Path,
    Raise,
    Reference,
    Untold,
)
from leverlint.languages.python import terms
from leverlint.languages.python.bindings import parts
from leverlint.languages.python.calls import Recorded, path_of
from leverlint.languages.python.expressions import Expressions
from leverlint.languages.syntax import text

_CONVERTED = {
    ("environs", "bool"): "environs:bool",
    **{(library, "int"): "py:int" for library in ("environs", "environ")},
    ("environs", "float"): "py:float",
    ("environs", "json"): "py:json",
    ("environ", "json"): "py:json",
}
_TEXTS = frozenset({"str", "__call__", "unicode", "path", "get_value"})
_RUST = frozenset({"usize", "u32", "i64", "f64", "f32"})
_ON = ("true", "on", "ok", "y", "yes", "1")


def called(record: Recorded, expressions: Expressions) -> Decoding | None:
    """Give what the call of a library's reader gives; `None` when it is none."""
    path = path_of(record.callee)
    node = record.chain[-1]
    if path is None or node.type != "call" or path[0] not in _LIBRARIES:
        return None
    return _LIBRARIES[path[0]](_Call(record, expressions, path[-1]))


class _Call:
    def __init__(self, record: Recorded, expressions: Expressions, name: str) -> None:
        self.name = name
        self.raw = Answer(record.span)
        self.source = expressions.source
        self._record = record
        self._expressions = expressions
        arguments = record.chain[-1].child_by_field_name("arguments")
        given = parts(arguments) if arguments is not None else []
        self.positional = [child for child in given if child.type != "keyword_argument"]
        self.keywords: dict[str, Node | None] = {}
        for child in given:
            if child.type == "keyword_argument":
                name = text(child.child_by_field_name("name") or child, expressions.source)
                self.keywords[name] = child.child_by_field_name("value")

    def of(self, node: Node | None) -> Decoding:
        return self._expressions.of(node, self._record.scope, {})

    def given(self, keyword: str, position: int, missing: Decoding) -> Decoding:
        node = self.node(keyword, position)
        return missing if node is None else self.of(node)

    def node(self, keyword: str, position: int) -> Node | None:
        if keyword in self.keywords:
            return self.keywords[keyword]
        return self.positional[position] if 0 <= position < len(self.positional) else None

    def path(self, node: Node | None) -> Path:
        value = self._expressions.values.of(node, self._record.scope)
        return value.path if isinstance(value, Reference) else ()

    def unless_set(self, default: Decoding, decoded: Decoding) -> Decoding:
        return If(Apply("py:is_none", (self.raw,)), default, decoded)

    def words(self, node: Node) -> list[tuple[Decoding, Decoding]] | None:
        """Give keys and values of a mapping that is written out."""
        pairs = parts(node)
        if node.type != "dictionary" or any(pair.type != "pair" for pair in pairs):
            return None
        return [
            (self.of(pair.child_by_field_name("key")), self.of(pair.child_by_field_name("value")))
            for pair in pairs
        ]


def _among(value: Decoding, words: tuple[str, ...]) -> Decoding:
    return Apply("in", (value, Apply("tuple", tuple(map(Constant, words)))))


def _equals(value: Decoding, word: str) -> Decoding:
    return Apply("equals", (value, Constant(word)))


# --- Readers ----------------------------------------------------------------------------------


def _environs(call: _Call) -> Decoding:
    default = call.given("default", 1, Raise())
    if call.name in _TEXTS or call.name == "env":
        return call.unless_set(default, call.raw)
    operation = _CONVERTED.get(("environs", call.name))
    return UNTOLD if operation is None else call.unless_set(default, Apply(operation, (call.raw,)))


def _django_environ(call: _Call) -> Decoding:
    default = call.given("default", 1, Raise())
    if call.name in ("str", "unicode"):
        return call.unless_set(default, call.raw)
    if call.name == "bool":
        word = Apply("strip", (Apply("lower", (call.raw,)),))
        number = terms.negated(Apply("equals", (Apply("py:int", (call.raw,)), Constant(0))))
        return call.unless_set(default, Attempt(number, _among(word, _ON)))
    operation = _CONVERTED.get(("environ", call.name))
    return UNTOLD if operation is None else call.unless_set(default, Apply(operation, (call.raw,)))


def _envparse(call: _Call) -> Decoding:
    """What is not set gives the default as it is; `cast` says what becomes of text."""
    default = call.given("default", 1, Raise())
    kind = call.name
    if kind == "__call__" or kind == "env":
        node = call.node("cast", 2)
        kind = "str" if node is None else text(node, call.source)
    match kind:
        case "str":
            return call.unless_set(default, call.raw)
        case "bool":
            return call.unless_set(default, _among(Apply("lower", (call.raw,)), _ON))
        case "int":
            return call.unless_set(default, Apply("py:int", (call.raw,)))
    return UNTOLD


def _decouple(call: _Call) -> Decoding:
    """`cast` is applied to the default as well; an empty boolean is off."""
    value = call.unless_set(call.given("default", 1, Raise()), call.raw)
    kind = call.node("cast", 2)
    if kind is None:
        return value
    match call.of(kind):
        case Apply("tuple", (Constant("<callable>"), Constant("py:truth"))):
            if isinstance(default := call.given("default", 1, Raise()), Constant):
                default = terms.truth(default) if not isinstance(default.value, str) else UNTOLD
            parsed = If(_equals(call.raw, ""), terms.FALSE, Apply("decouple:bool", (call.raw,)))
            return call.unless_set(default, parsed)
        case Apply("tuple", (Constant("<callable>"), Constant(str(operation)))):
            return Apply(operation, (value,))
    return UNTOLD


def _starlette(call: _Call) -> Decoding:
    value = call.unless_set(call.given("default", 2, Raise()), call.raw)
    kind = call.node("cast", 1)
    if kind is None:
        return value
    match call.of(kind):
        case Apply("tuple", (Constant("<callable>"), Constant("py:truth"))):
            word = Apply("lower", (call.raw,))
            parsed = If(
                _among(word, ("true", "1")),
                terms.TRUE,
                If(_among(word, ("false", "0")), terms.FALSE, Raise()),
            )
            return call.unless_set(call.given("default", 2, Raise()), parsed)
        case Apply("tuple", (Constant("<callable>"), Constant(str(operation)))):
            return Apply(operation, (value,))
    return UNTOLD


# --- The declaration kit ------------------------------------------------------------------------


def _kit(call: _Call) -> Decoding:
    raw = call.raw
    unset = Apply("py:is_none", (raw,))
    match call.name:
        case "opt_in":
            return _equals(raw, "1")
        case "opt_out":
            return terms.negated(_equals(raw, "0"))
        case "kill_switch":
            return terms.negated(_equals(raw, "1"))
        case "truthy_exact":
            return _among(raw, ("1", "true"))
        case "truthy":
            return If(unset, terms.FALSE, _among(Apply("lower", (raw,)), ("1", "true")))
        case "present" | "any_present":
            return terms.negated(unset)
        case "kill_present":
            return unset
        case "tri_state":
            return If(_equals(raw, "1"), terms.TRUE, If(_equals(raw, "0"), terms.FALSE, terms.NONE))
        case "choice":
            return _chosen(call)
        case "parsed":
            return _parsed(call)
    return UNTOLD


def _chosen(call: _Call) -> Decoding:
    node = call.node("words", 1)
    words = call.words(node) if node is not None else None
    found = call.given("default", -1, UNTOLD)
    if words is None or any(isinstance(word, Untold) for word, _ in words):
        return UNTOLD
    for word, value in reversed(words):
        found = If(Apply("equals", (call.raw, word)), value, found)
    return found


def _parsed(call: _Call) -> Decoding:
    default = call.given("default", -1, UNTOLD)
    parse = call.path(call.node("parse", 1))
    if not parse or parse[-1] not in _RUST:
        return UNTOLD

    def number(value: Decoding) -> Decoding:
        return Apply("rs:unwrap", (Apply(f"rs:parse:{parse[-1]}", (value,)),))

    found = number(call.raw)
    if (
        (clamp := call.given("clamp", -1, terms.NONE))
        and isinstance(clamp, Apply)
        and len(clamp.arguments) == 2
    ):
        bounds = [number(Apply("py:str", (bound,))) for bound in clamp.arguments]
        found = Apply("clamp", (found, *bounds))
    same_as_none = call.given("unset", -1, terms.NONE)
    if not terms.is_constant(same_as_none, None):
        found = If(Apply("equals", (number(call.raw), same_as_none)), default, found)
    return call.unless_set(default, Attempt(found, default))


_LIBRARIES = {
    "environs": _environs,
    "environ": _django_environ,
    "envparse": _envparse,
    "decouple": _decouple,
    "starlette": _starlette,
    "atlas_levers": _kit,
}
