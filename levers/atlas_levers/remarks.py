"""Values that do not do what they say: the traps of each decoding, told of one setting."""

from __future__ import annotations

from dataclasses import dataclass

from atlas_levers.declare import Lever

ON_WORDS = frozenset({"1", "true", "on", "yes"})
OFF_WORDS = frozenset({"0", "false", "off", "no", ""})

PRESENCE = frozenset({"present", "kill_present", "any_present"})


@dataclass(frozen=True, slots=True)
class Remark:
    kind: str
    """`inert`: it does nothing; `opposite`: it does what it denies; `overruled`: another counts."""
    variable: str
    message: str


def remark(lever: Lever, variable: str, text: str | None, value: object) -> Remark | None:
    """What is odd about a variable set to this text (`None`: no UTF-8) when the field came to `value`."""
    kind, message = _oddity(lever, text, value)
    return Remark(kind, variable, message) if kind else None


def _oddity(lever: Lever, text: str | None, value: object) -> tuple[str, str]:
    if lever.decoding in PRESENCE:
        if text is not None and _word(text) in OFF_WORDS:
            return "opposite", f"switches it {'off' if lever.default else 'on'}: being set is what counts"
        return "", ""
    if text is None:
        return "inert", "does nothing: it is no UTF-8"
    if lever.decode is None:
        return "", ""
    reason = _why_inert(lever, text)
    if reason:
        return "inert", f"does nothing: {reason}"
    if not _same(lever.meaning(text), value):
        return "overruled", f"does not count: {_overruler(lever, value)}"
    return "", ""


def _why_inert(lever: Lever, text: str) -> str:
    assert lever.decode is not None
    try:
        meaning = lever.decode(text)
    except ValueError:
        return "it is not understood"
    if not isinstance(lever.default, bool) or not isinstance(meaning, bool):
        return ""
    word, on = _word(text), lever.decode("1")
    if word in ON_WORDS:
        odd = meaning != on
    elif word in OFF_WORDS:
        odd = meaning == on and text != ""
    else:
        odd = meaning == lever.default
    return f"only {_what_counts(lever)}" if odd else ""


def _what_counts(lever: Lever) -> str:
    flipping = [word for word in ("0", "1", "true") if lever.meaning(word) != lever.default]
    return " and ".join(f"`{word}`" for word in flipping) + (" counts" if len(flipping) == 1 else " count")


def _overruler(lever: Lever, value: object) -> str:
    if lever.implied_by and value is True:
        return f"`{lever.implied_by}` implies it"
    if lever.requires and value is False:
        return f"without `{lever.requires}` it is off"
    return f"{lever.variables[0]} goes first"


def _same(one: object, other: object) -> bool:
    return one == other or (one != one and other != other)


def _word(text: str) -> str:
    return text.strip().lower()
