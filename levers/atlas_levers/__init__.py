"""The levers of the Atlas inference engine, resolved once and carried as frozen data."""

from __future__ import annotations

from atlas_levers.checks import LeverError
from atlas_levers.declare import (
    any_present,
    choice,
    custom,
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
from atlas_levers.group import Levers
from atlas_levers.rust_values import USIZE_MAX, f32, f64, i64, u32, usize

TYPE_CHECKING = False
if TYPE_CHECKING:
    from atlas_levers.dflash import DFlashLevers
    from atlas_levers.drafter import DrafterContext
    from atlas_levers.environment import Environment
    from atlas_levers.gemm import GemmDispatch
    from atlas_levers.inspection import Report
    from atlas_levers.model import ModelLevers

__all__ = [
    "USIZE_MAX",
    "DFlashLevers",
    "DrafterContext",
    "GemmDispatch",
    "LeverError",
    "Levers",
    "ModelLevers",
    "any_present",
    "choice",
    "custom",
    "describe",
    "f32",
    "f64",
    "i64",
    "kill_present",
    "kill_switch",
    "nested",
    "opt_in",
    "opt_out",
    "parsed",
    "present",
    "tri_state",
    "truthy",
    "truthy_exact",
    "u32",
    "usize",
]

__version__ = "0.1.0"

GROUPS = {
    "ModelLevers": "atlas_levers.model",
    "DFlashLevers": "atlas_levers.dflash",
    "GemmDispatch": "atlas_levers.gemm",
    "DrafterContext": "atlas_levers.drafter",
}
"""Where each group lives. dataclass takes 2 ms to make one: who imports a group pays for that one."""


def __getattr__(name: str) -> object:
    if name not in GROUPS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    group: object = getattr(import_module(GROUPS[name]), name)
    globals()[name] = group
    return group


def describe(*groups: type[Levers], environ: Environment | None = None) -> Report:
    """What each lever of the groups (all four by default) is and what an environment makes of it."""
    from atlas_levers.inspection import inspected

    return inspected(groups, environ)
