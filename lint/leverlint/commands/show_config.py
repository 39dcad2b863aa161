"""`leverlint check --show-config`: the settings that hold for a path, as TOML, and who set them."""

import os
from collections.abc import Mapping, Sequence

from leverlint.config import COMMAND_LINE, Config


def show_config(settings: Config, paths: Sequence[str]) -> int:
    for path in paths or [os.curdir]:
        relative = os.path.relpath(path, settings.root).replace(os.sep, "/")
        if os.path.isdir(path):
            relative = "x" if relative == "." else f"{relative}/x"
        here = settings.for_path(relative)
        print(f"# {path}, in the project {here.root}")
        for key, value in here.settings().items():
            print(f"{key} = {_toml(value)}  # {_origin(here, key)}")
    return 0


def _origin(settings: Config, key: str) -> str:
    origin = settings.sources.get(key)
    if origin is None:
        return "default"
    return COMMAND_LINE if origin.path == COMMAND_LINE else f"{origin.path}:{origin.line}"


def _toml(value: object) -> str:
    if value is None:
        return '"the default set"'
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        entries = ", ".join(f"{_toml(key)} = {_toml(item)}" for key, item in value.items())
        return f"{{ {entries} }}" if entries else "{}"
    if isinstance(value, tuple):
        return f"[{', '.join(map(_toml, value))}]"
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return str(value)
