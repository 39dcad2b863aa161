"""Replacing a file whole or not at all."""

import os

from leverlint.errors import LeverlintError

_BINARY = getattr(os, "O_BINARY", 0)


def write_whole(path: str, content: bytes) -> None:
    """Put `content` in the place of a file, which keeps its permissions; a link stays a link."""
    try:
        put_in_place(os.path.realpath(path), content)
    except OSError as error:
        raise LeverlintError(f"{path}: {(error.strerror or str(error)).lower()}") from None


def put_in_place(path: str, content: bytes) -> None:
    """Do the same with a path that is no link; raises `OSError`, and then has changed nothing."""
    temporary = f"{path}.{os.getpid()}"
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
