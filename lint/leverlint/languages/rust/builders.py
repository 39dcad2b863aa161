"""Builders of libraries, whose methods give the builder back: `Env::new().filter("X").write_style("Y")`."""

from leverlint.facts import Path
from leverlint.languages.rust.api import API

BUILDERS: frozenset[Path] = frozenset(path[:-1] for path, api in API.items() if api.builds)

MADE_BY: dict[Path, Path] = {
    ("env_logger", "builder"): ("env_logger", "Builder"),
    ("pretty_env_logger", "formatted_builder"): ("env_logger", "Builder"),
    ("pretty_env_logger", "formatted_timed_builder"): ("env_logger", "Builder"),
}
"""Functions that make one and are not called after it."""
MADE_BY_MACRO: dict[str, Path] = {"arg": ("clap", "Arg"), "clap::arg": ("clap", "Arg")}
