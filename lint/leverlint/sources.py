"""Bytes of files as UTF-8, and where in them an editor would put a byte offset."""

import os
import re
from bisect import bisect_right
from collections.abc import Mapping
from itertools import accumulate

LIMIT = 4 * 1024 * 1024
"""Larger files are generated data; parsing them costs seconds and memory."""

_COOKIE = rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)"
_BLANK_OR_COMMENT = rb"^[ \t\f]*(?:#.*)?$"
_LINE_END = rb"\r\n|\n|\r"
UTF8_BOM = b"\xef\xbb\xbf"
_UTF16_BOMS = (b"\xff\xfe", b"\xfe\xff")


class Unreadable(Exception):
    """A file that cannot be checked, and why."""

    def __init__(self, path: str, why: str) -> None:
        super().__init__(f"{path}: {why}")
        self.path = path
        self.why = why

    def __reduce__(self) -> tuple[type["Unreadable"], tuple[str, str]]:
        # Exceptions with two arguments do not survive the way back from a worker by default.
        return Unreadable, (self.path, self.why)


def read(path: str) -> bytes:
    """Read a file as UTF-8."""
    return check(path, read_as_it_is(path))


def read_as_it_is(path: str) -> bytes:
    """Read the bytes of a file, whatever they are; no more than it takes to see that it is too large."""
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0))
    except OSError as error:
        raise Unreadable(path, _reason(error)) from None
    try:
        return _read_all(descriptor)
    except OSError as error:
        raise Unreadable(path, _reason(error)) from None
    finally:
        os.close(descriptor)


def check(path: str, data: bytes) -> bytes:
    """Refuse binary and gigantic content; give the rest as UTF-8."""
    if len(data) > LIMIT:
        raise Unreadable(path, f"is larger than {LIMIT // (1024 * 1024)} MB")
    if data.find(b"\0", 0, 8192) >= 0 and not data.startswith(_UTF16_BOMS):
        raise Unreadable(path, "is binary")
    return decode(data, python=path.endswith((".py", ".pyi")))


def decode(data: bytes, *, python: bool = True) -> bytes:
    """Transcode the bytes of a source file to valid UTF-8; most files come back as they are.

    `python` says that a coding cookie in the first two lines counts (PEP 263). A UTF-8 byte
    order mark stays, so that offsets are those of the file.
    """
    if data.startswith(_UTF16_BOMS):
        return data.decode("utf-16", "replace").encode()
    if python and (encoding := _cookie(data)):
        try:
            return data.decode(encoding).encode()
        except (LookupError, UnicodeError):
            pass  # Python would refuse the file; its ASCII parts can be checked all the same.
    if data.isascii():
        return data
    try:
        data.decode()
    except UnicodeDecodeError:
        return data.decode("utf-8", "replace").encode()
    return data


def of_text(path: str, text: str) -> bytes:
    """Give the bytes that a text would have as a file: an editor shows text, whatever the encoding."""
    data = text.encode("utf-8", "surrogatepass")
    cookie = _cookie(data) if path.endswith((".py", ".pyi")) else ""
    if not cookie:
        return data
    try:
        return text.encode(cookie)
    except (LookupError, UnicodeError):
        return data


def encode(content: bytes, data: bytes, path: str) -> bytes | None:
    """Bring changed content into the encoding of the file that `data` are the bytes of.

    `None` when that would change more than was changed: the file is not quite in its encoding.
    """
    python = path.endswith((".py", ".pyi"))
    if decode(data, python=python) == data:
        return content
    encoding = "utf-16" if data.startswith(_UTF16_BOMS) else _cookie(data) if python else ""
    try:
        if decode(data, python=python).decode().encode(encoding) != data:
            return None
        return content.decode().encode(encoding)
    except (LookupError, UnicodeError):
        return None


def _cookie(data: bytes) -> str:
    """Give the declared encoding when it is another one than UTF-8."""
    if data.startswith(UTF8_BOM) or data.find(b"coding", 0, 1024) < 0:
        return ""
    for line in re.split(_LINE_END, data[:1024], maxsplit=2)[:2]:
        if match := re.match(_COOKIE, line):
            name = match[1].decode("ascii", "replace").lower().replace("_", "-")
            return "" if name in ("utf-8", "utf8", "utf-8-sig") or name.startswith("utf-8-") else name
        if not re.match(_BLANK_OR_COMMENT, line):
            break
    return ""


def _read_all(descriptor: int) -> bytes:
    data = os.read(descriptor, 65536)
    if len(data) < 65536:
        # A short read of a regular file is its end; of a pipe or a terminal it may not be,
        # and those are no source files.
        return data
    parts = [data]
    size = len(data)
    while data and size <= LIMIT:
        data = os.read(descriptor, 1 << 20)
        parts.append(data)
        size += len(data)
    return b"".join(parts)


def _reason(error: OSError) -> str:
    return f"cannot be read: {(error.strerror or str(error)).lower()}"


class Sources:
    """The files of one tree, read on demand and kept; `overlays` win over the disk."""

    def __init__(self, root: str, overlays: Mapping[str, bytes] | None = None) -> None:
        self.root = root
        self._overlays = {} if overlays is None else overlays
        self._content: dict[str, bytes] = {}
        self._line_starts: dict[str, list[int]] = {}

    def content(self, path: str) -> bytes:
        """Give the UTF-8 bytes of a file by its path relative to the root, or raise `Unreadable`."""
        content = self._content.get(path)
        if content is None:
            content = self._content[path] = self._load(path)
        return content

    def forget(self, path: str) -> None:
        """Read a file again when it is asked for next: it has changed, on the disk or in the overlays."""
        self._content.pop(path, None)
        self._line_starts.pop(path, None)

    def data(self, path: str) -> bytes:
        """Give the bytes of a file as they are, or raise `Unreadable`."""
        overlay = self._overlays.get(path)
        return read_as_it_is(os.path.join(self.root, path)) if overlay is None else overlay

    def glance(self, path: str) -> bytes:
        """Give the content as it is on the disk, without keeping it; nothing when it cannot be read."""
        if path in self._overlays:
            return self._overlays[path]
        try:
            descriptor = os.open(os.path.join(self.root, path), os.O_RDONLY | getattr(os, "O_BINARY", 0))
        except OSError:
            return b""
        try:
            # perf: a read of the right size is three times as fast as one that must be cut.
            return os.read(descriptor, min(os.fstat(descriptor).st_size, LIMIT))
        except OSError:
            return b""
        finally:
            os.close(descriptor)

    def _load(self, path: str) -> bytes:
        overlay = self._overlays.get(path)
        if overlay is not None:
            return check(path, overlay)
        try:
            return read(os.path.join(self.root, path))
        except Unreadable as unreadable:
            raise Unreadable(path, unreadable.why) from None

    def position(self, path: str, offset: int) -> tuple[int, int]:
        """Give line and column of a byte offset, from 1, the column in Unicode characters.

        A byte order mark takes no column. Offsets outside of the file, or into a file that
        has become unreadable, give the nearest place that there is.
        """
        content = self.content_or_nothing(path)
        offset = max(0, min(offset, len(content)))
        starts = self._starts(path, content)
        line = bisect_right(starts, offset)
        start = starts[line - 1]
        if start == 0 and content.startswith(UTF8_BOM):
            start = min(len(UTF8_BOM), offset)
        return line, len(content[start:offset].decode("utf-8", "replace")) + 1

    def line_text(self, path: str, line: int) -> str:
        """Give the text of a line, without its end and without a byte order mark."""
        content = self.content_or_nothing(path)
        start, end = self.line_bounds(path, line)
        text = content[start:end].decode("utf-8", "replace")
        return text[1:] if line == 1 and text.startswith("\ufeff") else text

    def line_bounds(self, path: str, line: int) -> tuple[int, int]:
        """Give the byte offsets where a line starts and where its text ends."""
        content = self.content_or_nothing(path)
        starts = self._starts(path, content)
        if not 1 <= line <= len(starts):
            return len(content), len(content)
        start = starts[line - 1]
        end = starts[line] if line < len(starts) else len(content)
        if end > start and content[end - 1 : end] == b"\n":
            end -= 1
        if end > start and content[end - 1 : end] == b"\r":
            end -= 1
        return start, end

    def line_count(self, path: str) -> int:
        return len(self._starts(path, self.content_or_nothing(path)))

    def content_or_nothing(self, path: str) -> bytes:
        """Give the content, or nothing for a file that has become unreadable since it was checked."""
        try:
            return self.content(path)
        except Unreadable:
            return b""

    def _starts(self, path: str, content: bytes) -> list[int]:
        starts = self._line_starts.get(path)
        if starts is None:
            starts = self._line_starts[path] = _line_starts(content)
        return starts


def _line_starts(content: bytes) -> list[int]:
    if b"\r" in content:
        return [0, *(match.end() for match in re.finditer(_LINE_END, content))]
    # Four times as fast, and nearly every file.
    lengths = (len(line) + 1 for line in content.split(b"\n")[:-1])
    return list(accumulate(lengths, initial=0))
