"""Compare atlas_levers with its peers: reading a lever, resolving all, importing, many threads.

    pip install -r bench/levers/requirements.txt ./levers
    python bench/levers/compare.py

One run measures all contenders in turns, so that ratios hold whatever else the machine does.
"""

import os
import subprocess
import sys
import tempfile
import threading
import time
import timeit
from collections.abc import Callable
from typing import Any

import peers

from atlas_levers import ModelLevers

ROUNDS = 25


class Slotted:
    __slots__ = ("kv_poison",)

    def __init__(self) -> None:
        self.kv_poison = False


def main() -> None:
    for name in [name for name in os.environ if name in ModelLevers.__variables__]:
        del os.environ[name]
    print(f"Python {sys.version.split()[0]}, {len(os.environ)} variables in the environment\n")
    compare_reads()
    compare_resolutions("all unset", {})
    compare_resolutions("all set to 1", {variable.name: "1" for variable in peers.variables()})
    compare_imports()
    read_in_threads()


def compare_reads() -> None:
    lambdas, slotted = peers.with_lambdas(), Slotted()
    holder = {"get": lambda: slotted}
    names: dict[str, Any] = {
        "ModelLevers": ModelLevers,
        "levers": ModelLevers.get(),
        "slotted": slotted,
        "accessor": holder["get"],
        "settings": peers.with_pydantic_settings()(),
        "env": peers.with_environs(),
        "config": peers.with_decouple(),
        "lambdas": lambdas,
        "os": os,
    }
    statements = {
        "nothing": "pass",
        "an attribute of a slotted object": "slotted.kv_poison",
        "a field, the group held in a variable": "levers.kv_poison",
        "ModelLevers.get().kv_poison": "ModelLevers.get().kv_poison",
        "the attribute, by a Python function": "accessor().kv_poison",
        "pydantic-settings, object at hand": "settings.kv_poison",
        "raw os.environ.get(...) == '1'": "os.environ.get('ATLAS_KV_POISON') == '1'",
        "dict of lambdas": "lambdas['kv_poison']()",
        "python-decouple": "config['kv_poison']()",
        "environs": "env['kv_poison']()",
    }
    times = in_turns({name: timed(statement, names) for name, statement in statements.items()})
    print_table("one read, without the loop", "ns", without_first(times), 1e9)


def compare_resolutions(title: str, settings: dict[str, str]) -> None:
    os.environ.update(settings)
    settings_class = peers.with_pydantic_settings()
    contenders: dict[str, Callable[[], object]] = {
        "ModelLevers.from_env()": ModelLevers.from_env,
        "raw os.environ.get, written out": peers.with_raw_reads(),
        "dict of lambdas": called(peers.with_lambdas()),
        "python-decouple": called(peers.with_decouple()),
        "environs": called(peers.with_environs()),
        "pydantic-settings": settings_class,
    }
    timers = {name: timed("resolve()", {"resolve": resolve}) for name, resolve in contenders.items()}
    print_table(f"{len(peers.variables())} levers resolved, {title}", "us", in_turns(timers), 1e6)
    for name in settings:
        del os.environ[name]


def called(readers: dict[str, Callable[[], Any]]) -> Callable[[], object]:
    return lambda: {field: read() for field, read in readers.items()}


def compare_imports() -> None:
    groups = "ModelLevers, DFlashLevers, GemmDispatch, DrafterContext"
    statements = {
        "pass": "pass",
        "dataclasses": "import dataclasses",
        "atlas_levers": "import atlas_levers",
        "atlas_levers and ModelLevers": "from atlas_levers import ModelLevers",
        "atlas_levers and all four groups": f"from atlas_levers import {groups}",
        "python-decouple": "import decouple",
        "environs": "import environs",
        "pydantic-settings": "import pydantic_settings",
    }
    with tempfile.TemporaryDirectory() as bytecode:
        environ = {**os.environ, "PYTHONPYCACHEPREFIX": bytecode}
        environ.pop("PYTHONDONTWRITEBYTECODE", None)

        def starting(statement: str) -> Callable[[], float]:
            command = [sys.executable, "-c", statement]

            def start() -> float:
                began = time.perf_counter()
                subprocess.run(command, env=environ, check=True)
                return time.perf_counter() - began

            start()
            return start

        times = in_turns({name: starting(statement) for name, statement in statements.items()})
    empty = times.pop("pass")
    print_table(
        "import, without the interpreter's start", "ms", {n: t - empty for n, t in times.items()}, 1e3
    )


def read_in_threads(count: int = 64, reads: int = 1_000_000) -> None:
    barrier = threading.Barrier(count + 1)

    def read() -> None:
        barrier.wait()
        for _ in range(reads):
            ModelLevers.get().kv_poison  # noqa: B018

    threads = [threading.Thread(target=read) for _ in range(count)]
    for thread in threads:
        thread.start()
    barrier.wait()
    began = time.perf_counter()
    for thread in threads:
        thread.join()
    taken = time.perf_counter() - began
    print(f"{count} threads x {reads:,} reads: {taken:.2f} s, {taken / count / reads * 1e9:.1f} ns a read")


def timed(statement: str, names: dict[str, Any]) -> Callable[[], float]:
    timer = timeit.Timer(statement, globals=names)
    number = max(1, timer.autorange()[0] // 10)
    return lambda: timer.timeit(number) / number


def in_turns(contenders: dict[str, Callable[[], float]]) -> dict[str, float]:
    """The best of each, measured once a round: whatever else runs here only ever adds."""
    times: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(ROUNDS):
        for name, measure in contenders.items():
            times[name].append(measure())
    return {name: min(taken) for name, taken in times.items()}


def without_first(times: dict[str, float]) -> dict[str, float]:
    nothing, *others = times.items()
    return {name: taken - nothing[1] for name, taken in others}


def print_table(title: str, unit: str, best: dict[str, float], scale: float) -> None:
    first = next(iter(best.values()))
    print(f"| {title} | {unit} | ratio |\n|---|---:|---:|")
    for name, taken in best.items():
        print(f"| {name} | {taken * scale:.1f} | {taken / first:.2f} |")
    print()


if __name__ == "__main__":
    main()
