import os

import pytest

from leverlint.errors import LeverlintError
from leverlint.writing import write_whole


def test_a_new_file(tmp_path):
    write_whole(str(tmp_path / "a"), b"content")
    assert (tmp_path / "a").read_bytes() == b"content"
    assert os.listdir(tmp_path) == ["a"]


def test_permissions_stay_and_a_link_stays_one(tmp_path):
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_bytes(b"old")
    target.chmod(0o640)
    link.symlink_to("target")
    write_whole(str(link), b"new")
    assert link.is_symlink()
    assert target.read_bytes() == b"new"
    assert target.stat().st_mode & 0o777 == 0o640


def test_a_directory_that_is_not_there(tmp_path):
    path = str(tmp_path / "no" / "a")
    with pytest.raises(LeverlintError) as error:
        write_whole(path, b"content")
    assert error.value.message == f"{path}: no such file or directory"


def test_what_a_killed_run_left_neither_stops_the_next_nor_stays(tmp_path):
    left, fresh = tmp_path / "a.00000000.leverlint-tmp", tmp_path / "a.11111111.leverlint-tmp"
    foreign = tmp_path / "b.00000000.leverlint-tmp"
    for path in (left, fresh, foreign):
        path.write_bytes(b"half")
    for path in (left, foreign):
        os.utime(path, (1_000_000_000, 1_000_000_000))
    write_whole(str(tmp_path / "a"), b"content")
    assert sorted(os.listdir(tmp_path)) == ["a", fresh.name, foreign.name]
