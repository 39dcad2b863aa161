"""The doors of a group: pure, fresh, process-wide, defaults."""

import copy
import dataclasses
import logging
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass

import pytest

from atlas_levers import (
    DFlashLevers,
    DrafterContext,
    GemmDispatch,
    LeverError,
    Levers,
    ModelLevers,
    custom,
    kill_switch,
    nested,
    opt_in,
    parsed,
    present,
    usize,
)
from atlas_levers import group as groups

GROUPS = [ModelLevers, DFlashLevers, GemmDispatch, DrafterContext]


def unset(name):
    return None


def not_present(name):
    return False


class Counting(Mapping):
    """An environment that counts how often each variable is looked up."""

    def __init__(self, values):
        self.values_by_name = values
        self.lookups = {}

    def __getitem__(self, name):
        self.lookups[name] = self.lookups.get(name, 0) + 1
        return self.values_by_name[name]

    def __iter__(self):
        return iter(self.values_by_name)

    def __len__(self):
        return len(self.values_by_name)


@pytest.mark.parametrize("group", GROUPS)
def test_defaults_are_what_nothing_resolves_to(group):
    assert group.defaults() == group.from_values(unset, not_present) == group.from_env({}) == group()


@pytest.mark.parametrize("group", GROUPS)
def test_each_variable_is_looked_up_at_most_once(group):
    environ = Counting(dict.fromkeys(group.__variables__, "1"))
    group.from_env(environ)
    assert set(environ.lookups.values()) == {1}


@pytest.mark.parametrize("group", GROUPS)
def test_from_values_asks_for_no_more_than_the_variables_of_the_group(group):
    asked = []
    group.from_values(lambda name: asked.append(name), lambda name: asked.append(name) is not None)
    assert set(asked) <= group.__variables__


def test_from_values_leaves_the_process_alone(monkeypatch, caplog):
    caplog.set_level(logging.DEBUG)
    with monkeypatch.context() as patched:
        patched.setattr(os, "environ", None)
        levers = ModelLevers.from_values({"ATLAS_DRAFTER_PREFILL_ONLY": "1"}.get, not_present)
    assert not levers.drafter.carry
    assert caplog.records == []


def test_from_env_takes_the_process_environment_afresh(monkeypatch):
    monkeypatch.setenv("ATLAS_KV_POISON", "1")
    assert ModelLevers.from_env().kv_poison
    monkeypatch.setenv("ATLAS_KV_POISON", "0")
    assert not ModelLevers.from_env().kv_poison
    with monkeypatch.context() as patched:
        patched.setattr(os, "environ", {"ATLAS_KV_POISON": "1"})
        assert ModelLevers.from_env().kv_poison


def test_a_variable_that_vanishes_meanwhile_is_absent():
    class Vanishing(dict):
        def __getitem__(self, name):
            raise KeyError(name)

    assert ModelLevers.from_env(Vanishing(ATLAS_KV_POISON="1", ATLAS_NO_SSD="1")) == ModelLevers.defaults()


@pytest.mark.skipif(not os.supports_bytes_environ, reason="no os.environb")
def test_other_bytes_than_utf8_are_no_value_but_are_present(monkeypatch):
    monkeypatch.setitem(os.environb, b"ATLAS_NO_SSD", b"\xff")
    monkeypatch.setitem(os.environb, b"ATLAS_GDN_WYN", b"0\xff")
    for environ in (None, os.environ, os.environb):
        levers = ModelLevers.from_env(environ)
        assert not levers.ssd
        assert levers.gdn_wyn


def test_get_is_one_object_resolved_once_whatever_the_threads_do(monkeypatch):
    resolutions = []

    def slowly(text):
        resolutions.append(text)
        time.sleep(0.05)
        return int(text)

    @dataclass(frozen=True, slots=True)
    class Slow(Levers):
        number: int = custom("ATLAS_TEST_NUMBER", decode=slowly, default=0)

    monkeypatch.setenv("ATLAS_TEST_NUMBER", "7")
    barrier, seen = threading.Barrier(64), []

    def read():
        barrier.wait()
        seen.append(Slow.get())

    threads = [threading.Thread(target=read) for _ in range(64)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(seen) == 64
    assert {id(levers) for levers in seen} == {id(Slow.get())}
    assert resolutions == ["7"]
    assert Slow.get().number == 7


def test_get_keeps_to_what_it_resolved_and_so_does_who_took_it_early(monkeypatch):
    @dataclass(frozen=True, slots=True)
    class Kept(Levers):
        on: bool = opt_in("ATLAS_TEST_ON")

    early = Kept.get
    monkeypatch.setenv("ATLAS_TEST_ON", "1")
    first = Kept.get()
    monkeypatch.setenv("ATLAS_TEST_ON", "0")
    assert Kept.get() is early() is first
    assert first.on
    assert not Kept.from_env().on


def test_reading_takes_no_lock_and_runs_no_python():
    @dataclass(frozen=True, slots=True)
    class Read(Levers):
        on: bool = opt_in("ATLAS_TEST_ON")

    early, seen = Read.get, []
    first = Read.get()
    assert not hasattr(Read.get, "__code__")
    assert not hasattr(Read.get, "__func__")
    thread = threading.Thread(target=lambda: seen.extend([Read.get(), early()]))
    with groups._RESOLVING:
        thread.start()
        thread.join(timeout=10)
    assert [levers is first for levers in seen] == [True, True]


def test_a_failed_resolution_is_tried_again(monkeypatch):
    @dataclass(frozen=True, slots=True)
    class Failing(Levers):
        number: int = custom("ATLAS_TEST_NUMBER", decode=lambda text: 6 // int(text), default=0)

    monkeypatch.setenv("ATLAS_TEST_NUMBER", "0")
    with pytest.raises(ZeroDivisionError):
        Failing.get()
    monkeypatch.setenv("ATLAS_TEST_NUMBER", "2")
    assert Failing.get().number == 3


def test_a_log_handler_may_ask_for_the_levers_that_are_announced():
    @dataclass(frozen=True, slots=True)
    class Loud(Levers):
        on: bool = opt_in("ATLAS_TEST_ON")

        def announce(self):
            heard.append(Loud.get() is self)

    heard = []
    Loud.get()
    assert heard == [True]


def test_a_group_may_extend_another_and_resolves_for_itself(monkeypatch):
    @dataclass(frozen=True, slots=True)
    class Base(Levers):
        first: bool = opt_in("ATLAS_TEST_FIRST")

    Base.get()

    @dataclass(frozen=True, slots=True)
    class Extended(Base):
        second: int = parsed("ATLAS_TEST_SECOND", usize, default=2)

    monkeypatch.setenv("ATLAS_TEST_FIRST", "1")
    assert Extended.get() == Extended(first=True, second=2)
    assert Base.get() == Base(first=False)


def test_a_nested_group_is_resolved_from_the_same_snapshot():
    @dataclass(frozen=True, slots=True)
    class Inner(Levers):
        on: bool = kill_switch("ATLAS_TEST_NO_INNER")

    @dataclass(frozen=True, slots=True)
    class Outer(Levers):
        loud: bool = present("ATLAS_TEST_LOUD")
        inner: Inner = nested(Inner)  # noqa: RUF009

    environ = Counting({"ATLAS_TEST_NO_INNER": "1", "ATLAS_TEST_LOUD": ""})
    assert Outer.from_env(environ) == Outer(loud=True, inner=Inner(on=False))
    assert environ.lookups == {"ATLAS_TEST_NO_INNER": 1, "ATLAS_TEST_LOUD": 1}


@pytest.mark.parametrize("group", GROUPS)
def test_levers_are_frozen_and_have_slots(group):
    levers = group.defaults()
    field = next(iter(group.__levers__))
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(levers, field, None)
    assert not hasattr(levers, "__dict__")


def test_a_changed_copy_leaves_the_original_alone():
    levers = ModelLevers.defaults()
    built = dataclasses.replace(levers, max_decode_seqs=16)
    assert (levers.max_decode_seqs, built.max_decode_seqs) == (1, 16)
    assert built != levers
    assert dataclasses.replace(built, max_decode_seqs=1) == levers


@pytest.mark.parametrize("group", GROUPS)
def test_equal_groups_have_one_hash(group):
    assert hash(group.defaults()) == hash(group.from_env({}))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_fork_while_another_thread_resolves():
    @dataclass(frozen=True, slots=True)
    class Read(Levers):
        on: bool = opt_in("ATLAS_TEST_ON")

    held, done = threading.Event(), threading.Event()

    def resolve_for_long():
        with groups._RESOLVING:
            held.set()
            done.wait(timeout=60)

    thread = threading.Thread(target=resolve_for_long)
    thread.start()
    held.wait(timeout=60)
    child = os.fork()
    if not child:
        signal.alarm(30)  # a child that waits for ever ends by this
        os._exit(0 if Read.get() == Read(on=False) else 1)
    done.set()
    thread.join()
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


@pytest.mark.parametrize("group", GROUPS)
def test_levers_survive_being_copied_and_pickled(group):
    levers = group.from_env(dict.fromkeys(group.__variables__, "1"))
    assert levers != group.defaults()
    assert copy.deepcopy(levers) == pickle.loads(pickle.dumps(levers)) == levers


def test_repr_shows_what_differs_from_the_defaults():
    levers = ModelLevers.from_env({"ATLAS_KV_POISON": "1", "ATLAS_NO_SSD": ""})
    assert repr(levers) == "ModelLevers(ssd=False, kv_poison=True)"
    assert eval(repr(levers)) == levers
    assert repr(ModelLevers()) == "ModelLevers()"


@pytest.mark.parametrize("decorator", [lambda group: group, dataclass, dataclass(slots=True)])
def test_a_group_that_is_no_frozen_dataclass_does_not_resolve(decorator):
    @decorator
    class Loose(Levers):
        on: bool = opt_in("ATLAS_TEST_ON")

    with pytest.raises(LeverError, match=r"Loose must be a @dataclass\(frozen=True, slots=True\)"):
        Loose.from_env({})


def test_importing_the_package_takes_little_more_than_dataclasses():
    script = (
        "import dataclasses, sys; before = set(sys.modules); import atlas_levers\n"
        "atlas_levers.ModelLevers, atlas_levers.DFlashLevers, atlas_levers.GemmDispatch\n"
        "print(*(set(sys.modules) - before))"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert {name.partition(".")[0] for name in ran.stdout.split()} <= {"atlas_levers", "__future__"}


def test_the_environment_is_not_looked_at_before_somebody_asks():
    script = (
        "import os\nos.environ = None\n"
        "from atlas_levers import DFlashLevers, DrafterContext, GemmDispatch, ModelLevers"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
