import os
import signal
import sys

import pytest

from leverlint import workers


def square(number):
    return number * number


def process(_):
    return os.getpid()


PARENT = os.getpid()


def die_in_a_child(number):
    if os.getpid() != PARENT:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


@pytest.mark.parametrize("jobs", [0, 1, 2, 3, 50])
def test_results_come_in_the_order_of_the_items(jobs):
    assert workers.run(square, range(20), jobs) == [n * n for n in range(20)]


def test_nothing_to_do():
    assert workers.run(square, [], 4) == []


@pytest.mark.skipif(sys.platform != "linux", reason="forks only on Linux")
def test_several_processes_take_part():
    assert len(set(workers.run(process, range(10), 2))) == 2


@pytest.mark.skipif(sys.platform != "linux", reason="forks only on Linux")
def test_the_share_of_a_worker_that_was_killed_is_not_lost():
    assert workers.run(die_in_a_child, range(10), 2) == list(range(10))


def test_spawned_processes_give_the_same(monkeypatch):
    monkeypatch.setattr(workers, "_has_threads", lambda: True)
    numbers = [str(n) for n in range(10)]
    assert workers.run(int, numbers, 2) == list(range(10))


def test_progress_ends_at_all():
    seen = []
    workers.run(square, range(10), 2, lambda done, total: seen.append((done, total)))
    assert seen[-1] == (10, 10)
