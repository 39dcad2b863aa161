"""Compare the start of leverlint with the start of Python.

python bench/startup.py [--rounds N]
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    rounds = parser.parse_args().rounds
    leverlint = os.path.join(os.path.dirname(sys.executable), "leverlint")
    with tempfile.TemporaryDirectory() as project:
        with open(os.path.join(project, "app.py"), "w", encoding="utf-8") as file:
            file.write('import os\n\nTRACE = os.environ.get("ATLAS_TRACE")\n')
        floor = least([sys.executable, "-c", "pass"], project, rounds)
        print(f"python -c pass            {floor * 1000:6.1f} ms")
        for arguments in (["--version"], ["check", "--no-cache"], ["check"]):
            taken = least([leverlint, *arguments], project, rounds)
            print(f"leverlint {' '.join(arguments):16}{taken * 1000:6.1f} ms  {taken / floor:4.1f} x")


def least(command: Sequence[str], directory: str, rounds: int) -> float:
    """Give the shortest of several runs: the rest is what else the machine was doing."""
    taken = []
    for _ in range(rounds):
        start = time.perf_counter()
        subprocess.run(command, cwd=directory, stdout=subprocess.DEVNULL, check=False)
        taken.append(time.perf_counter() - start)
    return min(taken)


if __name__ == "__main__":
    main()
