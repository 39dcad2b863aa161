"""`GemmDispatch`: which GEMM implementation each projection takes."""

from dataclasses import dataclass

from atlas_levers.declare import choice, kill_switch, opt_in
from atlas_levers.group import Levers


@dataclass(frozen=True, slots=True, repr=False)
class GemmDispatch(Levers):
    """Which GEMM implementation each projection takes."""

    # --- FP8 ---

    fp8_blockscaled_prefill: bool = kill_switch("ATLAS_FP8_SINGLE_SCALE")
    """Prefill scales FP8 weights by blocks of 128 and activations by token. The default since
    2026-06-17: a single scale loses range and flips the argmax in long contexts (drift gauge about
    1400, with blocks 100). Off at `ATLAS_FP8_SINGLE_SCALE=1`."""

    # --- GEMM path ---

    cublas_gemm: bool = opt_in("ATLAS_CUBLAS_GEMM")
    """BF16 through cuBLASLt; on GB10 the projection kernels written by hand reach about 30 % of
    what it does. On at `ATLAS_CUBLAS_GEMM=1`."""

    cublas_fp8: bool = opt_in("ATLAS_CUBLAS_FP8")
    """FP8 through cuBLASLt, natively. On at `ATLAS_CUBLAS_FP8=1`."""

    cutlass_gemm: bool = opt_in("ATLAS_CUTLASS_GEMM")
    """Dense projections in BF16 through CUTLASS. On at `ATLAS_CUTLASS_GEMM=1`."""

    cutlass_nvfp4_gemm: bool = opt_in("ATLAS_CUTLASS_NVFP4_GEMM")
    """NVFP4 through CUTLASS, natively: the umbrella, which switches on the four projections that
    follow, but not the SSM output. On at `ATLAS_CUTLASS_NVFP4_GEMM=1`."""

    cutlass_nvfp4_qkvz: bool = opt_in("ATLAS_CUTLASS_NVFP4_QKVZ", implied_by="cutlass_nvfp4_gemm")
    """NVFP4 for the fused QKVZ projection. On at `ATLAS_CUTLASS_NVFP4_QKVZ=1` or by the umbrella."""

    cutlass_nvfp4_attn_q: bool = opt_in("ATLAS_CUTLASS_NVFP4_ATTN_Q", implied_by="cutlass_nvfp4_gemm")
    """NVFP4 for Q of attention. On at `ATLAS_CUTLASS_NVFP4_ATTN_Q=1` or by the umbrella."""

    cutlass_nvfp4_attn_kv: bool = opt_in("ATLAS_CUTLASS_NVFP4_ATTN_KV", implied_by="cutlass_nvfp4_gemm")
    """NVFP4 for K and V of attention. On at `ATLAS_CUTLASS_NVFP4_ATTN_KV=1` or by the umbrella."""

    cutlass_nvfp4_attn_o: bool = opt_in("ATLAS_CUTLASS_NVFP4_ATTN_O", implied_by="cutlass_nvfp4_gemm")
    """NVFP4 for O of attention. On at `ATLAS_CUTLASS_NVFP4_ATTN_O=1` or by the umbrella."""

    cutlass_nvfp4_ssm_out: bool = opt_in("ATLAS_CUTLASS_NVFP4_SSM_OUT")
    """NVFP4 for the output projection of the SSM. On at `ATLAS_CUTLASS_NVFP4_SSM_OUT=1` alone: the
    umbrella leaves it as it is."""

    w4a16_variant: int = choice("ATLAS_W4A16_VARIANT", {"v1": 1, "v2": 2, "v3": 3}, default=0)
    """Pins the W4A16 kernel: `ATLAS_W4A16_VARIANT` is `v1`, `v2` or `v3`, in lower case. 0, from
    anything else, lets the engine choose (v2)."""

    def cutlass_nvfp4_attn_qkv(self, label: str) -> bool:
        """Whether the projection of that name runs in NVFP4; one without a lever follows the umbrella."""
        match label:
            case "q_proj":
                return self.cutlass_nvfp4_attn_q
            case "k_proj" | "v_proj":
                return self.cutlass_nvfp4_attn_kv
            case _:
                return self.cutlass_nvfp4_gemm
