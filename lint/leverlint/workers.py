"""Running one function over many items in several processes, with the same outcome as in one."""

import os
import sys
from collections.abc import Callable, Sequence
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

Progress = Callable[[int, int], None]
"""Called with the number of items done and of all; approximate with several processes."""

WORTHWHILE = 300
"""Below so many items, starting a process costs more than it saves (measured)."""


def run(
    function: Callable[[Item], Result],
    items: Sequence[Item],
    jobs: int,
    progress: Progress | None = None,
) -> list[Result]:
    """Give `function(item)` for each item, in order.

    `jobs` 0 means one process a core, when there is enough to do. `function` and results must
    be picklable. Parsing holds Python's global lock, so threads would gain nothing.
    """
    count = jobs or (_cores() if len(items) >= WORTHWHILE else 1)
    count = min(count, len(items))
    if count <= 1:
        return _serially(function, items, progress)
    if sys.platform == "linux" and not _has_threads():
        return _forked(function, items, count, progress)
    return _spawned(function, items, count)


def _serially(
    function: Callable[[Item], Result], items: Sequence[Item], progress: Progress | None, shares: int = 1
) -> list[Result]:
    results = []
    for item in items:
        results.append(function(item))
        if progress:
            progress(len(results) * shares, len(items) * shares)
    return results


def _forked(
    function: Callable[[Item], Result],
    items: Sequence[Item],
    count: int,
    progress: Progress | None,
) -> list[Result]:
    """Share the items out by turns; this process takes the first share itself."""
    import pickle

    results: list[Result | None] = [None] * len(items)
    children = [_fork(function, items[share::count]) for share in range(1, count)]
    results[::count] = _serially(function, items[::count], progress, count)
    for share, (process, stream) in enumerate(children, start=1):
        with os.fdopen(stream, "rb") as pipe:
            data = pipe.read()
        os.waitpid(process, 0)
        # A worker that was killed sends nothing; its share is not lost.
        results[share::count] = pickle.loads(data) if data else _serially(function, items[share::count], None)
    return results  # type: ignore[return-value]


def _fork(function: Callable[[Item], Result], items: Sequence[Item]) -> tuple[int, int]:
    import pickle

    reader, writer = os.pipe()
    process = os.fork()
    if process:
        os.close(writer)
        return process, reader
    try:
        os.close(reader)
        data = pickle.dumps(_serially(function, items, None), pickle.HIGHEST_PROTOCOL)
        with os.fdopen(writer, "wb") as pipe:
            pipe.write(data)
    finally:
        # Neither buffers nor exit handlers of the parent are this process's to flush.
        os._exit(0)


def _spawned(function: Callable[[Item], Result], items: Sequence[Item], count: int) -> list[Result]:
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    with ProcessPoolExecutor(count, mp_context=get_context("spawn")) as pool:
        return list(pool.map(function, items, chunksize=max(1, len(items) // (count * 8))))


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _has_threads() -> bool:
    threading = sys.modules.get("threading")
    return threading is not None and threading.active_count() > 1
