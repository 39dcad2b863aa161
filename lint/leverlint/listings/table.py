"""For people: one line a lever, aligned."""

from collections.abc import Sequence

from leverlint.catalogue import Row
from leverlint.decoding import UNTOLD
from leverlint.listings import View
from leverlint.listings.words import SHOWN, counted, decoding_word, fields, more, outcome_word, place
from leverlint.reporters.cells import harmless, width
from leverlint.reporters.color import BOLD, DIM, SEVERITY, painted

_HEAD = ("lever", "decoding", "default", *SHOWN, "field", "read at")
_GAP = "  "
_NARROWEST = 24
"""Cells that places are cut down to before whole columns are left out."""

_NARROW = 8
"""Cells that outcomes are cut down to, where there is little room."""

_OUTCOMES = {"on": "32", "error": SEVERITY["error"], "?": DIM, "off": "", "none": DIM}


def render(rows: Sequence[Row], view: View) -> str:
    levers = [row for row in rows if not row.is_pattern]
    patterns = [row for row in rows if row.is_pattern]
    blocks = []
    if levers:
        blocks.append(_table([_HEAD, *(_cells(row, view) for row in levers)], view))
    if patterns:
        blocks.append(_patterns(patterns, view))
    notes = list(_notes(levers, patterns))
    if notes:
        blocks.append([painted(note, DIM, view.style.color) for note in notes])
    return "\n".join("".join(line + "\n" for line in block) for block in blocks)


def _cells(row: Row, view: View) -> tuple[str, ...]:
    main = row.main
    where = place(main, view) + more(len(row.readers) - 1) + (" test" if main.test else "")
    does = [outcome_word(main.of(value), value) for value in SHOWN]
    cells = (row.lever, decoding_word(row), outcome_word(main.default), *does, fields(row), where)
    return tuple(map(harmless, cells))


def _table(lines: list[tuple[str, ...]], view: View) -> list[str]:
    columns = dict(zip(_HEAD, (list(column) for column in zip(*lines, strict=True)), strict=True))
    left_out = _fit(columns, view.width) if view.width else []
    shown = [_line(columns, number, view.style.color) for number in range(len(lines))]
    if left_out:
        names = ", ".join(f"`{name}`" for name in _HEAD if name in left_out)
        shown.append(painted(f"(the terminal is too narrow for {names})", DIM, view.style.color))
    return shown


def _fit(columns: dict[str, list[str]], cells: int) -> list[str]:
    """Make a table narrower: shorter outcomes, shorter places, fewer columns. Names stay whole."""
    if _total(columns) <= cells:
        return []
    for name in ("default", *SHOWN):
        columns[name] = [
            text if width(text) <= _NARROW else text[: _NARROW - 1] + "…" for text in columns[name]
        ]
    places = columns["read at"]
    left_out: list[str] = []
    for name in ("", "field", "read at", *reversed(SHOWN), "default", "decoding"):
        if name:
            left_out.append(name)
            del columns[name]
        if "read at" in columns:
            others = _total(columns) - _widest(columns["read at"])
            columns["read at"] = [_shortened(text, max(_NARROWEST, cells - others)) for text in places]
        if _total(columns) <= cells:
            break
    return left_out


def _line(columns: dict[str, list[str]], number: int, color: bool) -> str:
    out = []
    for name, column in columns.items():
        cell = column[number]
        code = BOLD if number == 0 or name == "lever" else ""
        if number and (name == "default" or name in SHOWN):
            code = _OUTCOMES.get(cell, "")
        elif number and name == "read at":
            code = DIM
        out.append((painted(cell, code, color) if code else cell) + " " * (_widest(column) - width(cell)))
    return _GAP.join(out).rstrip()


def _widest(column: list[str]) -> int:
    return max(map(width, column))


def _total(columns: dict[str, list[str]]) -> int:
    return sum(map(_widest, columns.values())) + len(_GAP) * (len(columns) - 1)


def _shortened(text: str, cells: int) -> str:
    """Cut a place from the front, by whole directories as far as that will do: its end says most."""
    short = text
    while width(short) > cells and "/" in short.removeprefix("…/"):
        short = "…/" + short.removeprefix("…/").partition("/")[2]
    return short if width(short) <= cells else "…" + short[len(short) - cells + 1 :]


def _patterns(rows: Sequence[Row], view: View) -> list[str]:
    lines = [painted("Read by pattern, whatever the name turns out to be:", BOLD, view.style.color)]
    widest = max(width(row.lever) for row in rows)
    for row in rows:
        for reader in row.readers:
            gap = " " * (widest - width(row.lever))
            lines.append(harmless(f"{_GAP}{row.lever}{gap}{_GAP}{place(reader, view)}"))
    return lines


def _notes(levers: Sequence[Row], patterns: Sequence[Row]) -> list[str]:
    found = counted(len(levers), "lever")
    if patterns:
        found += f", {counted(len(patterns), 'pattern')}"
    in_tests = sum(row.main.test for row in levers)
    if in_tests:
        found += f"; {in_tests} read in tests only"
    notes = [found]
    if any(row.parts for row in levers):
        notes.append("*  readers disagree: `leverlint explain LEVER` shows them side by side")
    untold = sum(UNTOLD in row.main.outcomes for row in levers)
    if untold:
        notes.append(f"?  cannot be told from the code ({counted(untold, 'lever')})")
    return notes
