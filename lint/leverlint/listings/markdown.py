"""For a repository's documentation: a table in Markdown."""

from collections.abc import Sequence

from leverlint.catalogue import Row
from leverlint.listings import View
from leverlint.listings.words import (
    SHOWN,
    decoding_word,
    fields,
    more,
    outcome_word,
    passage_place,
    place,
)
from leverlint.reporters.cells import harmless

_HEAD = ("lever", "decoding", "default", *(f"`{value}`" for value in SHOWN), "field", "read at", "documented")


def render(rows: Sequence[Row], view: View) -> str:
    lines = [_HEAD, tuple("---" for _ in _HEAD), *(_cells(row, view) for row in rows)]
    text = "".join(f"| {' | '.join(cells)} |\n" for cells in lines)
    if any(row.parts for row in rows):
        text += "\n\\* readers disagree\n"
    return text


def _cells(row: Row, view: View) -> tuple[str, ...]:
    main = row.main
    documented = [passage_place(passage, view) for passage in row.documented]
    return (
        _code(row.lever),
        decoding_word(row).replace("*", "\\*").replace("_", "\\_"),
        _outcome(outcome_word(main.default)),
        *(_outcome(outcome_word(main.of(value), value)) for value in SHOWN),
        _code(fields(row)),
        _code(place(main, view) + more(len(row.readers) - 1)),
        _code(documented[0] + more(len(documented) - 1)) if documented else "",
    )


def _outcome(word: str) -> str:
    """Texts and numbers are data, the rest are words."""
    return word if word.isalpha() or word == "?" else _code(word)


def _code(text: str) -> str:
    """Quote text so that neither the table nor its backticks end early."""
    if not text:
        return ""
    text = harmless(text).replace("|", "\\|")
    fence = "``" if "`" in text else "`"
    inner = f" {text} " if "`" in text else text
    return f"{fence}{inner}{fence}"
