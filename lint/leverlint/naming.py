"""What text an expression may be: constants folded across files, parameters left open.

A template is text with holes. A hole is a parameter, filled at each call of its function, or
unknown for good; what stays unknown becomes `*` in the name of a lever.
"""

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from leverlint.facts import (
    AnyOf,
    Attribute,
    Call,
    Changed,
    Element,
    Expression,
    Function,
    Instance,
    Item,
    Items,
    Joined,
    Parameter,
    Path,
    Reference,
    Returned,
    Span,
    Text,
)
from leverlint.resolution import ClassTarget, Resolver, Value

if TYPE_CHECKING:
    from leverlint.objects import Made, Objects


class Hole(NamedTuple):
    """A parameter's place in a template, and what is done with the argument on the way."""

    file: str
    function: int
    index: int  # type: ignore[assignment]
    route: tuple[str | int, ...] = ()
    """Steps from the argument to the text, in order: `"element"`, an index, `".name"` for a member of
    an object, `"upper"`, `"lower"`, `"strip"`, `"spelled"` for the text of a name as it is written, or
    `"variables"` for the names that shell-like text refers to."""


class Origin(NamedTuple):
    """Where the literal stands that a name came from."""

    file: str
    span: Span


class Template(NamedTuple):
    parts: tuple[str | Hole | None, ...]
    """Text, holes, and `None` for what cannot be known."""
    origin: Origin | None = None

    @property
    def holes(self) -> list[Hole]:
        return [part for part in self.parts if isinstance(part, Hole)]

    @property
    def pattern(self) -> str:
        """The text with `*` for everything that is not known."""
        text = "".join(part if isinstance(part, str) else "*" for part in self.parts)
        while "**" in text:
            text = text.replace("**", "*")
        return text


UNKNOWN = Template((None,))

_ROUNDS = 3
"""Times that a name may lead to itself, and constructors that one value may pass through."""
_STEPS = 10_000
"""Steps in evaluating one expression; lists that are made of each other lead on and on."""
_OPTIONS = 256
"""More names than this for one expression are a data table, not levers."""


class Namer:
    """Evaluates expressions of any file of the project to templates."""

    def __init__(self, resolver: Resolver, objects: "Objects") -> None:
        self._resolver = resolver
        self._objects = objects
        self._steps = 0
        """Taken for the expression that is being evaluated."""
        self._following: dict[tuple[str, Path], int] = {}
        """Names that are being followed, and how often: a list may be made of its own items."""

    def templates(self, file: str, expression: Expression, depth: int = 0) -> list[Template]:
        """Give every text that `expression` may be; never empty."""
        return self._options(file, expression, (), depth)

    def fill(self, template: Template, hole: Hole, file: str, argument: Expression) -> list[Template]:
        """Put what a call in `file` hands over into one hole of a template."""
        filled = []
        for value in self._options(file, argument, hole.route, 0):
            parts: list[str | Hole | None] = []
            for part in template.parts:
                parts.extend(value.parts if part == hole else (part,))
            filled.append(Template(_merged(parts), value.origin or template.origin))
        return filled

    def _options(
        self, file: str, expression: Expression, route: tuple[str | int, ...], depth: int
    ) -> list[Template]:
        outermost = self._steps == 0
        found = self._walk(file, expression, route, depth)[:_OPTIONS] or [UNKNOWN]
        if outermost:
            self._steps = 0
        return found

    def _walk(
        self, file: str, expression: Expression, route: tuple[str | int, ...], depth: int
    ) -> list[Template]:
        self._steps += 1
        if depth > 32 or self._steps > _STEPS:
            return [UNKNOWN]
        deeper = depth + 1
        match expression:
            case Text(value, span):
                if any(step == "element" or isinstance(step, int) for step in route):
                    return [UNKNOWN]
                if _is_member(route) and route[0] != ".value":
                    return [UNKNOWN]
                texts = names_in_text(value) if "variables" in route else [_changed(value, route)]
                return [Template((text,), Origin(file, span)) for text in texts]
            case Parameter(function, index):
                return [Template((Hole(file, function, index, route),))]
            case AnyOf(options):
                return [t for option in options for t in self._walk(file, option, route, deeper)]
            case Element(sequence):
                return self._walk(file, sequence, ("element", *route), deeper)
            case Item(sequence, index):
                return self._walk(file, sequence, (index, *route), deeper)
            case Changed(operation, operand):
                return self._walk(file, operand, (operation, *route), deeper)
            case Items(items):
                return self._items(file, items, route, deeper)
            case Attribute(owner, name):
                return self._walk(file, owner, ("." + name, *route), deeper)
            case Instance() if _is_member(route):
                return self._member(self._objects.unnamed(file, expression), route, deeper)
            case Joined(parts):
                return self._joined(file, parts, route, deeper)
            case Returned(path, arguments):
                return self._returned(file, path, arguments, route, deeper)
            case Reference(path) if route[:1] == ("spelled",):
                return [Template((_changed(path[-1], route),))]
            case Reference(path):
                return self._reference(file, path, route, deeper)
        return [UNKNOWN]

    def _items(
        self, file: str, items: Sequence[Expression], route: tuple[str | int, ...], depth: int
    ) -> list[Template]:
        if not route:
            return [UNKNOWN]
        step, *rest = route
        if step == "element":
            return [t for item in items for t in self._walk(file, item, tuple(rest), depth)]
        if isinstance(step, int) and -len(items) <= step < len(items):
            return self._walk(file, items[step], tuple(rest), depth)
        return [UNKNOWN]

    def _joined(
        self, file: str, parts: Sequence[Expression], route: tuple[str | int, ...], depth: int
    ) -> list[Template]:
        found = [Template(())]
        for part in parts:
            options = self._walk(file, part, route, depth)
            found = [
                Template(left.parts + right.parts, left.origin or right.origin)
                for left in found
                for right in options
            ][:_OPTIONS]
        return [Template(_merged(template.parts), template.origin) for template in found]

    def _reference(
        self, file: str, path: tuple[str, ...], route: tuple[str | int, ...], depth: int
    ) -> list[Template]:
        key = (file, path)
        followed = self._following.get(key, 0)
        if followed >= _ROUNDS:
            return []
        self._following[key] = followed + 1
        targets = list(self._resolver.follow(file, path))
        # What is told of a member of this very object goes before what all of its kind have.
        values = [target for target in targets if isinstance(target, Value)]
        own = any(value.definition.path[-2:] == path[-2:] for value in values)
        named = () if own else self._of_objects(file, path, route, depth)
        found = [template for templates in named for template in templates]
        for target in targets if not found else ():
            if isinstance(target, Value):
                found += self._walk(target.file, target.expression, route, depth)
            elif isinstance(target, ClassTarget) and _is_member(route):
                found += self._walk(
                    target.file, Reference((".", *target.path, _member_of(route))), route[1:], depth
                )
        found += self._of_heirs(file, path, route, depth)
        self._following[key] = followed
        return found or [UNKNOWN]

    def _of_heirs(
        self, file: str, path: Path, route: tuple[str | int, ...], depth: int
    ) -> Iterator[Template]:
        """Give what classes below one put in the place of a member of it."""
        owners = self._resolver.follow(file, path[:-1]) if len(path) > 2 else ()
        for owner in owners:
            for heir in self._objects.heirs(owner) if isinstance(owner, ClassTarget) else ():
                member = (*heir.path, path[-1])
                for target in self._resolver.follow(heir.file, (".", *member)):
                    if isinstance(target, Value) and target.definition.path == member:
                        yield from self._walk(target.file, target.expression, route, depth)

    def _of_objects(
        self, file: str, path: Path, route: tuple[str | int, ...], depth: int
    ) -> Iterator[list[Template]]:
        """Give what objects with a name hold, where it is told what they were made with."""
        if len(path) > 2:
            for made in self._objects.named(file, path[:-1]):
                yield self._member(made, ("." + path[-1], *route), depth)
        if _is_member(route):
            for made in self._objects.named(file, path):
                yield self._member(made, route, depth)

    def _member(self, made: "Made", route: tuple[str | int, ...], depth: int) -> list[Template]:
        """Give what a member of an object may be, by what the object was made with."""
        found = []
        for target in self._resolver.follow(made.file, (*made.instance.path, _member_of(route))):
            if isinstance(target, Value):
                for template in self._walk(target.file, target.expression, route[1:], depth):
                    found += self.bound(template, made)
        return found or [UNKNOWN]

    def bound(self, template: Template, made: "Made") -> list[Template]:
        """Put what an object was made with into the holes that its constructors leave."""
        templates = [template]
        for _ in range(_ROUNDS):
            filled = []
            for each in templates:
                hole, handed = next(
                    (
                        (hole, handed)
                        for hole in each.holes
                        if (handed := self._objects.handed(made, hole.file, hole.function, hole.index))
                    ),
                    (None, None),
                )
                filled += [each] if hole is None or handed is None else self.fill(each, hole, *handed)
            if filled == templates:
                break
            templates = filled[:_OPTIONS]
        return templates

    def _returned(
        self,
        file: str,
        path: tuple[str, ...],
        arguments: Sequence[Expression],
        route: tuple[str | int, ...],
        depth: int,
    ) -> list[Template]:
        """Give what a function makes of its arguments, where it is told what it returns."""
        found = []
        for target in self._resolver.follow(file, (*path, "()")):
            if not isinstance(target, Value):
                continue
            for template in self._walk(target.file, target.expression, route, depth):
                filled = [template]
                for hole in template.holes:
                    given = arguments[hole.index] if hole.index < len(arguments) else None
                    if given is not None and hole.file == target.file:
                        filled = [each for t in filled for each in self.fill(t, hole, file, given)]
                found += filled[:_OPTIONS]
        return found[:_OPTIONS] or [UNKNOWN]


def argument_at(call: Call, function: Function, index: int) -> Expression | None:
    """Give what `call` hands to the parameter at `index` of `function`; `None` when nothing."""
    if index == function.keywords:
        return _keywords(call, function)
    if function.repeated and len(call.arguments) > len(function.parameters):
        # A macro that is given rows of what it has parameters for.
        return AnyOf(tuple(each.value for each in call.arguments[index :: len(function.parameters)]))
    if index == function.variadic:
        positional = [argument.value for argument in call.arguments if not argument.keyword]
        positional = positional[_objects(call, function) :]
        spread = [argument.value for argument in call.arguments if argument.keyword == "*"]
        rest = Items(tuple(positional[index:]))
        return AnyOf((*spread, rest)) if spread else rest
    position = argument_position(call, function, index)
    return None if position is None else call.arguments[position].value


def _keywords(call: Call, function: Function) -> Expression | None:
    """Give the names that a call says as keywords and no parameter of the function has."""
    given = [each.value for each in call.arguments if each.keyword == "**"]
    own = set(function.parameters)
    names = [each.keyword for each in call.arguments if each.keyword.strip("*") and each.keyword not in own]
    if names:
        given.append(Items(tuple(Text(name, call.span) for name in names)))
    return AnyOf(tuple(given)) if given else None


def argument_position(call: Call, function: Function, index: int) -> int | None:
    """Give the position in `call.arguments` of what goes to a parameter; `None` when nothing does."""
    if index == function.keywords:
        return None
    name = function.parameters[index] if index < len(function.parameters) else ""
    positional = []
    for position, argument in enumerate(call.arguments):
        if argument.keyword and argument.keyword == name:
            return position
        if not argument.keyword:
            positional.append(position)
    index += _objects(call, function)
    return positional[index] if index < len(positional) else None


def _objects(call: Call, function: Function) -> int:
    """Say how many arguments are the object of a method, and not for its parameters."""
    return 1 if call.unbound and function.receiver else 0


def names_in_text(text: str) -> list[str]:
    """Give the variables that shell-like text (`$NAME`, `${NAME}`) refers to."""
    found = re.findall(r"\$(?:\{(\w+)\}|(\w+))", text)
    return [braced or bare for braced, bare in found]


def _is_member(route: tuple[str | int, ...]) -> bool:
    """Say whether the next step is to a member of an object."""
    return bool(route) and isinstance(route[0], str) and route[0].startswith(".")


def _member_of(route: tuple[str | int, ...]) -> str:
    return str(route[0])[1:]


def _changed(value: str, route: tuple[str | int, ...]) -> str:
    for step in route:
        if step == "upper":
            value = value.upper()
        elif step == "lower":
            value = value.lower()
        elif step == "strip":
            value = value.strip()
    return value


def _merged(parts: Sequence[str | Hole | None]) -> tuple[str | Hole | None, ...]:
    merged: list[str | Hole | None] = []
    for part in parts:
        if isinstance(part, str) and merged and isinstance(merged[-1], str):
            merged[-1] += part
        else:
            merged.append(part)
    return tuple(merged)
