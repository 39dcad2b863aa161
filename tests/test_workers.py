import os
import signal
import subprocess
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


def die_at_seven(number):
    if number == 7 and os.getpid() != PARENT:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


@pytest.mark.skipif(sys.platform != "linux", reason="forks only on Linux")
def test_a_worker_that_dies_costs_the_item_that_it_was_at():
    results = workers.run(die_at_seven, range(20), 2, lost=lambda number: -number)
    assert results == [-7 if number == 7 else number for number in range(20)]


HANGING = """
import os, sys
from leverlint import workers

PARENT = os.getpid()

def hang(number):
    if os.getpid() != PARENT:
        print('hanging', flush=True)
        while True:
            pass
    input()
    return number

workers.run(hang, range(4), 2)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="forks only on Linux")
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_a_worker_that_hangs_ends_with_its_parent(how):
    command = [sys.executable, "-c", HANGING]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as parent:
        parent.stdout.readline()
        parent.send_signal(how)
        # The worker has the other end, too: this only ends when both have.
        parent.communicate(timeout=30)
