"""`cargo leverlint`: leverlint for those who think in packages and for `rust-analyzer.check.command`.

By hand it is `leverlint check` on the chosen packages. Asked for JSON, as rust-analyzer does, it is
`leverlint flycheck` with `cargo check` behind it: whoever puts it in the place of `check` still
wants to see what the compiler says, and `--with clippy` asks for more.
"""

import argparse
import sys
from collections.abc import Sequence

_DESCRIPTION = """\
Reports how levers are read and written in packages of cargo. Options that are not listed here are those of
`leverlint check`, and so is everything behind `--`.
"""
_EPILOG = """\
Asked for JSON, as by rust-analyzer, it also runs the command of `--with`, which gets all options of cargo.
"""

_FLAGS: tuple[str, ...] = (
    *("--lib", "--bins", "--examples", "--tests", "--benches", "--all-targets"),
    *("--all-features", "--no-default-features", "-r", "--release", "--keep-going", "--ignore-rust-version"),
    *("--locked", "--offline", "--frozen", "--future-incompat-report", "-v", "--verbose"),
)
_VALUES: tuple[str, ...] = (
    *("--bin", "--example", "--test", "--bench", "-F", "--features", "--target", "--target-dir"),
    *("--profile", "--lockfile-path", "-Z"),
)
_UNLISTED: tuple[tuple[tuple[str, ...], str, int | None], ...] = (
    (_FLAGS, "only_for_cargo", 0),
    (_VALUES, "only_for_cargo", None),
    # `leverlint check` has these as well, and by hand they are meant for it.
    (("-q", "--quiet"), "shared", 0),
    (("-j", "--jobs", "--color", "--config"), "shared", None),
)
"""Options of cargo, where they go, and how many values they take."""


def main(argv: Sequence[str] | None = None) -> int:
    from leverlint.cli import guarded

    given = list(sys.argv[1:] if argv is None else argv)
    # Cargo puts the name of the subcommand first.
    return guarded(lambda: _run(given[1:] if given[:1] == ["leverlint"] else given))


def _run(given: list[str]) -> int:
    end = given.index("--") if "--" in given else len(given)
    known, own = _parser().parse_known_args(given[:end])
    own += given[end + 1 :]
    return _for_editors(known, own) if known.message_format.startswith("json") else _for_people(known, own)


def _for_people(known: argparse.Namespace, own: list[str]) -> int:
    from leverlint.commands import check

    parser = argparse.ArgumentParser(prog="cargo leverlint", allow_abbrev=False)
    check.configure(parser)
    short = ["--output-format=concise"] if known.message_format == "short" else []
    arguments = parser.parse_args([*short, *known.shared, *own])
    if not arguments.paths:
        # Nobody has named them: what is ignored stays so.
        arguments.paths, arguments.force_exclude = _paths(known), True
    return check.run(arguments)


def _for_editors(known: argparse.Namespace, own: list[str]) -> int:
    from leverlint.commands import cargo_packages, flycheck
    from leverlint.commands.options import add_settings, add_work

    parser = argparse.ArgumentParser(prog="cargo leverlint", allow_abbrev=False)
    add_settings(parser)
    add_work(parser)
    # What neither knows may be an option of a newer cargo.
    arguments, unknown = parser.parse_known_args(own)
    command = []
    if known.with_command != "none":
        form = f"--message-format={known.message_format}"
        command = [cargo_packages.program(), known.with_command, form, *known.for_cargo, *unknown]
    color = "rendered-ansi" in known.message_format
    flycheck.report_on(arguments, _paths(known), command, color)
    return 0


def _paths(known: argparse.Namespace) -> list[str]:
    from leverlint.commands.cargo_packages import Choice, directories

    choice = Choice(known.manifest_path, known.workspace, tuple(known.package), tuple(known.exclude))
    return directories(choice)


class _Kept(argparse.Action):
    """Keeps an option as it was given, for the command that it is handed on to."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: object,
        option_string: str | None = None,
    ) -> None:
        words = [option_string] if self.nargs == 0 else [option_string, values]
        namespace.for_cargo = [*namespace.for_cargo, *words]
        if self.dest == "shared":
            namespace.shared = [*namespace.shared, *words]
        elif isinstance(self.default, list):
            setattr(namespace, self.dest, [*getattr(namespace, self.dest), values])
        else:
            setattr(namespace, self.dest, values or True)


def _parser() -> argparse.ArgumentParser:
    from leverlint import __version__

    parser = argparse.ArgumentParser(
        prog="cargo leverlint", description=_DESCRIPTION, epilog=_EPILOG, allow_abbrev=False
    )
    parser.set_defaults(for_cargo=[], shared=[])
    parser.add_argument("-V", "--version", action="version", version=f"leverlint {__version__}")
    parser.add_argument("--message-format", metavar="FORMAT", default="human", help="human, short or json")
    parser.add_argument(
        "--with",
        dest="with_command",
        metavar="COMMAND",
        default="check",
        help="what else to run when asked for JSON: check (default), clippy or none",
    )
    parser.add_argument("--manifest-path", action=_Kept, metavar="FILE", default="", help="a Cargo.toml")
    packages = parser.add_argument_group("packages (default: the one around the working directory)")
    packages.add_argument(
        "--workspace", "--all", action=_Kept, nargs=0, default=False, help="all of the workspace"
    )
    packages.add_argument(
        "-p", "--package", action=_Kept, metavar="SPEC", default=[], help="this one; may be repeated"
    )
    packages.add_argument("--exclude", action=_Kept, metavar="SPEC", default=[], help="all but this one")
    for names, dest, number in _UNLISTED:
        parser.add_argument(
            *names, action=_Kept, nargs=number, dest=dest, default=argparse.SUPPRESS, help=argparse.SUPPRESS
        )
    return parser


if __name__ == "__main__":
    sys.exit(main())
