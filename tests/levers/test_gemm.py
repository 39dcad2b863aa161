import pytest

from atlas_levers import GemmDispatch

IMPLIED = ("cutlass_nvfp4_qkvz", "cutlass_nvfp4_attn_q", "cutlass_nvfp4_attn_kv", "cutlass_nvfp4_attn_o")


@pytest.mark.parametrize("own", [None, "0", "1", "", "false"])
def test_the_umbrella_implies_its_four_projections_whatever_they_say(own):
    environ = {"ATLAS_CUTLASS_NVFP4_GEMM": "1"}
    if own is not None:
        environ |= {f"ATLAS_{field.upper()}": own for field in (*IMPLIED, "cutlass_nvfp4_ssm_out")}
    levers = GemmDispatch.from_env(environ)
    assert all(getattr(levers, field) for field in IMPLIED)
    assert levers.cutlass_nvfp4_ssm_out == (own == "1")


@pytest.mark.parametrize("field", [*IMPLIED, "cutlass_nvfp4_ssm_out"])
def test_each_projection_stands_alone_without_the_umbrella(field):
    levers = GemmDispatch.from_env({f"ATLAS_{field.upper()}": "1", "ATLAS_CUTLASS_NVFP4_GEMM": "true"})
    assert levers == GemmDispatch(**{field: True})


@pytest.mark.parametrize(
    ("label", "field"),
    [
        ("q_proj", "cutlass_nvfp4_attn_q"),
        ("k_proj", "cutlass_nvfp4_attn_kv"),
        ("v_proj", "cutlass_nvfp4_attn_kv"),
        ("o_proj", "cutlass_nvfp4_gemm"),
        ("", "cutlass_nvfp4_gemm"),
    ],
)
def test_a_projection_is_found_by_its_label(label, field):
    assert GemmDispatch(**{field: True}).cutlass_nvfp4_attn_qkv(label)
    others = {other: True for other in (*IMPLIED, "cutlass_nvfp4_gemm") if other != field}
    assert not GemmDispatch(**others).cutlass_nvfp4_attn_qkv(label)
