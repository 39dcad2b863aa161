"""One lever, told to people: what its values do, who reads it, what is written about it."""

import textwrap
from collections.abc import Iterable, Iterator, Sequence

from leverlint import comparison
from leverlint.catalogue import Reader, Row, alike
from leverlint.decoding import NOT_UTF8, PROBES, UNTOLD, differences, kind, same
from leverlint.listings import View
from leverlint.listings.words import (
    counted,
    decoding,
    more,
    outcome_word,
    passage_place,
    place,
    value_word,
)
from leverlint.reporters.cells import harmless, width
from leverlint.reporters.color import BOLD, DIM, GUTTER, SEVERITY, painted

_ALWAYS = (None, "", "0", "1", "true", "false")

_LIKE: dict[str | None, str] = {
    **dict.fromkeys(("TRUE", "True", "yes", "on", "word"), "true"),
    **dict.fromkeys(("no", "off"), "false"),
    **dict.fromkeys(("2", " 1 "), "1"),
    **dict.fromkeys(("-1", "0.5"), "2"),
    NOT_UTF8: "word",
}
"""The value that one would expect each of the other probes to be treated like."""

_MOST_PLACES = 8
_WIDEST = 100
_GAP = "   "


def render(row: Row, view: View) -> str:
    lines = [painted(row.lever, BOLD, view.style.color) + headline(row), ""]
    if row.is_pattern:
        lines += ["Any variable with such a name may be read: the code puts the name together.", ""]
    elif table := truth_table(row, view):
        lines += [*table, ""]
    lines += _readers(_groups(row), view)
    if row.fields:
        spelt = dict.fromkeys(f"{field} ({field.path})" for field in row.fields)
        lines += ["", _title("Resolved into", view), *(f"  {harmless(field)}" for field in spelt)]
    lines += ["", *_documentation(row, view)]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def truth_table(row: Row, view: View) -> list[str]:
    """Give a line for each value that matters, and in it a column for each way to read it."""
    groups = _groups(row)
    told = [group for group in groups if not group[0].is_open]
    return _values(told, len(groups) > 1, view) if told and not row.is_pattern else []


def _groups(row: Row) -> list[tuple[Reader, ...]]:
    """Put alike readers together, the one that stands for all first."""
    return sorted(alike(row.readers), key=lambda group: row.main not in group)


def headline(row: Row) -> str:
    """Say in a few words what follows the lever's name."""
    if row.is_pattern:
        return ": a pattern"
    if row.parts:
        return ": its readers disagree"
    if row.main.is_open:
        return ": what its values do cannot be told from the code"
    name, meaning = decoding(row.main)
    return f": {name}, {meaning}" if name else ""


# --- What values do ----------------------------------------------------------------------------


def _values(groups: list[tuple[Reader, ...]], lettered: bool, view: View) -> list[str]:
    table = [[*cells, "<- differs" if parting else ""] for cells, parting in _lines(groups)]
    if lettered:
        table.insert(0, ["", *map(_letter, range(len(groups))), ""])
    if all(group[0].decoding == "string" for group in groups):
        table.append(["anything else", *("itself" for _ in groups), ""])
    table = [[harmless(cell) for cell in cells] for cells in table]
    widths = [max(map(width, column)) for column in zip(*table, strict=True)]
    color = view.style.color
    lines = []
    for cells in table:
        label, *outcomes = (
            cell + " " * (size - width(cell)) for cell, size in zip(cells, widths, strict=True)
        )
        mark = painted(outcomes.pop().rstrip(), SEVERITY["warning"], color)
        lines.append("  " + _GAP.join((painted(label, DIM, color), *outcomes, mark)))
    turned = [_letter(number) for number, group in enumerate(groups) if _asks_for_opposite(groups[0], group)]
    if turned:
        lines += [
            "",
            f"  (compared after turning {' and '.join(turned)} around: the opposite of what A asks)",
        ]
    return lines


def _lines(groups: Sequence[Sequence[Reader]]) -> Iterator[tuple[list[str], bool]]:
    """Give label and outcomes of each line, and whether readers part there.

    Some values always have a line; of the others, those that are not treated as one would
    expect, and those with the same outcomes together.
    """
    parting = _parting(groups)
    are_text = all(group[0].decoding == "string" for group in groups)
    together: dict[tuple[tuple[str, ...], bool], list[str]] = {}
    for value in PROBES:
        outcomes = tuple(outcome_word(group[0].of(value), value) for group in groups)
        if value in _ALWAYS:
            if not (value and are_text):
                yield [value_word(value), *outcomes], value in parting
        elif not all(_is_expected(group[0], value) for group in groups):
            together.setdefault((outcomes, value in parting), []).append(value_word(value))
    for (outcomes, parts), values in together.items():
        yield [", ".join(values), *outcomes], parts


def _is_expected(reader: Reader, value: str | None) -> bool:
    """Say whether a value is treated like the one that it resembles, or taken as it is."""
    outcome = reader.of(value)
    return same(outcome, reader.of(_LIKE[value])) or outcome == value or outcome is UNTOLD


def _asks_for_opposite(reference: Sequence[Reader], group: Sequence[Reader]) -> bool:
    outcomes = group[0].outcomes
    return comparison.aligned(reference[0].outcomes, outcomes) != outcomes


def _parting(groups: Sequence[Sequence[Reader]]) -> set[str | None]:
    """Give the values that readers of one kind take differently, as the rules see it."""
    reference = groups[0][0].outcomes
    found: set[str | None] = set()
    for group in groups[1:]:
        outcomes = group[0].outcomes
        if kind(outcomes) == kind(reference):
            turned = comparison.aligned(reference, outcomes)
            found.update(PROBES[position] for position in differences(reference, turned))
    return found - {NOT_UTF8}


def _letter(number: int) -> str:
    """Name a column: A to Z, then numbers."""
    return chr(ord("A") + number) if number < 26 else f"{number + 1}"


# --- Who reads ---------------------------------------------------------------------------------


def _readers(groups: Sequence[Sequence[Reader]], view: View) -> Iterator[str]:
    yield _title("Read at", view)
    several = len(groups) > 1
    letters = iter(map(_letter, range(len(groups))))
    for group in groups:
        if several:
            letter = "?" if group[0].is_open else next(letters)
            yield f"  {painted(letter, BOLD, view.style.color)}  {_decoding(group[0])}"
        indent = "     " if several else "  "
        for reader in group[:_MOST_PLACES]:
            yield indent + harmless(place(reader, view)) + painted(_context(reader), DIM, view.style.color)
        if len(group) > _MOST_PLACES:
            yield f"{indent}and {counted(len(group) - _MOST_PLACES, 'more place')}"


def _decoding(reader: Reader) -> str:
    if reader.is_open:
        return "cannot be told"
    name, meaning = decoding(reader)
    return f"{name}: {meaning}" if name else "a decoding of its own"


def _context(reader: Reader) -> str:
    words = []
    if names := [name for name in reader.wrappers if name]:
        words.append("through " + " and ".join(f"`{name}`" for name in names))
    if reader.field:
        words.append(f"into `{reader.field}`" if not reader.field.endswith("()") else f"in `{reader.field}`")
    if reader.resolver:
        words.append("resolver")
    if reader.test:
        words.append("test")
    return harmless("  " + ", ".join(words)) if words else ""


# --- What is written ---------------------------------------------------------------------------


def _documentation(row: Row, view: View) -> Iterator[str]:
    if not row.documented:
        yield "No documentation names it."
        return
    yield _title("Documented at", view)
    # Sentences say more than lines of code.
    by_text: dict[str, list[str]] = {}
    for passage in sorted(row.documented, key=lambda passage: passage.code):
        by_text.setdefault(passage.text, []).append(passage_place(passage, view))
    for text, places in list(by_text.items())[:_MOST_PLACES]:
        yield "  " + painted(harmless(places[0]) + more(len(places) - 1), GUTTER, view.style.color)
        yield from _wrapped(text, view)
    if len(by_text) > _MOST_PLACES:
        yield f"  and {counted(len(by_text) - _MOST_PLACES, 'more place')}"


def _wrapped(text: str, view: View) -> Iterable[str]:
    cells = min(view.width or _WIDEST, _WIDEST)
    return textwrap.wrap(
        harmless(text),
        max(cells, 40),
        initial_indent="    ",
        subsequent_indent="    ",
        break_long_words=False,
    )


def _title(text: str, view: View) -> str:
    return painted(text, BOLD, view.style.color)
