import os

import pytest

from leverlint.cache import NOTHING, Cache
from leverlint.digests import checksum
from leverlint.extraction import Outcome
from leverlint.facts import Argument, Call, FileFacts, Kept, Span, Text
from leverlint.index import SearchTerm
from leverlint.report import Report

FACTS = FileFacts(
    "a.py",
    "python",
    calls=(
        Call(
            ("os", "getenv"),
            (Argument("", Text("ATLAS_\N{SNOWMAN}", Span(1, 2))),),
            Span(0, 3),
            kept=Kept("static", "X", Span(4, 5)),
        ),
    ),
)
TERM = SearchTerm("flag", ("helpers",), "helpers.py")


@pytest.fixture
def tree(tmp_path):
    for name in ("a.py", "b.py"):
        path = tmp_path / name
        path.write_text("x = 1\n")
        os.utime(path, (1_000_000_000, 1_000_000_000))
    return tmp_path


def cache(tree, settings="settings", files=("a.py", "b.py")):
    return Cache(str(tree / "cache"), str(tree), settings, files)


def filled(tree):
    cache(tree).store(Report(files=2), {"a.py": Outcome(FACTS, ("flag",)), "b.py": Outcome(None)}, {TERM})


def test_an_unchanged_tree_gets_its_report_back(tree):
    filled(tree)
    assert cache(tree).report() == Report(files=2)


def test_facts_come_back_equal(tree):
    filled(tree)
    known = cache(tree).known()
    assert known.outcomes == {"a.py": Outcome(FACTS, ("flag",)), "b.py": Outcome(None)}
    assert known.searched == {TERM}


def test_a_changed_file_is_forgotten_and_the_others_are_not(tree):
    filled(tree)
    (tree / "b.py").write_text("x = 22\n")
    assert cache(tree).report() is None
    assert set(cache(tree).known().outcomes) == {"a.py"}


def test_a_new_file_makes_the_report_stale(tree):
    filled(tree)
    (tree / "c.py").write_text("")
    assert cache(tree, files=("a.py", "b.py", "c.py")).report() is None


def test_other_settings_start_afresh(tree):
    filled(tree)
    assert cache(tree, "other").report() is None
    assert cache(tree, "other").known() == NOTHING


def test_a_file_that_was_just_written_is_not_trusted(tree):
    os.utime(tree / "b.py")
    filled(tree)
    assert cache(tree).report() is None
    assert set(cache(tree).known().outcomes) == {"a.py"}


@pytest.mark.parametrize(
    "content",
    [b"", b"\x80\x81", b"digest\n", b"[]\n[]\n[]\n[]\n", b'{"a": 1}\n' * 4, b"\n" * 9],
    ids=["empty", "binary", "one line", "lists", "objects", "blank"],
)
def test_a_damaged_cache_is_as_good_as_none(tree, content):
    filled(tree)
    (tree / "cache" / "leverlint.cache").write_bytes(content)
    assert cache(tree).report() is None
    assert cache(tree).known() == NOTHING
    filled(tree)
    assert cache(tree).report() == Report(files=2)


def test_a_cache_that_was_cut_short_is_as_good_as_none(tree):
    filled(tree)
    path = tree / "cache" / "leverlint.cache"
    whole = path.read_bytes()
    for length in range(0, len(whole) - 1, 7):
        path.write_bytes(whole[:length])
        assert cache(tree).known() == NOTHING


def test_a_directory_that_cannot_be_written_does_no_harm(tree):
    (tree / "cache").write_text("a file is in the way")
    filled(tree)
    assert cache(tree).report() is None


def test_version_control_leaves_the_cache_alone(tree):
    filled(tree)
    assert (tree / "cache" / ".gitignore").read_text() == "*\n"


def test_any_flipped_bit_makes_the_report_worthless(tree):
    filled(tree)
    path = tree / "cache" / "leverlint.cache"
    content = path.read_bytes()
    end = content.index(b"\n", content.index(b"\n") + 1)
    for position in range(end + 1):
        for bit in range(8):
            damaged = bytearray(content)
            damaged[position] ^= 1 << bit
            path.write_bytes(damaged)
            assert cache(tree).report() is None


def test_deeply_nested_content_is_as_good_as_none(tree):
    filled(tree)
    path = tree / "cache" / "leverlint.cache"
    nested = b"[" * 100_000
    head = f"{cache(tree).digest} {checksum(nested)}".encode()
    path.write_bytes(b"\n".join([head, nested, checksum(nested).encode(), nested, b""]))
    assert cache(tree).report() is None
    assert cache(tree).known() == NOTHING


def test_other_content_with_the_same_size_and_time_is_noticed(tree):
    filled(tree)
    (tree / "b.py").write_text("x = 2\n")
    os.utime(tree / "b.py", (1_000_000_000, 1_000_000_000))
    assert cache(tree).report() is None
    assert set(cache(tree).known().outcomes) == {"a.py"}


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="needs owners of files")
def test_the_cache_of_somebody_else_is_as_good_as_none(tree, monkeypatch):
    filled(tree)
    owner = os.getuid()
    monkeypatch.setattr(os, "getuid", lambda: owner + 1)
    assert cache(tree).report() is None
    assert cache(tree).known() == NOTHING
