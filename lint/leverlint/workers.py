"""Running one function over many items in several processes, with the same outcome as in one.

Workers end with the process that has started them, whatever ends it. One that dies costs the item
that it was at, and nothing else.
"""

import os
import sys
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

Progress = Callable[[int, int], None]
"""Called with the number of items done and of all; approximate with several processes."""

WORTHWHILE = 300
"""Below so many items, starting a process costs more than it saves (measured)."""


_PR_SET_PDEATHSIG = 1


def run(
    function: Callable[[Item], Result],
    items: Sequence[Item],
    jobs: int,
    progress: Progress | None = None,
    lost: Callable[[Item], Result] | None = None,
) -> list[Result]:
    """Give `function(item)` for each item, in order.

    `jobs` 0 means one process a core, when there is enough to do. `function` and results must
    be picklable. Parsing holds Python's global lock, so threads would gain nothing. `lost` gives
    what stands for an item at which a worker has died; without it, the item is tried in this process.
    """
    count = jobs or (_cores() if len(items) >= WORTHWHILE else 1)
    count = min(count, len(items))
    if count <= 1:
        return _serially(function, items, progress)
    if sys.platform == "linux" and not _has_threads():
        return _forked(function, items, count, progress, lost or function)
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
    lost: Callable[[Item], Result],
) -> list[Result]:
    """Share the items out by turns; this process takes the first share itself."""
    results: list[Result | None] = [None] * len(items)
    children = [_fork(function, items[share::count]) for share in range(1, count)]
    results[::count] = _serially(function, items[::count], progress, count)
    for share, child in enumerate(children, start=1):
        done = _collect(child)
        results[share::count] = _rescued(function, items[share::count], lost) if done is None else done
    return results  # type: ignore[return-value]


def _rescued(
    function: Callable[[Item], Result], items: Sequence[Item], lost: Callable[[Item], Result]
) -> list[Result]:
    """Do the share of a worker that has died, in halves, until the items that it dies of are alone."""
    if len(items) == 1:
        return [lost(items[0])]
    middle = len(items) // 2
    results = []
    for half in (items[:middle], items[middle:]):
        done: list[Result] | None = _collect(_fork(function, half))
        results += _rescued(function, half, lost) if done is None else done
    return results


def _collect(child: tuple[int, int]) -> Any:
    """Give the results of a child; `None` when it has died."""
    import pickle

    process, stream = child
    with os.fdopen(stream, "rb") as pipe:
        data = pipe.read()
    _, status = os.waitpid(process, 0)
    return pickle.loads(data) if data and not status else None


def _fork(function: Callable[[Item], Result], items: Sequence[Item]) -> tuple[int, int]:
    """Start a child over items; give its process and where its results can be read."""
    import pickle

    parent = os.getpid()
    reader, writer = os.pipe()
    process = os.fork()
    if process:
        os.close(writer)
        return process, reader
    status = 1
    try:
        os.close(reader)
        _end_with(parent)
        data = pickle.dumps(_serially(function, items, None), pickle.HIGHEST_PROTOCOL)
        with os.fdopen(writer, "wb") as pipe:
            pipe.write(data)
        status = 0
    finally:
        # Neither buffers nor exit handlers of the parent are this process's to flush.
        os._exit(status)


def _end_with(parent: int) -> None:
    """Have the kernel end this process with its parent: not even a hang can stop that."""
    import ctypes
    import signal

    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it is gone already
        os._exit(1)


def _spawned(function: Callable[[Item], Result], items: Sequence[Item], count: int) -> list[Result]:
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    context = get_context("spawn")
    with ProcessPoolExecutor(count, mp_context=context, initializer=_end_with_parent) as pool:
        return list(pool.map(function, items, chunksize=max(1, len(items) // (count * 8))))


def _end_with_parent() -> None:
    from multiprocessing import parent_process
    from threading import Thread

    parent = parent_process()
    if parent is None:
        return

    def wait() -> None:
        parent.join()
        os._exit(1)

    Thread(target=wait, daemon=True).start()


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _has_threads() -> bool:
    threading = sys.modules.get("threading")
    return threading is not None and threading.active_count() > 1
