"""What can go wrong in a way that the person at the keyboard can repair."""

from collections.abc import Iterable


class LeverlintError(Exception):
    """Ends the run with exit code 2; caught once, in the command line's `main`."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Give `did you mean ...?` for a slip of the pen, or nothing."""
    # Imported here because only a run that has already failed needs it.
    from difflib import get_close_matches

    close = get_close_matches(word, list(known), 1)
    return f"did you mean `{close[0]}`?" if close else ""
