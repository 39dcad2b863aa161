"""`leverlint check --fix` and `--diff`: carrying fixes out on files, or showing what they would do."""

import argparse
import os
import sys
from collections.abc import Mapping
from difflib import unified_diff

from leverlint.commands.output import Output, note, to_stdout
from leverlint.config import Config
from leverlint.fixes import Check, Fixed, fix_all
from leverlint.report import Report
from leverlint.sources import decode
from leverlint.writing import put_in_place


def fix(
    arguments: argparse.Namespace,
    settings: Config,
    output: Output,
    report: Report,
    overlays: Mapping[str, bytes],
    check: Check,
) -> int:
    """Do what the options ask for with a report; give the exit code."""
    fixed = fix_all(report, settings.root, overlays, check, arguments.unsafe_fixes)
    for path in fixed.stale:
        _say_that_it_changed(path)
    if arguments.diff:
        return _show(fixed, settings.root, arguments)
    if overlays:
        return _to_stdout(fixed, overlays, output, arguments)
    failed = [
        path
        for path, data in fixed.contents.items()
        if not _write(settings.root, path, fixed.originals[path], data)
    ]
    if failed:
        # What was not written is still there to be found.
        number = sum(count for path, count in fixed.counts.items() if path not in failed)
        fixed = fixed._replace(report=check({})._replace(fixed=number))
    output.write(fixed.report, {})
    return int(bool(failed or fixed.stale) or (bool(fixed.report.findings) and not arguments.exit_zero))


def _show(fixed: Fixed, root: str, arguments: argparse.Namespace) -> int:
    for path, data in sorted(fixed.contents.items()):
        name = os.path.relpath(os.path.join(root, path)).replace(os.sep, "/")
        python = path.endswith((".py", ".pyi"))
        texts = [decode(each, python=python).decode() for each in (fixed.originals[path], data)]
        to_stdout("".join(_diff(name, *texts)), "utf-8")
    if not arguments.quiet:
        number = sum(fixed.counts.values())
        would = "1 finding" if number == 1 else f"{number} findings" if number else "nothing"
        note("note", f"{would} would be fixed")
    return int(bool(fixed.contents) and not arguments.exit_zero)


def _diff(name: str, old: str, new: str) -> list[str]:
    lines = unified_diff(_lines(old), _lines(new), name, name)
    return [line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines]


def _lines(text: str) -> list[str]:
    """Split at line feeds alone, as `patch` does."""
    return [line + "\n" for line in text.split("\n")[:-1]] + [
        last for last in [text.rpartition("\n")[2]] if last
    ]


def _to_stdout(
    fixed: Fixed, overlays: Mapping[str, bytes], output: Output, arguments: argparse.Namespace
) -> int:
    """Give standard input back as it is fixed; what remains goes elsewhere."""
    for path, data in overlays.items():
        sys.stdout.flush()
        sys.stdout.buffer.write(fixed.contents.get(path, data))
        sys.stdout.flush()
    output.write(fixed.report, {**overlays, **fixed.contents}, beside=True)
    return int(bool(fixed.report.findings) and not arguments.exit_zero)


def _write(root: str, path: str, old: bytes, new: bytes) -> bool:
    """Replace a file whole or not at all; say whether that was possible."""
    target = os.path.realpath(os.path.join(root, path))
    try:
        with open(target, "rb") as file:
            if file.read() != old:
                _say_that_it_changed(path)
                return False
        put_in_place(target, new)
    except OSError as error:
        note("error", f"{path} cannot be written: {(error.strerror or str(error)).lower()}")
        return False
    return True


def _say_that_it_changed(path: str) -> None:
    note("error", f"{path} has changed since it was checked, and is left alone: run the fix again")
