"""Places as editors count them: lines from 0, columns in the units that client and server agreed on."""

import os

from lsprotocol import types
from pygls import uris

from leverlint.facts import Span
from leverlint.sources import UTF8_BOM, Sources


def path_of(uri: str) -> str | None:
    """Give the file that an address stands for; `None` for what is none."""
    path = uris.to_fs_path(uri)
    return None if path is None or "\0" in path else path


class Places:
    """Turns the byte offsets of one project into positions and back."""

    def __init__(self, sources: Sources, encoding: str) -> None:
        """`encoding` is the client's: `utf-8`, `utf-16` or `utf-32`."""
        self._sources = sources
        self._encoding = encoding
        self.uris: dict[str, str] = {}
        """Of open documents, as the client spells them."""

    def uri(self, path: str) -> str:
        return self.uris.get(path) or uris.from_fs_path(os.path.join(self._sources.root, path)) or ""

    def location(self, path: str, span: Span) -> types.Location:
        return types.Location(self.uri(path), self.range(path, span))

    def range(self, path: str, span: Span) -> types.Range:
        return types.Range(self.position(path, span.start), self.position(path, span.end))

    def position(self, path: str, offset: int) -> types.Position:
        line, _ = self._sources.position(path, offset)
        start, end = self._line(path, line)
        content = self._sources.content_or_nothing(path)
        return types.Position(line - 1, self._units(content[start : max(start, min(offset, end))]))

    def offset(self, path: str, position: types.Position) -> int:
        """Give the byte offset of a position; one behind the end of its line means that end."""
        start, end = self._line(path, position.line + 1)
        line = self._sources.content_or_nothing(path)[start:end]
        return start + self._bytes(line, position.character)

    def line(self, path: str, position: types.Position) -> Span:
        """Give the text of the line that a position is in, without its end."""
        return Span(*self._line(path, position.line + 1))

    def _line(self, path: str, line: int) -> tuple[int, int]:
        start, end = self._sources.line_bounds(path, line)
        # Editors do not count a byte order mark.
        if start == 0 and self._sources.content_or_nothing(path).startswith(UTF8_BOM):
            start = min(len(UTF8_BOM), end)
        return start, end

    def _units(self, text: bytes) -> int:
        if self._encoding == "utf-8" or text.isascii():
            return len(text)
        decoded = text.decode("utf-8", "replace")
        return len(decoded) if self._encoding == "utf-32" else len(decoded.encode("utf-16-le")) // 2

    def _bytes(self, line: bytes, units: int) -> int:
        if self._encoding == "utf-8" or line.isascii():
            return min(units, len(line))
        text = line.decode("utf-8", "replace")
        if self._encoding == "utf-32":
            return len(text[:units].encode())
        # Half of a surrogate pair is no place to be: the sign in front of it counts.
        return len(text.encode("utf-16-le")[: units * 2].decode("utf-16-le", "ignore").encode())
