"""Putting decodings together: sequencing with early returns, sharing of values, tidying up.

While a body is lowered, a `return` inside an expression is a leaf `RETURN`; whatever would have
been done with the expression's value is not done with that. It never leaves this package.
"""

from collections.abc import Callable, Sequence

from leverlint.facts import (
    UNTOLD,
    Answer,
    Apply,
    Attempt,
    Constant,
    Decoding,
    Helper,
    If,
    Let,
    Local,
    Named,
    Passed,
    Raise,
    Untold,
)

RETURN = "rs:return"
"""Operation of the leaf for what a function gives back early."""
TRUE, FALSE, UNIT = Constant(True), Constant(False), Constant(None)
NONE, ERROR = Apply("rs:none", ()), Apply("rs:err", ())
RAISE = Raise()

_LARGEST = 600
"""A decoding with more parts than this is a program, not a decoding."""
_MOST_SEEN = 2 * _LARGEST
_LEAVES = frozenset({Answer, Constant, Local, Named, Passed, Raise, Untold})
_SAFE = frozenset(
    {"rs:holds", "rs:payload", "rs:rewrap", "rs:some", "rs:ok", "rs:to_option", "rs:to_result", "rs:none",
     "rs:err", "rs:to_str", "rs:lossy", "rs:lower_ascii", "rs:upper_ascii", "lower", "upper", "strip",
     "lstrip", "rstrip", "equals", "not"}
)  # fmt: skip
"""Operations that cannot panic: whether and when they are worked out makes no difference."""


def is_untold(decoding: Decoding) -> bool:
    # Not by equality: as tuples all that is empty is equal, and so are `True` and 1.
    return isinstance(decoding, Untold)


def is_true(decoding: Decoding) -> bool:
    return isinstance(decoding, Constant) and decoding.value is True


def is_false(decoding: Decoding) -> bool:
    return isinstance(decoding, Constant) and decoding.value is False


def is_switch(decoding: Decoding) -> bool:
    return is_true(decoding) or is_false(decoding)


def is_unit(decoding: Decoding) -> bool:
    return isinstance(decoding, Constant) and decoding.value is None


def is_local(decoding: Decoding, number: int) -> bool:
    return isinstance(decoding, Local) and decoding.number == number


def same(left: Decoding, right: Decoding) -> bool:
    """Say whether two decodings are written alike, down to the types of constants."""
    return left == right and repr(left) == repr(right)


def apply(operation: str, *arguments: Decoding) -> Decoding:
    """Apply an operation; what is untold makes the whole untold."""
    if any(map(is_untold, arguments)):
        return UNTOLD
    first = arguments[0] if arguments else UNIT
    if operation == "not" and is_switch(first):
        return FALSE if is_true(first) else TRUE
    if isinstance(first, Apply):
        known = _simpler(operation, first)
        if known is not None:
            return known
    return Apply(operation, arguments)


_KNOWN_TO_HOLD = {"rs:some": TRUE, "rs:ok": TRUE, "rs:none": FALSE, "rs:err": FALSE}


def _simpler(operation: str, made: Apply) -> Decoding | None:
    """Undo at once what was just done."""
    inside = made.arguments[0] if made.arguments else UNIT
    match operation, made.operation:
        case "not", "not":
            return inside
        case "rs:payload", "rs:some" | "rs:ok":
            return inside
        case "rs:payload", "rs:rewrap":
            return made.arguments[1]
        case (("rs:payload" | "rs:holds"), ("rs:to_option" | "rs:to_result")):
            return apply(operation, inside)
        case "rs:holds", _:
            return _KNOWN_TO_HOLD.get(made.operation)
    return None


def choose(condition: Decoding, then: Decoding, otherwise: Decoding) -> Decoding:
    if is_true(condition):
        return then
    if is_false(condition):
        return otherwise
    if is_untold(condition) or (is_untold(then) and is_untold(otherwise)):
        return UNTOLD
    if same(then, otherwise) and not returns(then):
        return then
    if is_true(then) and is_false(otherwise):
        return condition
    if is_false(then) and is_true(otherwise):
        return apply("not", condition)
    return If(condition, then, otherwise)


def both(left: Decoding, right: Decoding) -> Decoding:
    return choose(left, right, FALSE)


def either(left: Decoding, right: Decoding) -> Decoding:
    return choose(left, TRUE, right)


def returned(value: Decoding) -> Decoding:
    return Apply(RETURN, (value,))


def is_return(decoding: Decoding) -> bool:
    return isinstance(decoding, Apply) and decoding.operation == RETURN


def parts_of(decoding: Decoding) -> tuple[Decoding, ...]:
    if isinstance(decoding, Apply):
        return decoding.arguments
    if isinstance(decoding, If):
        return (decoding.condition, decoding.then, decoding.otherwise)
    if isinstance(decoding, Let):
        return (decoding.value, decoding.body)
    if isinstance(decoding, Helper):
        return (*decoding.arguments, *(value for _, value in decoding.keywords))
    if isinstance(decoding, Attempt):
        return (decoding.body, decoding.otherwise)
    return ()


def everything_in(decoding: Decoding) -> list[Decoding]:
    """Give all parts of a decoding; of one that is far too large, enough to see that it is."""
    found = [decoding]
    for part in found:
        found.extend(parts_of(part))
        if len(found) > _MOST_SEEN:
            break
    return found


def returns(decoding: Decoding) -> bool:
    """Say whether somewhere in a value being worked out a function is left."""
    if type(decoding) in _LEAVES:
        return False
    return any(map(is_return, everything_in(decoding)))


def is_told(decoding: Decoding) -> bool:
    return not any(isinstance(part, Untold) for part in everything_in(decoding))


def is_large(decoding: Decoding) -> bool:
    return type(decoding) not in _LEAVES and len(everything_in(decoding)) > _LARGEST


def reads(decoding: Decoding) -> bool:
    return any(isinstance(part, Answer) for part in everything_in(decoding))


def depends(decoding: Decoding) -> bool:
    """Say whether a value comes from what was read or handed over."""
    return any(isinstance(part, Answer | Passed | Local) for part in everything_in(decoding))


def _is_data(decoding: Decoding) -> bool:
    return (
        isinstance(decoding, Apply)
        and decoding.operation == "tuple"
        and all(isinstance(argument, Constant) for argument in decoding.arguments)
    )


class Numbers:
    """Hands out the numbers of locals."""

    def __init__(self) -> None:
        self.values: dict[int, Decoding] = {}

    def next(self, value: Decoding) -> int:
        number = len(self.values)
        self.values[number] = value
        return number

    def then(self, value: Decoding, use: Callable[[Decoding], Decoding]) -> Decoding:
        """Go on with a value: `use` is given something that may stand in several places."""
        if is_untold(value) or is_return(value) or isinstance(value, Raise):
            return value
        if isinstance(value, Answer | Constant | Local | Passed | Named) or _is_data(value):
            return use(value)
        if returns(value):
            match value:
                case If(condition, then, otherwise):
                    return choose(condition, self.then(then, use), self.then(otherwise, use))
                case Let(number, inner, body):
                    return Let(number, inner, self.then(body, use))
            return UNTOLD
        number = self.next(value)
        return shared(number, value, use(Local(number)))

    def all(self, values: Sequence[Decoding], use: Callable[[tuple[Decoding, ...]], Decoding]) -> Decoding:
        """Go on with several values, worked out in order; those that cannot leave stand as they are."""

        def onward(done: tuple[Decoding, ...]) -> Decoding:
            if len(done) == len(values):
                return use(done)
            value = values[len(done)]
            if not returns(value):
                return onward((*done, value))
            return self.then(value, lambda got: onward((*done, got)))

        return onward(())


def shared(number: int, value: Decoding, body: Decoding) -> Decoding:
    """Bind a local, or put its value in its place where that says the same."""
    uses = sum(1 for part in everything_in(body) if is_local(part, number))
    simple = not isinstance(value, If | Let | Attempt | Helper) and all(
        isinstance(part, Answer | Constant | Local | Passed | Named)
        or (isinstance(part, Apply) and part.operation in _SAFE)
        for part in everything_in(value)
    )
    harmless = all(
        isinstance(part, Answer | Constant | Local | Passed | Named | If)
        or (isinstance(part, Apply) and (part.operation in _SAFE or part.operation.startswith("rs:parse")))
        for part in everything_in(value)
    )
    if (uses == 0 and harmless) or (uses == 1 and harmless) or simple:
        return substitute(body, number, value) if uses else body
    if is_untold(body):
        return UNTOLD
    return Let(number, value, body)


def substitute(decoding: Decoding, number: int, value: Decoding) -> Decoding:
    return rebuild(decoding, lambda part: value if is_local(part, number) else None)


def rebuild(decoding: Decoding, change: Callable[[Decoding], Decoding | None]) -> Decoding:
    """Put something in the place of parts, outermost first."""
    changed = change(decoding)
    if changed is not None:
        return changed
    match decoding:
        case Apply(operation, arguments):
            return apply(operation, *(rebuild(argument, change) for argument in arguments))
        case If(condition, then, otherwise):
            return choose(rebuild(condition, change), rebuild(then, change), rebuild(otherwise, change))
        case Let(number, value, body):
            return Let(number, rebuild(value, change), rebuild(body, change))
        case Attempt(body, otherwise):
            return Attempt(rebuild(body, change), rebuild(otherwise, change))
        case Helper(function, arguments, keywords):
            return Helper(
                function,
                tuple(rebuild(argument, change) for argument in arguments),
                tuple((name, rebuild(given, change)) for name, given in keywords),
            )
    return decoding


def without_returns(decoding: Decoding) -> Decoding:
    """Take what a function gives back early for what it gives back."""
    return rebuild(decoding, lambda part: part.arguments[0] if is_return(part) else None)  # type: ignore[union-attr]
