"""What declarations make of their variable: settings fields, options of a command line, kits."""

from tree_sitter import Node

from leverlint.facts import UNTOLD, Answer, Apply, Decoding, If, Raise, Span
from leverlint.languages.python import api
from leverlint.languages.python.bindings import parts
from leverlint.languages.python.calls import Recorded
from leverlint.languages.python.expressions import Expressions
from leverlint.languages.python.options import converted, option
from leverlint.languages.python.scopes import Scope
from leverlint.languages.syntax import text


def decoding(record: Recorded, expressions: Expressions) -> Decoding:
    """Give what a declaration makes of the text that its variable holds."""
    node = record.chain[-1]
    if record.callee == api.SETTINGS_FIELD and node.type == "assignment":
        return _setting(node, record.span, record.scope, expressions)
    if record.callee == api.DECLARED["envvar"]:
        return option(record.chain, record.span, record.scope, expressions)
    return UNTOLD


def unless_set(span: Span, default: Decoding, parsed: Decoding) -> Decoding:
    return If(Apply("py:is_none", (Answer(span),)), default, parsed)


def _setting(node: Node, span: Span, scope: Scope, expressions: Expressions) -> Decoding:
    """Lower `name: kind = default` of a settings class."""
    kind = text(node.child_by_field_name("type") or node, expressions.source).replace(" ", "")
    parsed = converted(
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
