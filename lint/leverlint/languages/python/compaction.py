"""Dropping the functions that no fact speaks of, and numbering the rest by position."""

from typing import Any

from leverlint.facts import Call, FileFacts, FunctionValue, Parameter, Span, Text


def compacted(facts: FileFacts) -> FileFacts:
    """Give the same facts with just the functions that they need, in source order."""
    needed: set[int] = {call.function for call in facts.calls}
    _collect((facts.calls, facts.definitions), needed)
    for function in list(needed):
        while function >= 0:
            needed.add(function)
            function = facts.functions[function].parent
    needed.discard(-1)
    order = sorted(needed, key=lambda index: facts.functions[index].span)
    numbers = {old: new for new, old in enumerate(order)} | {-1: -1}
    functions = tuple(
        facts.functions[old]._replace(parent=numbers[facts.functions[old].parent]) for old in order
    )
    calls = tuple(_call(call, numbers) for call in facts.calls)
    return facts._replace(
        functions=functions, calls=calls, definitions=_renumbered(facts.definitions, numbers)
    )


def _call(call: Call, numbers: dict[int, int]) -> Call:
    return call._replace(
        callee=_renumbered(call.callee, numbers),
        arguments=_renumbered(call.arguments, numbers),
        function=numbers[call.function],
    )


def _collect(value: Any, needed: set[int]) -> None:
    if isinstance(value, Parameter | FunctionValue):
        needed.add(value.function)
    elif isinstance(value, tuple) and not isinstance(value, Text | Span):
        for item in value:
            _collect(item, needed)


def _renumbered(value: Any, numbers: dict[int, int]) -> Any:
    if isinstance(value, Parameter | FunctionValue):
        return value._replace(function=numbers[value.function])
    if not isinstance(value, tuple) or isinstance(value, Text | Span):
        return value
    items = [_renumbered(item, numbers) for item in value]
    return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
