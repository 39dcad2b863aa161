"""Replacing a file whole or not at all."""

import contextlib
import os

from leverlint.errors import LeverlintError


def write_whole(path: str, content: bytes) -> None:
    """Put `content` in the place of a file, which keeps its permissions; a link stays a link."""
    target = os.path.realpath(path)
    temporary = f"{target}.{os.getpid()}"
    try:
        with open(temporary, "wb") as file:
            file.write(content)
        if os.path.exists(target):
            os.chmod(temporary, os.stat(target).st_mode & 0o7777)
        os.replace(temporary, target)
    except OSError as error:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise LeverlintError(f"{path}: {(error.strerror or str(error)).lower()}") from None
