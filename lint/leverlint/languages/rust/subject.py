"""What a decoding has to do with the one read that it is about."""

from collections.abc import Callable

from leverlint.facts import (
    UNTOLD,
    Answer,
    Apply,
    Decoding,
    Helper,
    If,
    Let,
    Local,
    Passed,
    Raise,
    Span,
    Untold,
)
from leverlint.languages.rust.outcome_kinds import Kinds, is_decided
from leverlint.languages.rust.outcomes import (
    RAISE,
    TRUE,
    choose,
    everything_in,
    is_return,
    is_unit,
    rebuild,
    returns,
)


class Subject:
    """The read in question."""

    def __init__(self, span: Span, kinds: Kinds) -> None:
        self.span = span
        self._kinds = kinds

    def is_about(self, value: Decoding) -> bool:
        if isinstance(value, Apply) and value.operation == "rs:error":
            return False
        return any(
            isinstance(part, Local) or (isinstance(part, Answer) and part.span == self.span)
            for part in everything_in(value)
        )

    def is_closed(self, value: Decoding) -> bool:
        """Say whether a value depends on nothing else than the one read."""
        for part in everything_in(value):
            if isinstance(part, Untold | Passed) or (isinstance(part, Answer) and part.span != self.span):
                return False
            if isinstance(part, Helper) and not self.is_about(part) and not _has_locals(part):
                return False
        return True

    def is_decided(self, value: Decoding) -> bool:
        return is_decided(self._kinds.of(value))

    def without_joins(self, value: Decoding) -> Decoding:
        """Take a path for what the read says, whatever is looked for below it."""

        def above(part: Decoding) -> Decoding | None:
            if not isinstance(part, Apply) or part.operation != "path_join":
                return None
            said = next((argument for argument in part.arguments if self.is_about(argument)), None)
            return self.without_joins(said) if said is not None else None

        return rebuild(value, above)

    def first_condition(self, value: Decoding) -> Decoding:
        """Give what decides first: when that is something else, the value only adds to it."""
        while isinstance(value, Let):
            value = value.value if self.is_about(value.value) else value.body
        return value.condition if isinstance(value, If) else TRUE

    def is_plain_test(self, found: Decoding) -> bool:
        return self._kinds.of(found) == "bool" and not is_branching(found)


def onward(value: Decoding, use: Callable[[Decoding], Decoding]) -> Decoding:
    """Go on with a value where the function was not left."""
    if not returns(value) or is_return(value):
        return value if is_return(value) else use(value)
    match value:
        case If(condition, then, otherwise):
            return choose(condition, onward(then, use), onward(otherwise, use))
        case Let(number, inner, body):
            return Let(number, inner, onward(body, use))
    return UNTOLD


def leaves(decoding: Decoding) -> list[Decoding]:
    match decoding:
        case If(_, then, otherwise):
            return [*leaves(then), *leaves(otherwise)]
        case Let(_, _, body):
            return leaves(body)
    return [decoding]


def _has_locals(helper: Helper) -> bool:
    return any(isinstance(part, Local) for part in everything_in(helper))


def is_worth_something(leaf: Decoding) -> bool:
    empty = isinstance(leaf, Apply) and leaf.operation in ("rs:none", "rs:err")
    return not (isinstance(leaf, Untold | Raise | Answer) or is_unit(leaf) or is_return(leaf) or empty)


def is_branching(decoding: Decoding) -> bool:
    return isinstance(decoding, If | Let)


def settled(decoding: Decoding) -> Decoding:
    """Take what is returned early for the outcome: an error means that the value is refused."""

    def outcome(part: Decoding) -> Decoding | None:
        if not is_return(part) or not isinstance(part, Apply):
            return None
        value = part.arguments[0]
        if isinstance(value, Apply) and value.operation in ("rs:ok", "rs:err"):
            return value.arguments[0] if value.arguments else RAISE
        return value

    return rebuild(decoding, outcome) if returns(decoding) else decoding
