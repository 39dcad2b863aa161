"""Settling the type that text is parsed as, when the call itself does not say."""

from leverlint.facts import Apply, Constant, Decoding
from leverlint.languages.rust.outcome_kinds import RUST_TYPES, Kind
from leverlint.languages.rust.outcomes import rebuild

_ALL_OPEN = frozenset({"rs:parse:?", "rs:parse:int", "rs:parse:float"})
_OPEN_TYPES = {
    "int": frozenset({"rs:parse:?"}),
    "float": frozenset({"rs:parse:?"}),
    "f32": frozenset({"rs:parse:?", "rs:parse:float"}),
    "f64": frozenset({"rs:parse:?", "rs:parse:float"}),
    "bool": frozenset({"rs:parse:?"}),
    "String": frozenset({"rs:parse:?"}),
}


def retyped(value: Decoding, kind: Kind) -> Decoding:
    """Settle the type of `parse()` where nothing nearer did."""
    kind = {"text": "String"}.get(kind, kind)
    if kind not in RUST_TYPES and kind not in ("int", "float"):
        return value

    def settled(part: Decoding) -> Decoding | None:
        if isinstance(part, Apply) and part.operation in _OPEN_TYPES.get(kind, _ALL_OPEN):
            return Apply(f"rs:parse:{kind}", part.arguments[:1])
        return None

    return rebuild(value, settled)


def with_hint(value: Decoding, hint: Decoding) -> Decoding:
    """Let a value of generic type tell, when it is known, the type of what is parsed."""

    def hinted(part: Decoding) -> Decoding | None:
        if isinstance(part, Apply) and part.operation == "rs:parse:?":
            return Apply("rs:parse:?", (part.arguments[0], hint))
        return None

    return rebuild(value, hinted)


def with_type(value: Decoding, kind: Decoding) -> Decoding:
    """Let the caller of a function of generic type tell what is parsed, unless the code does."""

    def typed(part: Decoding) -> Decoding | None:
        if isinstance(part, Apply) and part.operation == "rs:parse:?" and len(part.arguments) < 3:
            hint = part.arguments[1] if len(part.arguments) > 1 else Constant(None)
            return Apply("rs:parse:?", (part.arguments[0], hint, kind))
        return None

    return rebuild(value, typed)
