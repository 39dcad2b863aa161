"""Dropping the functions that no fact speaks of, and numbering the rest by position."""

from collections.abc import Iterator

from leverlint.facts import (
    UNTOLD,
    AnyOf,
    Argument,
    Attribute,
    Call,
    Changed,
    Definition,
    Element,
    Expression,
    FileFacts,
    Function,
    FunctionValue,
    Instance,
    Item,
    Items,
    Joined,
    Parameter,
    Untold,
)
from leverlint.languages.python.terms import canonical, functions_in


def compacted(facts: FileFacts) -> FileFacts:
    """Give the same facts with just the functions that they need, in source order."""
    needed: set[int] = set()
    for mentioned in _mentioned(facts):
        while mentioned >= 0 and mentioned not in needed:
            needed.add(mentioned)
            mentioned = facts.functions[mentioned].parent
    order = sorted(needed, key=lambda index: facts.functions[index].span)
    numbers = {old: new for new, old in enumerate(order)} | {-1: -1}
    return facts._replace(
        functions=tuple(_function(facts.functions[old], numbers) for old in order),
        calls=tuple(_call(call, numbers) for call in facts.calls),
        definitions=tuple(_definition(definition, numbers) for definition in facts.definitions),
    )


def _function(function: Function, numbers: dict[int, int]) -> Function:
    parent = numbers[function.parent]
    if isinstance(function.result, Untold) and not function.defaults:
        return function._replace(parent=parent)
    defaults = tuple(None if each is None else canonical(each, numbers) for each in function.defaults)
    return function._replace(parent=parent, result=canonical(function.result, numbers), defaults=defaults)


def _mentioned(facts: FileFacts) -> Iterator[int]:
    for index, function in enumerate(facts.functions):
        if not isinstance(function.result, Untold):
            yield index
            for decoding in (function.result, *(each or UNTOLD for each in function.defaults)):
                yield from functions_in(decoding)
    for call in facts.calls:
        yield call.function
        for decoding in (call.decoding, *call.values, *(each.decoding for each in call.exact)):
            yield from functions_in(decoding)
        if isinstance(call.callee, Parameter | FunctionValue):
            yield call.callee.function
        for argument in call.arguments:
            yield from _functions(argument.value)
        if call.receiver is not None:
            yield from _functions(call.receiver)
    for definition in facts.definitions:
        if not definition.imported:
            yield from _functions(definition.value)


def _functions(value: Expression) -> Iterator[int]:
    match value:
        case Parameter(function, _) | FunctionValue(function):
            yield function
        case Joined(inner) | AnyOf(inner) | Items(inner):
            for part in inner:
                yield from _functions(part)
        case Element(operand) | Item(operand, _) | Changed(_, operand) | Attribute(operand, _):
            yield from _functions(operand)
        case Instance(_, arguments):
            for argument in arguments or ():
                yield from _functions(argument.value)


def _call(call: Call, numbers: dict[int, int]) -> Call:
    callee = call.callee
    if isinstance(callee, Parameter | FunctionValue):
        callee = callee._replace(function=numbers[callee.function])
    return call._replace(
        callee=callee,
        arguments=_handed(call.arguments, numbers),
        receiver=None if call.receiver is None else _renumbered(call.receiver, numbers),
        function=numbers[call.function],
        decoding=canonical(call.decoding, numbers),
        values=tuple(canonical(each, numbers) for each in call.values),
        exact=tuple(each._replace(decoding=canonical(each.decoding, numbers)) for each in call.exact),
    )


def _handed(arguments: tuple[Argument, ...], numbers: dict[int, int]) -> tuple[Argument, ...]:
    return tuple(Argument(each.keyword, _renumbered(each.value, numbers)) for each in arguments)


def _definition(definition: Definition, numbers: dict[int, int]) -> Definition:
    value = definition.value if definition.imported else _renumbered(definition.value, numbers)
    return definition if value is definition.value else definition._replace(value=value)


def _renumbered(value: Expression, numbers: dict[int, int]) -> Expression:
    match value:
        case Parameter(function, _) | FunctionValue(function):
            return value._replace(function=numbers[function])
        case Joined(inner) | AnyOf(inner) | Items(inner):
            return type(value)(tuple(_renumbered(part, numbers) for part in inner))
        case Element(sequence):
            return Element(_renumbered(sequence, numbers))
        case Item(sequence, index):
            return Item(_renumbered(sequence, numbers), index)
        case Changed(operation, operand):
            return Changed(operation, _renumbered(operand, numbers))
        case Attribute(owner, name):
            return Attribute(_renumbered(owner, numbers), name)
        case Instance(path, arguments) if arguments:
            return Instance(path, _handed(arguments, numbers))
    return value
