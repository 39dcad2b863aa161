"""The levers of `ModelLevers`, resolved by what a team would use instead.

Each peer gets the same variables, types and defaults in the way that its manual shows. Only the
last two have the engine's decodings; the others have their own, which are no dearer.
"""

import os
from collections.abc import Callable
from typing import Any, NamedTuple

import decouple
import environs
import pydantic
import pydantic_settings

from atlas_levers import ModelLevers
from atlas_levers.declare import Lever


class Variable(NamedTuple):
    field: str
    name: str
    type: type
    default: Any
    decoding: str


def variables() -> list[Variable]:
    """Those of `ModelLevers` but for the nested drafter, which no peer can express."""
    return [
        Variable(field, lever.variables[0], _type(lever), lever.default, lever.decoding)
        for field, lever in ModelLevers.__levers__.items()
        if lever.variables and lever.group is None
    ]


def _type(lever: Lever) -> type:
    if lever.default is not None:
        return type(lever.default)
    return bool if lever.decoding == "tri_state" else int


def with_pydantic_settings() -> type[pydantic_settings.BaseSettings]:
    """Its instances are resolutions."""
    fields: dict[str, Any] = {
        variable.field: (
            variable.type | None,
            pydantic.Field(variable.default, validation_alias=variable.name),
        )
        for variable in variables()
    }
    return pydantic.create_model("Settings", __base__=pydantic_settings.BaseSettings, **fields)


def with_environs() -> dict[str, Callable[[], Any]]:
    env = environs.Env()
    readers = {bool: env.bool, int: env.int, float: env.float}
    return {
        variable.field: lambda variable=variable: readers[variable.type](variable.name, variable.default)
        for variable in variables()
    }


def with_decouple() -> dict[str, Callable[[], Any]]:
    config = decouple.Config(decouple.RepositoryEmpty())
    return {
        variable.field: lambda variable=variable: config(
            variable.name,
            default=variable.default,
            cast=variable.type if variable.default is not None else lambda text: text,
        )
        for variable in variables()
    }


def with_lambdas() -> dict[str, Callable[[], Any]]:
    """The registry of vLLM's `envs.py`: a dict of lambdas, called at each access."""
    source = ",".join(f"{variable.field!r}: lambda: {_read(variable)}" for variable in variables())
    return eval(f"{{{source}}}", {"os": os})


def with_raw_reads() -> Callable[[], dict[str, Any]]:
    """All reads written out in one function."""
    source = ",".join(f"{variable.field!r}: {_read(variable)}" for variable in variables())
    return eval(f"lambda: {{{source}}}", {"os": os})


def _read(variable: Variable) -> str:
    read = f"os.environ.get({variable.name!r})"
    match variable.decoding:
        case "opt_in":
            return f"{read} == '1'"
        case "opt_out":
            return f"{read} != '0'"
        case "kill_switch":
            return f"{read} != '1'"
        case "truthy" | "truthy_exact":
            return f"{read} in ('1', 'true')"
        case "present":
            return f"{variable.name!r} in os.environ"
        case "kill_present":
            return f"{variable.name!r} not in os.environ"
        case "tri_state":
            return f"{{'1': True, '0': False}}.get({read})"
    return f"{variable.type.__name__}(os.environ.get({variable.name!r}, {variable.default or 0}))"
