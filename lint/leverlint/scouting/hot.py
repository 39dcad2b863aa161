"""Functions and files that look as if they ran once a token, step or request, and read levers."""

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from leverlint.facts import FileFacts
from leverlint.index import Use

_WORDS = r"(?:forward|decode|propose|sample|sampling|dispatch|prefill|step|generate|tick|poll)"
_HOT = re.compile(rf"(?:\w*_)?{_WORDS}(?:_\w+)?|run_batch|__call__")
_ONCE = re.compile(
    r"(?:\w*_)?(?:add|build|cli|create|from|get|init|initialize|load|make|new|parse|register|reset|resolve|set"
    r"|setup|start|warm|warmup)(?:_\w*)?|(?:can|has|is|should|supports|use|uses|want|wants)_\w+"
)
_HOT_FILES = re.compile(rf"(?:.*_)?{_WORDS}(?:_.*)?")


class Candidate(NamedTuple):
    entry: str
    """What `hot` would say: a function, or a file."""
    levers: tuple[str, ...]
    path: str


def candidates(reads: Iterable[Use], facts: Mapping[str, FileFacts]) -> list[Candidate]:
    """Give functions that are named like hot ones, and files with others; the most levers first."""
    found: dict[tuple[str, str], set[str]] = {}
    for use in reads:
        if use.test or use.build_script or use.kept or use.call.function < 0:
            continue
        if entry := _entry(use, facts[use.path]):
            found.setdefault((entry, use.path), set()).add(use.lever)
    listed = [Candidate(entry, tuple(sorted(levers)), path) for (entry, path), levers in found.items()]
    return sorted(listed, key=lambda each: (-len(each.levers), each.entry, each.path))


def _entry(use: Use, file: FileFacts) -> str:
    """Give the hot function that a read is in, or its file; nothing when neither seems hot."""
    index = use.call.function
    named = ""
    while index >= 0:
        function = file.functions[index]
        name = function.path[-1]
        named = named or name
        if _HOT.fullmatch(name) and not _ONCE.fullmatch(name):
            sign = "::" if file.language == "rust" else "."
            return sign.join(part for part in function.path[-2:] if part != "<locals>")
        index = function.parent
    stem = use.path.rpartition("/")[2].partition(".")[0]
    hot = _HOT_FILES.fullmatch(stem) and not _ONCE.fullmatch(stem) and not _ONCE.fullmatch(named)
    return use.path if hot else ""
