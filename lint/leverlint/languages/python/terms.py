"""Building decodings, and asking simple questions of them."""

from collections.abc import Callable, Container, Iterator
from typing import Any

from leverlint.facts import (
    UNTOLD,
    Answer,
    Apply,
    Attempt,
    Constant,
    Decoding,
    FunctionValue,
    Helper,
    If,
    Let,
    Local,
    Named,
    Parameter,
    Passed,
    Raise,
    Span,
    Untold,
)

_BOOLEAN = frozenset(
    {
        *("not", "equals", "in", "py:is_none", "py:truth", "py:lt", "py:le", "py:gt", "py:ge"),
        *("py:startswith", "py:endswith", "py:isdigit", "py:isdecimal", "py:isnumeric", "py:isalpha"),
        *("py:isalnum", "py:isspace", "py:islower", "py:isupper", "py:isascii", "py:isinstance"),
        *("py:any", "py:all", "py:callable"),
        *("pydantic:bool", "environs:bool", "decouple:bool", "click:bool"),
    }
)
_NUMERIC = frozenset({"py:int", "py:float", "py:len", "py:strtobool", "py:json", "py:abs", "py:round"})
_NUMERIC |= {"duration", "py:total_seconds", "py:find"}
_NUMERIC |= {"py:sub", "mul", "py:mul", "py:floordiv", "py:truediv", "py:mod", "py:min", "py:max", "py:neg"}

_ATOMS = frozenset({Answer, Constant, Named, Passed, Local, Raise, Untold})
_KINDS = _ATOMS | {Apply, If, Attempt, Let, Helper}

TRUE, FALSE, NONE = Constant(True), Constant(False), Constant(None)


def same(one: object, other: object) -> bool:
    """Compare decodings; named tuples of different kinds are equal when they hold the same."""
    if one is other:
        return True
    if type(one) is not type(other) or one != other:
        return False
    return not isinstance(one, tuple) or all(map(same, one, other))  # type: ignore[call-overload]


def is_constant(decoding: Decoding, value: bool | None) -> bool:
    return isinstance(decoding, Constant) and decoding.value is value


def is_data(decoding: Decoding) -> bool:
    """Say whether a decoding is written out: a constant, or several."""
    if isinstance(decoding, Apply) and decoding.operation == "tuple":
        return all(map(is_data, decoding.arguments))
    return isinstance(decoding, Constant)


def is_local(decoding: Decoding, number: int) -> bool:
    return isinstance(decoding, Local) and decoding.number == number


def inside(decoding: Decoding) -> Iterator[Decoding]:
    """Give a decoding and everything in it."""
    pending: list[Any] = [decoding]
    while pending:
        node = pending.pop()
        kind = type(node)
        if kind in _KINDS:
            yield node
            if kind not in _ATOMS:
                pending.extend(node)
        elif kind is tuple:
            pending.extend(node)


def told(decoding: Decoding) -> bool:
    """Say whether nothing in a decoding is open."""
    return not any(isinstance(node, Untold) for node in inside(decoding))


def asks(decoding: Decoding, spans: Container[Span] | None = None) -> bool:
    """Say whether a decoding depends on what certain calls give: on any call's when none is named."""
    return any(
        isinstance(node, Answer) and (spans is None or node.span in spans) for node in inside(decoding)
    )


def depends(decoding: Decoding) -> bool:
    """Say whether a decoding is of something that comes from outside of it."""
    return any(isinstance(node, Answer | Passed | Local) for node in inside(decoding))


def speaks(decoding: Decoding, spans: Container[Span]) -> bool:
    """Say whether what comes out of a decoding, not just what may be raised on the way, is of an answer."""
    while isinstance(decoding, Let) and not any(
        is_local(node, decoding.number) for node in inside(decoding.body)
    ):
        decoding = decoding.body
    return asks(decoding, spans)


def others(decoding: Decoding, spans: Container[Span]) -> bool:
    """Say whether a decoding depends on the answer of another call as well."""
    return any(isinstance(node, Answer) and node.span not in spans for node in inside(decoding))


def leaves(decoding: Decoding) -> Iterator[Decoding]:
    """Give what may come out of a decoding, without the conditions."""
    match decoding:
        case If(_, then, otherwise) | Attempt(then, otherwise):
            yield from leaves(then)
            yield from leaves(otherwise)
        case Let(_, _, body):
            yield from leaves(body)
        case _:
            yield decoding


def atomic(decoding: Decoding) -> bool:
    return isinstance(decoding, Answer | Constant | Named | Passed | Local | Untold | Raise)


def cheap(decoding: Decoding) -> bool:
    """Say whether a decoding may be written down twice: it is short and cannot raise anything new."""
    if isinstance(decoding, Apply) and len(decoding.arguments) == 1:
        return cheap(decoding.arguments[0])
    return atomic(decoding)


def negated(condition: Decoding) -> Decoding:
    match condition:
        case Untold():
            return UNTOLD
        case Constant(value):
            return Constant(not value)
        case Apply("not", (inner,)):
            return inner
    return Apply("not", (condition,))


def truth(value: Decoding) -> Decoding:
    """Give the condition that a value is as one."""
    match value:
        case Untold() | Raise():
            return value
        case Constant(constant):
            return Constant(bool(constant))
        case Apply(operation, _) if operation in _BOOLEAN:
            return value
        case If(condition, then, otherwise):
            return If(condition, truth(then), truth(otherwise))
        case Let(number, inner, body):
            return Let(number, inner, truth(body))
    return Apply("py:truth", (value,))


def decided(value: Decoding) -> str:
    """Say what kind a value certainly has: `switch`, `number`, or empty."""
    match value:
        case Constant(bool()):
            return "switch"
        case Constant(int() | float()):
            return "number"
        case Apply(operation, _) if operation in _BOOLEAN:
            return "switch"
        case Apply(operation, _) if operation in _NUMERIC:
            return "number"
        case If(_, then, otherwise) | Attempt(then, otherwise):
            return decided(then) or decided(otherwise)
        case Let(_, _, body):
            return decided(body)
    return ""


def choice(condition: Decoding, then: Decoding, otherwise: Decoding) -> Decoding:
    """Give one of two; of what is asked for only in one case, just that.

    A condition that has nothing to do with any value here says whether the value is consulted
    at all, not what is made of it.
    """
    if isinstance(condition, Constant):
        return then if condition.value else otherwise
    if same(then, otherwise):
        return then
    if not depends(condition):
        if asks(then) and not asks(otherwise):
            return then
        if asks(otherwise) and not asks(then):
            return otherwise
        if not told(condition):
            return UNTOLD if not asks(then) else If(UNTOLD, then, otherwise)
    return If(condition, then, otherwise)


def both(left: Decoding, right: Decoding) -> Decoding:
    """Give the condition that both hold."""
    return If(left, right, FALSE) if not is_constant(left, True) else right


def either(left: Decoding, right: Decoding) -> Decoding:
    return If(left, TRUE, right) if not is_constant(left, False) else right


def let(number: int, value: Decoding, body: Decoding) -> Decoding:
    """Bind a value; one that is not used is left out."""
    return Let(number, value, body) if any(is_local(node, number) for node in inside(body)) else body


def risky(value: Decoding) -> bool:
    """Say whether working a value out may raise."""
    return not cheap(value) or any(isinstance(node, Apply | Raise) for node in inside(value))


def before(number: int, value: Decoding, body: Decoding) -> Decoding:
    """Have a value worked out, for what it may raise, before a body that may not need it."""
    if not risky(value) or not told(value) or _certain(body, value):
        return body
    return Let(number, value, body)


def let_go(number: int, value: Decoding) -> Decoding:
    """Work a value out for nothing but what it may raise."""
    return Let(number, value, FALSE)


def _certain(body: Decoding, value: Decoding) -> bool:
    """Say whether working out a body works a value out, whatever the case."""
    if same(body, value) or isinstance(body, Untold):
        return True
    match body:
        case Apply(_, arguments) | Helper(_, arguments, _):
            return any(_certain(each, value) for each in arguments)
        case If(condition, _, _):
            return _certain(condition, value)
        case Let(_, inner, rest):
            return _certain(inner, value) or _certain(rest, value)
    return False


def size(decoding: Decoding, most: int) -> int:
    """Count terms, up to a limit."""
    count = 0
    for _ in inside(decoding):
        count += 1
        if count >= most:
            break
    return count


def replaced(decoding: Decoding, put: Callable[[Decoding], Decoding | None]) -> Decoding:
    """Put something else where `put` gives something for a part."""
    found = put(decoding)
    if found is not None:
        return found
    match decoding:
        case Apply(operation, arguments):
            return Apply(operation, tuple(replaced(each, put) for each in arguments))
        case If(condition, then, otherwise):
            return If(replaced(condition, put), replaced(then, put), replaced(otherwise, put))
        case Attempt(body, otherwise):
            return Attempt(replaced(body, put), replaced(otherwise, put))
        case Let(number, value, body):
            return Let(number, replaced(value, put), replaced(body, put))
        case Helper(function, arguments, keywords):
            named = tuple((name, replaced(each, put)) for name, each in keywords)
            return Helper(function, tuple(replaced(each, put) for each in arguments), named)
    return decoding


def without_joins(decoding: Decoding, spans: Container[Span]) -> Decoding:
    """Take a path for what an answer says, whatever is looked for below it."""

    def put(node: Decoding) -> Decoding | None:
        if not isinstance(node, Apply) or node.operation != "path_join":
            return None
        said = next((argument for argument in node.arguments if asks(argument, spans)), None)
        return without_joins(said, spans) if said is not None else None

    return replaced(decoding, put)


def functions_in(decoding: Decoding) -> Iterator[int]:
    """Give the functions of this file that a decoding mentions."""
    for node in inside(decoding):
        if isinstance(node, Passed):
            yield node.parameter.function
        elif isinstance(node, Helper) and isinstance(node.function, FunctionValue):
            yield node.function.function


def canonical(decoding: Decoding, numbers: dict[int, int]) -> Decoding:
    """Give a decoding with functions numbered anew, and locals in the order that they come in."""
    if isinstance(decoding, Untold | Answer):
        return decoding
    local: dict[int, int] = {}
    for node in inside(decoding):
        if isinstance(node, Let):
            local.setdefault(node.number, len(local) + 1)

    def put(node: Decoding) -> Decoding | None:
        match node:
            case Local(number):
                return Local(local.get(number, number))
            case Let(number, value, body):
                return Let(local[number], replaced(value, put), replaced(body, put))
            case Passed(Parameter(function, index)):
                return Passed(Parameter(numbers[function], index))
            case Helper(FunctionValue(function), arguments, keywords):
                named = tuple((name, replaced(each, put)) for name, each in keywords)
                given = tuple(replaced(each, put) for each in arguments)
                return Helper(FunctionValue(numbers[function]), given, named)
        return None

    return replaced(decoding, put)


def of_tuple(items: list[Decoding]) -> Decoding:
    if any(isinstance(item, Untold) for item in items):
        return UNTOLD
    return Apply("tuple", tuple(items))
