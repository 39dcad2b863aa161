"""Finding and recording the calls that may touch the environment.

Works by occurrence: from every place where a token stands that matters, up the tree to the
call that takes it. Names learnt on the way (aliases, wrappers, constants, variables that hold
a lever's name) become tokens themselves, until there are no new ones.
"""

from collections import deque

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
from leverlint.languages.rust.api import API, BUILTIN_MACROS, ENVIRONMENT, ENVIRONMENT_FUNCTIONS
from leverlint.languages.rust.attributes import Attributes
from leverlint.languages.rust.context import Context
from leverlint.languages.rust.expressions import any_of, everything_in
from leverlint.languages.rust.functions import Functions
from leverlint.languages.rust.imports import used_names
from leverlint.languages.rust.literals import LITERALS
from leverlint.languages.rust.macros import Opened
from leverlint.languages.rust.names import Names
from leverlint.languages.rust.nodes import arguments_of, method_of
from leverlint.languages.rust.patterns import bindings
from leverlint.languages.rust.reruns import declared_input
from leverlint.languages.rust.scopes import Scopes, path_segments
from leverlint.languages.rust.source import DEEPEST, Chain, Source, span_of, words
from leverlint.languages.rust.types import Types

Callee = Path | Parameter | FunctionValue

_PATHS = frozenset({"scoped_identifier", "generic_function", "scoped_type_identifier", "generic_type"})
_PASSING = frozenset(
    {"reference_expression", "parenthesized_expression", "unary_expression", "type_cast_expression", "array_expression",
     "tuple_expression", "try_expression", "unsafe_block", "block", "match_arm", "match_block", "match_expression",
     "else_clause", "if_expression", "binary_expression", "const_block", "index_expression", "expression_statement",
     "await_expression"}
)  # fmt: skip
"""What the text of a name may go through on its way up to where it is used."""
_COMMENTS = frozenset({"line_comment", "block_comment"})


class Calls:
    def __init__(
        self,
        source: Source,
        scopes: Scopes,
        functions: Functions,
        types: Types,
        names: Names,
        attributes: Attributes,
        context: Context,
        opened: Opened,
        vocabulary: Vocabulary,
    ) -> None:
        self._source = source
        self._scopes = scopes
        self._functions = functions
        self._types = types
        self._names = names
        self._attributes = attributes
        self._context = context
        self._opened = opened
        self._wrappers = frozenset(vocabulary.wrappers)
        self._queue: deque[tuple[str, int, int]] = deque()
        self._learnt: set[tuple[str, int, int]] = set()
        self._visited: set[int] = set()
        self._considered: dict[tuple[int, int], bool] = {}
        self._reading: set[int] = set()
        """Functions of this file whose parameter names a variable."""
        self._found: dict[Span, Call] = {}
        self.closed: set[int] = set()
        """Places inside macros that are not open."""

    def run(self, offsets: list[int]) -> None:
        for offset in offsets:
            self.visit(offset)
        while self._queue:
            for offset in words(self._source.text, *self._queue.popleft()):
                self.visit(offset)

    def found(self) -> list[Call]:
        return sorted(self._found.values(), key=lambda call: call.span)

    def add(self, call: Call) -> None:
        self._found.setdefault(call.span, call)

    def learn(self, name: str, start: int = 0, end: int = -1) -> None:
        """Look at every place between `start` and `end` where `name` stands."""
        token = (name, start, len(self._source.text) if end < 0 else end)
        if name != "_" and token not in self._learnt:
            self._learnt.add(token)
            self._queue.append(token)

    # --- Occurrences -------------------------------------------------------------------------------

    def visit(self, offset: int) -> None:
        if offset in self._visited:
            return
        self._visited.add(offset)
        chain = self._source.chain(offset)
        if (
            len(chain) >= DEEPEST
            or chain[-1].type in _COMMENTS
            or (len(chain) > 1 and chain[-2].type in _COMMENTS)
        ):
            return
        for depth, node in enumerate(chain):
            kind = node.type
            if kind == "use_declaration":
                self._imported(chain[: depth + 1])
                return
            if kind == "macro_invocation" or kind == "macro_definition":
                if not self._is_only_shown(chain, depth):
                    self.closed.add(offset)
                return
            if kind == "attribute_item" or kind == "inner_attribute_item":
                return
            if kind in LITERALS:
                self._from_literal(chain[: depth + 1])
                return
        if chain[-1].type in (
            "identifier",
            "field_identifier",
            "type_identifier",
            "shorthand_field_identifier",
        ):
            self._from_name(chain)

    def _is_only_shown(self, chain: Chain, depth: int) -> bool:
        """Say whether a place is text directly in a macro that prints or checks."""
        macro = chain[depth].child_by_field_name("macro")
        if macro is None or len(chain) <= depth + 2 or chain[depth + 2].type not in LITERALS:
            return False
        name = self._source.text_of(macro).rpartition("::")[2]
        return (
            name in methods.SILENT_MACROS
            and b"rerun-if-env-changed"
            not in self._source.text[chain[depth + 2].start_byte : chain[depth + 2].end_byte]
        )

    def _imported(self, chain: Chain) -> None:
        """Learn the names under which a `use` makes the environment known."""
        for name, target in used_names(chain[-1], self._source.text):
            path = self._scopes.absolute(target, chain)
            if name == "*":
                for function in ENVIRONMENT_FUNCTIONS if path == ENVIRONMENT else ():
                    self.learn(function)
            elif path in API or path == ENVIRONMENT or path[-1] in self._wrappers:
                self.learn(name)

    def _from_literal(self, chain: Chain) -> None:
        text = self._source.text[chain[-1].start_byte : chain[-1].end_byte]
        if b"rerun-if-env-changed" in text:
            call = next((node for node in reversed(chain) if node.type == "call_expression"), None)
            if call is not None and call.start_byte in self._opened.calls:
                self._rerun(call, chain)
            return
        self._climb(chain)

    def _rerun(self, call: Node, chain: Chain) -> None:
        given = arguments_of(call)
        while given and given[0].type not in LITERALS:
            given = given[1:]
        name = declared_input(self._names.formatted(given))
        if name is not None:
            self._record(call, ("cargo", "rerun-if-env-changed"), (name,), span_of(call))

    def _from_name(self, chain: Chain) -> None:
        depth = len(chain) - 1
        if chain[depth].type == "field_identifier":
            depth -= 1
            if chain[depth].type not in ("field_expression",):
                return
        while depth and chain[depth - 1].type in _PATHS:
            depth -= 1
        node, parent = chain[depth], chain[depth - 1]
        if node.type == "field_expression" and parent.type == "generic_function":
            depth -= 1
            node, parent = chain[depth], chain[depth - 1]
        if parent.type == "call_expression" and parent.child_by_field_name("function") == node:
            self._consider(parent, chain[:depth])
        elif parent.child_by_field_name("name") != node:
            self._climb(chain[: depth + 1])

    # --- Upwards -------------------------------------------------------------------------------------

    def _climb(self, chain: Chain) -> None:
        """Follow a name, a sequence of names or a function from the end of `chain` to its use."""
        depth = len(chain) - 1
        while depth > 0:
            node, parent = chain[depth], chain[depth - 1]
            kind = parent.type
            if kind == "arguments":
                if self._given(node, chain[: depth - 1]):
                    return
                depth -= 2
                continue
            if kind == "field_expression":
                onward = self._method_on(chain, depth)
                if onward < 0:
                    return
                depth = onward
                continue
            if kind not in _PASSING:
                self._held(node, parent, chain[:depth])
                return
            if kind == "match_expression" and node == parent.child_by_field_name("value"):
                self._learn_arms(parent)
                return
            depth -= 1

    def _given(self, node: Node, chain: Chain) -> bool:
        """Look at the call at the end of `chain`, one of whose arguments is `node`; `False`: go on upwards."""
        call = chain[-1]
        macro = self._opened.calls.get(call.start_byte)
        if macro is not None and macro.rpartition("::")[2][:-1] in methods.VALUE_MACROS:
            return False
        method = method_of(call, self._source)
        if method is not None and method[1] in methods.APPLYING and self._apply(node, method[0], chain):
            return True
        if self._consider(call, chain[:-1]):
            return True
        if method is not None:
            return method[1] not in methods.FALLING_BACK and method[1] not in ("zip", "push", "insert")
        return not self._is_wrapping(call)

    def _is_wrapping(self, call: Node) -> bool:
        callee = call.child_by_field_name("function")
        segments = path_segments(callee, self._source.text) if callee is not None else None
        return segments is not None and (
            "::".join(segments[-2:]) in methods.WRAPPING_CALLS or segments[-1] in ("Some", "Ok")
        )

    def _method_on(self, chain: Chain, depth: int) -> int:
        """Look at what a method does with the items of the name or sequence at `depth`; give where to go on."""
        field, call = chain[depth - 1], chain[depth - 2]
        if call.type == "generic_function":
            depth, call = depth - 1, chain[depth - 3]
        if (
            call.type != "call_expression"
            or field.child_by_field_name("value") != chain[depth if depth < len(chain) else -1]
        ):
            # A field of it, or the method of a longer path.
            if call.type != "call_expression":
                return depth - 1
        method = method_of(call, self._source)
        if method is None:
            return -1
        receiver, name = method
        for argument in arguments_of(call) if name in methods.APPLYING or name == "fold" else ():
            if argument.type == "closure_expression":
                self._learn_parameters(argument)
            else:
                self._apply(argument, receiver, chain[: depth - 1])
        if name in methods.APPLYING or name in methods.TRANSPARENT or name in methods.CHANGING:
            return depth - 2
        if (
            name in methods.PICKING
            or name in methods.FALLING_BACK
            or name in ("enumerate", "zip", "concat", "join")
        ):
            return depth - 2
        return -1

    def _held(self, node: Node, parent: Node, chain: Chain) -> None:
        """Learn the names that hold what `node` is."""
        match parent.type:
            case "let_declaration" | "let_condition" | "for_expression":
                pattern = parent.child_by_field_name("pattern")
                if pattern is None or node != parent.child_by_field_name("value"):
                    return
                holder = self._surroundings(parent, chain)
                for name, _ in bindings(pattern, self._source.text):
                    self.learn(name, parent.start_byte, holder.end_byte)
            case "const_item" | "static_item":
                name_node = parent.child_by_field_name("name")
                if name_node is not None:
                    self.learn(self._source.text_of(name_node))
            case "assignment_expression":
                left = parent.child_by_field_name("left")
                if left is not None and left.type == "identifier":
                    holder = self._surroundings(parent, chain)
                    self.learn(self._source.text_of(left), holder.start_byte, holder.end_byte)
            case "field_initializer" | "shorthand_field_initializer":
                field = parent.child_by_field_name("field") or parent
                self.learn(self._source.text_of(field))
            case "closure_expression":
                self._climb(chain)

    def _surroundings(self, node: Node, chain: Chain) -> Node:
        for outer in reversed(chain):
            if outer != node and outer.type in ("block", "source_file", "if_expression", "while_expression"):
                return outer
        return node

    def _learn_arms(self, match: Node) -> None:
        body = match.child_by_field_name("body")
        for arm in body.named_children if body is not None else ():
            pattern = arm.child_by_field_name("pattern")
            for name, _ in bindings(pattern, self._source.text) if pattern is not None else ():
                self.learn(name, arm.start_byte, arm.end_byte)

    def _learn_parameters(self, closure: Node) -> None:
        parameters = closure.child_by_field_name("parameters")
        for pattern in parameters.named_children if parameters is not None else ():
            for name, _ in bindings(pattern, self._source.text):
                self.learn(name, parameters.end_byte if parameters else 0, closure.end_byte)

    # --- Calls -----------------------------------------------------------------------------------------

    def _apply(self, function: Node, receiver: Node, chain: Chain) -> bool:
        """Record that a function, given by name, is called with each item of `receiver`."""
        if function.type == "closure_expression":
            return False
        callee = self._callable(self._names.lower(function))
        if callee is None:
            return False
        content = self._names.content(receiver)
        if callee in API or self._is_wrapper(callee) or self._names.bears(content):
            self._record(function, callee, (content,), span_of(function))
            return True
        return False

    def _consider(self, call: Node, chain: Chain) -> bool:
        """Record a call if it may touch the environment; say whether it was."""
        key = (call.start_byte, call.end_byte)
        if key not in self._considered:
            self._considered[key] = False
            self._considered[key] = self._decide(call)
        return self._considered[key]

    def _decide(self, call: Node) -> bool:
        callee = self._callee(call)
        if callee is None:
            return False
        given = self._repeated(callee, tuple(self._names.lower(argument) for argument in arguments_of(call)))
        if isinstance(callee, Parameter):
            wanted = any(self._names.bears(value) or _parameters(value) for value in given)
        else:
            wanted = (
                callee in API
                or self._is_wrapper(callee)
                or (not self._is_wrapping(call) and any(map(self._names.bears, given)))
                or any(self._reads(value) for value in given)
            )
        if wanted:
            self._record(call, callee, given, span_of(call))
        return wanted

    def _repeated(self, callee: Callee, given: tuple[Expression, ...]) -> tuple[Expression, ...]:
        """Fold the arguments of a macro that takes rows of them, `a => "A", b => "B"`, into one row."""
        if type(callee) is not tuple or not callee[-1].endswith("!"):
            return given
        macro = self._types.function_at(callee)
        width = len(self._functions.facts[self._functions.index(macro)].parameters) if macro is not None else 0
        if not 0 < width < len(given) or len(given) % width:
            return given
        return tuple(any_of(given[column::width]) for column in range(width))

    def _callee(self, call: Node) -> Callee | None:
        macro = self._opened.calls.get(call.start_byte)
        if macro is not None:
            return self._macro(macro, call)
        method = method_of(call, self._source)
        if method is not None:
            return self._context.builder(call) or self._method(*method)
        function = call.child_by_field_name("function")
        return self._callable(self._names.lower(function)) if function is not None else None

    def _method(self, receiver: Node, name: str) -> Path | None:
        path = self._types.method(receiver, name)
        if path is not None:
            self._names.touched[path] = None
        return path

    def _macro(self, spelled: str, call: Node) -> Path | None:
        segments = tuple(spelled.split("::"))
        name = segments[-1]
        if name[:-1] in methods.SILENT_MACROS or name[:-1] in methods.VALUE_MACROS:
            return None
        if name in BUILTIN_MACROS and name not in self._scopes.macros:
            return ("std", name)
        if len(segments) == 1 and name in self._scopes.macros:
            self._names.touched[(".", name)] = None
            return (".", name)
        plain = (*segments[:-1], name[:-1])
        path = self._scopes.absolute(plain, (*self._source.chain_to(call), call))
        if path == plain and len(plain) == 1 or path[0] == ".":
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
            return callee.function in self._reading
        if isinstance(callee, Parameter):
            return False
        if callee[-1] in self._wrappers:
            return True
        node = self._types.function_at(callee) if callee[0] == "." else None
        return node is not None and bool(self._reading) and self._functions.index(node) in self._reading

    def _reads(self, value: Expression) -> bool:
        """Say whether an argument is a function that reads."""
        if isinstance(value, FunctionValue):
            return value.function in self._reading
        return isinstance(value, Reference) and (value.path in API or self._is_wrapper(value.path))

    def _record(self, node: Node, callee: Callee, given: tuple[Expression, ...], span: Span) -> None:
        if span in self._found:
            return
        chain = self._source.chain_to(node)
        api = API.get(callee) if type(callee) is tuple else None
        call = Call(
            callee,
            tuple(Argument("", value) for value in given),
            span,
            self._functions.enclosing(chain[:-1]),
            self._attributes.is_test(chain),
        )
        self._found[span] = self._context.fill(call, chain, given)
        names = given if api is None else given[api.name : api.name + 1] if api.name >= 0 else ()
        for value in names:
            for parameter in _parameters(value):
                self._learn_function(parameter.function)
        if isinstance(callee, Parameter):
            self._learn_function(callee.function)

    def _learn_function(self, index: int) -> None:
        """Look for the calls of a function whose parameter turned out to name a variable."""
        if index in self._reading:
            return
        self._reading.add(index)
        # Calls looked at before this was known deserve another look.
        self._considered = {key: True for key, taken in self._considered.items() if taken}
        node = self._functions.nodes[index]
        if node.type == "closure_expression":
            chain = self._source.chain_to(node)
            self._climb(chain)
            return
        name = node.child_by_field_name("name")
        if name is not None:
            spelled = self._source.text_of(name)
            self._learnt.discard((spelled, 0, len(self._source.text)))
            self._visited.difference_update(words(self._source.text, spelled, 0, len(self._source.text)))
            self.learn(spelled)


def _parameters(value: Expression) -> list[Parameter]:
    return [part for part in everything_in(value) if isinstance(part, Parameter)]


__all__ = ["UNKNOWN", "Calls"]
