"""`leverlint explain`: a rule's documentation, which is the docstring of its module."""

import argparse

from leverlint import packs
from leverlint.errors import LeverlintError, did_you_mean
from leverlint.rule import Rule


def configure(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(run=run)
    parser.add_argument("rule", metavar="RULE", help="code or name of a rule")


def run(arguments: argparse.Namespace) -> int:
    rule = _find(arguments.rule)
    default = "on by default" if rule.default else "off by default"
    print(f"{rule.code} {rule.name} ({rule.severity}, {default})\n\n{packs.documentation(rule)}")
    return 0


def _find(wanted: str) -> Rule:
    rules = packs.rules()
    for rule in rules:
        if wanted.lower() in (rule.code.lower(), rule.name):
            return rule
    known = [word for rule in rules for word in (rule.name, rule.code)]
    raise LeverlintError(f"there is no rule `{wanted}`", did_you_mean(wanted, known))
