"""Deciding which calls may touch the environment, and recording them."""

from tree_sitter import Node

from leverlint.facts import (
    UNKNOWN,
    AnyOf,
    Argument,
    Call,
    Expression,
    FunctionValue,
    Parameter,
    Path,
    Reference,
    Span,
    Vocabulary,
)
from leverlint.languages.rust import methods
from leverlint.languages.rust.api import API, BUILTIN_MACROS, WALK_LOOKUPS, WALKS
from leverlint.languages.rust.context import Context
from leverlint.languages.rust.expressions import any_of, everything_in
from leverlint.languages.rust.file import File
from leverlint.languages.rust.instructions import instructions
from leverlint.languages.rust.literals import LITERALS
from leverlint.languages.rust.nodes import arguments_of, method_of, path_segments
from leverlint.languages.rust.source import Source, span_of
from leverlint.languages.rust.walks import Walks

_EVERYDAY = methods.PICKING | frozenset(WALK_LOOKUPS)

Callee = Path | Parameter | FunctionValue


class Calls:
    def __init__(self, file: File, vocabulary: Vocabulary) -> None:
        self._file = file
        self._context = Context(file)
        self._walks = Walks(file)
        self._wrappers = frozenset(vocabulary.wrappers)
        self._considered: dict[tuple[int, int], bool] = {}
        self.reading: set[int] = set()
        """Functions of this file whose parameter names a variable."""
        self._found: dict[Span, Call] = {}
        self.learnt: list[int] = []
        """Those of them that nobody has looked for the calls of yet."""

    def found(self) -> list[Call]:
        return sorted(self._found.values(), key=lambda call: call.span)

    def add(self, call: Call) -> None:
        self._found.setdefault(call.span, call)

    def is_walk(self, call: Node) -> bool:
        """Say whether a call goes over the whole environment."""
        return self._file.types.of(call) in WALKS.values()

    def is_wrapper_name(self, name: str) -> bool:
        return name in self._wrappers

    def apply(self, function: Node, receiver: Node) -> bool:
        """Record that a function, given by name, is called with each item of `receiver`."""
        if function.type == "closure_expression":
            return False
        callee = self._callable(self._file.names.lower(function))
        if callee is None:
            return False
        content = self._file.names.content(receiver)
        if callee in API or self._is_wrapper(callee) or self._file.levers.named_in(content):
            self._record(function, callee, (content,), span_of(function))
            return True
        return False

    def consider(self, call: Node) -> bool:
        """Record a call if it may touch the environment; say whether it was."""
        key = (call.start_byte, call.end_byte)
        if key not in self._considered:
            self._considered[key] = False
            self._considered[key] = self._decide(call)
        return self._considered[key]

    def look_up(self, node: Node, parent: Node) -> None:
        """Record what `parent` looks for in the whole environment, or in a name of it, that `node` is."""
        for at, callee, name in self._walks.lookups(node, parent):
            self._record(at, callee, (name,), span_of(at))

    def instruct(self, call: Node) -> None:
        """Record what a line that a build script prints tells cargo."""
        given = arguments_of(call)
        while given and given[0].type not in LITERALS:
            given = given[1:]
        for callee, names in instructions(self._file.names.formatted(given)).items():
            self._record(call, callee, tuple(names), span_of(call))

    def _decide(self, call: Node) -> bool:
        callee = self._callee(call)
        if callee is None:
            return False
        given = self._fitted(
            callee, tuple(self._file.names.lower(argument) for argument in arguments_of(call))
        )
        if isinstance(callee, Parameter):
            wanted = any(self._file.levers.named_in(value) or _parameters(value) for value in given)
        else:
            wanted = (
                callee in API
                or (self._is_wrapper(callee) and not self._is_everyday(callee, given))
                or (not is_wrapping(call, self._file.source) and any(map(self._file.levers.named_in, given)))
                or any(self._reads(value) for value in given)
            )
        if wanted:
            self._record(call, callee, given, self._span(call, callee))
        return wanted

    def _span(self, call: Node, callee: Callee) -> Span:
        """A builder's chain is long: what names the variable is one method of it."""
        api = None if isinstance(callee, Parameter | FunctionValue) else API.get(callee)
        function = call.child_by_field_name("function")
        field = function.child_by_field_name("field") if function is not None else None
        return Span(field.start_byte, call.end_byte) if api and api.builds and field else span_of(call)

    def _fitted(self, callee: Callee, given: tuple[Expression, ...]) -> tuple[Expression, ...]:
        """Bring what a macro is given into the order of its parameters."""
        if isinstance(callee, Parameter | FunctionValue) or not callee[-1].endswith("!"):
            return given
        macro = self._file.types.function_at(callee)
        arms = self._file.opened.definitions.get(macro.start_byte, ()) if macro is not None else ()
        widths = {len(arm.parameters) for arm in arms}
        if not arms or len(given) in widths:
            return given
        widest = max(widths)
        if widest and len(given) % widest == 0:
            # Rows of arguments: `a => "A", b => "B"`.
            return tuple(any_of(given[column::widest]) for column in range(widest))
        return (any_of(given),) * widest

    def _callee(self, call: Node) -> Callee | None:
        macro = self._file.opened.macro(call)
        if macro is not None:
            return self._macro(macro, call)
        method = method_of(call, self._file.source)
        if method is not None:
            return self._method(*method)
        function = call.child_by_field_name("function")
        return self._callable(self._file.names.lower(function)) if function is not None else None

    def _method(self, receiver: Node, name: str) -> Path | None:
        path = self._file.types.method(receiver, name)
        if path is None or (name in methods.STANDARD and self._file.types.function_at(path) is None):
            return None
        self._file.names.touched[path] = None
        return path

    def _macro(self, spelled: str, call: Node) -> Path | None:
        segments = tuple(spelled.split("::"))
        name = segments[-1]
        if name[:-1] in methods.SILENT_MACROS or name[:-1] in methods.VALUE_MACROS:
            return None
        if name in BUILTIN_MACROS and name not in self._file.scopes.macros:
            return ("std", name)
        if segments[:-1] in ((), ("crate",), ("self",)) and name in self._file.scopes.macros:
            self._file.names.touched[(".", name)] = None
            return (".", name)
        if not segments[0]:
            return segments[1:]
        plain = (*segments[:-1], name[:-1])
        path = self._file.scopes.absolute(plain, (*self._file.source.chain_to(call), call))
        if (path == plain and len(plain) == 1) or path[0] == ".":
            # Textual scope reaches over files: the crate's macros are found from its root.
            return ("crate", name)
        return (*path[:-1], path[-1] + "!")

    def _callable(self, value: Expression) -> Callee | None:
        match value:
            case Reference(path):
                return path
            case Parameter() | FunctionValue():
                return value
            case AnyOf(options):
                return next((callee for callee in map(self._callable, options) if callee is not None), None)
        return None

    def _is_wrapper(self, callee: Callee) -> bool:
        if isinstance(callee, FunctionValue):
            return callee.function in self.reading
        if isinstance(callee, Parameter):
            return False
        if callee[-1] in self._wrappers:
            return True
        node = self._file.types.function_at(callee) if callee[0] == "." and self.reading else None
        if node is None:
            return False
        owner = self._file.types.item_at(callee[:-1])
        if owner is not None and owner.node.type == "trait_item":
            # Whatever implements the trait may be meant.
            return any(self._file.functions.facts[each].path[-1] == callee[-1] for each in self.reading)
        return self._file.functions.index(node) in self.reading

    def _is_everyday(self, callee: Callee, given: tuple[Expression, ...]) -> bool:
        """Say whether a method that every collection has is given what cannot name a variable."""
        if isinstance(callee, Parameter | FunctionValue) or callee[-1] not in _EVERYDAY:
            return False
        return bool(given) and all(value == UNKNOWN for value in given)

    def _reads(self, value: Expression) -> bool:
        """Say whether an argument is a function that reads."""
        if isinstance(value, FunctionValue):
            return value.function in self.reading
        return isinstance(value, Reference) and (value.path in API or self._is_wrapper(value.path))

    def _record(self, node: Node, callee: Callee, given: tuple[Expression, ...], span: Span) -> None:
        if span in self._found:
            return
        chain = self._file.source.chain_to(node)
        api = None if isinstance(callee, Parameter | FunctionValue) else API.get(callee)
        call = Call(
            callee,
            tuple(Argument("", value) for value in given),
            span,
            self._file.functions.enclosing(chain[:-1]),
            self._file.attributes.is_test(chain),
            unbound=method_of(node, self._file.source) is None,
        )
        self._found[span] = self._context.fill(call, chain, given)
        names: tuple[Expression, ...] = given
        if api is not None:
            last = len(given) if api.variadic else api.name + 1
            names = given[api.name : last] if api.name >= 0 else ()
        for value in names:
            for parameter in _parameters(value):
                self._learn_function(parameter.function)
        if isinstance(callee, Parameter):
            self._learn_function(callee.function)

    def _learn_function(self, index: int) -> None:
        """Take note of a function whose parameter turned out to name a variable."""
        if index in self.reading:
            return
        self.reading.add(index)
        self.learnt.append(index)
        # Calls looked at before this was known deserve another look.
        self._considered = {key: True for key, taken in self._considered.items() if taken}


def _parameters(value: Expression) -> list[Parameter]:
    return [part for part in everything_in(value) if isinstance(part, Parameter)]


def is_wrapping(call: Node, source: Source) -> bool:
    """Say whether a call only gives its argument back in other clothes."""
    callee = call.child_by_field_name("function")
    segments = path_segments(callee, source.text) if callee is not None else None
    return segments is not None and (
        "::".join(segments[-2:]) in methods.WRAPPING_CALLS or segments[-1] in ("Some", "Ok")
    )
