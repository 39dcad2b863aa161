"""What options of a command line make of the variable that may stand in for them: click and typer."""

from tree_sitter import Node

from leverlint.facts import UNTOLD, Answer, Apply, Decoding, If, Raise, Reference, Span, Untold
from leverlint.languages.python import terms
from leverlint.languages.python.bindings import parts
from leverlint.languages.python.expressions import Expressions
from leverlint.languages.python.scopes import Scope
from leverlint.languages.syntax import text

_OPTIONS = frozenset({"option", "Option", "argument", "Argument"})
_UNFOLLOWED = frozenset(
    {
        *("callback", "prompt", "multiple", "nargs", "count", "flag_value", "default_factory", "parser"),
        *("click_type", "cls", "expose_value"),
    }
)
"""Keywords that make more of the text than its type says."""
_PARAMETERS = frozenset({"typed_default_parameter", "typed_parameter"})


def option(chain: list[Node], span: Span, scope: Scope, expressions: Expressions) -> Decoding:
    """Lower `click.option(…, envvar=…)`: an empty variable counts as one that is not set."""
    call = chain[-1]
    function = call.child_by_field_name("function")
    if function is None or text(function, expressions.source).rpartition(".")[2] not in _OPTIONS:
        return UNTOLD
    value = expressions.values.of(function, scope)
    described = (
        _Typer(chain, scope, expressions)
        if isinstance(value, Reference) and value.path[0] == "typer"
        else _Click(call, scope, expressions)
    )
    if not _UNFOLLOWED.isdisjoint(described.keywords):
        return UNTOLD
    return If(terms.negated(terms.truth(Answer(span))), described.default(), described.parsed(Answer(span)))


class _Click:
    """An option of click: its type is said, or told by its default."""

    def __init__(self, call: Node, scope: Scope, expressions: Expressions) -> None:
        arguments = call.child_by_field_name("arguments")
        given = parts(arguments) if arguments is not None else []
        self.source = expressions.source
        self.positional = [child for child in given if child.type != "keyword_argument"]
        self.keywords = {
            text(child.child_by_field_name("name") or child, self.source): child.child_by_field_name("value")
            for child in given
            if child.type == "keyword_argument"
        }
        self._scope = scope
        self._expressions = expressions

    def of(self, node: Node | None) -> Decoding:
        return terms.NONE if node is None else self._expressions.of(node, self._scope, {})

    def default(self) -> Decoding:
        if terms.is_constant(self.of(self.keywords.get("required")), True):
            return Raise()
        default = self.of(self.keywords.get("default"))
        if "default" not in self.keywords and self._is_flag():
            return terms.FALSE
        return default

    def parsed(self, value: Decoding) -> Decoding:
        kind = "bool" if self._is_flag() else self._kind(self.keywords.get("type"))
        return converted(kind, value) if kind else self._like(self.default(), value)

    def _is_flag(self) -> bool:
        """`--shout/--quiet` is one without saying so."""
        if terms.is_constant(self.of(self.keywords.get("is_flag")), True):
            return True
        return any(
            child.type == "string" and "/" in text(child, self.source).strip("/'\"")
            for child in self.positional
        )

    def _kind(self, node: Node | None) -> str:
        if node is None:
            return ""
        written = text(node, self.source).rpartition(".")[2]
        return {"BOOL": "bool", "INT": "int", "FLOAT": "float", "STRING": "str"}.get(written, written)

    def _like(self, default: Decoding, value: Decoding) -> Decoding:
        """Parse as click does without a type: by the kind of the default."""
        if isinstance(default, Untold):
            return UNTOLD
        kinds = {bool: "bool", int: "int", float: "float"}
        return converted(kinds.get(type(getattr(default, "value", None)), "str"), value)


class _Typer(_Click):
    """An option of typer: its type is the one of the parameter that it stands at."""

    def __init__(self, chain: list[Node], scope: Scope, expressions: Expressions) -> None:
        super().__init__(chain[-1], scope, expressions)
        self._parameter = next((node for node in reversed(chain) if node.type in _PARAMETERS), None)
        declared = self._parameter.child_by_field_name("type") if self._parameter is not None else None
        self._annotated = declared is not None and declared in chain
        written = text(declared, self.source) if declared is not None else ""
        if self._annotated:
            written = written.partition("[")[2].partition(",")[0]
        self._type = "".join(written.split())

    def default(self) -> Decoding:
        if self._annotated and self._parameter is not None:
            node = self._parameter.child_by_field_name("value")
        else:
            node = self.keywords.get("default") or next(iter(self.positional), None)
        if node is None or node.type == "ellipsis":
            return Raise()
        return self.of(node)

    def parsed(self, value: Decoding) -> Decoding:
        kind = self._type.removesuffix("|None").removeprefix("typing.")
        if kind.startswith("Optional["):
            kind = kind.removeprefix("Optional[").removesuffix("]")
        return converted(kind, value)


def converted(kind: str, value: Decoding, library: str = "click") -> Decoding:
    """Give what a library makes of text for a type, as far as it is known."""
    operation = {"bool": f"{library}:bool", "int": "py:int", "float": "py:float"}.get(kind)
    if operation is not None:
        return Apply(operation, (value,))
    return value if kind == "str" else UNTOLD
