"""A source line with its number and a mark under what is meant."""

from leverlint.reporters.cells import expanded, harmless, width
from leverlint.reporters.color import GUTTER, painted
from leverlint.reporters.places import Place

_MOST_LINES = 4
_MOST_CELLS = 200
_BEFORE = 60
_GAP = "…"


def frame(place: Place, lines: list[str], sign: str, code: str, color: bool) -> list[str]:
    """Show the lines of a span, the part of each that is meant underlined with `sign`.

    `lines` are those from the span's first line on. A span of many lines is cut short, and
    of a very long line only what surrounds the mark is shown.
    """
    margin = " " * len(str(place.end_line))
    bar = painted("|", GUTTER, color)
    shown = [f"{margin} {bar}"]
    for index, text in enumerate(lines[:_MOST_LINES]):
        number = place.line + index
        start = place.column - 1 if number == place.line else len(text) - len(text.lstrip())
        end = place.end_column - 1 if number == place.end_line else len(text.rstrip())
        source, before, marked = _window(text, start, end)
        label = painted(str(number).rjust(len(margin)), GUTTER, color)
        shown.append(f"{label} {bar} {source}".rstrip())
        # A blank line within a span has nothing to mark.
        if text.strip() or place.line == place.end_line:
            shown.append(f"{margin} {bar} {' ' * before}{painted(sign * marked, code, color)}")
    if len(lines) > _MOST_LINES:
        shown.append(f"{painted('...', GUTTER, color)}")
    return shown


def _window(text: str, start: int, end: int) -> tuple[str, int, int]:
    """Give a line ready for the terminal, and in cells where its mark starts and how long it is."""
    text = harmless(text)
    end = max(end, start)
    if len(text) > _MOST_CELLS:
        cut = max(0, start - _BEFORE)
        tail = _GAP if cut + _MOST_CELLS < len(text) else ""
        head = _GAP if cut else ""
        text = head + text[cut : cut + _MOST_CELLS] + tail
        start += len(head) - cut
        end = min(end + len(head) - cut, len(text) - len(tail))
    before = width(expanded(text[:start]))
    marked = width(expanded(text[:end])) - before
    # A mark of no width still has to point somewhere.
    return expanded(text), before, max(marked, 1)
