"""leverlint knows this package as a resolver: every lever with its name and field."""

from pathlib import Path

import pytest

import atlas_levers
from leverlint import config, engine
from leverlint.discovery import discover
from leverlint.languages import python

ROOT = Path(__file__).parent.parent.parent
PACKAGE = ROOT / "levers"


def settings(**overrides):
    return config.load(str(PACKAGE), str(PACKAGE / "pyproject.toml"), overrides=overrides)


@pytest.fixture(scope="module")
def index():
    return engine.index(settings(), discover(str(PACKAGE), [], settings()))


def test_every_lever_is_known_with_its_field(index):
    found = {(use.call.field.owner, use.call.field.name, use.lever) for use in index.reads if use.call.field}
    declared = {
        (state.group, state.field, name)
        for state in atlas_levers.describe(environ={}).levers
        if state.decoding != "nested"
        for name in state.variables
    }
    assert len(declared) > 100
    assert declared <= found


def test_linting_the_package_finds_nothing():
    assert engine.check(settings(), []).findings == ()


def test_the_kit_that_leverlint_recognises_is_the_kit():
    recognised = {path[1] for path in python.API if path[:1] == ("atlas_levers",) and len(path) == 2}
    decodings = {state.decoding for state in atlas_levers.describe(environ={}).levers} - {
        "nested",
        "constant",
    }
    assert decodings <= recognised <= set(atlas_levers.__all__)
