import pytest

from atlas_levers import DFlashLevers

SUPPRESSING = {
    "ATLAS_DFLASH_PROPOSE_NO_GRAPH",
    "ATLAS_DFLASH_DEBUG_DUMP_FULL",
    "ATLAS_DFLASH_OPTION_B_DIAG",
    "ATLAS_DFLASH_PRECOMPUTE_DUMP",
    "ATLAS_DFLASH_VERIFY_TRACE",
    "ATLAS_DFLASH_LOG_DRAFTS",
    "ATLAS_DFLASH_DEBUG_FORCE_PATTERN",
    "ATLAS_DFLASH_DEBUG_FORCE_NOISE_PATTERN",
    "ATLAS_DFLASH_DEBUG_CTX_OFF",
    "ATLAS_DFLASH_DEBUG_CTX_USED",
    "ATLAS_DFLASH_BLOCK_DUMP",
}


@pytest.mark.parametrize("variable", sorted(DFlashLevers.__variables__))
def test_eleven_diagnostics_and_no_others_force_the_eager_path(variable):
    for value in ("1", "0", "", "false", "\udcff"):
        armed = DFlashLevers.from_env({variable: value}).any_diagnostic_armed
        assert armed == (variable in SUPPRESSING)


def test_there_are_eleven():
    assert set(DFlashLevers.__levers__["any_diagnostic_armed"].variables) == SUPPRESSING
    assert len(SUPPRESSING) == 11


def test_the_block_dump_is_armed_from_its_position_on():
    levers = DFlashLevers(block_dump=True, block_dump_at_pos=3)
    assert [levers.block_dump_armed_at(position) for position in (0, 2, 3, 4)] == [False, False, True, True]
    assert DFlashLevers(block_dump=True).block_dump_armed_at(0)
    assert not DFlashLevers(block_dump_at_pos=3).block_dump_armed_at(3)
