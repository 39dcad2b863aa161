"""`leverlint init`: look at a tree, and write the configuration that fits it."""

import argparse
import os
from collections.abc import Iterator

from leverlint import baseline, baseline_file, config, config_edits, config_files, hook_entry
from leverlint.commands.options import add_jobs
from leverlint.commands.output import note, progress, to_stdout
from leverlint.errors import LeverlintError
from leverlint.report import Report
from leverlint.scouting import Scouted, scout
from leverlint.scouting.telling import told
from leverlint.sources import Sources
from leverlint.writing import write_whole


def configure(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(run=run)
    parser.add_argument("path", nargs="?", default=".", metavar="PATH", help="the project (default: .)")
    parser.add_argument(
        "--prefix", action="append", default=[], help="prefix of the levers, instead of what seems to be one"
    )
    parser.add_argument(
        "--file", choices=config_files.FILE_NAMES, help="where to write (default: the manifest that there is)"
    )
    parser.add_argument("--baseline", action="store_true", help="write a baseline of what is found, too")
    parser.add_argument("--pre-commit", action="store_true", help=f"add a hook to {hook_entry.NAME}, too")
    parser.add_argument("--dry-run", action="store_true", help="show everything, write nothing")
    parser.add_argument(
        "--force", action="store_true", help="take the place of a configuration that there is"
    )
    add_jobs(parser)


def run(arguments: argparse.Namespace) -> int:
    root = os.path.abspath(arguments.path)
    if not os.path.isdir(root):
        raise LeverlintError(f"{arguments.path}: no such directory")
    target = _target(root, arguments.file, arguments.force)
    prefixes = tuple(word for given in arguments.prefix for word in given.split(",") if word)
    settings = config.load(root, isolated=True, overrides={"prefixes": prefixes} if prefixes else None)
    scouted = scout(settings, prefixes, jobs=arguments.jobs, progress=progress())
    if not scouted.files:
        raise LeverlintError(f"{arguments.path}: no Python or Rust file is in it that ignore files leave")
    to_stdout("".join(f"{line}\n" for line in told(scouted)))
    if not scouted.prefixes:
        raise LeverlintError(
            "no family of variables stands out as the project's own",
            "name the prefix of the levers: `leverlint init --prefix MYAPP_`",
        )
    # Nothing is written before it is known that all of it can be.
    files = dict(_files(root, target, scouted, arguments))
    for path, content in files.items():
        if not arguments.dry_run:
            write_whole(path, content)
        to_stdout(f"{'would write' if arguments.dry_run else 'wrote'} {config_files.shown(path)}\n")
    following = (
        _statement_in(root, target, scouted) if arguments.dry_run else _next_steps(scouted.report, arguments)
    )
    to_stdout("".join(f"{line}\n" for line in following))
    return 0


def _target(root: str, wanted: str | None, force: bool) -> str:
    """Give the file to write to, where there is no configuration that must not be touched."""
    existing = config_files.in_directory(root)
    if existing is None:
        if wanted not in (None, "leverlint.toml") and not os.path.isfile(os.path.join(root, wanted)):
            raise LeverlintError(
                f"there is no {wanted} to write into", "`--file leverlint.toml` makes a new file"
            )
        return wanted or config_edits.home(root)
    if not force:
        raise LeverlintError(
            f"{config_files.shown(existing.path)}: leverlint is configured already",
            "`--force` takes the place of that, `--dry-run --force` shows with what",
        )
    name = os.path.basename(existing.path)
    if wanted not in (None, name):
        raise LeverlintError(
            f"leverlint is configured in {name}", f"that would go on to hold beside {wanted}"
        )
    return name


def _files(
    root: str, target: str, scouted: Scouted, arguments: argparse.Namespace
) -> Iterator[tuple[str, bytes]]:
    """Give the files to write, with their content."""
    path = os.path.join(root, target)
    yield path, config_edits.with_configuration(target, _content(path), _statement(scouted))
    if arguments.baseline:
        path = os.path.join(root, baseline_file.NAME)
        old = baseline_file.read(path) if os.path.exists(path) else {}
        renewal = baseline.renew(scouted.report, old, Sources(root), lambda entry: True)
        yield path, baseline_file.encoded(renewal.baseline)
    if arguments.pre_commit:
        path = os.path.join(root, hook_entry.NAME)
        content = _content(path)
        if hook_entry.has_entry(content):
            note("note", f"{config_files.shown(path)} has a hook of leverlint already")
        else:
            options = [f"--baseline={baseline_file.NAME}"] if arguments.baseline else []
            yield path, hook_entry.with_entry(content, options)


def _content(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return b""
    except OSError as error:
        raise LeverlintError(
            f"{config_files.shown(path)}: {(error.strerror or str(error)).lower()}"
        ) from None


def _statement(scouted: Scouted) -> str:
    settings = scouted.config
    resolvers = settings.resolvers if scouted.resolvers else ()
    return config_edits.stated(scouted.prefixes, resolvers, [each.entry for each in scouted.hot])


def _statement_in(root: str, target: str, scouted: Scouted) -> Iterator[str]:
    path = os.path.join(root, target)
    yield from ("", f"{config_files.shown(path)} would say:")
    text = config_edits.head(target, _content(path)) + _statement(scouted)
    yield from (f"    {line}" for line in text.splitlines())


def _next_steps(report: Report, arguments: argparse.Namespace) -> Iterator[str]:
    yield from ("", "Next:")
    yield "  read the configuration and correct it; `leverlint check` says what does not match"
    if report.findings and not arguments.baseline:
        yield "  live with what is there, for now: `leverlint check --write-baseline`"
    if arguments.baseline:
        yield f"  see only what is new: `leverlint check --baseline {baseline_file.NAME}`"
