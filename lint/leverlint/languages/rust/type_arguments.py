"""The type that a generic reader parses to: its callers say so, by a turbofish or by where the value goes."""

from collections.abc import Callable

from tree_sitter import Node

from leverlint.facts import Apply, Constant, Decoding
from leverlint.languages.rust.destinations import Destinations
from leverlint.languages.rust.file import File
from leverlint.languages.rust.nodes import arguments_of, method_of, parameter_nodes, parts_of
from leverlint.languages.rust.outcome_kinds import RUST_TYPES, Kind, content, kind_of_type
from leverlint.languages.rust.source import Chain, words

_UNCHANGED = frozenset(
    {"unwrap", "expect", "unwrap_or", "unwrap_or_else", "unwrap_or_default", "ok", "or", "or_else", "ok_or",
     "ok_or_else", "context", "with_context", "map_err", "filter", "inspect", "copied", "cloned"}
)  # fmt: skip
"""Methods that leave the type of what is inside as it is."""
_HANDING = frozenset({"map", "and_then", "map_or", "map_or_else", "is_some_and", "is_ok_and"})
_BETWEEN = frozenset({"try_expression", "field_expression", "arguments", "parenthesized_expression"})


class TypeArguments:
    def __init__(self, file: File, kind_taken: Callable[[Node, int], Kind]) -> None:
        self._file = file
        self._taken_by = kind_taken
        self._destinations = Destinations(file)

    def is_returned(self, function: Node) -> bool:
        """Say whether a function returns something of its one type parameter."""
        declared = function.child_by_field_name("type_parameters")
        result = function.child_by_field_name("return_type")
        if declared is None or result is None:
            return False
        text = self._file.source.text
        names = [
            self._file.source.text_of(part.child_by_field_name("name") or part)
            for part in parts_of(declared)
            if part.type in ("type_parameter", "type_identifier", "constrained_type_parameter")
        ]
        spelled = [name.partition(":")[0].strip() for name in names]
        found = [name for name in spelled if any(words(text, name, result.start_byte, result.end_byte))]
        return len(found) == 1

    def given(self, chain: Chain) -> Decoding | None:
        """Give the type that the call at the end of `chain` is to parse to, where that is told."""
        kind = content(self._kind(chain))
        return Apply("rs:type", (Constant(kind),)) if kind in RUST_TYPES or kind == "text" else None

    def _kind(self, chain: Chain) -> Kind:
        function = chain[-1].child_by_field_name("function")
        written = function.child_by_field_name("type_arguments") if function is not None else None
        if written is not None:
            types = parts_of(written)
            return kind_of_type(types[0], self._file.source) if len(types) == 1 else ""
        depth = len(chain) - 2
        while depth > 0:
            node, inside = chain[depth], chain[depth + 1]
            if node.type == "call_expression":
                method = method_of(node, self._file.source)
                if method is None:
                    return self._taken(node, inside)
                if method[1] in _HANDING:
                    return self._handed(arguments_of(node))
                if method[1] not in _UNCHANGED or inside.type == "arguments":
                    return ""
            elif node.type not in _BETWEEN:
                break
            depth -= 1
        return self._destinations.expected(chain[: depth + 2])

    def _taken(self, call: Node, arguments: Node) -> Kind:
        """Give the kind that a function takes which the value goes to: only one with one parameter counts."""
        function = call.child_by_field_name("function")
        if function is None or len(arguments_of(call)) != 1 or arguments.type != "arguments":
            return ""
        return self._taken_by(function, 0)

    def _handed(self, given: list[Node]) -> Kind:
        """Give the kind that a closure or function takes which what is inside is handed to."""
        function = given[-1] if given else None
        if function is None:
            return ""
        if function.type != "closure_expression":
            return self._taken_by(function, 0)
        return self._first_parameter(function)

    def _first_parameter(self, function: Node) -> Kind:
        parameters = function.child_by_field_name("parameters")
        first = next(iter(parameter_nodes(parameters)), None) if parameters is not None else None
        declared = first.child_by_field_name("type") if first is not None else None
        return kind_of_type(declared, self._file.source)
