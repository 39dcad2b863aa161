"""The file of `--output-file`: whole or not at all, except where there is nothing to put in the place of.

What is no regular file (`/dev/null`, a fifo) is written to, and standard output by whatever
name like standard output.
"""

import errno
import os
import sys

from leverlint.errors import LeverlintError
from leverlint.writing import put_in_place

_BINARY = getattr(os, "O_BINARY", 0)
_IRREPLACEABLE = (errno.EACCES, errno.EPERM, errno.EROFS, errno.EBUSY, errno.EXDEV)


def check(path: str) -> None:
    """Say before the work begins that its outcome could not be written."""
    directory = os.path.dirname(path) or os.curdir
    if os.path.isdir(path):
        raise LeverlintError(f"{path}: is a directory", "name a file with `--output-file`")
    if not os.path.isdir(directory):
        hint = f"create it first: `mkdir -p {directory}`"
        raise LeverlintError(f"{path}: the directory `{directory}` does not exist", hint)


def write(path: str, text: str) -> None:
    data = text.encode("utf-8", "backslashreplace")
    try:
        if stream := _stream(path):
            _write_all(stream, data)
        elif os.path.exists(path) and not os.path.isfile(path):
            _overwrite(path, data)
        else:
            _replace(os.path.realpath(path), data)
    except OSError as error:
        raise LeverlintError(f"{path}: {(error.strerror or str(error)).lower()}") from None


def _stream(path: str) -> int | None:
    """Give the descriptor of a standard stream that the path leads to.

    Opening `/dev/stdout` anew would cut off what a shell has appended to so far.
    """
    for stream in (sys.stdout, sys.stderr):
        try:
            if os.path.samestat(os.stat(path), os.fstat(stream.fileno())):
                stream.flush()
                return stream.fileno()
        except (OSError, ValueError):
            continue
    return None


def _replace(path: str, data: bytes) -> None:
    try:
        put_in_place(path, data)
    except OSError as error:
        # One may be allowed to change a file and not to put another in its place, as when it is mounted.
        if error.errno not in _IRREPLACEABLE or not os.path.isfile(path):
            raise
        _overwrite(path, data)


def _overwrite(path: str, data: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_TRUNC | _BINARY)
    try:
        _write_all(descriptor, data)
    finally:
        os.close(descriptor)


def _write_all(descriptor: int, data: bytes) -> None:
    written = 0
    while written < len(data):
        written += os.write(descriptor, data[written:])
