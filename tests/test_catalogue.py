"""What must hold of every rule of ours, and of the catalogue made from them."""

import re
from pathlib import Path

import pytest

from leverlint import packs
from leverlint.cli import main

ROOT = Path(__file__).parent.parent
RULES = [rule for rule in packs.rules() if rule.check.__module__.startswith("leverlint_rules.")]
SECTIONS = ("Why", "Bad", "Good", "Fix", "Limits")

each_rule = pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)


def test_codes_and_names_are_unique():
    assert len({rule.code for rule in RULES}) == len({rule.name for rule in RULES}) == len(RULES) > 0


@each_rule
def test_a_rule_lives_in_the_module_of_its_name(rule):
    assert rule.check.__module__ == f"leverlint_rules.{rule.name.replace('-', '_')}"


@each_rule
def test_a_code_fits_flake8(rule):
    assert re.fullmatch(r"LVR\d{3}", rule.code)


@each_rule
def test_the_page_has_all_sections_in_order(rule):
    headings = re.findall(r"^([A-Z]\w+):", packs.documentation(rule), re.MULTILINE)
    assert [heading for heading in headings if heading in SECTIONS] == list(SECTIONS)


@each_rule
def test_a_rule_has_a_case_that_it_reports(rule):
    cases = ROOT / "fixtures" / "rules" / rule.name
    texts = (path.read_text("utf-8", "replace") for path in cases.rglob("*") if path.is_file())
    marker = re.compile(rf"error\^*:.*\b{rule.name}\b(?!-)")
    assert any(marker.search(text) for text in texts)


def test_the_catalogue_is_up_to_date(monkeypatch):
    monkeypatch.chdir(ROOT)
    assert main(["docs", "--check"]) == 0
