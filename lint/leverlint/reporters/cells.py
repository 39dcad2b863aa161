"""How source text takes up room on a terminal: wide characters, tabs, and signs that must not act."""

TAB = 4

# Signs that reorder text could make a source line read as something else than it is.
_REORDERING = "".join(map(chr, (*range(0x202A, 0x202F), *range(0x2066, 0x206A))))
HARMFUL = (*range(0x09), *range(0x0A, 0x20), *range(0x7F, 0xA0), *map(ord, _REORDERING))
"""Code points of the control characters, but for the tab, and of what reorders text."""

_HARMLESS = dict.fromkeys(HARMFUL, "\ufffd")


def harmless(text: str) -> str:
    """Replace control characters, which could drive the terminal."""
    return text.translate(_HARMLESS)


def expanded(text: str) -> str:
    """Replace tabs by spaces up to the next stop."""
    if "\t" not in text:
        return text
    out: list[str] = []
    at = 0
    for sign in text:
        cells = TAB - at % TAB if sign == "\t" else width(sign)
        out.append(" " * cells if sign == "\t" else sign)
        at += cells
    return "".join(out)


def width(text: str) -> int:
    """Give the number of terminal cells that a text takes."""
    if text.isascii():
        return len(text)
    return sum(map(_sign_width, text))


def _sign_width(sign: str) -> int:
    from unicodedata import combining, east_asian_width  # only lines that are not ASCII need it

    if combining(sign) or sign in "\u200b\u200d\ufe0e\ufe0f":
        return 0
    return 2 if east_asian_width(sign) in "WF" else 1
