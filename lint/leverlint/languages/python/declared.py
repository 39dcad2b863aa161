"""What declarations make of their variable: settings fields, options of a command line, kits."""

from tree_sitter import Node

from leverlint.facts import UNTOLD, Answer, Apply, Decoding, If, Raise, Span, Untold
from leverlint.languages.python import api, terms
from leverlint.languages.python.bindings import parts
from leverlint.languages.python.calls import Recorded
from leverlint.languages.python.expressions import Expressions
from leverlint.languages.python.scopes import Scope
from leverlint.languages.syntax import text


def decoding(record: Recorded, expressions: Expressions) -> Decoding:
    """Give what a declaration makes of the text that its variable holds."""
    node = record.chain[-1]
    if record.callee == api.SETTINGS_FIELD and node.type == "assignment":
        return _setting(node, record.span, record.scope, expressions)
    if record.callee == api.DECLARED["envvar"]:
        return _option(node, record.span, record.scope, expressions)
    return UNTOLD


def unless_set(span: Span, default: Decoding, parsed: Decoding) -> Decoding:
    return If(Apply("py:is_none", (Answer(span),)), default, parsed)


def _setting(node: Node, span: Span, scope: Scope, expressions: Expressions) -> Decoding:
    """Lower `name: kind = default` of a settings class."""
    kind = text(node.child_by_field_name("type") or node, expressions.source).replace(" ", "")
    parsed = _parsed(
        kind.removeprefix("Optional[").removesuffix("]").removesuffix("|None"), Answer(span), "pydantic"
    )
    value = node.child_by_field_name("right")
    default: Decoding = Raise()
    if value is not None and value.type == "call":
        default = _field_default(value, scope, expressions)
    elif value is not None and value.type != "ellipsis":
        default = expressions.of(value, scope, {})
    return unless_set(span, default, parsed)


def _field_default(call: Node, scope: Scope, expressions: Expressions) -> Decoding:
    arguments = call.child_by_field_name("arguments")
    given = parts(arguments) if arguments is not None else []
    if any(
        child.type == "keyword_argument" and _keyword(child, expressions) == "default_factory"
        for child in given
    ):
        return UNTOLD
    default = next(
        (
            child.child_by_field_name("value")
            for child in given
            if child.type == "keyword_argument" and _keyword(child, expressions) == "default"
        ),
        given[0] if given and given[0].type != "keyword_argument" else None,
    )
    return Raise() if default is None or default.type == "ellipsis" else expressions.of(default, scope, {})


def _keyword(child: Node, expressions: Expressions) -> str:
    return text(child.child_by_field_name("name") or child, expressions.source)


def _parsed(kind: str, value: Decoding, library: str) -> Decoding:
    operation = {"bool": f"{library}:bool", "int": "py:int", "float": "py:float"}.get(kind)
    if operation is not None:
        return Apply(operation, (value,))
    return value if kind == "str" else UNTOLD


def _option(call: Node, span: Span, scope: Scope, expressions: Expressions) -> Decoding:
    """Lower `click.option(…, envvar=…)`: an empty variable counts as one that is not set."""
    arguments = call.child_by_field_name("arguments")
    given = {
        _keyword(child, expressions): child.child_by_field_name("value")
        for child in (parts(arguments) if arguments is not None else ())
        if child.type == "keyword_argument"
    }
    function = text(call.child_by_field_name("function") or call, expressions.source)
    if function.rpartition(".")[2] not in ("option", "Option", "argument", "Argument"):
        return UNTOLD
    default = _default(given.get("default"), scope, expressions)
    flag = terms.is_constant(expressions.of(given.get("is_flag"), scope, {}), True)
    kind = _kind(given.get("type"), expressions)
    if flag or kind == "bool":
        parsed = _parsed("bool", Answer(span), "click")
        default = terms.FALSE if flag and terms.is_constant(default, None) else default
    elif kind:
        parsed = _parsed(kind, Answer(span), "click")
    else:
        parsed = _like(default, Answer(span))
    empty = terms.negated(terms.truth(Answer(span)))
    return If(empty, default, parsed)


def _default(node: Node | None, scope: Scope, expressions: Expressions) -> Decoding:
    return terms.NONE if node is None else expressions.of(node, scope, {})


def _kind(node: Node | None, expressions: Expressions) -> str:
    if node is None:
        return ""
    written = text(node, expressions.source).rpartition(".")[2]
    return {"BOOL": "bool", "INT": "int", "FLOAT": "float", "STRING": "str"}.get(written, written)


def _like(default: Decoding, value: Decoding) -> Decoding:
    """Parse as click does without a type: by the kind of the default."""
    constant = getattr(default, "value", None)
    if isinstance(default, Untold):
        return UNTOLD
    kinds = {bool: "bool", int: "int", float: "float"}
    return _parsed(kinds.get(type(constant), "str"), value, "click")
