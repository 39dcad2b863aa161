import os
import stat
import subprocess
import sys
import threading

import pytest

from leverlint import cli
from leverlint.commands import report_file
from leverlint.errors import LeverlintError

RAW = 'import os\n\n\ndef f():\n    return os.environ["ATLAS_X"]\n'


def inside(directory):
    return sorted(path.name for path in directory.iterdir())


def test_a_file_is_replaced_whole(tmp_path):
    path = tmp_path / "report"
    report_file.write(str(path), "old\n")
    before = path.stat()
    with path.open() as reader:
        report_file.write(str(path), "new\n")
        assert reader.read() == "old\n"
    assert path.read_text() == "new\n"
    assert path.stat().st_ino != before.st_ino
    assert inside(tmp_path) == ["report"]


def test_permissions_stay(tmp_path):
    path = tmp_path / "report"
    path.write_text("old")
    path.chmod(0o640)
    report_file.write(str(path), "new")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    umask = os.umask(0o027)
    try:
        report_file.write(str(tmp_path / "other"), "new")
    finally:
        os.umask(umask)
    assert stat.S_IMODE((tmp_path / "other").stat().st_mode) == 0o640


def test_a_link_stays_one(tmp_path):
    (tmp_path / "there").mkdir()
    target = tmp_path / "there" / "report"
    target.write_text("old")
    (tmp_path / "link").symlink_to(target)
    (tmp_path / "dangling").symlink_to(tmp_path / "there" / "other")
    report_file.write(str(tmp_path / "link"), "new")
    report_file.write(str(tmp_path / "dangling"), "too")
    assert (tmp_path / "link").is_symlink()
    assert target.read_text() == "new"
    assert (tmp_path / "there" / "other").read_text() == "too"
    assert inside(tmp_path / "there") == ["other", "report"]


def test_what_is_no_regular_file_is_written_to(tmp_path):
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    got = []
    reader = threading.Thread(target=lambda: got.append(fifo.read_text()))
    reader.start()
    report_file.write(str(fifo), "x" * 100_000)
    reader.join()
    assert got == ["x" * 100_000]
    assert stat.S_ISFIFO(fifo.stat().st_mode)
    report_file.write(os.devnull, "x")


def test_a_failure_leaves_nothing_behind(tmp_path, monkeypatch):
    path = tmp_path / "report"
    path.write_text("old")

    def full(source, target):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(LeverlintError, match="no space left on device"):
        report_file.write(str(path), "new")
    assert path.read_text() == "old"
    assert inside(tmp_path) == ["report"]


def test_a_file_that_cannot_be_replaced_is_changed(tmp_path, monkeypatch):
    path = tmp_path / "mounted"
    path.write_text("an old and longer text")

    def busy(source, target):
        raise OSError(16, "Device or resource busy")

    monkeypatch.setattr(os, "replace", busy)
    report_file.write(str(path), "new")
    assert path.read_text() == "new"
    assert inside(tmp_path) == ["mounted"]
    with pytest.raises(LeverlintError, match="resource busy"):
        report_file.write(str(tmp_path / "other"), "new")


def test_names_that_are_no_text(tmp_path):
    report_file.write(str(tmp_path / "report"), "\udcff")
    assert (tmp_path / "report").read_bytes() == b"\\udcff"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "no/report",
            "no/report: the directory `no` does not exist\n  hint: create it first: `mkdir -p no`",
        ),
        ("sub", "sub: is a directory\n  hint: name a file with `--output-file`"),
    ],
)
def test_a_place_that_cannot_be_written_is_told_before_the_work(name, message, root, capfd):
    (root / "sub").mkdir()
    (root / "leverlint.toml").write_text("")
    assert cli.main(["check", "--output-file", name]) == 2
    assert capfd.readouterr() == ("", f"leverlint: error: {message}\n")
    assert not (root / ".leverlint_cache").exists()


def shell(root, command):
    (root / "a.py").write_text(RAW)
    return subprocess.run(
        ["sh", "-c", command.replace("leverlint", f"{sys.executable} -m leverlint")],
        cwd=root,
        capture_output=True,
        text=True,
    )


def test_standard_output_by_name(root):
    done = shell(root, "leverlint check --no-cache --output-format concise --output-file /dev/stdout")
    assert done.stdout == "a.py:5:12: LVR101 `ATLAS_X` is read outside the resolvers\n"
    # A file that is appended to is not cut off.
    done = shell(
        root, "{ echo a; leverlint check --no-cache -q --output-file /dev/stdout; echo b; } >> out; cat out"
    )
    assert done.stdout.startswith("a\nerror[LVR101]")
    assert done.stdout.endswith("\nb\n")
