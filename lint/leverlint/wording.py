"""How values and outcomes are called in messages and tables."""

from leverlint.decoding import NOT_UTF8, RAISES, UNTOLD, Outcome


def value_words(text: str | None) -> str:
    """Name what a variable is set to; `None` is unset."""
    if text is None:
        return "unset"
    if text == NOT_UTF8:
        return "a value that is not UTF-8"
    return f"`{text}`" if text.strip() == text and text else f"`'{text}'`"


def outcome_words(outcome: Outcome) -> str:
    """Name what comes of it."""
    if outcome is RAISES:
        return "an error"
    if outcome is UNTOLD:
        return "unknown"
    if outcome is None:
        return "none"
    if isinstance(outcome, bool):
        return "on" if outcome else "off"
    if isinstance(outcome, str):
        return f"`'{outcome}'`".encode("utf-8", "backslashreplace").decode()
    return f"{outcome}"
