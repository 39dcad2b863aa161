"""What documentation says about levers: where it names them, and the text around each name.

Markdown and reStructuredText are taken line by line into blocks (a table row, a list item, a
heading, a line of code, a paragraph); what neither format means by a line does not matter.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from leverlint.sources import Sources, Unreadable

_MOST = 400
"""Signs of text that are kept; what is said about a lever comes close to its name."""

_NEAR = 1000
"""Signs on each side of a name that are looked at, markup included."""

_LONGEST = 40
"""Lines of a block and cells of a row; what goes on for longer was not written by hand."""

_WORD = re.compile(r"\w+")
_FENCE = re.compile(r"\s*(?:```|~~~)")
_HEADING = re.compile(r"#{1,6}\s|\.\. [\w:-]+::\s")
_UNDERLINE = re.compile(r"([=\-~^\"*+#`])\1{2,}\s*$")
_ITEM = re.compile(r"\s*(?:[-*+•]|\d+[.)])\s")
_MARKER = re.compile(r"(?:\s*(?:[-*+•]|\d+[.)])(?=\s))+\s*|#{1,6}\s|\.\. [\w:-]+::\s|\s*>\s?")
_RULER = re.compile(r"\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)+\|?\s*$|\s*\+[-=+]+\+\s*$")
_CELL_END = re.compile(r"(?<!\\)\|")

_MARKUP = (
    (re.compile(r"<!--.*?-->"), ""),
    (re.compile(r"</?(?:a|b|br|code|em|i|img|kbd|li|p|span|strong|sub|sup|td|th|tr|ul)\b[^>]*>"), ""),
    (re.compile(r"!?\[([^\[\]]*)\](?:\([^)]*\)|\[[^\]]*\])"), r"\1"),
    (re.compile(r":[\w:]+:`([^`<]*)(?:<[^>]*>)?`"), r"\1"),
    (re.compile(r"``?([^`]+)``?_?"), r"\1"),
    (re.compile(r"(\*{1,3})(?=\S)(.+?)(?<=\S)\1"), r"\2"),
    (re.compile(r"(?<!\w)__(?=\S)(.+?)(?<=\S)__(?!\w)"), r"\1"),
    (re.compile(r"\\([|*`<>\[\]])"), r"\1"),
    (re.compile(r"\s+"), " "),
)


class Passage(NamedTuple):
    """One line that names a lever."""

    path: str
    line: int
    """From 1."""
    text: str
    """What stands around the name, without markup."""
    code: bool = False
    """A line of code, which shows the lever but says little."""


def passages(
    sources: Sources, paths: Iterable[str], levers: Collection[str]
) -> Mapping[str, tuple[Passage, ...]]:
    """Give, by lever, the passages of the files at `paths` that name it: the whole name, and nothing else."""
    names = frozenset(levers)
    found: dict[str, list[Passage]] = {}
    for path in paths:
        try:
            content = sources.content(path).decode("utf-8", "replace")
        except Unreadable:
            continue
        # Some editors escape every underscore; no name contains a backslash.
        text = content.removeprefix("\ufeff").replace("\\_", "_")
        if names.isdisjoint(_WORD.findall(text)):
            continue
        for name, line, around, code in _named(text, names):
            found.setdefault(name, []).append(Passage(path, line, around, code))
    return {name: tuple(found[name]) for name in sorted(found)}


class _Block(NamedTuple):
    kind: str
    """`text`, `item`, `heading`, `row` or `code`."""
    line: int
    lines: tuple[str, ...]


def _named(text: str, names: frozenset[str]) -> Iterator[tuple[str, int, str, bool]]:
    """Give each name with its line, what is said about it, and whether that is code."""
    blocks = _blocks(re.split(r"\r\n|\n|\r", text))
    for position, block in enumerate(blocks):
        following = blocks[position + 1] if position + 1 < len(blocks) else None
        for offset, line in enumerate(block.lines):
            for name in dict.fromkeys(_WORD.findall(line)):
                if name in names:
                    said = _around(name, _said(name, block, following))
                    yield name, block.line + offset, said, block.kind == "code"


def _said(name: str, block: _Block, following: _Block | None) -> str:
    """Give the text of a block; what is nothing but the name is explained by what follows."""
    if block.kind == "row":
        cells = [_plain(_near(name, cell)) for cell in _cells(block.lines[0])]
        return " · ".join(cell for cell in cells if cell not in ("", name)) or name
    text = _text(name, block)
    if following is None or block.kind == "code":
        return text
    if text.rstrip(":").strip() == name and following.kind != "heading":
        return _text(name, following)
    if block.kind == "heading" and following.kind in ("text", "item"):
        return f"{text}: {_text(name, following)}"
    return text


def _text(name: str, block: _Block) -> str:
    if block.kind == "code":
        return block.lines[0].rstrip(" \\").strip()
    if block.kind == "row":
        return " · ".join(filter(None, (_plain(_near(name, cell)) for cell in _cells(block.lines[0]))))
    marker = _MARKER.match(block.lines[0])
    return _plain(_near(name, " ".join(block.lines)[marker.end() if marker else 0 :]))


def _near(name: str, text: str) -> str:
    """Cut off what is far from the name: taking markup off is slow on texts without end."""
    at = max(_find(name, text), 0)
    return text[max(at - _NEAR, 0) : at + _NEAR]


def _find(name: str, text: str) -> int:
    match = re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text)
    return match.start() if match else -1


def _cells(line: str) -> list[str]:
    return _CELL_END.split(line, _LONGEST)


def _plain(text: str) -> str:
    for pattern, replacement in _MARKUP:
        text = pattern.sub(replacement, text)
    return text.strip()


def _around(name: str, text: str) -> str:
    """Cut a long text down to where it speaks of the lever."""
    if len(text) <= _MOST:
        return text
    at = max(_find(name, text), 0)
    start = max((end.end() for end in re.finditer(r"[.!?:;] ", text[:at])), default=0)
    if at - start > _MOST // 2:
        start = text.rfind(" ", 0, at - _MOST // 4) + 1
    head = "… " if start else ""
    tail = text[start : start + _MOST]
    return head + (tail if start + _MOST >= len(text) else tail.rpartition(" ")[0] + " …")


def _blocks(lines: list[str]) -> list[_Block]:
    blocks: list[_Block] = []
    pending: list[str] = []
    kind, first = "text", 1
    in_code = in_table = False

    def close() -> None:
        if pending:
            blocks.append(_Block(kind, first, tuple(pending)))
            pending.clear()

    for number, line in enumerate(lines, 1):
        if _FENCE.match(line):
            close()
            in_code = not in_code
        elif in_code:
            blocks.append(_Block("code", number, (line,)))
        elif not line.strip():
            close()
            in_table = False
        elif _RULER.match(line):
            # The line above is a table's head, whether or not it starts with a bar.
            kind = "row"
            close()
            in_table = True
        elif _UNDERLINE.match(line):
            kind = "heading"
            close()
        elif in_table or line.lstrip().startswith("|"):
            close()
            blocks.append(_Block("row", number, (line,)))
        elif _HEADING.match(line):
            close()
            blocks.append(_Block("heading", number, (line,)))
        else:
            if _ITEM.match(line):
                close()
                kind, first = "item", number
            elif len(pending) == _LONGEST:
                close()
                first = number
            elif not pending:
                kind, first = "text", number
            pending.append(line)
    close()
    return blocks
