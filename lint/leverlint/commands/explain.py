"""`leverlint explain`: a rule's documentation, which is the docstring of its module; or what a lever does."""

import argparse
import re
from collections.abc import Sequence

from leverlint import packs
from leverlint.commands.options import add_color, add_settings, add_work
from leverlint.errors import LeverlintError, did_you_mean
from leverlint.rule import Rule


def configure(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(run=run)
    parser.add_argument("name", metavar="RULE|LEVER", help="code or name of a rule, or name of a lever")
    parser.add_argument(
        "paths", nargs="*", metavar="PATH", help="for a lever: where its project is (default: .)"
    )
    add_color(parser.add_argument_group("output"))
    add_settings(parser)
    add_work(parser)


def run(arguments: argparse.Namespace) -> int:
    wanted: str = arguments.name
    rules = packs.rules()
    for rule in rules:
        if wanted.lower() in (rule.code.lower(), rule.name):
            print(_rule_page(rule))
            return 0
    known = [word for rule in rules for word in (rule.name, rule.code)]
    # Rules are words with hyphens, or codes: to say that there is none takes no look at the project.
    if "_" not in wanted and not arguments.prefix and re.fullmatch(r"[a-z-]+|[A-Za-z]{3}\d*", wanted):
        raise LeverlintError(f"there is no rule `{wanted}`", did_you_mean(wanted, known))
    return _explain_lever(arguments, wanted, known)


def _rule_page(rule: Rule) -> str:
    default = "on by default" if rule.default else "off by default"
    return f"{rule.code} {rule.name} ({rule.severity}, {default})\n\n{packs.documentation(rule)}"


def _explain_lever(arguments: argparse.Namespace, wanted: str, rules: list[str]) -> int:
    # A rule is explained without any of this.
    from leverlint.commands.output import to_stdout
    from leverlint.commands.survey import survey, view
    from leverlint.listings import page

    looked_at = survey(arguments)
    for row in looked_at.rows:
        if row.lever == wanted:
            to_stdout(page.render(row, view(looked_at, arguments.color)))
            return 0
    levers = [row.lever for row in looked_at.rows]
    raise LeverlintError(
        f"there is no rule, and no lever that is read here, called `{wanted}`",
        _hint(wanted, rules, levers, looked_at.settings.prefixes),
    )


def _hint(wanted: str, rules: list[str], levers: list[str], prefixes: Sequence[str]) -> str:
    """Say what may have been meant; levers are also known by a part of their name, in any case."""
    names = [lever for lever in levers if "*" not in lever]
    patterns = sorted((lever for lever in levers if "*" in lever and _fits(wanted, lever)), key=len)
    # A walk over all levers says nothing about this one.
    if patterns and patterns[-1].rstrip("*") not in prefixes:
        return f"it may be one of `{patterns[-1]}`, which are read: `leverlint explain '{patterns[-1]}'`"
    if close := did_you_mean(wanted, [*rules, *names]) or did_you_mean(wanted.upper(), names):
        return close
    if ends := [name for name in names if name.endswith("_" + wanted.upper())]:
        return f"did you mean `{ends[0]}`?"
    return "`leverlint levers` lists what there is"


def _fits(name: str, pattern: str) -> bool:
    return re.fullmatch(".*".join(map(re.escape, pattern.split("*"))), name) is not None
