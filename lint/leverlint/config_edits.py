"""Putting a configuration into a file that may hold other things, which stay as they are byte for byte."""

import os
import re
from collections.abc import Sequence

from leverlint import config_files
from leverlint.config_files import TABLES
from leverlint.errors import LeverlintError

_LONGEST_LINE = 100


def home(root: str) -> str:
    """Give the file of a directory that a configuration belongs into: a manifest, if there is one."""
    if os.path.isfile(os.path.join(root, "leverlint.toml")):
        return "leverlint.toml"
    for name in ("pyproject.toml", "Cargo.toml"):
        if os.path.isfile(os.path.join(root, name)):
            return name
    return "leverlint.toml"


def stated(prefixes: Sequence[str], resolvers: Sequence[str], hot: Sequence[str]) -> str:
    """Give the lines of a configuration, without the head of its table."""
    lines = [_array("prefixes", prefixes)]
    if resolvers:
        lines.append(_array("resolvers", resolvers))
    else:
        lines.append('# resolvers = ["path/to/envs.py"]  # the files in which reading levers is right')
    if hot:
        lines.append("# Functions that no read should be reached from; finding the ways to them takes time.")
        lines += [f"# {line}" for line in _array("hot", hot).splitlines()]
    return "\n".join(lines) + "\n"


def head(name: str, content: bytes) -> str:
    """Give the head of the table of a configuration in a file; nothing where it has the file to itself."""
    table = _table(name, _parsed(name, content))
    return f"[{'.'.join(table)}]\n" if table else ""


def with_configuration(name: str, content: bytes, text: str) -> bytes:
    """Give the content of a file with a configuration, instead of the one that it may have."""
    if name == "leverlint.toml":
        return text.encode()
    before = _parsed(name, content)
    table = _table(name, before)
    rest = _without(content, table)
    newline = b"\r\n" if b"\r\n" in content else b"\n"
    gap = b"" if not rest else newline if rest.endswith(b"\n") else 2 * newline
    edited = rest + gap + (head(name, content) + text).encode().replace(b"\n", newline)
    if _others(before, table) != _others(_parsed(name, edited, text), table):
        raise LeverlintError(f"{name}: its configuration cannot be told apart from the rest", _by_hand(text))
    return edited


def _table(name: str, document: dict[str, object]) -> tuple[str, ...]:
    """Give the path of the table: in a manifest of a workspace, that of the workspace."""
    tables = TABLES[name]
    return next((table for table in tables if not table or table[0] in document), tables[0])


def _without(content: bytes, table: tuple[str, ...]) -> bytes:
    """Take a table out, but not what is written above the one that follows."""
    ours = {line: path[: len(table)] == table for _, line, path in config_files.entries(content)}
    kept: list[bytes] = []
    waiting: list[bytes] = []
    """Comments and blank lines: whose they are is seen by what follows."""
    inside = False
    for number, line in enumerate(content.split(b"\n"), 1):
        if number not in ours and re.match(rb"\s*(?:#|$)", line):
            waiting.append(line)
            continue
        was_inside, inside = inside, ours.get(number, inside)
        if was_inside:
            # The blank lines behind it go with it.
            while waiting and not waiting[0].strip():
                waiting.pop(0)
        if not (was_inside and inside):
            kept += waiting
        if not inside:
            kept.append(line)
        waiting = []
    if not inside:
        return b"\n".join([*kept, *waiting])
    while kept and not kept[-1].strip():
        kept.pop()
    return b"".join(line + b"\n" for line in kept)


def _parsed(name: str, content: bytes, text: str = "") -> dict[str, object]:
    import tomllib

    try:
        return tomllib.loads(content.decode("utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        if text:
            raise LeverlintError(f"{name}: a table cannot be added to it: {error}", _by_hand(text)) from None
        raise LeverlintError(f"{name}: not valid TOML: {error}") from None


def _others(document: object, table: tuple[str, ...]) -> object:
    """Give all of a document but one table; those around it do not count when they hold nothing else."""
    if not isinstance(document, dict) or not table:
        return document
    first, *rest = table
    others = {key: value for key, value in document.items() if key != first}
    inner = _others(document.get(first, {}), tuple(rest)) if rest else {}
    return {**others, first: inner} if inner else others


def _by_hand(text: str) -> str:
    return "write it by hand:\n" + "".join(f"    {line}\n" for line in text.splitlines())


def _array(key: str, items: Sequence[str]) -> str:
    line = f"{key} = [{', '.join(map(_text, items))}]"
    if len(line) <= _LONGEST_LINE:
        return line
    return f"{key} = [\n" + "".join(f"    {_text(item)},\n" for item in items) + "]"


def _text(item: str) -> str:
    """Spell a string in TOML: as a literal where it holds what would need escapes."""
    if '"' not in item and "\\" not in item and item.isprintable():
        return f'"{item}"'
    import json

    # What JSON escapes, TOML escapes alike.
    return json.dumps(item)
