"""What a type checker makes of a group: every field has the type that it is declared with."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

CONSUMER = """\
from dataclasses import dataclass, replace
from typing import assert_type

from atlas_levers import (
    DFlashLevers, DrafterContext, GemmDispatch, Levers, ModelLevers,
    choice, custom, kill_present, nested, opt_in, parsed, tri_state, usize,
)

assert_type(ModelLevers.get(), ModelLevers)
assert_type(ModelLevers.get().kv_poison, bool)
assert_type(ModelLevers.from_env({}).moe_prefill_exact_tiles, bool | None)
assert_type(ModelLevers.defaults().draft_conf_tau, float)
assert_type(ModelLevers.get().drafter.carry, bool)
assert_type(DrafterContext.BOTH, DrafterContext)
assert_type(DFlashLevers.get().draft_cap, int | None)
assert_type(GemmDispatch.from_env({b"A": b"1"}).w4a16_variant, int)
assert_type(replace(ModelLevers.get(), max_decode_seqs=8), ModelLevers)


@dataclass(frozen=True, slots=True)
class Ours(Levers, obsolete={"OLD": "set NEW=1"}):
    on: bool = opt_in("ON", aliases=("NEW",))
    off: bool = kill_present("NO_OFF")
    tri: bool | None = tri_state("TRI")
    many: int = parsed("MANY", usize, default=3, clamp=(1, 8))
    some: int | None = parsed("SOME", usize, default=None)
    word: str = choice("WORD", {"a": "A"}, default="B")
    area: int = custom("W", "H", decode=lambda w, h: len(w) * len(h), default=0)
    drafter: DrafterContext = nested(DrafterContext)


assert_type(Ours.get(), Ours)
assert_type(Ours(on=True).many, int)
"""

WRONG = """\
from dataclasses import dataclass

from atlas_levers import DrafterContext, Levers, ModelLevers, nested, opt_in, parsed, tri_state, usize


@dataclass(frozen=True, slots=True)
class Wrong(Levers):
    one: str = opt_in("ONE")
    two: bool = tri_state("TWO")
    three: int = parsed("THREE", usize, default=None)
    four: ModelLevers = nested(DrafterContext)


ModelLevers.get().kv_poisn
ModelLevers.get().kv_poison = True
"""


def check(path, *command):
    return subprocess.run([*command, path], capture_output=True, text=True, cwd=Path(path).parent)


@pytest.mark.slow
def test_mypy_knows_every_field(tmp_path):
    mypy = (sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path))
    right, wrong = tmp_path / "right.py", tmp_path / "wrong.py"
    right.write_text(CONSUMER, encoding="utf-8")
    wrong.write_text(WRONG, encoding="utf-8")
    accepted, refused = check(right, *mypy), check(wrong, *mypy)
    assert accepted.returncode == 0, accepted.stdout
    assert [line.split(":")[1] for line in refused.stdout.splitlines()[:-1]] == [
        "8",
        "9",
        "10",
        "11",
        "14",
        "15",
    ]


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("pyright") is None, reason="no pyright on this machine")
def test_pyright_knows_every_field(tmp_path):
    right, wrong = tmp_path / "right.py", tmp_path / "wrong.py"
    right.write_text(CONSUMER, encoding="utf-8")
    wrong.write_text(WRONG, encoding="utf-8")
    pyright = ("pyright", "--pythonpath", sys.executable)
    accepted, refused = check(right, *pyright), check(wrong, *pyright)
    assert accepted.returncode == 0, accepted.stdout
    lines = [line.split(":")[1] for line in refused.stdout.splitlines() if " - error: " in line]
    assert sorted(set(lines), key=int) == ["8", "9", "10", "11", "14", "15"]
