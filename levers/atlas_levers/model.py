"""`ModelLevers`: all that the kernel paths of a model branch on, GEMM dispatch apart."""

from dataclasses import dataclass

from atlas_levers.declare import (
    kill_present,
    kill_switch,
    nested,
    opt_in,
    opt_out,
    parsed,
    present,
    tri_state,
    truthy,
    truthy_exact,
)
from atlas_levers.drafter import DrafterContext
from atlas_levers.group import Levers
from atlas_levers.rust_values import f32, usize


@dataclass(frozen=True, slots=True, repr=False)
class ModelLevers(Levers):
    """All that the kernel paths of a model branch on, GEMM dispatch apart."""

    # --- SSM/GDN recurrence ---

    gdn_regresident: bool = kill_switch("ATLAS_NO_GDN_REGRESIDENT")
    """The GDN state stays in registers from chunk to chunk of a prefill, which takes 7.25 % off the
    wall time. Off at `ATLAS_NO_GDN_REGRESIDENT=1`."""

    gdn_batched_fla: bool = opt_in("ATLAS_GDN_BATCHED_FLA")
    """Batched flash-linear attention where GDN decodes more than one sequence. On at
    `ATLAS_GDN_BATCHED_FLA=1`."""

    gdn_wy17: bool = opt_out("ATLAS_GDN_WY17")
    """GDN recurrence by the WY17 kernel. Off at `ATLAS_GDN_WY17=0`."""

    gdn_wyn: bool = opt_out("ATLAS_GDN_WYN")
    """GDN recurrence by the WY-N kernel. Off at `ATLAS_GDN_WYN=0`."""

    ssm_w4a4: bool = kill_present("ATLAS_NO_SSM_W4A4")
    """SSM projections in FP4 (W4A4), natively, where N is at least 512. Off when
    `ATLAS_NO_SSM_W4A4` is set, whatever the value."""

    ssd: bool = kill_present("ATLAS_NO_SSD")
    """SSD scan in chunks in place of the sequential one, where it fits in shared memory: with a state
    of 96 it does, with 128 not. Off when `ATLAS_NO_SSD` is set, whatever the value."""

    ssm_persistent: bool = kill_present("ATLAS_NO_SSM_PERSISTENT")
    """SSM prefill by one kernel that holds the state in shared memory; matters where SSD is not to
    be had. Off when `ATLAS_NO_SSM_PERSISTENT` is set, whatever the value."""

    ssm_gemv_batch4: bool = opt_out("ATLAS_SSM_GEMV_BATCH4")
    """SSM projections by GEMVs of four, for n up to 16 and where there is such a kernel. Off at
    `ATLAS_SSM_GEMV_BATCH4=0`."""

    gdn_fused_conv: bool = opt_in("ATLAS_GDN_FUSED_CONV")
    """Convolution and F32 norm of GDN in one kernel, for head shapes that allow it. On at
    `ATLAS_GDN_FUSED_CONV=1`."""

    # --- FFN ---

    gemv_sw: bool = kill_switch("ATLAS_NO_GEMV_SW")
    """Decode GEMVs (w4a16, plain and dual) by one warp in place of 64 threads, without loss. Off at
    `ATLAS_NO_GEMV_SW=1`."""

    decode_ffn_via_gemm: bool = opt_in("ATLAS_DECODE_FFN_VIA_GEMM")
    """The FFN of a decode runs as a tile GEMM, not as a scalar GEMV. On at
    `ATLAS_DECODE_FFN_VIA_GEMM=1`."""

    ffn_small_m: bool = opt_out("ATLAS_FFN_SMALLM")
    """Tiles for small M in the FFN's GEMM. Off at `ATLAS_FFN_SMALLM=0`."""

    decode_split_silu: bool = kill_present("ATLAS_NO_DECODE_SPLIT_SILU")
    """Decode writes SiLU times up to a buffer and runs the down GEMV on it, in place of the fused
    kernel. Off when `ATLAS_NO_DECODE_SPLIT_SILU` is set, whatever the value; under a LoRA adapter the
    split is made in any case."""

    # --- MoE ---

    holo_moe_down_fp4: bool = truthy("ATLAS_HOLO_MOE_DOWN_FP4")
    """Down projection in the holo layout of FP4. On at `ATLAS_HOLO_MOE_DOWN_FP4=1` or `true` in any
    case."""

    holo_moe_gateup_fp4: bool = truthy("ATLAS_HOLO_MOE_GATEUP_FP4")
    """Gate and up projections in the holo layout of FP4. On at `ATLAS_HOLO_MOE_GATEUP_FP4=1` or
    `true` in any case."""

    fp32_routing: bool = opt_in("ATLAS_FP32_ROUTING")
    """The norm ahead of the MoE stays FP32, so that the gate routes at full precision: in bf16
    experts flip on gfx1151. On at `ATLAS_FP32_ROUTING=1`, and four conditions on weights and kernels
    must hold as well."""

    fp32_gate: bool = opt_in("ATLAS_FP32_GATE")
    """The same for the batched gate. On at `ATLAS_FP32_GATE=1`."""

    moe_grouped_cutlass: bool = opt_in("ATLAS_HOLO_MOE_GROUPED_CUTLASS")
    """Gate and up of all experts in one CUTLASS launch (NVFP4), in place of the fused FP4 and FP8
    kernels. On at `ATLAS_HOLO_MOE_GROUPED_CUTLASS=1`."""

    moe_grouped_down: bool = opt_in("ATLAS_HOLO_MOE_GROUPED_DOWN")
    """Down goes the same way; without `moe_grouped_cutlass` this does nothing. On at
    `ATLAS_HOLO_MOE_GROUPED_DOWN=1`."""

    moe_prefill_exact_tiles: bool | None = tri_state("ATLAS_MOE_PREFILL_EXACT_TILES")
    """Whether tiles are counted exactly: `ATLAS_MOE_PREFILL_EXACT_TILES=1` yes (p90 4.9 % up, of
    5.0 % allowed), `ATLAS_MOE_PREFILL_EXACT_TILES=0` no (p90 5.0 % down, median within 1 %), `None`
    as the checkpoint says. Never while a graph is captured."""

    moe_prefill_max_load_factor: int | None = parsed(
        "ATLAS_MOE_PREFILL_MAX_LOAD_FACTOR", usize, default=None, unset=0
    )
    """Where tiles are not counted exactly: how many times the average load an expert is given tiles
    for, a `usize` from `ATLAS_MOE_PREFILL_MAX_LOAD_FACTOR`. `None`, also from 0: for the worst case."""

    moe_prefill_zero: bool = opt_in("ATLAS_MOE_PREFILL_ZERO")
    """Clears the grouped scratch before each dispatch, about 138 MB a layer on Holo; expert
    parallelism does so anyway. On at `ATLAS_MOE_PREFILL_ZERO=1`."""

    moe_prefill_fp8_down: bool = opt_in("ATLAS_MOE_PREFILL_FP8_DOWN")
    """Routed down projection by a grouped FP8 GEMM. On at `ATLAS_MOE_PREFILL_FP8_DOWN=1`."""

    moe_zero_intermediates: bool = kill_present("ATLAS_MOE_NO_ZERO_INTERMEDIATES")
    """Clears reused buffers before each dispatch, lest a row nobody writes shows activations of the
    last request. Off when `ATLAS_MOE_NO_ZERO_INTERMEDIATES` is set, whatever the value."""

    moe_w4a4: bool = present("ATLAS_MOE_W4A4")
    """Grouped up projection in W4A4 where N is at least 512. On when `ATLAS_MOE_W4A4` is set,
    whatever the value."""

    shared_w4a4: bool = kill_present("ATLAS_NO_SHARED_W4A4")
    """Up projection of the shared expert in W4A4 where N is at least 512. Off when
    `ATLAS_NO_SHARED_W4A4` is set, whatever the value."""

    shared_w4a4_down: bool = present("ATLAS_SHARED_W4A4_DOWN")
    """Its down projection in W4A4, which is heavy-tailed and therefore has its own lever. On when
    `ATLAS_SHARED_W4A4_DOWN` is set, whatever the value."""

    moe_legacy_pertoken_decode: bool = opt_in("ATLAS_MOE_LEGACY_PERTOKEN_DECODE")
    """Decodes by the older kernel, token by token, in place of the token-major one. On at
    `ATLAS_MOE_LEGACY_PERTOKEN_DECODE=1`."""

    # --- Prefill GEMM ---

    bf16_tc_prefill: bool = present("ATLAS_BF16_TC_PREFILL")
    """Prefill GEMM in BF16 on tensor cores; whether v1 or v2 is settled first, where it is called.
    On when `ATLAS_BF16_TC_PREFILL` is set, whatever the value."""

    fp8_m64_prefill: bool = present("ATLAS_FP8_M64_PREFILL")
    """Prefill GEMM in FP8 (e4m3) with tiles of M=64: about 1.47 times as fast as v2 in BF16, with
    loss (cosine 0.9997). On when `ATLAS_FP8_M64_PREFILL` is set, whatever the value."""

    int8_prefill: bool = present("ATLAS_INT8_PREFILL")
    """Prefill GEMM requantised to int8 (cosine 0.999978 to the dequantised one). On when
    `ATLAS_INT8_PREFILL` is set, whatever the value."""

    int8_faith5: bool = present("ATLAS_INT8_FAITH5")
    """The int8 kernel sums up sub-blocks in int32, a shorter way from product to scale; nothing else
    changes. On when `ATLAS_INT8_FAITH5` is set, whatever the value."""

    ffn_nvfp4_mmq: bool = kill_present("ATLAS_NO_FFN_NVFP4_MMQ")
    """Gate and up by the NVFP4 MMQ kernel (W4A4), about 80 TFLOP/s in place of 51. Off when
    `ATLAS_NO_FFN_NVFP4_MMQ` is set, whatever the value."""

    ffn_nvfp4_mmq_down: bool = kill_present("ATLAS_NO_FFN_NVFP4_MMQ_DOWN")
    """Down by the same kernel, 34 TFLOP/s without; a lever of its own because of down's heavy tail
    (W4A4 cosine 0.9961). Off when `ATLAS_NO_FFN_NVFP4_MMQ_DOWN` is set, whatever the value."""

    ffn_mmq: bool = present("ATLAS_FFN_MMQ")
    """FFN by the Q4_K MMQ kernel. On when `ATLAS_FFN_MMQ` is set, whatever the value."""

    ffn_mmq_down_q4k: bool = present("ATLAS_FFN_MMQ_DOWN_Q4K")
    """Down in Q4_K as well, not in the NVFP4 hybrid that loses next to nothing: 4.0 % worse on BFCL
    multiple. On when `ATLAS_FFN_MMQ_DOWN_Q4K` is set, whatever the value."""

    fp4_prefill: bool = present("ATLAS_FP4_PREFILL")
    """Prefill on FP4 tensor cores (W4A4, sm_121a), on NVFP4 weights as they are; with loss (cosine
    about 0.99). On when `ATLAS_FP4_PREFILL` is set, whatever the value."""

    prefill_v2: bool = kill_present("ATLAS_DISABLE_PREFILL_V2")
    """Version 2 of the BF16 kernel: faster than version 1, and the same bit for bit. Off when
    `ATLAS_DISABLE_PREFILL_V2` is set, whatever the value, to compare times to first token."""

    # --- Attention ---

    dflash_contig_attn: bool = opt_in("ATLAS_DFLASH_CONTIG_ATTN")
    """The DFlash head's attention runs on contiguous memory. On at `ATLAS_DFLASH_CONTIG_ATTN=1`."""

    mla_perseq_fallback: bool = truthy_exact("ATLAS_MLA_PERSEQ_FALLBACK")
    """MLA takes the sequences of a batch one by one. On at `ATLAS_MLA_PERSEQ_FALLBACK=1` or `true`."""

    hc_perseq_decode: bool = opt_in("ATLAS_HC_PERSEQ_DECODE")
    """Hyper-connections decode sequences one by one. On at `ATLAS_HC_PERSEQ_DECODE=1`."""

    bf16_tc_proj: bool = present("ATLAS_BF16_TC_PROJ")
    """Projections from FP4 to BF16, then on tensor cores, with no activation squeezed into FP8 E4M3.
    On when `ATLAS_BF16_TC_PROJ` is set, whatever the value."""

    weight_pre_rotated: bool = truthy("TQ_PLUS_WEIGHT_ROTATION")
    """The checkpoint comes with its attention weights Hadamard-rotated, so loading must not rotate
    them. On at `TQ_PLUS_WEIGHT_ROTATION=1` or `true` in any case."""

    # --- LoRA ---

    lora_eager: bool = truthy("ATLAS_LORA_EAGER")
    """Merges an adapter when it is loaded, not in each forward pass. On at `ATLAS_LORA_EAGER=1` or
    `true` in any case."""

    lora_rotate: bool = truthy("ATLAS_LORA_ROTATE")
    """Lets adapters be swapped while the model serves. On at `ATLAS_LORA_ROTATE=1` or `true` in any
    case."""

    # --- Graphs ---

    ep_graphs: bool = truthy_exact("ATLAS_EP_GRAPHS")
    """CUDA graphs under expert parallelism, which takes NCCL 2.9. On at `ATLAS_EP_GRAPHS=1` or
    `true`."""

    gdn_decode_graph: bool = truthy_exact("ATLAS_GDN_DECODE_GRAPH")
    """One graph for the whole decode of a token by tensor-parallel GDN: some 130 kernels and every
    layer's all-reduces. On at `ATLAS_GDN_DECODE_GRAPH=1` or `true`."""

    # --- Speculation ---

    draft_conf_tau: float = parsed("ATLAS_MTP_DRAFT_CONF", f32, default=0.0, clamp=(0.0, 0.99))
    """The least top-1 probability along a chain of drafts below which it is dropped and the next step
    decodes serially; an `f32` from `ATLAS_MTP_DRAFT_CONF`, held within 0 (never) and 0.99. On the
    35B MoE at K=1 verifying takes about 35 ms, decoding and proposing 21: a draft that is accepted
    less than 66 times in 100 does not pay."""

    shadow_topk: int = parsed("ATLAS_MTP_SHADOW_TOPK", usize, default=0, clamp=(0, 8))
    """Logs that many of the drafter's best candidates and changes nothing; a `usize` from
    `ATLAS_MTP_SHADOW_TOPK`, at most 8."""

    drafter: DrafterContext = nested(DrafterContext)  # noqa: RUF009 (a field, not a default)
    """What the drafter keeps of the context: `ATLAS_NO_DRAFTER_CONTEXT=1` nothing,
    `ATLAS_DRAFTER_PREFILL_ONLY=1` nothing from turn to turn."""

    # --- Serving ---

    max_decode_seqs: int = 1
    """The largest decode batch, a `u32`. Not from the environment: the model build writes what
    `--max-batch-size` says. The number of attention splits follows it, so that a sequence is summed
    up in the same order whether it decodes alone or among fifteen."""

    # --- Diagnostics ---

    moe_union_stats: bool = opt_in("ATLAS_MOE_UNION_STATS")
    """Counts, layer by layer, the experts that a batch touches between them. On at
    `ATLAS_MOE_UNION_STATS=1`."""

    frankenstein_decode_via_prefill: bool = opt_in("ATLAS_FRANKENSTEIN_DECODE_VIA_PREFILL")
    """Decodes DFlash's five capture layers by the MoE kernel of prefill, to see whether the decode
    kernel costs acceptance. Takes about 250 us a layer, 1.25 of 58 ms a token. On at
    `ATLAS_FRANKENSTEIN_DECODE_VIA_PREFILL=1`."""

    k2_diag: bool = opt_in("ATLAS_K2_DIAG")
    """Watches routed decode with K=2. On at `ATLAS_K2_DIAG=1`."""

    k4_diag: bool = opt_in("ATLAS_K4_DIAG")
    """Watches chains being widened with K=4. On at `ATLAS_K4_DIAG=1`."""

    gemma4_diag: bool = truthy("ATLAS_DIAG_GEMMA4")
    """Norm of the hidden state behind each layer of a Gemma-4 decode, at a copy to the host a layer.
    On at `ATLAS_DIAG_GEMMA4=1` or `true` in any case."""

    dflash_debug_dump_full: bool = opt_in("ATLAS_DFLASH_DEBUG_DUMP_FULL")
    """The model's part in DFlash's full dump: prints the tokens once, for the reference run. On at
    `ATLAS_DFLASH_DEBUG_DUMP_FULL=1`, together with `DFlashLevers.debug_dump_full`."""

    mtp_debug_norms: bool = opt_in("ATLAS_MTP_DEBUG_NORMS")
    """Norms between the stages of the MTP drafter. On at `ATLAS_MTP_DEBUG_NORMS=1`."""

    moe_max_m_tiles_estimate: bool = present("ATLAS_MOE_MAX_M_TILES_ESTIMATE")
    """Bounds tiles by the average, as of old, to compare: too few if one expert takes every token, so
    never to serve with. On when `ATLAS_MOE_MAX_M_TILES_ESTIMATE` is set, whatever the value."""

    ssm_save_dump: bool = present("ATLAS_SSM_SAVE_DUMP")
    """Fingerprints of the SSM's scratch and state. On when `ATLAS_SSM_SAVE_DUMP` is set, whatever the
    value."""

    decode_batch_log: bool = opt_in("ATLAS_DECODE_BATCH_LOG")
    """Logs who sits where in the batch, step by step. On at `ATLAS_DECODE_BATCH_LOG=1`."""

    ms_profile: bool = opt_in("ATLAS_MS_PROFILE")
    """Times the phases of multi-sequence steps, which then run eagerly. On at `ATLAS_MS_PROFILE=1`;
    `ssm_ms_profile` is another lever."""

    conc_hsd: bool = truthy_exact("ATLAS_CONC_HSD")
    """Dumps hidden states sequence by sequence, to see where a batched decode strays. On at
    `ATLAS_CONC_HSD=1` or `true`."""

    ssm_ms_profile: bool = opt_in("ATLAS_SSM_MS_PROFILE")
    """Times the SSM's multi-sequence steps. On at `ATLAS_SSM_MS_PROFILE=1`."""

    ssm_detail_profile: bool = opt_in("ATLAS_SSM_DETAIL_PROFILE")
    """Times what happens inside the batched recurrence. On at `ATLAS_SSM_DETAIL_PROFILE=1`."""

    kv_poison: bool = opt_in("ATLAS_KV_POISON")
    """Fills new KV blocks with NaN, not zeros, so that reading what nobody wrote shows: kernels see
    other data. On at `ATLAS_KV_POISON=1`."""
