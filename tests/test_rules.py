"""Every case under `fixtures/rules/<rule>/<case>` is reported as its markers say.

Those under `silent` are checked with every rule.
"""

from pathlib import Path

import pytest

from leverlint import packs
from leverlint.testing import check_case, check_examples

FIXTURES = Path(__file__).parent.parent / "fixtures" / "rules"
CASES = sorted(
    case for rule in FIXTURES.iterdir() if rule.is_dir() for case in rule.iterdir() if case.is_dir()
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.parent.name}/{case.name}")
def test_case_is_reported_as_marked(case, bless):
    rules = ["ALL"] if case.parent.name == "silent" else [case.parent.name]
    check_case(str(case), rules, bless=bless)


@pytest.mark.parametrize("rule", packs.rules(), ids=lambda rule: rule.name)
def test_examples_of_the_documentation_hold(rule):
    check_examples(rule)
