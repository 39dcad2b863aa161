"""A small project with levers, for the clients to work on."""

import subprocess
from pathlib import Path

FILES = {
    "leverlint.toml": """\
prefixes = ["DEMO_"]
resolvers = ["engine/levers.py", "kernel/src/levers.rs"]
""",
    "engine/__init__.py": "",
    "engine/levers.py": '''\
"""Resolves the levers, once."""

import os
from dataclasses import dataclass


@dataclass(frozen=True)
class Levers:
    poison: bool
    tokens: int
    trace: bool

    @classmethod
    def get(cls) -> "Levers":
        return _LEVERS


def _resolve() -> Levers:
    return Levers(
        poison=os.environ.get("DEMO_POISON") == "1",
        tokens=int(os.environ.get("DEMO_TOKENS", "4")),
        trace=os.environ.get("DEMO_TRACE") == "1",
    )


_LEVERS = _resolve()
''',
    "engine/flags.py": """\
import os


def flag(name: str) -> bool:
    return os.environ.get(name) == "1"
""",
    "engine/decode.py": """\
import os

from engine.flags import flag
from engine.levers import Levers


def decode(batch):
    label = "\U0001f600é"; poison = flag("DEMO_POISON")
    if poison or Levers.get().trace:
        return label
    return batch[: int(os.environ.get("DEMO_TOKENS", "4"))]
""",
    "kernel/Cargo.toml": """\
[package]
name = "kernel"
version = "0.1.0"
edition = "2021"
""",
    "kernel/src/lib.rs": """\
pub mod levers;

pub fn launch() -> bool {
    let label = "\U0001f600é"; let poison = std::env::var("DEMO_KERNEL").as_deref() == Ok("1");
    poison && !label.is_empty() && levers::levers().graph
}
""",
    "kernel/src/levers.rs": """\
use std::sync::OnceLock;

pub struct Levers {
    pub graph: bool,
}

pub fn levers() -> &'static Levers {
    static LEVERS: OnceLock<Levers> = OnceLock::new();
    LEVERS.get_or_init(|| Levers { graph: std::env::var("DEMO_GRAPH").as_deref() == Ok("1") })
}
""",
}


WIDE = "\U0001f600é"
"""What stands before reads, to see how a client counts columns: in UTF-16 it has three units."""


def write(root: Path, plain: bool) -> None:
    """Write the project into a new folder, as a git repository; a plain one is ASCII."""
    for name, text in FILES.items():
        text = text.replace(WIDE, "wide") if plain else text
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    subprocess.run(["git", "init", "--quiet", str(root)], check=True)
