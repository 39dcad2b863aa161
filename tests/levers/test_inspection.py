"""`describe()`: levers as data, and what is said about values that do not do what they say."""

import json
from dataclasses import dataclass

import pytest

from atlas_levers import (
    DFlashLevers,
    DrafterContext,
    GemmDispatch,
    Levers,
    ModelLevers,
    describe,
    kill_present,
    kill_switch,
    opt_in,
    opt_out,
    parsed,
    present,
    tri_state,
    truthy,
    usize,
)


@dataclass(frozen=True, slots=True)
class Words(Levers):
    # --- Switches ---

    as_opt_in: bool = opt_in("T_OPT_IN")
    """Says something

    in two paragraphs."""
    as_opt_out: bool = opt_out("T_OPT_OUT")
    as_kill_switch: bool = kill_switch("T_KILL_SWITCH")
    as_truthy: bool = truthy("T_TRUTHY")
    as_present: bool = present("T_PRESENT")
    as_kill_present: bool = kill_present("T_KILL_PRESENT")

    # --- Others ---

    as_tri_state: bool | None = tri_state("T_TRI_STATE")
    as_number: int = parsed("T_NUMBER", usize, default=0)
    spelt: bool = opt_in("T_NEW", aliases=("T_OLD",))


def remarks(group, environ):
    report = describe(group, environ=environ)
    return [(state.field, found.kind, found.message) for state in report.levers for found in state.remarks]


@pytest.mark.parametrize(
    ("variable", "silent", "inert", "opposite"),
    [
        ("T_OPT_IN", ["1", "0", "false", "off", ""], ["true", "yes", "on", " 1", "2", "word", "\udcff"], []),
        ("T_OPT_OUT", ["0", "1", "true", "yes", ""], ["false", "no", "off", " 0", "2", "\udcff"], []),
        ("T_KILL_SWITCH", ["1", "0", "false", ""], ["true", "yes", "01", "word", "\udcff"], []),
        ("T_TRUTHY", ["1", "0", "true", "TRUE", "no"], ["yes", "on", "word"], []),
        ("T_PRESENT", ["1", "true", "word", "\udcff"], [], ["0", "false", "off", "No", ""]),
        ("T_KILL_PRESENT", ["1", "true", "word", "\udcff"], [], ["0", "false", "off", "No", ""]),
        ("T_TRI_STATE", ["1", "0"], ["true", "false", "2", ""], []),
        ("T_NUMBER", ["0", "7", "+7"], ["x", " 7", "-1", "", "7.0"], []),
    ],
)
def test_values_that_do_not_do_what_they_say_are_marked(variable, silent, inert, opposite):
    for kind, values in (("inert", inert), ("opposite", opposite)):
        for value in values:
            ((field, found, _),) = remarks(Words, {variable: value})
            assert (field.upper().replace("AS_", "T_"), found) == (variable, kind), value
    for value in silent:
        assert remarks(Words, {variable: value}) == [], value


@pytest.mark.parametrize(
    ("group", "environ", "expected"),
    [
        (ModelLevers, {"ATLAS_K4_DIAG": "true"}, ("k4_diag", "inert", "does nothing: only `1` counts")),
        (
            ModelLevers,
            {"ATLAS_NO_SSD": "0"},
            ("ssd", "opposite", "switches it off: being set is what counts"),
        ),
        (
            ModelLevers,
            {"ATLAS_EP_GRAPHS": "TRUE"},
            ("ep_graphs", "inert", "does nothing: only `1` and `true` count"),
        ),
        (
            DFlashLevers,
            {"ATLAS_DFLASH_LOG_DRAFTS": "0"},
            ("any_diagnostic_armed", "opposite", "switches it on: being set is what counts"),
        ),
        (
            GemmDispatch,
            {"ATLAS_CUTLASS_NVFP4_GEMM": "1", "ATLAS_CUTLASS_NVFP4_QKVZ": "0"},
            ("cutlass_nvfp4_qkvz", "overruled", "does not count: `cutlass_nvfp4_gemm` implies it"),
        ),
        (
            DrafterContext,
            {"ATLAS_NO_DRAFTER_CONTEXT": "1", "ATLAS_DRAFTER_PREFILL_ONLY": "0"},
            ("carry", "overruled", "does not count: without `prefill` it is off"),
        ),
        (
            ModelLevers,
            {"ATLAS_NO_DRAFTER_CONTEXT": "0", "ATLAS_NO_MTP_DRAFTER_CONTEXT": "1"},
            ("drafter", "overruled", "does not count: ATLAS_NO_DRAFTER_CONTEXT goes first"),
        ),
        (Words, {"T_NEW": "1", "T_OLD": "0"}, ("spelt", "overruled", "does not count: T_NEW goes first")),
        (Words, {"T_NUMBER": "\udcff"}, ("as_number", "inert", "does nothing: it is no UTF-8")),
    ],
)
def test_a_remark_says_why(group, environ, expected):
    assert remarks(group, environ) == [expected]


def test_a_lever_is_described_with_all_that_is_known_about_it():
    first, *_, number, spelt = describe(Words, environ={"T_NUMBER": "7"}).levers
    assert (first.group, first.field, first.subsystem) == ("Words", "as_opt_in", "Switches")
    assert first.documentation == "Says something in two paragraphs."
    assert (first.decoding, first.variables) == ("opt_in", ("T_OPT_IN",))
    assert (number.settings, number.value, number.default, number.differs) == ({"T_NUMBER": "7"}, 7, 0, True)
    assert (spelt.subsystem, spelt.variables, spelt.differs) == ("Others", ("T_NEW", "T_OLD"), False)


def test_all_four_groups_are_described_by_default():
    report = describe(environ={})
    assert len(report.levers) == 66 + 30 + 11 + 2
    assert not any(state.differs or state.remarks or state.settings for state in report.levers)


POLARITY = {
    "opt_in": "On at `{}=1`",
    "opt_out": "Off at `{}=0`",
    "kill_switch": "Off at `{}=1`",
    "truthy": "On at `{}=1` or `true` in any case",
    "truthy_exact": "On at `{}=1` or `true`",
    "present": "On when `{}` is set, whatever the value",
    "kill_present": "Off when `{}` is set, whatever the value",
    "any_present": "as soon as one of the eleven variables is set",
    "tri_state": "`{}=1`",
    "choice": "`{}`",
    "parsed": "`{}`",
    "nested": "`{}=1`",
    "constant": "Not from the environment",
}


@pytest.mark.parametrize(
    "state", describe(environ={}).levers, ids=lambda state: f"{state.group}.{state.field}"
)
def test_a_lever_is_documented_with_its_variable_and_polarity(state):
    assert len(state.documentation) > 40
    assert state.subsystem
    polarity = POLARITY[state.decoding].format(*state.variables[:1])
    assert polarity.lower() in state.documentation.lower()


def test_unknown_names_come_with_the_nearest_known_one():
    environ = {"ATLAS_KV_POISN": "1", "ATLAS_": "", "ATLAS_ZZ": "1", "PATH": "/", "ATLAS_KV_POISON": "1"}
    unknown = describe(GemmDispatch, environ=environ).unknown
    assert list(unknown) == ["ATLAS_", "ATLAS_KV_POISN", "ATLAS_ZZ"]
    assert unknown["ATLAS_KV_POISN"] == "ATLAS_KV_POISON"
    assert describe(environ={name.encode(): b"" for name in environ}).unknown == unknown


def test_obsolete_names_come_with_what_to_do_instead():
    environ = {"ATLAS_MTP_CARRY_DRAFTER": "1"}
    for group in (ModelLevers, DrafterContext):
        ((name, advice),) = describe(group, environ=environ).obsolete.items()
        assert name == "ATLAS_MTP_CARRY_DRAFTER"
        assert "ATLAS_NO_DRAFTER_CONTEXT=1" in advice
    assert describe(environ=environ).unknown == {}


def test_describing_logs_nothing(caplog):
    caplog.set_level("DEBUG")
    describe(environ={"ATLAS_DRAFTER_PREFILL_ONLY": "1", "ATLAS_MTP_CARRY_DRAFTER": "1"})
    assert caplog.records == []


def test_a_report_goes_through_json():
    environ = {"ATLAS_MTP_DRAFT_CONF": "nan", "ATLAS_NO_SSD": "\udcff", "ATLAS_NO_DRAFTER_CONTEXT": "1"}
    text = json.dumps(describe(ModelLevers, environ=environ).as_json(), allow_nan=False)
    levers = {lever["field"]: lever for lever in json.loads(text)["levers"]}
    assert levers["draft_conf_tau"]["value"] == "nan"
    assert levers["ssd"]["settings"] == {"ATLAS_NO_SSD": None}
    assert levers["drafter"]["value"] == {"prefill": False, "carry": False}


def test_a_group_without_source_is_described_without_words():
    namespace = {"Levers": Levers, "opt_in": opt_in, "dataclass": dataclass, "__name__": __name__}
    exec(
        '@dataclass(frozen=True, slots=True)\nclass Sourceless(Levers):\n    on: bool = opt_in("T_ON")\n',
        namespace,
    )
    (state,) = describe(namespace["Sourceless"], environ={"T_ON": "1"}).levers
    assert (state.field, state.value, state.documentation, state.subsystem) == ("on", True, "", "")
