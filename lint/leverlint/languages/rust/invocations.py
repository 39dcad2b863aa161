"""Lowering of calls: methods, functions, closures and macros."""

from typing import TYPE_CHECKING

from tree_sitter import Node

from leverlint.facts import (
    UNTOLD,
    Apply,
    Constant,
    Decoding,
    FunctionValue,
    Helper,
    Parameter,
    Passed,
    Path,
    Reference,
)
from leverlint.languages.rust import methods
from leverlint.languages.rust.api import EXTERNAL_CRATES, FILE_CRATES
from leverlint.languages.rust.known_functions import (
    FORMS,
    INITIALISING,
    LAZY,
    OWNERS,
    PANICKING,
    kind_of_argument,
    of_function,
)
from leverlint.languages.rust.literals import LITERALS, format_pieces, literal_value
from leverlint.languages.rust.match_macros import matched
from leverlint.languages.rust.nodes import arguments_of, method_of, parameter_nodes, parts_of, path_segments
from leverlint.languages.rust.numbers import suffix_of
from leverlint.languages.rust.outcome_calls import (
    SAME,
    Applied,
    any_of,
    default_of,
    on_plain,
    on_wrapped,
    then,
)
from leverlint.languages.rust.outcome_kinds import (
    INTEGERS,
    NUMBERS,
    RUST_TYPES,
    STORED,
    Kind,
    content,
    inner,
    items_of,
    kind_of_type,
    wrapped,
)
from leverlint.languages.rust.outcomes import (
    ERROR,
    RAISE,
    UNIT,
    apply,
    choose,
    depends,
    everything_in,
    is_untold,
    reads,
    returned,
    returns,
    without_returns,
)
from leverlint.languages.rust.parse_types import retyped, with_hint
from leverlint.languages.rust.sequences import SEARCHED, on_list, parts_of_text, searched

if TYPE_CHECKING:
    from leverlint.languages.rust.lowering import Lowering, Names

_ANY = frozenset({"any", "all", "find_map"})
_HANDING = frozenset({"map", "map_or", "map_or_else", "and_then", "is_some_and", "is_ok_and", "filter"})
"""Methods that hand what is inside to a function."""
_ADVANCING = frozenset({"next", "nth", "next_back", "by_ref"})


class Invocations:
    def __init__(self, lowering: "Lowering") -> None:
        self._lowering = lowering
        self._file = lowering.file

    def lower(self, node: Node, names: "Names", expected: Kind) -> Decoding:
        if node.type == "macro_invocation":
            macro = node.child_by_field_name("macro")
            spelled = self._file.source.text_of(macro) if macro is not None else ""
            return self._macro(spelled.rpartition("::")[2], node, names)
        if self._lowering.is_recorded(node):
            return self._recorded(node, names, expected)
        return self._stored(node, names) if expected == STORED else self._call(node, names, expected)

    def _recorded(self, node: Node, names: "Names", expected: Kind) -> Decoding:
        """A call that names a lever is a reader, unless what was read is handed to it."""
        if not self._lowering.is_reader(node):
            given = (self._lowering.lower(argument, names) for argument in arguments_of(node))
            if any(map(depends, given)):
                return self._call(node, names, expected)
        return self._lowering.answer(node)

    def _stored(self, node: Node, names: "Names") -> Decoding:
        """Give what a call that is worth nothing stores: into an atomic, or through a method beside it."""
        method = method_of(node, self._file.source)
        given = arguments_of(node)
        if method is None:
            return UNTOLD
        if method[1] != "store" or len(given) != 2:
            return self._own_method(*method, given, names)
        # A number that is kept as its bits is that number.
        in_bits = method_of(given[0], self._file.source)
        value = in_bits[0] if in_bits is not None and in_bits[1] == "to_bits" else given[0]
        return self._lowering.lower(value, names, self._kind_of_field(method[0]))

    def _kind_of_field(self, node: Node) -> Kind:
        """Give the kind that a struct of this file declares for a field of the object at hand."""
        owner, field = node.child_by_field_name("value"), node.child_by_field_name("field")
        item = self._file.types.item_at(self._file.types.of(owner)) if owner is not None else None
        if item is None or field is None or node.type != "field_expression":
            return ""
        declared = self._file.types.declared_field(item, self._file.source.text_of(field))
        return kind_of_type(declared, self._file.source)

    def _own_method(self, receiver: Node, name: str, given: list[Node], names: "Names") -> Decoding:
        """A method of the object at hand that is declared in this file."""
        path = self._file.types.method(receiver, name) if receiver.type == "self" else None
        if path is None or self._file.types.function_at(path) is None:
            return UNTOLD
        return self.helper(path, tuple(self._lowering.lower(argument, names) for argument in given))

    def _call(self, node: Node, names: "Names", expected: Kind) -> Decoding:
        opened = self._file.opened.calls.get(node.start_byte)
        function = node.child_by_field_name("function")
        if opened is not None and function is not None and function.type != "field_expression":
            return self._macro(opened.rpartition("::")[2][:-1], node, names)
        method = method_of(node, self._file.source)
        if method is not None:
            return self._method(node, method[0], method[1], names, expected)
        if function is None:
            return UNTOLD
        given = arguments_of(node)
        if len(given) == 1 and self._is_lazy(function):
            return self.applied(given[0], names, expected)(())
        kind = kind_of_argument(path_segments(function, self._file.source.text) or ("",), expected)
        values = tuple(
            self._argument(function, position, argument, names, kind)
            for position, argument in enumerate(given)
        )
        return self._lowering.numbers.all(values, lambda got: self._function(function, got, names, expected))

    def _argument(
        self, function: Node, position: int, argument: Node, names: "Names", expected: Kind
    ) -> Decoding:
        value = self._lowering.lower(argument, names, expected)
        parses = any(
            isinstance(part, Apply) and part.operation == "rs:parse:?" for part in everything_in(value)
        )
        return retyped(value, content(self.kind_taken(function, position))) if parses else value

    def _is_lazy(self, function: Node) -> bool:
        segments = path_segments(function, self._file.source.text) or ()
        return "::".join(segments[-2:]) in LAZY

    # --- Methods -------------------------------------------------------------------------------------

    def _method(self, node: Node, receiver: Node, name: str, names: "Names", expected: Kind) -> Decoding:
        given = arguments_of(node)
        if name in INITIALISING and given:
            return self.applied(given[0], names, expected)(())
        literals = self._looped(receiver, name, given, names)
        if literals is not None:
            return literals
        value = self._lowering.lower(receiver, names, expected if name != "parse" else "")
        if is_untold(value):
            return self._of_sequence(name, given, names)
        if name in SAME:
            return value
        if name in _ADVANCING and receiver.type == "identifier":
            # What an iterator gives depends on what it has given before.
            return UNTOLD
        settled = self._settled(node, value, name, given, expected)
        result = self._lowering.numbers.then(
            settled, lambda got: self._applied_to(node, got, name, given, names, expected)
        )
        return result

    def _settled(self, node: Node, value: Decoding, name: str, given: list[Node], expected: Kind) -> Decoding:
        """Let the code around tell what is parsed: `unwrap_or(4u64)`, `map(Duration::from_secs)`."""
        if name == "collect":
            target = self._turbofish(node)
            kind = kind_of_type(target, self._file.source) if target is not None else expected
            return retyped(value, kind.removeprefix("list:")) if kind.startswith("list:") else value
        if name in _HANDING and given and given[-1].type in ("identifier", "scoped_identifier"):
            return retyped(value, content(self.kind_taken(given[-1], 0)))
        if given and given[0].type == "closure_expression":
            parameters = given[0].child_by_field_name("parameters")
            first = next(iter(parameter_nodes(parameters)), None) if parameters is not None else None
            declared = first.child_by_field_name("type") if first is not None else None
            kind = content(kind_of_type(declared, self._file.source))
            return retyped(value, kind) if kind else value
        if name not in ("unwrap_or", "map_or") or not given or expected:
            return value
        default = self._lowering.lower(given[0], {}) if given[0].type == "identifier" else UNTOLD
        if self._is_of_open_type(default):
            return with_hint(value, default)
        suffix = self.kind_of(given[0])
        return retyped(value, suffix) if suffix in NUMBERS or suffix == "bool" else value

    def kind_of(self, node: Node) -> Kind:
        """Give the kind of a literal, with the suffix that it has."""
        if node.type in ("integer_literal", "float_literal"):
            suffix = suffix_of(self._file.source.text_of(node))
            return suffix or ("int" if node.type == "integer_literal" else "float")
        return content(self._lowering.kinds.of(self._lowering.lower(node, {})))

    def _is_of_open_type(self, value: Decoding) -> bool:
        """Say whether a value is one that a function of generic type is given."""
        return isinstance(value, Passed) and not self._lowering.kinds.of(value)

    def _applied_to(
        self, node: Node, value: Decoding, name: str, given: list[Node], names: "Names", expected: Kind
    ) -> Decoding:
        kind = self._lowering.kinds.of(value)
        if name == "parse":
            return self._parse(node, value, expected)
        if name == "then" and len(given) == 1 and kind == "bool":
            return then(value, self.applied(given[0], names, expected))
        values = tuple(self._value(argument, names, expected) for argument in given)
        if any(map(returns, values)):
            return UNTOLD
        functions = tuple(self.applied(argument, names, expected) for argument in given)
        if kind.startswith(("list:", "iter:")):
            return on_list(name, value, items_of(kind), values, functions, self._numbered)
        if kind == "text":
            pieces = parts_of_text(name, value, values)
            if pieces is not None:
                return pieces
            if name in SEARCHED and len(given) == 1 and self._lowering.kinds.of(values[0]) != "text":
                picks = functions[0] if is_untold(values[0]) else None
                return searched(name, value, values[0], picks, self._numbered)
        if wrapped(kind) or kind == "":
            default = default_of(inner(kind) or expected)
            result = on_wrapped(name, value, kind, values, functions, default)
            if result is not None:
                typed = name == "map_or" and self._is_of_open_type(values[0])
                return with_hint(result, values[0]) if typed else result
        if wrapped(kind):
            return UNTOLD
        if kind == "int" and expected in INTEGERS:
            kind = expected
        result = on_plain(name, value, kind, values)
        return result if result is not None else UNTOLD

    def _numbered(self, kind: Kind) -> int:
        sample: dict[Kind, Decoding] = {"text": Constant(""), "bool": Constant(False), "int": Constant(0)}
        return self._lowering.numbers.next(sample.get(kind, UNTOLD))

    def _value(self, argument: Node, names: "Names", expected: Kind) -> Decoding:
        if argument.type == "closure_expression":
            return UNTOLD
        return self._lowering.lower(argument, names, expected)

    def kind_taken(self, function: Node, position: int) -> Kind:
        """Give the kind of a parameter of a function that is written as a path."""
        segments = path_segments(function, self._file.source.text) or ("",)
        known = kind_of_argument(segments, "")
        if known:
            return known
        callee = self._file.names.lower(function)
        index = callee.function if isinstance(callee, FunctionValue) else -1
        if isinstance(callee, Reference) and (node := self._file.types.function_at(callee.path)) is not None:
            index = self._file.functions.index(node)
        return self._lowering.kind_of_parameter(Parameter(index, position)) if index >= 0 else ""

    def _turbofish(self, call: Node) -> Node | None:
        """Give the type in `parse::<u8>()`."""
        callee = call.child_by_field_name("function")
        written = callee.child_by_field_name("type_arguments") if callee is not None else None
        return parts_of(written)[0] if written is not None and parts_of(written) else None

    def _parse(self, node: Node, value: Decoding, expected: Kind) -> Decoding:
        target = self._turbofish(node)
        if target is None:
            return self.parsed(value, expected)
        return self.parsed(value, kind_of_type(target, self._file.source), target)

    def parsed(self, value: Decoding, kind: Kind, target: Node | None = None) -> Decoding:
        """Give `value.parse()` for a kind, or for the type that `target` names."""
        kind = {"text": "String"}.get(kind, kind)
        if kind.startswith("own:"):
            owner = self._file.scopes.absolute(tuple(kind[4:].split("::")), (self._file.source.root,) * 2)
            return self.helper((*owner, "from_str"), (value,))
        if kind in RUST_TYPES or kind in ("int", "float"):
            return apply(f"rs:parse:{kind}", value)
        if target is not None:
            if self._file.source.text_of(target) == "_" or self._is_generic(target):
                return apply("rs:parse:?", value)
            path = self._file.scopes.type_path(target, self._file.source.chain_to(target))
            return self.helper((*path, "from_str"), (value,)) if path is not None else UNTOLD
        return apply("rs:parse:?", value)

    def _is_generic(self, target: Node) -> bool:
        name = self._file.source.text_of(target)
        return len(name) <= 2 and name.isupper()

    # --- Sequences -------------------------------------------------------------------------------------

    def _looped(self, receiver: Node, name: str, given: list[Node], names: "Names") -> Decoding | None:
        """Lower `["1", "true"].iter().any(|word| …)`: over words that are written there."""
        if name not in ("any", "all") or len(given) != 1:
            return None
        inside = receiver
        method = method_of(inside, self._file.source)
        while method is not None and method[1] in ("iter", "into_iter", "copied", "cloned"):
            inside = method[0]
            method = method_of(inside, self._file.source)
        words = self._lowering.lower(inside, names)
        if not (isinstance(words, Apply) and words.operation == "tuple") or not words.arguments:
            return None
        results = [self.applied(given[0], names, "")((word,)) for word in words.arguments]
        if name == "any":
            return any_of(results)
        return apply("not", any_of([apply("not", result) for result in results]))

    def _of_sequence(self, name: str, given: list[Node], names: "Names") -> Decoding:
        """Lower a search through names for what is read under one of them."""
        if name not in _ANY or len(given) != 1:
            return UNTOLD
        result = self.applied(given[0], names, "")((UNTOLD,))
        return result if reads(result) else UNTOLD

    # --- Functions -------------------------------------------------------------------------------------

    def applied(self, node: Node, names: "Names", expected: Kind) -> Applied:
        """Give the result of a closure or function, as a function of its arguments."""
        if node.type == "closure_expression":
            return lambda given: self._closure(node, given, names, expected)
        if node.type in ("identifier", "scoped_identifier", "generic_function"):
            return lambda given: self._by_name(node, given, names, expected)
        return lambda given: UNTOLD

    def _closure(self, node: Node, given: tuple[Decoding, ...], names: "Names", expected: Kind) -> Decoding:
        parameters = node.child_by_field_name("parameters")
        patterns = parameter_nodes(parameters) if parameters is not None else []
        bound = dict(names)
        for pattern, value in zip(patterns, given, strict=False):
            if pattern.type == "parameter":
                kind = kind_of_type(pattern.child_by_field_name("type"), self._file.source)
                value = retyped(value, content(kind)) if kind else value
            bound.update(self._lowering.branches.patterns.test(pattern, value, names)[1])
        declared = content(kind_of_type(node.child_by_field_name("return_type"), self._file.source))
        result = self._lowering.lower(node.child_by_field_name("body"), bound, declared or expected)
        return without_returns(result)

    def _by_name(self, node: Node, given: tuple[Decoding, ...], names: "Names", expected: Kind) -> Decoding:
        if self._lowering.is_recorded(node):
            return self._lowering.answer(node)
        return self._function(node, given, names, expected)

    def _function(
        self, function: Node, values: tuple[Decoding, ...], names: "Names", expected: Kind
    ) -> Decoding:
        """Give what calling a function that is written as a path gives."""
        segments = path_segments(function, self._file.source.text)
        if segments is None:
            return UNTOLD
        known = of_function(segments, values, expected)
        if known is None and segments[-2:-1] and segments[-2] in OWNERS | NUMBERS and values:
            if segments[-1] == "parse":
                return self._parse_by_name(function, values[0], expected)
            known = self._as_method(segments[-1], values, expected)
        return known if known is not None else self._own(function, segments, values, names)

    def _parse_by_name(self, function: Node, value: Decoding, expected: Kind) -> Decoding:
        written = function.child_by_field_name("type_arguments")
        target = parts_of(written)[0] if written is not None and parts_of(written) else None
        kind = kind_of_type(target, self._file.source) if target is not None else expected
        return self.parsed(value, kind, target)

    def _as_method(self, name: str, values: tuple[Decoding, ...], expected: Kind) -> Decoding | None:
        """`str::trim`, `Option::is_some`: a method given as a function."""
        if name in SAME:
            return values[0]
        kind = self._lowering.kinds.of(values[0])
        found = on_plain(name, values[0], kind, values[1:])
        if found is not None:
            return found
        return on_wrapped(name, values[0], kind, values[1:], (), default_of(inner(kind) or expected))

    def _own(self, function: Node, segments: Path, values: tuple[Decoding, ...], names: "Names") -> Decoding:
        """A function of the project: a helper that somebody else has the result of."""
        callee = self._file.names.lower(function)
        if isinstance(callee, FunctionValue):
            node = self._file.functions.nodes[callee.function]
            if node.type == "closure_expression":
                return self._lowering.guarded_closure(node, lambda: self._closure(node, values, names, ""))
            return self.helper(callee, values)
        if not isinstance(callee, Reference):
            return UNTOLD
        if segments[-1][:1].isupper():
            return self._constructor(segments, values)
        return self.helper(callee.path, values)

    def _constructor(self, segments: Path, values: tuple[Decoding, ...]) -> Decoding:
        if len(segments) == 1 and len(values) == 1:
            return values[0]
        return apply("tuple", Constant(segments[-1]), *values) if len(segments) > 1 else UNTOLD

    def helper(self, callee: Path | FunctionValue, values: tuple[Decoding, ...]) -> Decoding:
        """Leave it to the index to find a function, when that may tell something."""
        if not isinstance(callee, FunctionValue):
            form = FORMS.get((callee[0], callee[-2])) if len(callee) > 2 and len(values) == 1 else None
            if form is not None and callee[-1] in ("parse", "from_str"):
                return apply(f"rs:form:{form}", *values)
            if callee[0] in EXTERNAL_CRATES | FILE_CRATES or not (
                callee[0] == "." or any(map(depends, values))
            ):
                return UNTOLD
            if len(callee) == 1 or "<" in "".join(callee):
                return UNTOLD
            self._file.names.touched[callee] = None
        return Helper(callee, values)

    # --- Macros ----------------------------------------------------------------------------------------

    def _macro(self, name: str, node: Node, names: "Names") -> Decoding:
        if name in PANICKING:
            return RAISE
        if name == "bail":
            return returned(ERROR)
        if name == "matches":
            return matched(node, names, self._lowering)
        if name == "format":
            return self._formatted(node, names)
        given = arguments_of(node)
        if name in ("ensure", "assert", "debug_assert") and given:
            failure = returned(ERROR) if name == "ensure" else RAISE
            return choose(self._lowering.lower(given[0], names), UNIT, failure)
        if name == "dbg" and len(given) == 1:
            return self._lowering.lower(given[0], names)
        if name in methods.SILENT_MACROS and name not in ("ensure", "assert", "cfg", "select", "join"):
            return UNIT
        return UNTOLD

    def _formatted(self, node: Node, names: "Names") -> Decoding:
        """Put text together, when what stands in it is written there by name."""
        inside = parts_of(node)[-1] if parts_of(node) else None
        literal = next((part for part in inside.named_children), None) if inside is not None else None
        if (
            literal is None
            or literal.type not in LITERALS
            or (inside is not None and len(parts_of(inside)) > 1)
        ):
            return UNTOLD
        parts: list[Decoding] = []
        for text, field in format_pieces(literal_value(literal, self._file.source.text)):
            parts.append(Constant(text) if field is None else names.get(field, UNTOLD))
        kinds = {self._lowering.kinds.of(part) for part in parts}
        if kinds - {"text", "int"} - INTEGERS:
            return UNTOLD
        return parts[0] if len(parts) == 1 else apply("rs:join", *parts) if parts else Constant("")
