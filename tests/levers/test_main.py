"""`python -m atlas_levers`, by its whole output."""

import json
import os
import subprocess
import sys

import pytest

from atlas_levers.__main__ import main

GEMM = """\
GemmDispatch: 11 levers, 1 off their default (*)
  FP8
    fp8_blockscaled_prefill  on   default on   ATLAS_FP8_SINGLE_SCALE='true'
      ! ATLAS_FP8_SINGLE_SCALE='true' does nothing: only `1` counts
  GEMM path
    cublas_gemm              off  default off  ATLAS_CUBLAS_GEMM unset
    cublas_fp8               off  default off  ATLAS_CUBLAS_FP8 unset
    cutlass_gemm             off  default off  ATLAS_CUTLASS_GEMM unset
    cutlass_nvfp4_gemm       off  default off  ATLAS_CUTLASS_NVFP4_GEMM unset
    cutlass_nvfp4_qkvz       off  default off  ATLAS_CUTLASS_NVFP4_QKVZ unset
    cutlass_nvfp4_attn_q     off  default off  ATLAS_CUTLASS_NVFP4_ATTN_Q unset
    cutlass_nvfp4_attn_kv    off  default off  ATLAS_CUTLASS_NVFP4_ATTN_KV unset
    cutlass_nvfp4_attn_o     off  default off  ATLAS_CUTLASS_NVFP4_ATTN_O unset
    cutlass_nvfp4_ssm_out    off  default off  ATLAS_CUTLASS_NVFP4_SSM_OUT unset
  * w4a16_variant            3    default 0    ATLAS_W4A16_VARIANT='v3'

unknown: ATLAS_CUBLAS_FP9 (the nearest lever is ATLAS_CUBLAS_FP8)
"""

OWN_GROUP = """\
from dataclasses import dataclass
from atlas_levers import Levers, opt_in

@dataclass(frozen=True, slots=True)
class OwnLevers(Levers):
    # --- Ours ---

    on: bool = opt_in("OWN_ON")
"""


@pytest.fixture
def environment(monkeypatch):
    for name in [name for name in os.environ if name.startswith("ATLAS_")]:
        monkeypatch.delenv(name)
    return monkeypatch.setenv


def test_a_group_is_shown_lever_by_lever(environment, capsys):
    environment("ATLAS_W4A16_VARIANT", "v3")
    environment("ATLAS_FP8_SINGLE_SCALE", "true")
    environment("ATLAS_CUBLAS_FP9", "1")
    assert main(["GemmDispatch"]) == 0
    assert capsys.readouterr() == (GEMM, "")


def test_all_groups_are_shown_by_default(environment, capsys):
    environment("ATLAS_MTP_CARRY_DRAFTER", "1")
    assert main([]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if line and not line.startswith(" ")][:4] == [
        "ModelLevers: 66 levers, 0 off their default",
        "DFlashLevers: 30 levers, 0 off their default",
        "GemmDispatch: 11 levers, 0 off their default",
        "DrafterContext: 2 levers, 0 off their default",
    ]
    assert lines[-1].startswith("obsolete: ATLAS_MTP_CARRY_DRAFTER is ignored; ")


def test_json_holds_the_same(environment, capsys):
    environment("ATLAS_DSPARK_SHIFT", "0")
    assert main(["--json", "DFlashLevers"]) == 0
    levers = {lever["field"]: lever for lever in json.loads(capsys.readouterr().out)["levers"]}
    assert len(levers) == 30
    shift = levers["dspark_shift"]
    assert (shift["value"], shift["default"], shift["differs"]) == (False, None, True)
    assert shift["settings"] == {"ATLAS_DSPARK_SHIFT": "0"}


@pytest.mark.parametrize("name", ["NoLevers", "json:JSONDecoder", "missing_module:Levers", ":Levers", "os:"])
def test_what_is_no_group_is_an_error_of_the_caller(name, capsys):
    with pytest.raises(SystemExit) as left:
        main([name])
    assert left.value.code == 2
    assert f"no group of levers: `{name}`" in capsys.readouterr().err


def test_another_teams_group_is_shown_as_a_module(tmp_path):
    (tmp_path / "own.py").write_text(OWN_GROUP, encoding="utf-8")
    command = [sys.executable, "-m", "atlas_levers", "own:OwnLevers"]
    ran = subprocess.run(command, cwd=tmp_path, env={"OWN_ON": "1"}, capture_output=True, text=True)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.splitlines()[:3] == [
        "OwnLevers: 1 levers, 1 off their default (*)",
        "  Ours",
        "  * on  on  default off  OWN_ON='1'",
    ]
