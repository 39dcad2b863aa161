"""The command line: picks the command, and turns what went wrong into a message and an exit code."""

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module

from leverlint import __version__
from leverlint.errors import LeverlintError

COMMANDS = {
    "check": ("leverlint.commands.check", "report how levers are read and written"),
    "init": ("leverlint.commands.init", "look at a tree and write a configuration that fits it"),
    "explain": ("leverlint.commands.explain", "print what a rule is about, or what a lever does"),
    "levers": ("leverlint.commands.levers", "list the levers, and what each value of each does"),
    "flycheck": ("leverlint.commands.flycheck", "report to rust-analyzer, along with a command of cargo"),
    "server": ("leverlint.commands.server", "run the language server, for editors"),
    "docs": ("leverlint.commands.docs", "write the catalogue of rules"),
    "new-rule": ("leverlint.commands.new_rule", "start a rule: its module and its first fixtures"),
}

FAILURE = 2
INTERRUPTED = 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command: 0 clean, 1 findings, 2 could not do the job."""
    given = list(sys.argv[1:] if argv is None else argv)

    def run() -> int:
        arguments = _parser(given).parse_args(given)
        code: int = arguments.run(arguments)
        return code

    return guarded(run)


def guarded(run: Callable[[], int]) -> int:
    """Run what a command line asks for; whatever goes wrong becomes a message and an exit code."""
    try:
        return run()
    except LeverlintError as error:
        from leverlint.reporters.cells import harmless

        print(f"leverlint: error: {harmless(error.message)}", file=sys.stderr)
        if error.hint:
            print(f"  hint: {harmless(error.hint)}", file=sys.stderr)
        return FAILURE
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read the output has seen enough.
        silence_stdout()
        return FAILURE
    except Exception:
        import traceback

        traceback.print_exc()
        print("leverlint: error: this is a defect of leverlint; please report it", file=sys.stderr)
        return FAILURE


def silence_stdout() -> None:
    """Keep the interpreter from complaining about a closed pipe when it flushes at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _parser(given: Sequence[str]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="leverlint",
        description="Finds every read of an environment-variable lever, in Python and Rust, "
        "and says where it is not resolved once.",
        epilog="exit codes: 0 clean, 1 findings, 2 could not do the job",
    )
    parser.add_argument("-V", "--version", action="version", version=f"leverlint {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True, prog=parser.prog)
    wanted = next((word for word in given if not word.startswith("-")), "")
    for name, (module, help_text) in COMMANDS.items():
        command = commands.add_parser(
            name, help=help_text, description=f"{help_text[0].upper()}{help_text[1:]}."
        )
        # Only the command that is asked for is imported.
        if name == wanted:
            import_module(module).configure(command)
    return parser
