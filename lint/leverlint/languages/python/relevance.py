"""Which values make the code that uses them worth a look: levers, and ways to read them."""

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from leverlint.facts import (
    Attribute,
    Changed,
    Element,
    Expression,
    FunctionValue,
    Instance,
    Item,
    Items,
    Joined,
    Parameter,
    Reference,
    Text,
    Vocabulary,
)
from leverlint.languages.python import api

if TYPE_CHECKING:
    from leverlint.languages.python.values import Values

_NAME = re.compile(r"[A-Za-z0-9_.\-]*\Z")


def is_lever(value: str, vocabulary: Vocabulary) -> bool:
    """Say whether text may be the name of a lever, or the beginning of one."""
    if value in vocabulary.names:
        return True
    return value.startswith(vocabulary.prefixes) and _NAME.match(value) is not None


@lru_cache(maxsize=16)
def exact_name(vocabulary: Vocabulary) -> re.Pattern[str]:
    """Give the pattern of text that is the whole name of one lever."""
    prefixes = "|".join(re.escape(prefix) + "[A-Z0-9_]+" for prefix in vocabulary.prefixes)
    names = "|".join(re.escape(name) for name in vocabulary.names)
    return re.compile("|".join(filter(None, (prefixes, names))) or r"(?!)")


def has_lever(value: Expression, values: "Values") -> bool:
    """Say whether some of the text in a value may name a lever."""
    return _has_lever(value, values, 0, set())


def _has_lever(value: Expression, values: "Values", depth: int, seen: set[Expression]) -> bool:
    if depth > 12:
        return False
    if isinstance(value, Reference | Element | Item | Attribute):
        if value in seen:
            return False
        seen.add(value)
    for option in values.options(value):
        match option:
            case Text(content):
                if is_lever(content, values.vocabulary):
                    return True
            case Joined(parts):
                if is_lever(_beginning(parts, values), values.vocabulary):
                    return True
            case Items(items):
                if any(_has_lever(item, values, depth + 1, seen) for item in items):
                    return True
            case Attribute(owner, _):
                if _has_lever(owner, values, depth + 1, seen):
                    return True
            case Instance(_, arguments):
                if any(_has_lever(each.value, values, depth + 1, seen) for each in arguments or ()):
                    return True
            case Changed(_, operand):
                if _has_lever(operand, values, depth + 1, seen) or _raised(operand, values):
                    return True
    return False


def may_name_lever(value: Expression, values: "Values", depth: int = 0) -> bool:
    """Say whether a value names a lever, or may do so for all that this file tells."""
    if depth > 12 or has_lever(value, values):
        return depth <= 12
    for option in values.options(value):
        match option:
            case Reference() | Parameter():
                return True
            case Joined(parts) | Items(parts):
                first = parts if isinstance(option, Items) else parts[:1]
                if any(may_name_lever(part, values, depth + 1) for part in first):
                    return True
    return False


def _beginning(parts: tuple[Expression, ...], values: "Values") -> str:
    known = ""
    for part in parts:
        piece = values.text_of(part)
        if piece is None:
            break
        known += piece.value
    return known


def _raised(operand: Expression, values: "Values") -> bool:
    found = values.text_of(operand)
    return found is not None and is_lever(found.value.upper(), values.vocabulary)


def reads(value: Expression, values: "Values") -> bool:
    """Say whether a value is the environment, or a function or class that reads it."""
    for option in values.options(value):
        match option:
            case Reference(path):
                if path in api.API or path in api.MAPPINGS or path in api.MODULES:
                    return True
                if is_wrapper(option, values):
                    return True
            case Attribute(_, name):
                if name in values.vocabulary.wrappers:
                    return True
            case FunctionValue(function):
                if function in values.registry.wrappers or _is_asked_for(function, values):
                    return True
            case Instance(path):
                if path in READERS or path[1:] in values.registry.wrapper_classes:
                    return True
    return False


READERS = frozenset(path[:-1] for path in api.API if path[-1] == "__call__")
"""Classes of libraries whose objects are called with the name of a variable."""


def is_wrapper(reference: Reference, values: "Values") -> bool:
    """Say whether a path leads to something that is known to read."""
    path = reference.path[:-1] if reference.path[-1:] == ("__init__",) else reference.path
    if path and path[-1] in values.vocabulary.wrappers:
        return True
    return path[:1] == (".",) and path[1:] in values.registry.wrapper_classes


def _is_asked_for(function: int, values: "Values") -> bool:
    """Say whether the calls of a function of this file itself are to be recorded."""
    return values.registry.functions[function].path[-1] in values.vocabulary.wrappers


def matters(value: Expression, values: "Values") -> bool:
    return has_lever(value, values) or reads(value, values)
