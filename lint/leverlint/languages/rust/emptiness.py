"""Telling a switch from text that is tested for being empty beside its use."""

from tree_sitter import Node

from leverlint.facts import Answer, Apply, Constant, Decoding, If, Let, Local, Raise
from leverlint.languages.rust.nodes import FUNCTION_KINDS, method_of
from leverlint.languages.rust.outcome_calls import SAME
from leverlint.languages.rust.outcomes import everything_in
from leverlint.languages.rust.patterns import bindings
from leverlint.languages.rust.source import Chain, Source, words

_ASKING = frozenset(
    {"is_empty", "is_some", "is_none", "is_ok", "is_err", "is_some_and", "is_ok_and", "is_none_or"}
)
_TIDYING = SAME | {
    "trim",
    "trim_start",
    "trim_end",
    "to_lowercase",
    "to_ascii_lowercase",
    "unwrap_or_default",
}
_OPERATIONS = frozenset(
    {"rs:holds", "rs:payload", "rs:rewrap", "rs:some", "rs:ok", "rs:none", "rs:err", "rs:to_option",
     "rs:to_result", "rs:unwrap_or", "rs:to_str", "rs:lossy", "rs:lower_ascii", "rs:upper_ascii", "lower",
     "upper", "strip", "lstrip", "rstrip", "is_empty", "equals", "not"}
)  # fmt: skip
"""Operations that tell nothing apart but text, no text and none at all."""
_AROUND = frozenset(
    {"reference_expression", "parenthesized_expression", "unary_expression", "try_expression"}
)


def tests_emptiness(decoding: Decoding) -> bool:
    """Say whether all that can be told from a decoding is whether there is any text."""
    return all(map(_is_indifferent, everything_in(decoding)))


def _is_indifferent(part: Decoding) -> bool:
    match part:
        case Constant(value):
            return value is None or isinstance(value, bool) or value == ""
        case Apply(operation, _):
            return operation in _OPERATIONS
    return isinstance(part, Answer | Local | If | Let | Raise)


def binds_text(chain: Chain, source: Source) -> bool:
    """Say whether the `match` or `if let` that takes the value at the end of `chain` hands text on."""
    for depth in range(len(chain) - 2, 0, -1):
        node, inside = chain[depth], chain[depth + 1]
        if node.type == "match_expression" and node.child_by_field_name("value") == inside:
            body = node.child_by_field_name("body")
            arms = body.named_children if body is not None else []
            return any(_hands_on(arm, arm.child_by_field_name("value"), source) for arm in arms)
        if node.type == "let_condition":
            branch = next(above for above in reversed(chain[:depth]) if above.type != "let_chain")
            return _hands_on(node, branch.child_by_field_name("consequence"), source)
        if node.type in ("block", "let_declaration", "expression_statement", *FUNCTION_KINDS):
            return False
    return False


def _hands_on(binder: Node, body: Node | None, source: Source) -> bool:
    pattern = binder.child_by_field_name("pattern")
    if pattern is None or body is None:
        return False
    names = [name for name, _ in bindings(pattern, source.text)]
    offsets = (at for name in names for at in words(source.text, name, body.start_byte, body.end_byte))
    return any(is_used_as_text(offset, source) for offset in offsets)


def is_used_as_text(offset: int, source: Source) -> bool:
    """Say whether a variable that stands at an offset is more than tested there."""
    chain = source.chain(offset)
    if chain[-1].type == "string_content":
        return source.text[offset - 1 : offset] == b"{"
    return chain[-1].type in ("identifier", "shorthand_field_initializer") and not _is_tested(chain, source)


def _is_tested(chain: Chain, source: Source) -> bool:
    """Say whether a variable is asked for presence, taken apart by patterns, or given a value."""
    depth = len(chain) - 1
    while depth > 1:
        node, above = chain[depth], chain[depth - 1]
        if above.type == "field_expression" and above.child_by_field_name("value") == node:
            method = method_of(chain[depth - 2], source)
            if method is not None and method[1] in _ASKING:
                return True
            if method is None or method[1] not in _TIDYING:
                return False
            depth -= 2
        elif above.type in _AROUND:
            depth -= 1
        else:
            return _is_matched(above, node)
    return False


def _is_matched(above: Node, node: Node) -> bool:
    match above.type:
        case "match_expression" | "let_condition":
            return above.child_by_field_name("value") == node
        case "let_declaration":
            return True
        case "assignment_expression":
            return above.child_by_field_name("left") == node
        case "binary_expression":
            # What it is compared with is for others to look at.
            operator = above.child_by_field_name("operator")
            return operator is not None and operator.type in ("==", "!=")
    return False
