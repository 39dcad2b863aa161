"""`DFlashLevers`: what the DFlash and DSpark drafter heads do, and what they dump about it."""

from dataclasses import dataclass

from atlas_levers.declare import any_present, opt_in, opt_out, parsed, tri_state
from atlas_levers.group import Levers
from atlas_levers.rust_values import USIZE_MAX, f32, usize


@dataclass(frozen=True, slots=True, repr=False)
class DFlashLevers(Levers):
    """What the DFlash and DSpark drafter heads do, and what they dump about it."""

    # --- Graphs ---

    any_diagnostic_armed: bool = any_present(
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
    )
    """Keeps propose out of CUDA graphs, in which a dump or a log would be replayed unnoticed. On as
    soon as one of the eleven variables is set: `0` and an empty value count, too."""

    propose_warmup_n: int = parsed("ATLAS_DFLASH_PROPOSE_WARMUP_N", usize, default=2)
    """Eager passes before a graph is captured, a `usize`; the two of the default bring the kernel
    cache, the clocks and L2 up. From `ATLAS_DFLASH_PROPOSE_WARMUP_N`."""

    # --- Path selection ---

    option_b: bool = opt_out("ATLAS_DFLASH_OPTION_B")
    """Paged drafter cache. Off at `ATLAS_DFLASH_OPTION_B=0`, which launches a GEMV over a weight of
    262 MB for each row of context: when that happened by mistake, a propose went from 19.8 to
    618.7 ms and decoding from 49.9 to 5.5 tokens/s."""

    dflash2: bool = opt_out("ATLAS_DFLASH2")
    """Convolution and selector, given a checkpoint that has them. Off at `ATLAS_DFLASH2=0`."""

    batch_propose_width: int = parsed("ATLAS_DFLASH_BATCH_PROPOSE", usize, default=USIZE_MAX)
    """How many sequences may propose together, a `usize`; 0 and 1 go through them one by one. From
    `ATLAS_DFLASH_BATCH_PROPOSE`, without limit by default. A width, and no switch, so that banding
    faults can be bisected."""

    draft_cap: int | None = parsed("ATLAS_DFLASH_DRAFT_CAP", usize, default=None)
    """How many drafts a propose submits at most, a `usize` from `ATLAS_DFLASH_DRAFT_CAP`; `None`
    leaves it to the head's gamma."""

    # --- Forced inputs ---

    force_pattern: bool = opt_in("ATLAS_DFLASH_DEBUG_FORCE_PATTERN")
    """Puts a known pattern where the target's hidden state was captured. On at
    `ATLAS_DFLASH_DEBUG_FORCE_PATTERN=1`."""

    force_noise_pattern: bool = opt_in("ATLAS_DFLASH_DEBUG_FORCE_NOISE_PATTERN")
    """Puts a known pattern into the noise rows. On at `ATLAS_DFLASH_DEBUG_FORCE_NOISE_PATTERN=1`."""

    force_no_ctx: bool = opt_in("ATLAS_DFLASH_DEBUG_CTX_OFF")
    """Drafts without looking at the context. On at `ATLAS_DFLASH_DEBUG_CTX_OFF=1`."""

    force_ctx_used: int | None = parsed("ATLAS_DFLASH_DEBUG_CTX_USED", usize, default=None)
    """How many rows of context are used, a `usize` from `ATLAS_DFLASH_DEBUG_CTX_USED`; `None` uses
    what there is."""

    # --- DSpark ---

    dspark_markov: bool = opt_out("ATLAS_DSPARK_MARKOV")
    """Sequential Markov correction. Off at `ATLAS_DSPARK_MARKOV=0`: bit for bit the batched argmax."""

    conf_tau: float = parsed("ATLAS_DSPARK_CONF_TAU", f32, default=0.0)
    """What the confidence head must reach, after the sigmoid, for a draft to stand: an `f32` from
    `ATLAS_DSPARK_CONF_TAU`. 0 does without the head."""

    dspark_shift: bool | None = tri_state("ATLAS_DSPARK_SHIFT")
    """Whether rows are shifted: `ATLAS_DSPARK_SHIFT=1` yes, `ATLAS_DSPARK_SHIFT=0` no, `None` as the
    drafter's configuration says."""

    dspark_anchor_bias: bool = opt_out("ATLAS_DSPARK_ANCHOR_BIAS")
    """Row 0 carries the bias of the Markov anchor, and truncation by confidence reckons with it. Off
    at `ATLAS_DSPARK_ANCHOR_BIAS=0`."""

    dspark_conf_trace: bool = opt_in("ATLAS_DSPARK_CONF_TRACE")
    """Logs the confidence head before and after the sigmoid. On at `ATLAS_DSPARK_CONF_TRACE=1`."""

    # --- Diagnostics ---

    debug_dump: bool = opt_in("ATLAS_DFLASH_DEBUG_DUMP")
    """Dumps ten BF16 values, the first, of each key intermediate. On at `ATLAS_DFLASH_DEBUG_DUMP=1`."""

    debug_dump_full: bool = opt_in("ATLAS_DFLASH_DEBUG_DUMP_FULL")
    """Dumps tensors whole. On at `ATLAS_DFLASH_DEBUG_DUMP_FULL=1`, together with
    `ModelLevers.dflash_debug_dump_full`."""

    log_drafts: bool = opt_in("ATLAS_DFLASH_LOG_DRAFTS")
    """Logs what each propose drafted. On at `ATLAS_DFLASH_LOG_DRAFTS=1`."""

    block_dump: bool = opt_in("ATLAS_DFLASH_BLOCK_DUMP")
    """Dumps what goes into and comes out of the block, a binary file a layer. On at
    `ATLAS_DFLASH_BLOCK_DUMP=1`."""

    block_dump_at_pos: int = parsed("ATLAS_DFLASH_BLOCK_DUMP_AT_POS", usize, default=0)
    """Decode position, a `usize`, from which the block dump is armed. From
    `ATLAS_DFLASH_BLOCK_DUMP_AT_POS`."""

    option_b_diag: bool = opt_in("ATLAS_DFLASH_OPTION_B_DIAG")
    """Reads the first K/V row of layer 0 back from the paged cache. On at
    `ATLAS_DFLASH_OPTION_B_DIAG=1`."""

    precompute: bool = opt_in("ATLAS_DFLASH_PRECOMPUTE")
    """Has the forward pass precompute the context's K/V. On at `ATLAS_DFLASH_PRECOMPUTE=1`."""

    precompute_commit: bool = opt_in("ATLAS_DFLASH_PRECOMPUTE_COMMIT")
    """Writes that precomputation to the paged cache, although the forward pass may have no valid
    block table. On at `ATLAS_DFLASH_PRECOMPUTE_COMMIT=1`."""

    option_b_no_ctx: bool = opt_in("ATLAS_DFLASH_OPTION_B_NO_CTX")
    """Tells the layers that there is no context: a fault that stays is not the precomputation's. On
    at `ATLAS_DFLASH_OPTION_B_NO_CTX=1`."""

    verify_trace: bool = opt_in("ATLAS_DFLASH_VERIFY_TRACE")
    """Logs all drafts, those that the cap will cut as well. On at `ATLAS_DFLASH_VERIFY_TRACE=1`."""

    precompute_dump: bool = opt_in("ATLAS_DFLASH_PRECOMPUTE_DUMP")
    """Dumps, once, what the fused GEMM for the context's K/V takes and gives. On at
    `ATLAS_DFLASH_PRECOMPUTE_DUMP=1`."""

    ctx_parity_dump: bool = opt_in("ATLAS_DFLASH_CTX_PARITY_DUMP")
    """Dumps the collected rows of context, once, to be compared with PyTorch. On at
    `ATLAS_DFLASH_CTX_PARITY_DUMP=1`."""

    no_decode_append: bool = opt_in("ATLAS_DFLASH_DEBUG_NO_DECODE_APPEND")
    """Does not add to the context after a decode. On at `ATLAS_DFLASH_DEBUG_NO_DECODE_APPEND=1`."""

    full_precompute: bool = opt_in("ATLAS_DFLASH_DEBUG_FULL_PRECOMPUTE")
    """Recomputes all of the context at each step, in quadratic time. On at
    `ATLAS_DFLASH_DEBUG_FULL_PRECOMPUTE=1`."""

    ctxlen_probe: bool = opt_in("ATLAS_DFLASH_CTXLEN_PROBE")
    """Checks that positions in the context only rise, and logs them each 16 steps. On at
    `ATLAS_DFLASH_CTXLEN_PROBE=1`."""

    def block_dump_armed_at(self, position: int) -> bool:
        """Whether the block dump is due at this decode position."""
        return self.block_dump and position >= self.block_dump_at_pos
