"""What the MTP drafter keeps of the context: two halves that only make sense in three states."""

from dataclasses import dataclass

from atlas_levers.declare import kill_switch
from atlas_levers.group import Levers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import ClassVar

_INSTEAD = (
    "prefill and carry are on unless ATLAS_NO_DRAFTER_CONTEXT=1 switches both off"
    " or ATLAS_DRAFTER_PREFILL_ONLY=1 switches carry off"
)


@dataclass(frozen=True, slots=True)
class DrafterContext(
    Levers, obsolete={"ATLAS_MTP_DRAFTER_PREFILL": _INSTEAD, "ATLAS_MTP_CARRY_DRAFTER": _INSTEAD}
):
    """The drafter's policy: both halves, none, or (to measure it) prefill alone."""

    # --- Speculation ---

    prefill: bool = kill_switch("ATLAS_NO_DRAFTER_CONTEXT", aliases=("ATLAS_NO_MTP_DRAFTER_CONTEXT",))
    """Builds the drafter's KV over the whole prompt, from the hidden states that prefill captures,
    before the first propose. Off at `ATLAS_NO_DRAFTER_CONTEXT=1`, which takes carry along whatever
    else is set. Deployed engines spell it `ATLAS_NO_MTP_DRAFTER_CONTEXT`."""

    carry: bool = kill_switch(
        "ATLAS_DRAFTER_PREFILL_ONLY",
        aliases=("ATLAS_MTP_DRAFTER_CONTEXT_PREFILL_ONLY_UNSAFE",),
        requires="prefill",
    )
    """Keeps the drafter's KV from one turn to the next; never without prefill. Off at
    `ATLAS_DRAFTER_PREFILL_ONLY=1`, which loses a measured 927 ms a turn and is for experiments.
    Deployed engines spell it `ATLAS_MTP_DRAFTER_CONTEXT_PREFILL_ONLY_UNSAFE`."""

    if TYPE_CHECKING:
        BOTH: ClassVar["DrafterContext"]
        """Prefill and carry, as shipped."""
        OFF: ClassVar["DrafterContext"]
        """Neither."""

    def announce(self) -> None:
        """Log the policy: without this nobody could tell from the outside which one is in force."""
        from logging import getLogger

        prefill, carry = ("on" if half else "off" for half in (self.prefill, self.carry))
        log = getLogger(__name__)
        if self.prefill and not self.carry:
            log.warning("drafter context: prefill on, carry off: a measured loss of 927 ms a turn")
        else:
            log.info("drafter context: prefill %s, carry %s", prefill, carry)


DrafterContext.BOTH = DrafterContext(prefill=True, carry=True)
DrafterContext.OFF = DrafterContext(prefill=False, carry=False)
