"""Replacing a file whole or not at all."""

import os
import time

from leverlint.errors import LeverlintError

_BINARY = getattr(os, "O_BINARY", 0)

_SUFFIX = ".leverlint-tmp"

_ABANDONED = 600
"""Seconds: no run takes so long to write a file, so that the temporary one is nobody's."""


def write_whole(path: str, content: bytes) -> None:
    """Put `content` in the place of a file, which keeps its permissions; a link stays a link."""
    try:
        put_in_place(os.path.realpath(path), content)
    except OSError as error:
        raise LeverlintError(f"{path}: {(error.strerror or str(error)).lower()}") from None


def put_in_place(path: str, content: bytes) -> None:
    """Do the same with a path that is no link; raises `OSError`, and then has changed nothing."""
    # Process ids come again, in containers at every start: a name of one would be taken for ever.
    temporary = f"{path}.{os.urandom(4).hex()}{_SUFFIX}"
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, 0o666)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
        if os.path.exists(path):
            os.chmod(temporary, os.stat(path).st_mode & 0o7777)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise
    _sweep(path)


def _sweep(path: str) -> None:
    """Remove what runs that were killed while they wrote this file have left beside it."""
    directory, name = os.path.split(path)
    try:
        for entry in os.scandir(directory or "."):
            left = entry.name.startswith(name + ".") and entry.name.endswith(_SUFFIX)
            if left and time.time() - entry.stat(follow_symlinks=False).st_mtime > _ABANDONED:
                os.unlink(entry.path)
    except OSError:
        return
