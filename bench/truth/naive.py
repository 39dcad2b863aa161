"""A scan for reads that knows nothing but strings on lines. Where leverlint is silent, a person judges."""

import os
import re
from collections.abc import Iterator
from typing import NamedTuple

_SUFFIXES = (".py", ".rs")
_COMMENT = re.compile(r"\s*(#(?!\[)|//|\*)")
_TEST = re.compile(
    r"(^|/)(tests?|testing|testdata|test-data)(/|$)|(^|/)(conftest|test_\w+|\w+_tests?)\.(py|rs)$"
)


class Candidate(NamedTuple):
    path: str
    line: int
    lever: str
    text: str


def candidates(root: str, prefixes: list[str]) -> Iterator[Candidate]:
    """Every string outside comments and tests that is a name with a prefix, and nothing else."""
    name = re.compile(rf"([\"'])((?:{'|'.join(map(re.escape, prefixes))})[A-Z0-9_]*[A-Z0-9])\1")
    for path in sorted(_files(root)):
        with open(os.path.join(root, path), encoding="utf-8", errors="replace") as file:
            checked, *_ = re.split(r"(?m)^#\[cfg\(test\)\]\s*mod ", file.read(), maxsplit=1)
        for number, text in enumerate(checked.splitlines(), start=1):
            found = name.search(text)
            if found and not _COMMENT.match(text):
                yield Candidate(path, number, found.group(2), text.strip())


def _files(root: str) -> Iterator[str]:
    for folder, folders, names in os.walk(root):
        folders[:] = [each for each in folders if not each.startswith(".")]
        for each in names:
            path = os.path.relpath(os.path.join(folder, each), root).replace(os.sep, "/")
            if each.endswith(_SUFFIXES) and not _TEST.search(path):
                yield path
