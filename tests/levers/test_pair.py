"""The two halves prove each other: leverlint sees the same decodings in Rust and in Python."""

from pathlib import Path

import pytest

import atlas_levers
from leverlint import config, engine
from leverlint.decoding import PROBES, UNTOLD, differences, name
from leverlint.discovery import discover

ROOT = Path(__file__).parent.parent.parent
NAMED = {
    *("opt_in", "opt_out", "kill_switch", "present", "kill_present"),
    *("truthy", "truthy_exact", "tri_state"),
}


def vectors(folder):
    names = ("TQ_PLUS_WEIGHT_ROTATION",)
    settings = config.load(str(folder), isolated=True, overrides={"names": names})
    index = engine.index(settings, discover(settings.root, [], settings))
    return {
        (use.call.field.owner, use.call.field.name): index.vector(use)
        for use in index.reads
        if use.call.field and use.call.field.owner
    }


@pytest.fixture(scope="module")
def rust():
    return vectors(ROOT / "fixtures" / "levers" / "engine")


@pytest.fixture(scope="module")
def python():
    return vectors(ROOT / "levers")


def test_every_lever_of_one_variable_is_compared(rust, python):
    single = {
        (state.group, state.field)
        for state in atlas_levers.describe(environ={}).levers
        if len(state.variables) == 1 and state.decoding not in ("custom", "constant", "nested")
    }
    assert len(rust) > 95
    assert single <= set(rust) <= set(python)


def test_every_outcome_is_told(rust, python):
    untold = [key for key in rust for vector in (rust[key], python[key]) if UNTOLD in vector]
    assert untold == []


def test_rust_and_python_do_the_same_with_every_probe(rust, python):
    parted = {key: [PROBES[i] for i in differences(rust[key], python[key])] for key in rust}
    assert {key: values for key, values in parted.items() if values} == {}


def test_the_names_are_those_that_the_package_gives(rust):
    declared = {
        (state.group, state.field): state.decoding
        for state in atlas_levers.describe(environ={}).levers
        if state.decoding in NAMED
    }
    found = {key: name(vector) for key, vector in rust.items() if key in declared}
    assert len(found) > 80
    assert found == {key: declared[key] for key in found}
