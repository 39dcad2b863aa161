"""Reading what a project says of itself: regular files of a size that a person could have written.

A tree may hold anything under a well-known name: a FIFO would be waited for, a device never ends.
"""

import errno
import os
import stat

LIMIT = 4 * 1024 * 1024


def read(path: str) -> bytes:
    """Read a file whole; raises `OSError` with a reason that can be shown."""
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0))
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, "is a directory" if stat.S_ISDIR(status.st_mode) else "is no file")
        if status.st_size > LIMIT:
            raise OSError(errno.EFBIG, f"is larger than {LIMIT // (1024 * 1024)} megabytes")
        with os.fdopen(os.dup(descriptor), "rb") as file:
            return file.read(LIMIT)
    finally:
        os.close(descriptor)
