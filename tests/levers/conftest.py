"""What the Rust program in `fixtures/levers/golden` says about values."""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

GOLDEN = Path(__file__).parents[2] / "fixtures" / "levers" / "golden"


@pytest.fixture(scope="session")
def rust_decodings(tmp_path_factory) -> Callable[[str], str]:
    """The program, compiled afresh: takes the lines of a corpus and gives those of its vectors."""
    compiler = shutil.which("rustc")
    if compiler is None:
        pytest.skip("rustc is not on this machine; the vectors that it printed are tested everywhere")
    program = tmp_path_factory.mktemp("golden") / "decodings"
    subprocess.run([compiler, "-O", "--edition=2021", "-o", program, GOLDEN / "decodings.rs"], check=True)

    def run(corpus: str) -> str:
        ran = subprocess.run([program], input=corpus.encode(), capture_output=True, check=True)
        return ran.stdout.decode()

    return run
