"""Where a call stands: which field takes its result, what is lost of it, what it decides."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from leverlint.facts import Field, Instance, Lossy, Path, Reference, Span
from leverlint.languages.python import texts
from leverlint.languages.python.bindings import parts
from leverlint.languages.python.places import Place, Places
from leverlint.languages.python.scopes import Scope
from leverlint.languages.python.values import Values
from leverlint.languages.syntax import text

_CONVERSIONS = frozenset(
    {
        "int",
        "float",
        "bool",
        "str",
        "bytes",
        "len",
        "set",
        "list",
        "tuple",
        "frozenset",
        "any",
        "all",
        "sorted",
    }
)
_LOSSES = {
    "ignore": "dropped",
    "replace": "replaced",
    "backslashreplace": "replaced",
    "namereplace": "replaced",
    "xmlcharrefreplace": "replaced",
}
_LEAVING = re.compile(rb"\b(?:return|raise|continue|break|exit|_exit)\b")
_CHOOSING = frozenset({"if_statement", "elif_clause", "conditional_expression"})
_LONGEST_CHOICE = 500
"""A choice with more bytes than this does more than to go on with the variable."""
_JOINING = frozenset({"boolean_operator", "not_operator", "conditional_expression"})


class Context:
    def __init__(self, values: Values, places: Places) -> None:
        self._values = values
        self._source = values.source
        self._local_uses = places.local_uses

    # --- Field ----------------------------------------------------------------------------

    def field(self, place: Place) -> Field | None:
        found = self._own_field(place)
        if found is not None:
            return found
        for use in self._local_uses(place):
            found = self._own_field(use)
            if found is not None:
                return found
        return self._function(place.along[-1])

    def declared_field(self, place: Place) -> Field | None:
        """Give the attribute of a settings class that a declaration makes."""
        node, scope = place.chain[-1], place.along[-1]
        if node.type != "assignment" or scope.kind != "class":
            return self.field(place)
        return Field(scope.path[-1], self._text(node.child_by_field_name("left")), "attribute")

    def _own_field(self, place: Place) -> Field | None:
        """Give the field that the expression itself lands in, before any variable is followed."""
        chain, along = place
        for position in range(len(chain) - 2, 0, -1):
            node, below = chain[position], chain[position + 1]
            match node.type:
                case "keyword_argument" if position > 1:
                    owner = self._constructed(chain[position - 2], along[position])
                    if owner is not None:
                        return Field(owner, self._text(node.child_by_field_name("name")), "field")
                case "pair" if below == node.child_by_field_name("value"):
                    key = self._values.text_of(
                        self._values.of(node.child_by_field_name("key"), along[position])
                    )
                    return Field("", key.value, "key") if key is not None else None
                case "assignment" | "named_expression":
                    return self._target_field(node, below, along[position])
                case "function_definition" | "block":
                    return None
        return None

    def _constructed(self, call: Node, scope: Scope) -> str | None:
        """Give the class that a call makes an object of."""
        function = call.child_by_field_name("function") if call.type == "call" else None
        if function is None:
            return None
        name = self._text(function).rpartition(".")[2]
        if name == "cls":
            at: Scope | None = scope
            while at is not None and at.kind != "class":
                at = at.parent
            return at.path[-1] if at is not None else ""
        if name == "replace":
            return ""
        return name if name.lstrip("_")[:1].isupper() else None

    def _target_field(self, node: Node, below: Node, scope: Scope) -> Field | None:
        target = node.child_by_field_name("left") or node.child_by_field_name("name")
        if target is None or below == target:
            return None
        if target.type == "identifier":
            name = self._text(target)
            if scope.kind == "class":
                return Field(scope.path[-1], name, "attribute")
            outside = scope.kind == "module" or name in scope.globals
            return Field("", name, "global") if outside else None
        if target.type == "attribute":
            found = self._values.of(target.child_by_field_name("object"), scope)
            if not isinstance(found, Instance | Reference) or found.path[0] != ".":
                return None
            return Field(found.path[-1], self._text(target.child_by_field_name("attribute")), "field")
        if target.type == "subscript":
            keys = target.children_by_field_name("subscript")
            key = self._values.text_of(self._values.of(keys[0], scope)) if keys else None
            return Field("", key.value, "key") if key is not None else None
        return None

    def _function(self, scope: Scope) -> Field | None:
        at: Scope | None = scope
        while at is not None and (at.kind != "function" or at.node.type == "lambda"):
            at = at.parent
        if at is None or (at.path[-1].startswith("__") and at.path[-1].endswith("__")):
            return None
        owner = at.parent.path[-1] if at.parent is not None and at.parent.kind == "class" else ""
        return Field(owner, at.path[-1], "function")

    # --- Lossy ----------------------------------------------------------------------------

    def lossy(self, place: Place) -> Lossy | None:
        found = self._lossy_chain(place)
        if found is not None:
            return found
        for use in self._local_uses(place):
            found = self._lossy_chain(use)
            if found is not None:
                return found
        return None

    def _lossy_chain(self, place: Place) -> Lossy | None:
        """Look for `.decode(…, "ignore")` on the value itself."""
        chain = place.chain
        position = len(chain) - 2
        while position > 0 and chain[position].type in ("attribute", "call", "parenthesized_expression"):
            node = chain[position]
            if node.type == "call":
                function, arguments = (
                    node.child_by_field_name("function"),
                    node.child_by_field_name("arguments"),
                )
                method = function.child_by_field_name("attribute") if function is not None else None
                if arguments is None or chain[position + 1] == arguments:
                    return None
                if method is not None and self._text(method) in ("decode", "encode"):
                    how = self._loss(arguments, place.along[position])
                    if how is not None:
                        return Lossy(how, texts.span(node))
            position -= 1
        return None

    def _loss(self, arguments: Node, scope: Scope) -> str | None:
        given = parts(arguments)
        positional = [child for child in given if child.type != "keyword_argument"]
        errors = positional[1] if len(positional) > 1 else None
        for child in given:
            if child.type == "keyword_argument" and self._text(child.child_by_field_name("name")) == "errors":
                errors = child.child_by_field_name("value")
        known = self._values.text_of(self._values.of(errors, scope)) if errors is not None else None
        return _LOSSES.get(known.value) if known is not None else None

    # --- Used -----------------------------------------------------------------------------

    def used(self, place: Place) -> Span | None:
        """Give the expression that a result flows through; `None` when it is thrown away."""
        chain = place.chain
        position = self._top(chain)
        above = chain[position - 1] if position else None
        if above is None or above.type in ("expression_statement", "delete_statement"):
            return None
        if (
            above.type in ("assignment", "augmented_assignment")
            and above.child_by_field_name("left") == chain[position]
        ):
            return None
        return texts.span(chain[position])

    def _top(self, chain: list[Node]) -> int:
        """Give the position of the expression that the result at the end of a chain flows through."""
        position = len(chain) - 1
        while position > 1 and self._flows(chain[position - 1], chain[position]):
            position -= 1
        return position

    def decides(self, place: Place) -> Span | None:
        """Give the code that is run or not by what a result is; `None` when it is no condition."""
        found = self._decided(place.chain)
        if found is not None:
            return found
        later = [self._decided(use.chain) for use in self._local_uses(place)]
        ends = [span.end for span in later if span is not None]
        return Span(place.chain[-1].start_byte, max(ends)) if ends else None

    def _decided(self, chain: list[Node]) -> Span | None:
        position = self._top(chain)
        above = chain[position - 1] if position else None
        if above is None:
            return None
        if above.type == "elif_clause":
            above = chain[position - 2]
        elif above.type == "if_statement" and above.child_by_field_name("condition") != chain[position]:
            return None
        if above.type in ("if_statement", "while_statement", "assert_statement"):
            leaves = above.type != "if_statement" or _LEAVING.search(
                self._source, chain[position].end_byte, above.end_byte
            )
            block = above.parent if leaves else None
            return Span(above.start_byte, block.end_byte if block is not None else above.end_byte)
        asked = chain[position].type in _JOINING
        return texts.span(chain[position]) if asked and position < len(chain) - 1 else None

    def leads_to(self, place: Place) -> tuple[Path, ...]:
        """Give the functions that are called in the branches between which a result chooses."""
        chain = place.chain
        position = len(chain) - 1
        while position > 1 and chain[position - 1].type not in _CHOOSING:
            if not self._flows(chain[position - 1], chain[position]):
                return ()
            position -= 1
        above = chain[position - 1]
        if above.end_byte - above.start_byte > _LONGEST_CHOICE or _condition(above) != chain[position]:
            return ()
        branches = [each for each in above.named_children if each != chain[position]]
        values = (self._values.of(each, place.along[position]) for each in _called_in(branches))
        found = (value.path for value in values if isinstance(value, Reference))
        return tuple(dict.fromkeys(path for path in found if path[0] != "builtins"))

    def tested(self, place: Place) -> bool:
        """Say whether a result, or the local that it is bound to, is a condition by itself."""
        chain = place.chain
        for position in range(len(chain) - 1, 0, -1):
            above, node = chain[position - 1], chain[position]
            match above.type:
                case "parenthesized_expression" | "boolean_operator" | "argument_list":
                    continue
                case "call":
                    return self._text(above.child_by_field_name("function")) == "bool"
                case "not_operator" | "assert_statement":
                    return True
                case "if_statement" | "elif_clause" | "while_statement":
                    return above.child_by_field_name("condition") == node
                case "conditional_expression":
                    return len(above.children) > 2 and above.children[2] == node
                case "assignment" | "named_expression":
                    name = self._text(above.child_by_field_name("left") or above.child_by_field_name("name"))
                    around = next((n for n in reversed(chain) if n.type == "function_definition"), None)
                    return bool(name) and around is not None and _is_condition(name, around, self._source)
            return False
        return False

    def _flows(self, above: Node, node: Node) -> bool:
        match above.type:
            case "attribute" | "await" | "comparison_operator" | "boolean_operator" | "not_operator":
                return True
            case "binary_operator" | "unary_operator" | "conditional_expression" | "parenthesized_expression":
                return True
            case "named_expression":
                return True
            case "call":
                return above.child_by_field_name("function") == node or (
                    node.type == "argument_list" and self._converts(above)
                )
            case "argument_list":
                return above.parent is not None and self._converts(above.parent)
            case "subscript":
                return above.child_by_field_name("value") == node
        return False

    def _converts(self, call: Node) -> bool:
        return self._text(call.child_by_field_name("function")) in _CONVERSIONS

    def _text(self, node: Node | None) -> str:
        return text(node, self._source) if node is not None else ""


def _is_condition(name: str, around: Node, source: bytes) -> bool:
    """Say whether a name stands where a condition does, anywhere in a function."""
    word = rb"\b(?:if|elif|while|not|and|or|assert|bool\()\s*" + re.escape(name.encode()) + rb"\b"
    return re.compile(word).search(source, around.start_byte, around.end_byte) is not None


def _condition(choice: Node) -> Node | None:
    if choice.type == "conditional_expression":
        return choice.named_children[1] if len(choice.named_children) > 1 else None
    return choice.child_by_field_name("condition")


def _called_in(branches: list[Node]) -> Iterator[Node]:
    """Give what is called in branches, by a name or a path of names."""
    pending = list(branches)
    while pending:
        node = pending.pop(0)
        function = node.child_by_field_name("function") if node.type == "call" else None
        if function is not None and function.type in ("identifier", "attribute"):
            yield function
        pending.extend(node.named_children)
