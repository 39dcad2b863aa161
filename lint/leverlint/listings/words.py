"""Short words for what listings show: outcomes, decodings, places."""

from leverlint.catalogue import Reader, Row
from leverlint.decoding import NOT_UTF8, PROBES, RAISES, UNTOLD, Outcome, name
from leverlint.documentation import Passage
from leverlint.listings import View
from leverlint.operands import Wrapped
from leverlint.reporters.places import shown

SHOWN = ("0", "1", "true", "false")
"""The values that get a column."""

DECODINGS = {
    "opt_in": "on only at exactly `1`",
    "opt_out": "off only at exactly `0`",
    "kill_switch": "off only at exactly `1`",
    "truthy": "on at `1` or any case of `true`",
    "truthy_exact": "on at `1` or `true`",
    "present": "on when set, whatever the value",
    "kill_present": "off when set, whatever the value",
    "tri_state": "`1` is on, `0` is off, anything else undecided",
    "choice": "one of some words",
    "parsed": "a number",
    "string": "the text itself",
}

_MOST = 24
"""Signs that an outcome may take in a column."""


def outcome_word(outcome: Outcome, value: str | None = None) -> str:
    """Name what comes of a value in a word or two; `value` is the one it comes of."""
    if isinstance(outcome, str) and outcome == value and value:
        return "itself"
    word = _outcome_word(outcome)
    return word if len(word) <= _MOST else f"{word[: _MOST - 1]}…"


def _outcome_word(outcome: Outcome) -> str:
    if outcome is RAISES:
        return "error"
    if outcome is UNTOLD:
        return "?"
    if outcome is None:
        return "none"
    if isinstance(outcome, bool):
        return "on" if outcome else "off"
    if isinstance(outcome, str):
        text = outcome.encode("utf-8", "backslashreplace").decode()
        return f"'{text}'"
    if isinstance(outcome, Wrapped):
        return _outcome_word(outcome.payload) if outcome.holds else "none"
    if isinstance(outcome, tuple):
        return f"({', '.join(map(_outcome_word, outcome))})"
    return f"{outcome}"


def value_word(value: str | None) -> str:
    """Name what a variable is set to."""
    if value is None:
        return "unset"
    if value == NOT_UTF8:
        return "not UTF-8"
    if not value:
        return "empty"
    return value if value == value.strip() else f"'{value}'"


def decoding_word(row: Row) -> str:
    """Name the decoding of the reader that stands for all, marked where others differ."""
    word, _ = decoding(row.main)
    return (word or ("?" if UNTOLD in row.main.outcomes else "other")) + ("*" if row.parts else "")


def decoding(reader: Reader) -> tuple[str, str]:
    """Give the name of a decoding and what it means; nothing for one that has no name.

    In Rust, `env::var` takes what is not UTF-8 for unset. That is told, and is no reason to
    have no name for what is done with all other values.
    """
    if reader.decoding:
        return reader.decoding, DECODINGS.get(reader.decoding, "")
    position = PROBES.index(NOT_UTF8)
    others = (*reader.outcomes[:position], UNTOLD, *reader.outcomes[position + 1 :])
    if not (known := name(others)):
        return "", ""
    return known, f"{DECODINGS[known]}; what is not UTF-8 is {outcome_word(reader.of(NOT_UTF8))}"


def fields(row: Row) -> str:
    names = list(dict.fromkeys(map(str, row.fields)))
    return f"{names[0]}{more(len(names) - 1)}" if names else ""


def place(reader: Reader, view: View) -> str:
    line, _ = view.sources.position(reader.path, reader.span.start)
    return f"{shown(reader.path, view.style)}:{line}"


def passage_place(passage: Passage, view: View) -> str:
    return f"{shown(passage.path, view.style)}:{passage.line}"


def more(number: int) -> str:
    return f" (+{number})" if number > 0 else ""


def counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
