"""Which paths that led to nothing are worth asking a file for: those that a lever may be got at by."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import partial

from leverlint.facts import UNKNOWN, Call, Expression, FileFacts, Path, Reference, Returned, Text


def asked_members(
    facts: Mapping[str, FileFacts],
    wanted: Mapping[str, AbstractSet[str]],
    is_lever: Callable[[str, str], bool],
) -> dict[str, set[str]]:
    """Choose, by file, among dotted paths that names led to.

    `is_lever` says of a text in a file whether it is the name of one.
    """
    if not wanted:
        return {}
    tails = {
        _tail(path)
        for file, known in facts.items()
        for call in known.calls
        for path in _paths(call, partial(is_lever, file))
    }
    found = {
        file: {path for path in paths if _tail(path.split(".")) in tails} for file, paths in wanted.items()
    }
    return {file: paths for file, paths in found.items() if paths}


def _paths(call: Call, is_lever: Callable[[str], bool]) -> Iterator[Path]:
    """Give the paths in a call's arguments, and its own where those may name a lever."""
    values = [argument.value for argument in call.arguments]
    for value in values:
        yield from _paths_in(value)
    callee: object = call.callee
    if type(callee) is tuple and any(
        is_lever(value.value) if isinstance(value, Text) else value != UNKNOWN for value in values
    ):
        yield callee


def _paths_in(expression: Expression) -> Iterator[Path]:
    pending: list[object] = [expression]
    while pending:
        part = pending.pop()
        if isinstance(part, Reference | Returned):
            yield part.path
        if isinstance(part, tuple):
            pending.extend(each for each in part if isinstance(each, tuple))


def _tail(path: Sequence[str]) -> str:
    return next((name for name in reversed(path) if name != "()"), "")
