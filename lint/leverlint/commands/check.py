"""`leverlint check`: lint the project around the given paths and report."""

import argparse
import os
import sys
from collections.abc import Mapping, Sequence

from leverlint import engine
from leverlint.commands.gate import Gate, add_gate, hiding
from leverlint.commands.options import add_color, add_settings, add_work, asked, cache_directory, load
from leverlint.commands.output import Output, note, progress
from leverlint.commands.show_config import show_config
from leverlint.config import Config
from leverlint.errors import LeverlintError
from leverlint.report import Report, Skipped
from leverlint.reporters import FORMATS
from leverlint.sources import Sources

_STDIN = "-"
_MOST_SKIPPED = 10


def configure(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(run=run)
    parser.add_argument(
        "paths",
        nargs="*",
        metavar="PATH",
        help="report only on these; the whole project is read all the same (default: .; - is standard input)",
    )
    rules = parser.add_argument_group(
        "rules", "codes, beginnings of codes (LVR1), names, ALL; comma separated"
    )
    for option, text in (
        ("--select", "run these rules instead of the configured ones"),
        ("--extend-select", "run these rules as well"),
        ("--ignore", "do not run these rules"),
    ):
        rules.add_argument(option, action="append", metavar="RULE", help=text)
    settings = add_settings(parser)
    settings.add_argument("--hot", action="append", metavar="NAME", help="hot functions or files")
    settings.add_argument(
        "--show-config", action="store_true", help="print what holds for PATH, and from where"
    )
    settings.add_argument("--force-exclude", action="store_true", help="exclude even paths that are given")
    add_gate(parser)
    fixes = parser.add_argument_group("fixes")
    fixes.add_argument("--fix", action="store_true", help="change files where that is proved to be safe")
    fixes.add_argument(
        "--unsafe-fixes", action="store_true", help="also where some values would mean something else"
    )
    fixes.add_argument(
        "--diff", action="store_true", help="show what `--fix` would change, and change nothing"
    )
    output = parser.add_argument_group("output")
    output.add_argument("--output-format", choices=FORMATS, default="text", help="(default: text)")
    output.add_argument("--output-file", metavar="FILE", help="write findings there")
    output.add_argument("--statistics", action="store_true", help="count the findings of each rule")
    add_color(output)
    output.add_argument("-q", "--quiet", action="store_true", help="print findings and errors only")
    output.add_argument("--exit-zero", action="store_true", help="exit with 0 even when there are findings")
    work = add_work(parser)
    work.add_argument("-w", "--watch", action="store_true", help="check again whenever a file changes")
    work.add_argument("--stdin-filename", metavar="FILE", help="the file that standard input stands for")


def run(arguments: argparse.Namespace) -> int:
    if arguments.watch:
        from leverlint.commands.watch import watch

        return watch(arguments)
    paths, overlay = _inputs(arguments)
    settings = load(arguments, paths)
    if arguments.show_config:
        return show_config(settings, paths)
    output = Output(arguments, settings)
    gate = Gate(arguments, settings, asked(settings, paths))
    overlays = _overlays(settings, overlay)

    def check(overlays: Mapping[str, bytes]) -> Report:
        return engine.check(
            settings,
            asked(settings, paths),
            overlays=overlays,
            jobs=arguments.jobs,
            cache_dir=cache_directory(arguments, settings),
            progress=None if arguments.quiet else progress(),
            force_exclude=arguments.force_exclude,
            elsewhere=gate.needs_elsewhere,
        )

    everything = check(overlays)
    if not arguments.quiet:
        _warn(everything, settings, paths)
    report = gate.let_through(everything, Sources(settings.root, overlays))
    if arguments.fix or arguments.diff:
        # Fixing takes more than a check does; nobody else should wait for it.
        from leverlint.commands.fix import fix

        _refuse_nothing_readable(report)
        again = hiding(everything, report)
        return fix(arguments, settings, output, report, overlays, lambda contents: again(check(contents)))
    output.write(report, overlays)
    _refuse_nothing_readable(report)
    return int(bool(report.findings) and not arguments.exit_zero)


def _inputs(arguments: argparse.Namespace) -> tuple[list[str], tuple[str, bytes] | None]:
    """Give the paths, and what standard input stands for with its bytes."""
    paths = [path for path in arguments.paths if path != _STDIN]
    if len(paths) == len(arguments.paths) and arguments.stdin_filename is None:
        return paths, None
    name = arguments.stdin_filename or "stdin.py"
    return [*paths, name], (name, sys.stdin.buffer.read())


def _overlays(settings: Config, overlay: tuple[str, bytes] | None) -> Mapping[str, bytes]:
    if overlay is None:
        return {}
    name, content = overlay
    return {os.path.relpath(name, settings.root).replace(os.sep, "/"): content}


def _warn(report: Report, settings: Config, paths: Sequence[str]) -> None:
    for skipped in report.skipped[:_MOST_SKIPPED]:
        note("warning", f"{skipped.path} {skipped.why}; skipped")
    if len(report.skipped) > _MOST_SKIPPED:
        note("warning", f"{len(report.skipped) - _MOST_SKIPPED} more files and directories skipped")
    if report.files == 0:
        where = ", ".join(f"`{path}`" for path in paths) or "this directory"
        ignored = " and ignore files" if settings.respect_gitignore else ""
        note("warning", f"nothing to check: no Python or Rust file in {where} that `exclude`{ignored} leave")
    elif report.levers == 0 and not report.findings:
        levers = ", ".join(f"`{prefix}`" for prefix in (*settings.prefixes, *settings.names)) or "none at all"
        files = "1 file" if report.files == 1 else f"{report.files} files"
        note("note", f"{files} checked, but no lever is used in the project; levers start with {levers}")
        note("hint", "name your own with `--prefix` or `prefixes` in leverlint.toml")


def _refuse_nothing_readable(report: Report) -> None:
    unreadable = [skipped for skipped in report.skipped if _is_unreadable(skipped)]
    if report.files == 0 and unreadable:
        raise LeverlintError("nothing could be read")


def _is_unreadable(skipped: Skipped) -> bool:
    return skipped.why.startswith("cannot be") or skipped.why.startswith(("is binary", "is larger"))
