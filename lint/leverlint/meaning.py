"""What each read makes of its variable, followed through wrappers, helpers and constants."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import NamedTuple

from leverlint.accesses import Accesses
from leverlint.decoding import (
    OPEN,
    PROBES,
    UNTOLD,
    Outcome,
    Surroundings,
    Vector,
    api_answer,
    evaluate,
    outcome,
)
from leverlint.facts import (
    Answer,
    Api,
    Apply,
    Call,
    Constant,
    Decoding,
    FileFacts,
    Function,
    FunctionValue,
    Helper,
    Named,
    Parameter,
    Passed,
    Path,
    Reference,
    Span,
    Text,
)
from leverlint.languages import machine
from leverlint.naming import argument_position
from leverlint.objects import FunctionKey
from leverlint.operands import CannotTell, Value
from leverlint.python_operations import PATTERNS
from leverlint.resolution import ClassTarget, Resolver
from leverlint.resolution import Value as Defined

_DEPTH = 24
"""How many wrappers, helpers and constants one value may pass through."""

_VECTORS: dict[tuple[object, ...], Vector] = {}
"""Outcomes of readers that no other code has a say in, by all that they depend on."""
_MOST_VECTORS = 10_000


class Reader(NamedTuple):
    """A read as meanings see it: the call, and the calls inside the wrappers that it passes."""

    file: str
    call: Call
    steps: tuple[tuple[str, Call], ...]
    api: Api
    lever: str = ""
    """The name that is read; empty when it is a pattern."""


class Meanings:
    """Evaluates the decodings of reads. Answers are kept: readers that are alike are asked once."""

    def __init__(self, facts: Mapping[str, FileFacts], resolver: Resolver, accesses: Accesses) -> None:
        self._facts = facts
        self._resolver = resolver
        self._accesses = accesses
        self._asked_besides = False
        """Whether the outcome at hand depends on other variables as well."""
        self._calls = {
            path: {call.span: call for call in file.calls} for path, file in facts.items() if file.calls
        }

    def vector(self, reader: Reader) -> Vector:
        """Give what the reader makes of each probe."""
        key = self._self_contained(reader)
        if key is None:
            self._asked_besides = False
            found = tuple(self.of_value(reader, text) for text in PROBES)
            # What another variable has to allow first is not told by what happens without it.
            closed = self._asked_besides and len({repr(one) for one in found}) == 1
            return (UNTOLD,) * len(PROBES) if closed else found
        # perf: hundreds of readers say `== "1"`, and an editor asks again after each stroke.
        if key not in _VECTORS:
            if len(_VECTORS) > _MOST_VECTORS:
                _VECTORS.clear()
            _VECTORS[key] = tuple(self.of_value(reader, text) for text in PROBES)
        return _VECTORS[key]

    def _self_contained(self, reader: Reader) -> "tuple[object, ...] | None":
        """Give all that the outcomes depend on; `None` when other code has a say in them."""
        call = reader.call
        apis = self._accesses.apis(call)
        if reader.steps or (not apis and self._accesses.functions(call)):
            return None
        parts = [_without_span(each, call.span) for each in (call.decoding, *call.values)]
        # The keywords say which of the values is the default.
        keywords = tuple(argument.keyword for argument in call.arguments)
        return None if None in parts else (apis[0] if apis else reader.api, keywords, *parts)

    def of_value(self, reader: Reader, text: str | None) -> Outcome:
        """Give what the reader makes of one value; `None` is unset."""
        chain = ((reader.file, reader.call), *reader.steps)
        frame = _Frame(reader.file, None, None, chain, reader.api, text, lever=reader.lever)
        return outcome(reader.call.decoding, self._around(frame))

    def exactly(self, reader: Reader, decoding: Decoding, text: str | None) -> Value:
        """Give what an exact expression around a read is worth, with its wrapping.

        Raises `CannotTell` where a function or constant on the way is not told to the last, and
        `Raised` where the program does.
        """
        chain = ((reader.file, reader.call), *reader.steps)
        frame = _Frame(reader.file, None, None, chain, reader.api, text, strict=True)
        return evaluate(decoding, self._around(frame))

    def constants(self, file: str, decodings: Iterable[Decoding]) -> set[str | int | float]:
        """Give the texts and numbers that decodings compare with, in functions they are handed to as well."""
        return {
            node.value
            for node in self._nodes(file, decodings)
            if isinstance(node, Constant) and node.value is not None and not isinstance(node.value, bool)
        }

    def literals(self, file: str, decodings: Iterable[Decoding]) -> set[str]:
        """Give the texts that decodings compare with; of one that is looked into the letters, of a pattern
        the words."""
        found: set[str] = set()
        for node in self._nodes(file, decodings):
            if isinstance(node, Constant) and isinstance(node.value, str):
                found.add(node.value)
            elif isinstance(node, Apply) and node.operation == "in":
                found.update(_text_of(node.arguments[1]))
            elif isinstance(node, Apply) and node.operation in PATTERNS:
                found.update(re.findall(r"(?<!\\)\b[A-Za-z0-9]+", _text_of(node.arguments[0])))
        return found

    def _nodes(self, file: str, decodings: Iterable[Decoding]) -> Iterator[object]:
        """Give all that decodings are made of, and the results of functions they are handed to."""
        pending = [(file, decoding) for decoding in decodings]
        seen: set[FunctionKey] = set()
        while pending:
            place, whole = pending.pop()
            for node in _everything_in(whole):
                yield node
                key = self.helper_key(place, node) if isinstance(node, Helper) else None
                if key is not None and key not in seen:
                    seen.add(key)
                    pending.append((key[0], self._facts[key[0]].functions[key[1]].result))

    def default(self, reader: Reader) -> Outcome:
        """Give what a direct read gives for an unset variable, before anything is made of it."""
        if reader.steps:
            return UNTOLD
        frame = _Frame(reader.file, chain=((reader.file, reader.call),), api=reader.api)
        return outcome(Answer(reader.call.span), self._around(frame))

    # --- Where a decoding finds what it refers to ----------------------------------------------

    def _around(self, frame: "_Frame") -> Surroundings:
        if frame.depth > _DEPTH:
            raise CannotTell
        return Surroundings(
            answer=lambda span: self._answer(frame, span),
            passed=lambda parameter: self._passed(frame, parameter),
            named=lambda path: self._named(frame, path),
            helper=lambda helper, values, keywords: self._helper(frame, helper, values, keywords),
        )

    def _answer(self, frame: "_Frame", span: Span) -> Value:
        """Give what a call gives: the one that this is about, or another that names the same variable.

        Other variables are not set.
        """
        call = self._calls.get(frame.file, {}).get(span)
        if call is None or (not frame.chain and not frame.alone):
            raise CannotTell
        target = frame.chain[0][1] if frame.chain else None
        if target is not None and call != target and not _same_name(call, target):
            if frame.strict:
                raise CannotTell
            if any(api.answer == "contains" for api in self._accesses.apis(call)):
                # A test is a condition of its own, rather than what a value falls back to.
                raise CannotTell
            text = self._of_another(frame.file, call)
            return self._answer(frame._replace(text=text, chain=(), alone=True), span)
        apis, functions = self._accesses.apis(call), self._accesses.functions(call)
        if frame.strict and len(apis) + len(functions) != 1:
            raise CannotTell
        for api in apis:
            return self._from_api(frame, call, api)
        for key in functions:
            return self._from_wrapper(frame, call, key)
        if call == target and len(frame.chain) == 1:
            return self._from_api(frame, call, frame.api)
        raise CannotTell

    def _of_another(self, file: str, call: Call) -> str | None:
        """Give the text of a variable that the program only needs besides."""
        self._asked_besides = True
        (name,) = self._names.get((file, call.span), {_spelt_like(call)})
        if name in machine.HOMES:
            return machine.HOME
        if not name or "*" in name or machine.is_set_by_machines(name):
            raise CannotTell
        return None

    @cached_property
    def _names(self) -> Mapping[tuple[str, Span], set[str]]:
        """What the calls at places ask for, where that is one variable."""
        found: dict[tuple[str, Span], set[str]] = {}
        for access in self._accesses.found:
            found.setdefault((access.file, access.call.span), set()).add(access.template.pattern)
        return {place: names for place, names in found.items() if len(names) == 1}

    def _from_api(self, frame: "_Frame", call: Call, api: Api) -> Value:
        def default() -> Value:
            for position, argument in enumerate(call.arguments):
                given = argument.keyword == "default" if argument.keyword else position == api.default
                if given:
                    return self._value(frame, call.values, position)
            return None

        return api_answer(api.answer, frame.text, default)

    def _from_wrapper(self, frame: "_Frame", call: Call, key: FunctionKey) -> Value:
        function = self._function(frame, key, call.callee)

        def passed(index: int) -> Value:
            position = argument_position(call, function, index)
            if index == len(function.parameters):
                # Behind the arguments stands the type that a generic function is asked for.
                position = len(call.arguments)
                return self._value(frame, call.values, position) if position < len(call.values) else None
            if position is None:
                return self._default(key, index)
            try:
                return self._value(frame, call.values, position)
            except CannotTell:
                # Of a loop over names it is the one that this is about.
                if names_it and index == 0:
                    return frame.lever
                raise

        names_it = (
            frame.lever and frame.chain and call == frame.chain[0][1] and self._accesses.named_by_first(key)
        )
        chain, api = self._inside(frame, call, key)
        inner = frame._replace(
            file=key[0],
            function=key[1],
            passed=passed,
            chain=chain,
            api=api,
            receiver=self._made(frame.file, call),
            depth=frame.depth + 1,
            lever="",
        )
        return evaluate(function.result, self._around(inner))

    def _inside(
        self, frame: "_Frame", call: Call, key: FunctionKey
    ) -> tuple[tuple[tuple[str, Call], ...], Api]:
        """Give the calls inside a wrapper, and what the last of them does.

        Of another wrapper than the one that this is about, they are known if it reads only once.
        """
        effects = self._accesses.effects.get(key, ())
        if frame.chain:
            about = frame.chain[0][1]
            if call == about or key in self._accesses.functions(about) or len(effects) != 1:
                return frame.chain[1:], frame.api
        elif len(effects) != 1:
            raise CannotTell
        return tuple((step.file, step.call) for step in effects[0].via), effects[0].api

    def _function(
        self, frame: "_Frame", key: FunctionKey, callee: Path | Parameter | FunctionValue
    ) -> Function:
        function = self._facts[key[0]].functions[key[1]]
        # Another name than its own may stand for other functions as well.
        named = not isinstance(callee, Parameter | FunctionValue) and callee[-1] == function.path[-1]
        if frame.strict and not (function.exact and named):
            raise CannotTell
        return function

    def _made(self, file: str, call: Call) -> ClassTarget | None:
        """Give the class that a call makes an object of."""
        if isinstance(call.callee, Parameter | FunctionValue):
            return None
        targets = self._resolver.follow(file, call.callee)
        return next((target for target in targets if isinstance(target, ClassTarget)), None)

    def _value(self, frame: "_Frame", values: tuple[Decoding, ...], position: int) -> Value:
        if position >= len(values):
            raise CannotTell
        return evaluate(values[position], self._around(frame._replace(depth=frame.depth + 1)))

    def _default(self, key: FunctionKey, index: int) -> Value:
        defaults = self._facts[key[0]].functions[key[1]].defaults
        decoding = defaults[index] if index < len(defaults) else None
        if decoding is None:
            raise CannotTell
        return evaluate(decoding, self._around(_Frame(key[0], depth=1)))

    def _passed(self, frame: "_Frame", parameter: Parameter) -> Value:
        if frame.passed is None or parameter.function != frame.function:
            raise CannotTell
        value = frame.passed(parameter.index)
        if value == OPEN:
            raise CannotTell
        return value

    def _named(self, frame: "_Frame", path: Path) -> Value:
        found = [target for target in self._resolver.follow(frame.file, path) if isinstance(target, Defined)]
        if len(found) != 1:
            raise CannotTell
        meaning = found[0].definition.meaning
        if frame.strict and not _is_data(meaning):
            raise CannotTell
        inner = _Frame(found[0].file, depth=frame.depth + 1)
        return evaluate(meaning, self._around(inner))

    def _helper(
        self, frame: "_Frame", helper: Helper, values: tuple[Value, ...], keywords: dict[str, Value]
    ) -> Value:
        key = self.helper_key(frame.file, helper, frame.receiver)
        if key is None:
            raise CannotTell
        function = self._function(frame, key, helper.function)

        def passed(index: int) -> Value:
            name = function.parameters[index] if index < len(function.parameters) else ""
            if name in keywords:
                return keywords[name]
            return values[index] if index < len(values) else self._default(key, index)

        inner = _Frame(key[0], key[1], passed, depth=frame.depth + 1, strict=frame.strict)
        return evaluate(function.result, self._around(inner))

    def helper_key(
        self, file: str, helper: Helper, receiver: ClassTarget | None = None
    ) -> FunctionKey | None:
        """Find the function that a helper call means."""
        if isinstance(helper.function, FunctionValue):
            return file, helper.function.function
        path = helper.function
        if path[0] == "self":
            owner = receiver or ClassTarget(file, path[1:-1])
            targets = self._resolver.member(owner, path[-1])
        else:
            targets = self._resolver.follow(file, path)
        keys = {
            (target.file, target.expression.function)
            for target in targets
            if isinstance(target, Defined) and isinstance(target.expression, FunctionValue)
        }
        return keys.pop() if len(keys) == 1 else None


def _without_span(decoding: object, answer: Span) -> object:
    """Give a decoding as a key that holds wherever the call stands; `None` when it refers elsewhere."""
    kind = type(decoding)
    if kind is Constant:
        # As keys, 1 and 1.0 and `True` are one.
        return type(decoding[0]), decoding[0]  # type: ignore[index]
    if kind is Answer:
        return Answer if decoding[0] == answer else None  # type: ignore[index]
    if kind in (Helper, Named, Passed):
        return None
    if not isinstance(decoding, tuple):
        return decoding
    parts = [_without_span(part, answer) for part in decoding]
    return None if None in parts else (kind, *parts)


class _Frame(NamedTuple):
    """Where evaluation is: at a call site, or inside a function that was called from one."""

    file: str
    function: int | None = None
    passed: Callable[[int], Value] | None = None
    """Gives the argument for a parameter of `function`."""
    chain: tuple[tuple[str, Call], ...] = ()
    """The call here that this is about, and those further in."""
    api: Api = Api("read")
    text: str | None = None
    receiver: ClassTarget | None = None
    """The class of the object that methods are called on, when it was made at a call site."""
    depth: int = 0
    strict: bool = False
    """Only what is told to the last counts."""
    lever: str = ""
    """What the call that this is about reads; empty where that is not known, or further in."""
    alone: bool = False
    """This is about another variable than the one that is set."""


def _same_name(left: Call, right: Call) -> bool:
    """Say whether two calls of one function, or of one object's methods, name the variable alike."""
    if not (left.arguments and right.arguments):
        return False
    one, other = left.arguments[0].value, right.arguments[0].value
    if left.function != right.function and not isinstance(one, Parameter | Reference):
        return False
    return _without_place(one) == _without_place(other)


def _without_place(expression: object) -> object:
    return expression[:1] if type(expression).__name__ == "Text" else expression  # type: ignore[index]


def words(decoding: Decoding) -> Iterator[str]:
    """Give the texts written in a decoding."""
    for node in _everything_in(decoding):
        if isinstance(node, Constant) and isinstance(node.value, str):
            yield node.value


def _spelt_like(call: Call) -> str:
    """Give the name that a call asks for, or that of the constant which holds it."""
    name = call.arguments[0].value if call.arguments else None
    return name.value if isinstance(name, Text) else name.path[-1] if isinstance(name, Reference) else ""


def _text_of(decoding: Decoding) -> str:
    return decoding.value if isinstance(decoding, Constant) and isinstance(decoding.value, str) else ""


def _is_data(decoding: Decoding) -> bool:
    """Say whether a decoding is written out: a constant, or several."""
    if isinstance(decoding, Apply) and decoding.operation == "tuple":
        return all(map(_is_data, decoding.arguments))
    return isinstance(decoding, Constant)


def _everything_in(decoding: Decoding) -> Iterator[object]:
    """Give a decoding and all that it is made of."""
    pending: list[object] = [decoding]
    while pending:
        node = pending.pop()
        yield node
        if isinstance(node, tuple) and not isinstance(node, Constant):
            pending.extend(part for part in node if isinstance(part, tuple))
