"""`leverlint flycheck`: findings in Rust files for rust-analyzer, along with what cargo prints.

rust-analyzer runs this whenever a file is saved (`rust-analyzer.check.overrideCommand`), in the
root of the workspace, and kills the process group when it wants to start anew. Our findings come
first, while cargo is still at work; `build-finished` ends it all.
"""

import argparse
import json
import os
import re
import select
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence

from leverlint import engine, reporters
from leverlint.commands.options import add_settings, add_work, asked, cache_directory, load
from leverlint.commands.output import note
from leverlint.diagnostics import Diagnostic
from leverlint.errors import LeverlintError
from leverlint.facts import Span
from leverlint.report import Report
from leverlint.reporters import Style
from leverlint.sources import Sources

_FINISHED = '{"reason":"build-finished","success":true}\n'
_LOCATED = r"(?P<path>[^:\n]+):(?:(?P<line>\d+):)? (?P<message>.*)"
_ANYWHERE = "Cargo.toml"

_PATIENCE = 2.0
"""Seconds that a command has to end itself."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(run=run)
    parser.usage = "%(prog)s [options] [-- COMMAND ...]"
    parser.add_argument(
        "command",
        nargs="*",
        metavar="COMMAND",
        help="a command that prints JSON as cargo does; what it prints is passed on",
    )
    parser.add_argument(
        "--saved-file", metavar="FILE", help="report only on this file: `{saved_file}` of rust-analyzer"
    )
    add_settings(parser)
    add_work(parser)


def run(arguments: argparse.Namespace) -> int:
    """Give 0 even when there are findings: rust-analyzer takes anything else for a broken command."""
    paths = [arguments.saved_file] if arguments.saved_file else []
    report_on(arguments, paths, arguments.command)
    return 0


def report_on(
    arguments: argparse.Namespace, paths: Sequence[str], command: Sequence[str], color: bool = False
) -> None:
    """Print the findings, then what the command prints; it runs from the start."""
    child = _started(command) if command else None
    try:
        _write(_findings(arguments, paths, color))
        if child is not None:
            _pass_on(child)
        _write(_FINISHED)
    finally:
        if child is not None:
            _stop(child)


def _write(text: str) -> None:
    _write_bytes(text.encode("utf-8"))


def _write_bytes(data: bytes) -> None:
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def _started(command: Sequence[str]) -> "subprocess.Popen[bytes]":
    # Whoever ends this process without its group must not leave the command running.
    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), lambda number, _: sys.exit(128 + number))
    try:
        return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    except OSError as error:
        raise LeverlintError(
            f"`{command[0]}` cannot be started: {(error.strerror or str(error)).lower()}",
            "it must be on the PATH that rust-analyzer has",
        ) from None


def _pass_on(child: "subprocess.Popen[bytes]") -> None:
    """Pass lines on as they come, except the one that says that all is done."""
    spoken = False
    for line in _lines(child):
        spoken = spoken or line.startswith(b"{")
        if not _is_finish(line):
            _write_bytes(line)
    if (code := child.wait()) and not spoken:
        command = " ".join(map(str, child.args))  # type: ignore[arg-type]
        failure = LeverlintError(
            f"`{command}` has failed with exit code {code}", "run it in a terminal to see why"
        )
        _write(_told(failure))


def _lines(child: "subprocess.Popen[bytes]") -> Iterator[bytes]:
    assert child.stdout is not None
    if not hasattr(select, "poll"):
        yield from child.stdout
        return
    # An editor that was killed can tell nobody to stop; but then it does not read us any more.
    source, target = child.stdout.fileno(), sys.stdout.fileno()
    poll = select.poll()
    poll.register(source, select.POLLIN)
    poll.register(target, 0)
    begun = b""
    while True:
        if any(descriptor == target for descriptor, _ in poll.poll()):
            raise BrokenPipeError
        data = os.read(source, 1 << 16)
        if not data:
            break
        *lines, begun = (begun + data).split(b"\n")
        for line in lines:
            yield line + b"\n"
    if begun:
        yield begun + b"\n"


def _is_finish(line: bytes) -> bool:
    if b'"build-finished"' not in line:
        return False
    try:
        message = json.loads(line)
    except ValueError:
        return False
    return isinstance(message, dict) and message.get("reason") == "build-finished"


def _stop(child: "subprocess.Popen[bytes]") -> None:
    assert child.stdout is not None
    child.stdout.close()
    child.terminate()
    try:
        child.wait(_PATIENCE)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()


def _findings(arguments: argparse.Namespace, paths: Sequence[str], color: bool) -> str:
    try:
        settings = load(arguments, paths)
        report = engine.check(
            settings,
            asked(settings, paths),
            jobs=arguments.jobs,
            cache_dir=cache_directory(arguments, settings),
            force_exclude=True,
        )
    except LeverlintError as error:
        note("error", error.message)
        return _told(error, color)
    rust = tuple(finding for finding in report.findings if finding.path.endswith(".rs"))
    style = Style(color, root=settings.root, here=os.getcwd())
    return reporters.get("cargo").render(report._replace(findings=rust), Sources(settings.root), style)


def _told(error: LeverlintError, color: bool = False) -> str:
    """Show in the editor, where nobody sees standard error, what is wrong: at its line if it names one."""
    path, line, message = _ANYWHERE, 1, error.message
    if (match := re.fullmatch(_LOCATED, error.message)) and os.path.isfile(match["path"]):
        path, line, message = match["path"], int(match["line"] or 1), match["message"]
    here = os.getcwd()
    sources = Sources(here)
    span = Span(*sources.line_bounds(path, line))
    finding = Diagnostic("failure", "failure", "error", path, span, None, f"leverlint: {message}", error.hint)
    return reporters.get("cargo").render(Report((finding,)), sources, Style(color, root=here, here=here))
