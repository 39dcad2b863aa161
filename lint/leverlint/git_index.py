"""What git tracks, read from its index: starting git would take longer than a run."""

import os

_FIXED = 62
"""Bytes of an entry before its path."""
_LENGTH = 0xFFF


class GitIndex:
    """The index of the repository around a directory; empty when there is none."""

    def __init__(self, directory: str) -> None:
        self.directory = _repository(directory)
        self._inside = os.path.relpath(directory, self.directory) if self.directory else ""
        self._content = b""
        if self.directory:
            self._content = _read(os.path.join(_git_directory(self.directory), "index"))

    def __bool__(self) -> bool:
        return bool(self._content)

    def tracks(self, folder: str) -> bool:
        """Say whether a file below a folder, given relative to the directory, is tracked."""
        path = os.path.normpath(os.path.join(self._inside, folder)).replace(os.sep, "/") + "/"
        if self._content[4:8] == b"\0\0\0\4":
            return self._asked(path)
        beginning = os.fsencode(path)
        at = self._content.find(beginning, _FIXED)
        while at >= 0:
            # Before a path stands how long it is: what is found may be the middle of one.
            length = int.from_bytes(self._content[at - 2 : at], "big") & _LENGTH
            if length >= len(beginning) and (length == _LENGTH or self._content[at + length] == 0):
                return True
            at = self._content.find(beginning, at + 1)
        return False

    def _asked(self, path: str) -> bool:
        """Ask git itself: from version 4 on, paths in an index are not written out."""
        import subprocess  # hardly ever needed, and slow to load

        # What the repository's own settings name would be run.
        calm = ["-c", "core.fsmonitor=false"]
        command = ["git", *calm, "-C", self.directory, "ls-files", "-z", "--", f":(top,literal){path}"]
        try:
            done = subprocess.run(command, capture_output=True, check=False, timeout=10)
        except (OSError, subprocess.SubprocessError):
            return False
        return bool(done.stdout)


def _repository(directory: str) -> str:
    while not os.path.exists(os.path.join(directory, ".git")):
        parent = os.path.dirname(directory)
        if parent == directory:
            return ""
        directory = parent
    return directory


def _git_directory(repository: str) -> str:
    path = os.path.join(repository, ".git")
    link = _read(path) if os.path.isfile(path) else b""
    if link.startswith(b"gitdir:"):
        return os.path.join(repository, os.fsdecode(link.removeprefix(b"gitdir:").strip()))
    return path


def _read(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return b""
