"""`leverlint docs`: the catalogue of rules, written from their docstrings."""

import argparse
import sys
from collections.abc import Iterable

from leverlint import packs
from leverlint.errors import LeverlintError
from leverlint.rule import Rule

DEFAULT_FILE = "rules/README.md"

_HEAD = """\
# Rules

Written by `leverlint docs` from the docstrings of the rules; edit those.

| code | name | severity | on by default | reports |
|---|---|---|---|---|
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(run=run)
    parser.add_argument("--output", metavar="FILE", default=DEFAULT_FILE, help="(default: %(default)s)")
    parser.add_argument("--check", action="store_true", help="only say whether the file is up to date")


def run(arguments: argparse.Namespace) -> int:
    text = catalogue(packs.rules())
    path: str = arguments.output
    try:
        if arguments.check:
            with open(path, encoding="utf-8") as file:
                current = file.read()
            if current == text:
                return 0
            print(f"{path} is out of date: run `leverlint docs`", file=sys.stderr)
            return 1
        with open(path, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except OSError as error:
        raise LeverlintError(
            f"{path}: {(error.strerror or str(error)).lower()}", "name another file with `--output`"
        ) from None
    return 0


def catalogue(rules: Iterable[Rule]) -> str:
    """Give the whole page: a table of all rules, then what each says about itself."""
    rules = list(rules)
    rows = "".join(_row(rule) for rule in rules)
    pages = "".join(
        f"\n## {rule.name}\n\n`{rule.code}`: {packs.documentation(rule).rstrip()}\n" for rule in rules
    )
    return _HEAD + rows + pages


def _row(rule: Rule) -> str:
    first_line = packs.documentation(rule).partition("\n")[0].rstrip(".").replace("|", r"\|")
    default = "yes" if rule.default else "no"
    return f"| {rule.code} | [{rule.name}](#{rule.name}) | {rule.severity} | {default} | {first_line} |\n"
