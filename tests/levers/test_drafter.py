"""The drafter's policy: three states, two spellings each, and a word in the log."""

import logging
from itertools import product

import pytest

from atlas_levers import DrafterContext, ModelLevers

NO_CONTEXT = ("ATLAS_NO_DRAFTER_CONTEXT", "ATLAS_NO_MTP_DRAFTER_CONTEXT")
PREFILL_ONLY = ("ATLAS_DRAFTER_PREFILL_ONLY", "ATLAS_MTP_DRAFTER_CONTEXT_PREFILL_ONLY_UNSAFE")
VALUES = [None, "1", "0", "", "true", "1 ", "2", "\udcff"]


def environment(**values):
    return {name: value for name, value in values.items() if value is not None}


@pytest.mark.parametrize(("no_context", "prefill_only"), [*product(NO_CONTEXT, PREFILL_ONLY)])
def test_both_spellings_reach_the_same_three_states(no_context, prefill_only):
    for off, alone in product(VALUES, VALUES):
        policy = DrafterContext.from_env(environment(**{no_context: off, prefill_only: alone}))
        expected = DrafterContext.BOTH
        if off == "1":
            expected = DrafterContext.OFF
        elif alone == "1":
            expected = DrafterContext(prefill=True, carry=False)
        assert policy == expected


def test_the_model_carries_the_same_policy():
    for values in product(VALUES[:4], repeat=4):
        environ = environment(**dict(zip((*NO_CONTEXT, *PREFILL_ONLY), values, strict=True)))
        policy = ModelLevers.from_env(environ).drafter
        assert policy == DrafterContext.from_env(environ)
        assert policy.prefill or not policy.carry


def test_the_constants_are_the_two_states_to_ship():
    assert (DrafterContext.BOTH.prefill, DrafterContext.BOTH.carry) == (True, True)
    assert (DrafterContext.OFF.prefill, DrafterContext.OFF.carry) == (False, False)
    assert DrafterContext.defaults() == DrafterContext.BOTH


@pytest.mark.parametrize(("first", "second"), [NO_CONTEXT, PREFILL_ONLY])
def test_of_two_spellings_that_contradict_each_other_the_first_counts(caplog, first, second):
    for one, other in (("1", "0"), ("0", "1")):
        caplog.clear()
        policy = DrafterContext.from_env({first: one, second: other})
        assert policy == DrafterContext.from_env({first: one})
        warning = next(record for record in caplog.records if "contradict" in record.message)
        assert warning.levelno == logging.WARNING
        assert f"{first}={one!r} and {second}={other!r} contradict" in warning.message
        assert warning.message.endswith(f"{first} counts")


@pytest.mark.parametrize("values", [("1", "1"), ("0", ""), (None, "1"), ("1", None), ("\udcff", "1")])
def test_spellings_that_mean_the_same_are_no_contradiction(caplog, values):
    DrafterContext.from_env(environment(**dict(zip(NO_CONTEXT, values, strict=True))))
    assert not any("contradict" in record.message for record in caplog.records)


@pytest.mark.parametrize("resolve", [DrafterContext.from_env, ModelLevers.from_env])
@pytest.mark.parametrize(
    ("environ", "level", "message"),
    [
        ({}, "INFO", "drafter context: prefill on, carry on"),
        ({"ATLAS_NO_DRAFTER_CONTEXT": "1"}, "INFO", "drafter context: prefill off, carry off"),
        (
            {"ATLAS_DRAFTER_PREFILL_ONLY": "1"},
            "WARNING",
            "drafter context: prefill on, carry off: a measured loss of 927 ms a turn",
        ),
    ],
)
def test_the_policy_is_logged_once_a_model(caplog, resolve, environ, level, message):
    caplog.set_level(logging.INFO)
    resolve(environ)
    records = [(record.name, record.levelname, record.message) for record in caplog.records]
    assert records == [("atlas_levers.drafter", level, message)]


@pytest.mark.parametrize(
    "names",
    [
        ("ATLAS_MTP_DRAFTER_PREFILL",),
        ("ATLAS_MTP_CARRY_DRAFTER",),
        ("ATLAS_MTP_DRAFTER_PREFILL", "ATLAS_MTP_CARRY_DRAFTER"),
    ],
)
def test_obsolete_names_are_ignored_with_one_warning(caplog, names):
    for value in ("1", "0", "", "\udcff"):
        caplog.clear()
        assert ModelLevers.from_env(dict.fromkeys(names, value)) == ModelLevers.defaults()
        (warning,) = (record.message for record in caplog.records if record.levelname == "WARNING")
        assert warning.startswith(f"obsolete and ignored: {', '.join(names)}; ")
        assert "ATLAS_NO_DRAFTER_CONTEXT=1" in warning
