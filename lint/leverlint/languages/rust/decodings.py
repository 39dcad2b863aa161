"""Filling in what each recorded call's value becomes, and what functions make of it."""

from collections.abc import Iterator, Sequence

from tree_sitter import Node

from leverlint.facts import (
    UNKNOWN,
    UNTOLD,
    Call,
    Decoding,
    Definition,
    FunctionValue,
    Helper,
    Parameter,
    Passed,
    Path,
    Span,
    Vocabulary,
)
from leverlint.languages.rust.api import API
from leverlint.languages.rust.declared_values import DeclaredValues
from leverlint.languages.rust.exactness import Exactness
from leverlint.languages.rust.file import File
from leverlint.languages.rust.lowering import Lowering
from leverlint.languages.rust.nodes import arguments_of
from leverlint.languages.rust.outcome_kinds import STORED, Kind, content, kind_of_type
from leverlint.languages.rust.outcomes import everything_in, is_large, is_unit, is_untold, without_returns
from leverlint.languages.rust.parse_types import retyped, with_type
from leverlint.languages.rust.source import Chain, span_of, words
from leverlint.languages.rust.type_arguments import TypeArguments
from leverlint.languages.rust.uses import Uses

_ANSWERS = {"var": "result:text", "var_os": "option:text"}
_LONGEST = 12_000
"""A function with more bytes than this does not just decode."""


class Decodings:
    def __init__(
        self,
        file: File,
        original: bytes,
        calls: Sequence[Call],
        reading: set[int],
        vocabulary: Vocabulary,
    ) -> None:
        self._file = file
        self._reading = reading
        self._wrappers = frozenset(vocabulary.wrappers)
        self._calls = {call.span: call for call in calls}
        self._helpers = frozenset(vocabulary.helpers)
        self._lowering = Lowering(
            file,
            original,
            self._is_answer,
            self._kind_of_answer,
            self._kind_of_helper,
            self._may_decode,
            self._is_here,
            self._is_reader,
        )
        self._uses = Uses(self._lowering)
        self._types = TypeArguments(file, self._lowering.invocations.kind_taken)
        self._declared = DeclaredValues(self._lowering)
        self._exactness = Exactness(file, self._lowering, self._calls)
        self._results: dict[int, Decoding] = {}
        self._kinds: dict[int, Kind] = {}

    def _is_answer(self, node: Node) -> bool:
        call = self._calls.get(span_of(node))
        if call is None:
            return False
        api = API.get(call.callee) if not isinstance(call.callee, Parameter | FunctionValue) else None
        return api is None or api.kind == "read"

    def _is_reader(self, node: Node) -> bool:
        """Say whether a recorded call is known to read, rather than to name a lever only."""
        callee = self._calls[span_of(node)].callee
        if isinstance(callee, Parameter | FunctionValue):
            return isinstance(callee, FunctionValue) and callee.function in self._reading
        return callee in API or callee[-1] in self._wrappers or self._index_of(callee) in self._reading

    # --- Calls -----------------------------------------------------------------------------------------

    def calls(self) -> list[Call]:
        return [self._filled(call) for call in self._calls.values()]

    def _filled(self, call: Call) -> Call:
        callee: Path = () if isinstance(call.callee, Parameter | FunctionValue) else call.callee
        api = API.get(callee)
        if call.decoding != UNTOLD or (api is not None and api.kind != "read"):
            return call
        if api is not None and api.answer == "raw":
            chain = self._file.source.chain(call.span.start)
            return call._replace(decoding=self._declared.of(call.span, chain, callee))
        node = self._node_of(call.span)
        if node is None:
            return call
        chain = self._file.source.chain_to(node)
        decoding = self._uses.of_call(chain)
        values = () if api is not None else self._values(node, chain)
        exact = () if call.test else self._exactness.around(chain)
        return call._replace(
            decoding=UNTOLD if is_large(decoding) else decoding,
            values=values,
            exact=exact,
            stored=self._exactness.stored(chain, exact) if exact and call.field is not None else None,
        )

    def _node_of(self, span: Span) -> Node | None:
        chain = self._file.source.chain(span.start)
        return next((node for node in chain if span_of(node) == span), None)

    def _values(self, node: Node, chain: Chain) -> tuple[Decoding, ...]:
        """Give the arguments of a call, and behind them the type that it is to parse to."""
        if node.type != "call_expression":
            return ()
        given = tuple(self._lowering.lower(argument, {}) for argument in arguments_of(node))
        kind = self._types.given(chain)
        return (*given, kind) if kind is not None else given

    # --- Functions -------------------------------------------------------------------------------------

    def fill_functions(self, calls: Sequence[Call]) -> None:
        """Lower the functions that read under a name that they are given, and those that decode."""
        done: set[int] = set()
        pending = [*self._reading, *(index for name in self._helpers for index in self._named(name))]
        decodings = [
            each for call in calls for each in (call.decoding, *(one.decoding for one in call.exact))
        ]
        pending += [index for decoding in decodings for index in self._helped_by(decoding)]
        while pending:
            index = pending.pop()
            if index not in done:
                done.add(index)
                pending += self._helped_by(self._result(index))
        for index, result in self._results.items():
            function = self._file.functions.facts[index]
            exact = self._exactness.of_function(self._file.functions.nodes[index])
            self._file.functions.facts[index] = function._replace(result=result, exact=exact)

    def _may_decode(self, helper: Helper) -> bool:
        """Say whether a function, as far as this file shows it, gives something that can be told."""
        index = self._index_of(helper.function)
        return index is None or not is_untold(self._result(index))

    def _is_here(self, helper: Helper) -> bool:
        return self._index_of(helper.function) is not None

    def _result(self, index: int) -> Decoding:
        if index not in self._results:
            # A function may lead back to itself.
            self._results[index] = UNTOLD
            self._results[index] = self.result(index)
        return self._results[index]

    def _named(self, name: str) -> list[int]:
        """Number the functions of a name that another file asks for."""
        text = self._file.source.text
        found = []
        for at in words(text, name, 0, len(text)):
            chain = self._file.source.chain(at)
            if (
                len(chain) > 1
                and chain[-2].type == "function_item"
                and chain[-2].child_by_field_name("name") == chain[-1]
            ):
                found.append(self._file.functions.index(chain[-2]))
        return found

    def _helped_by(self, decoding: Decoding) -> list[int]:
        helpers = (part for part in everything_in(decoding) if isinstance(part, Helper))
        found = (self._index_of(helper.function) for helper in helpers)
        return [index for index in found if index is not None]

    def _index_of(self, function: Path | FunctionValue) -> int | None:
        if isinstance(function, FunctionValue):
            return function.function
        node = self._file.types.function_at(function)
        return self._file.functions.index(node) if node is not None else None

    def result(self, index: int) -> Decoding:
        node = self._file.functions.nodes[index]
        body = node.child_by_field_name("body")
        if body is None or body.end_byte - body.start_byte > _LONGEST:
            return UNTOLD
        of_macro = self._file.functions.facts[index].kind == "macro"
        returns = node.type != "function_item" or node.child_by_field_name("return_type") is not None
        self._lowering.begin()
        if not returns and not of_macro:
            stored = self._lowering.lower(self._file.source.inside(body), {}, STORED)
            return UNTOLD if is_unit(stored) else without_returns(stored)
        expected = content(kind_of_type(node.child_by_field_name("return_type"), self._file.source))
        lowered = self._lowering.lower(self._file.source.inside(body), {}, expected)
        lowered = retyped(lowered, expected) if expected else lowered
        if self._types.is_returned(node):
            slot = Parameter(index, len(self._file.functions.facts[index].parameters))
            lowered = with_type(lowered, Passed(slot))
        return without_returns(lowered)

    # --- Constants -------------------------------------------------------------------------------------

    def with_meaning(self, definition: Definition) -> Definition:
        item = self._file.types.item_at((".", *definition.path))
        if definition.imported or item is None or item.kind != "constant":
            return definition
        return definition._replace(meaning=self._lowering.constant(item.node))

    def constants(self) -> Iterator[Definition]:
        """Give the constants, and the enumerations by their words, that another file asks for by name."""
        scope = self._file.scopes.module(())
        for name in self._helpers if scope is not None else ():
            item = scope.items.get(name) if scope is not None else None
            if item is None:
                continue
            if item.kind == "constant":
                meaning = self._lowering.constant(item.node)
            elif item.node.type == "enum_item":
                meaning = self._declared.words(item.node)
            else:
                continue
            yield Definition(item.path, UNKNOWN, span_of(item.node), meaning=meaning)

    # --- Kinds -----------------------------------------------------------------------------------------

    def _kind_of_answer(self, span: Span) -> Kind:
        call = self._calls.get(span)
        if call is None:
            return ""
        if isinstance(call.callee, Parameter):
            return ""
        if not isinstance(call.callee, FunctionValue) and call.callee in API:
            return _ANSWERS.get(API[call.callee].answer, "")
        return self._kind_of_function(call.callee)

    def _kind_of_helper(self, helper: Helper) -> Kind:
        return self._kind_of_function(helper.function)

    def _kind_of_function(self, function: Path | FunctionValue) -> Kind:
        index = self._index_of(function)
        if index is None:
            return ""
        declared = self._file.functions.nodes[index].child_by_field_name("return_type")
        if declared is not None:
            return kind_of_type(declared, self._file.source)
        if index not in self._kinds:
            self._kinds[index] = ""
            self._kinds[index] = self._lowering.kinds.of(self._result(index))
        return self._kinds[index]
