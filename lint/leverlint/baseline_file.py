"""The file of a baseline: JSON with one entry a line, sorted, so that two branches merge."""

import json
from collections.abc import Mapping

from leverlint.baseline import Baseline, Entry
from leverlint.errors import LeverlintError
from leverlint.writing import write_whole

NAME = "leverlint-baseline.json"
"""What the file is called unless told otherwise."""

VERSION = 1


def read(path: str) -> Baseline:
    """Give the entries of a file, or say what is wrong with it."""
    try:
        with open(path, "rb") as file:
            content = file.read()
    except FileNotFoundError:
        raise LeverlintError(f"{path}: no such baseline", "`--write-baseline` makes one") from None
    except OSError as error:
        raise LeverlintError(f"{path}: {(error.strerror or str(error)).lower()}") from None
    try:
        document = json.loads(content.decode("utf-8-sig"))
    except json.JSONDecodeError as error:
        raise LeverlintError(
            f"{path}:{error.lineno}: no baseline, for it is not valid JSON", _hint(content)
        ) from None
    except (UnicodeDecodeError, RecursionError):
        raise LeverlintError(f"{path}: no baseline, for it is not valid JSON", _ANEW) from None
    return _entries(path, document)


def write(path: str, baseline: Baseline) -> None:
    write_whole(path, encoded(baseline))


def encoded(baseline: Baseline) -> bytes:
    """Give the content of the file."""
    entries = ",\n".join(f"  {_line(entry, count)}" for entry, count in sorted(baseline.items()))
    listed = f"[\n{entries}\n ]" if entries else "[]"
    text = f'{{\n "version": {VERSION},\n "findings": {listed}\n}}\n'
    # Names of files that are no text become the escapes that JSON has for them.
    return text.encode("utf-8", "backslashreplace")


_ANEW = "delete it and make a new one with `--write-baseline`"


def _hint(content: bytes) -> str:
    conflict = b"<<<<<<< " in content and b">>>>>>> " in content
    return "settle the merge conflict: keep the lines of both sides" if conflict else _ANEW


def _line(entry: Entry, count: int) -> str:
    return json.dumps({**entry._asdict(), "count": count}, ensure_ascii=False)


def _entries(path: str, document: object) -> Baseline:
    if not isinstance(document, Mapping) or not isinstance(document.get("version"), int):
        raise LeverlintError(f"{path}: no baseline of leverlint", "it is left as it is; name another file")
    if document["version"] != VERSION:
        hint = f"this leverlint knows version {VERSION}"
        raise LeverlintError(f"{path}: a baseline of version {document['version']}", hint)
    findings = document.get("findings")
    if not isinstance(findings, list):
        raise LeverlintError(f"{path}: no baseline, for it has no list `findings`", _ANEW)
    baseline: dict[Entry, int] = {}
    for number, item in enumerate(findings, 1):
        entry, count = _entry(path, number, item)
        # A merge may bring a line twice; adding them up would let a new finding in.
        baseline[entry] = max(count, baseline.get(entry, 0))
    return baseline


def _entry(path: str, number: int, item: object) -> tuple[Entry, int]:
    if isinstance(item, Mapping):
        texts = [text for name in Entry._fields if isinstance(text := item.get(name), str)]
        count = item.get("count")
        if len(texts) == len(Entry._fields) and type(count) is int and count > 0:
            return Entry(*texts), count
    fields = ", ".join(f"`{name}`" for name in Entry._fields)
    raise LeverlintError(
        f"{path}: entry {number} is damaged: it needs the texts {fields} and a `count`", _ANEW
    )
