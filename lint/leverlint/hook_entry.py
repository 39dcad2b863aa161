"""Adding leverlint to `.pre-commit-config.yaml`, whose comments and layout stay as they are."""

import re
from collections.abc import Sequence

from leverlint.errors import LeverlintError

NAME = ".pre-commit-config.yaml"

_ENTRY = """\
- repo: local
  hooks:
    - id: leverlint
      name: leverlint
      entry: leverlint check --force-exclude
      language: system
      types_or: [python, pyi, rust]
      require_serial: true
"""

_REPOS = re.compile(rb"(?m)^repos[ \t]*:(?P<flow>[ \t]*\[)?[^\n]*\n?")
_ITEM = re.compile(rb"(?m)^(?P<indent>[ \t]*)-[ \t]")
_NEXT_KEY = re.compile(rb"(?m)^[^\s#-]|^-(?![ \t])")


def has_entry(content: bytes) -> bool:
    """Say whether a configuration mentions a hook of ours."""
    return re.search(rb"(?m)^[ \t]*-?[ \t]*id[ \t]*:[ \t]*[\"']?leverlint", content) is not None


def with_entry(content: bytes, arguments: Sequence[str]) -> bytes:
    """Give the content of a configuration with a hook behind those that it has."""
    entry = _ENTRY + (f"      args: [{', '.join(arguments)}]\n" if arguments else "")
    repos = _REPOS.search(content)
    if repos is None:
        if content.strip():
            raise LeverlintError(f"{NAME}: it has no list `repos`", _by_hand(entry))
        return content + b"repos:\n" + _indented(entry, b"  ")
    if repos["flow"]:
        raise LeverlintError(f"{NAME}: `repos` is written on one line", _by_hand(entry))
    following = _NEXT_KEY.search(content, repos.end())
    end = following.start() if following else len(content)
    item = _ITEM.search(content, repos.end(), end)
    indent = item["indent"] if item else b"  "
    before, after = _split(content[:end])
    newline = b"\r\n" if b"\r\n" in content else b"\n"
    gap = b"" if before.endswith(b"\n") else newline
    return before + gap + _indented(entry, indent).replace(b"\n", newline) + after + content[end:]


def _split(content: bytes) -> tuple[bytes, bytes]:
    """Part what ends the list from the blank lines, and comments about the next key, behind it."""
    match = re.search(rb"(?:^[ \t]*\r?\n|^#[^\n]*\n)*\Z", content, re.MULTILINE)
    at = match.start() if match else len(content)
    return content[:at], content[at:]


def _indented(entry: str, indent: bytes) -> bytes:
    return b"".join(indent + line.encode() + b"\n" for line in entry.splitlines())


def _by_hand(entry: str) -> str:
    return "add the hook by hand:\n" + "".join(f"    {line}\n" for line in entry.splitlines())
