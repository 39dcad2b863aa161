"""Compare leverlint with `ast-grep scan` and `rg -c` on a tree, alternating in one run.

    python bench/speed.py TREE PREFIX [--rounds N]

Needs `ast-grep` and `rg` on the path (PyPI's `ast-grep-cli`, Debian's `ripgrep`). Only ratios
are worth quoting: absolute times depend on the machine and on what else runs there.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence

_PYTHON = ('os.environ.get("$N", $$$)', 'os.environ["$N"]', 'os.getenv("$N", $$$)')
_RUST = ("std::env::var($N)", "env::var($N)", "std::env::var_os($N)")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tree")
    parser.add_argument("prefix")
    parser.add_argument("--rounds", type=int, default=7)
    arguments = parser.parse_args()
    tree = os.path.abspath(arguments.tree)
    with tempfile.TemporaryDirectory() as scratch:
        rules = os.path.join(scratch, "rules.yml")
        with open(rules, "w", encoding="utf-8") as file:
            file.write("\n---\n".join(_rules()))
        cache = os.path.join(scratch, "cache")
        leverlint = [
            os.path.join(os.path.dirname(sys.executable), "leverlint"),
            *("check", tree, "--isolated", "--prefix", arguments.prefix, "--tests", "check"),
            *("--output-format", "concise", "--exit-zero"),
        ]
        contenders: dict[str, Callable[[], None]] = {
            "leverlint cold": lambda: _run([*leverlint, "--no-cache"], tree),
            "leverlint warm": lambda: _run([*leverlint, "--cache-dir", cache], tree),
            "ast-grep scan": lambda: _run(["ast-grep", "scan", "--rule", rules, tree], tree),
            "rg -c": lambda: _run(["rg", "-c", arguments.prefix, tree], tree),
        }
        report(contenders, arguments.rounds)


def report(contenders: dict[str, Callable[[], None]], rounds: int) -> None:
    """Run every contender once a round, and print medians and ratios."""
    for contender in contenders.values():
        contender()
    taken: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(rounds):
        for name, contender in contenders.items():
            start = time.perf_counter()
            contender()
            taken[name].append(time.perf_counter() - start)
    medians = {name: statistics.median(times) * 1000 for name, times in taken.items()}
    for name, median in medians.items():
        print(f"{name:16}{median:9.1f} ms   least {min(taken[name]) * 1000:9.1f} ms")
    print(f"cold: {medians['ast-grep scan'] / medians['leverlint cold']:.1f} x as fast as ast-grep scan")
    print(f"warm: {medians['leverlint warm'] / medians['rg -c']:.1f} x the time of rg -c")


def _rules() -> list[str]:
    return [
        f"id: read-{language}-{number}\nlanguage: {language}\nrule:\n  pattern: '{pattern}'"
        for language, patterns in (("Python", _PYTHON), ("Rust", _RUST))
        for number, pattern in enumerate(patterns)
    ]


def _run(command: Sequence[str], directory: str) -> None:
    if shutil.which(command[0]) is None:
        raise SystemExit(f"{command[0]} is not installed")
    subprocess.run(command, cwd=directory, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)


if __name__ == "__main__":
    main()
