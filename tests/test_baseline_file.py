import json
import os

import pytest

from leverlint.baseline import Entry
from leverlint.baseline_file import read, write
from leverlint.errors import LeverlintError

ONE = Entry("a.py", "f", "raw-read", "ATLAS_X", 'os.environ["ATLAS_X"]')


def test_one_sorted_line_an_entry(tmp_path):
    path = str(tmp_path / "b.json")
    write(path, {ONE._replace(path="b.py"): 2, ONE: 1})
    assert (tmp_path / "b.json").read_text() == (
        '{\n "version": 1,\n "findings": [\n'
        '  {"path": "a.py", "function": "f", "rule": "raw-read", "lever": "ATLAS_X", '
        '"text": "os.environ[\\"ATLAS_X\\"]", "count": 1},\n'
        '  {"path": "b.py", "function": "f", "rule": "raw-read", "lever": "ATLAS_X", '
        '"text": "os.environ[\\"ATLAS_X\\"]", "count": 2}\n'
        " ]\n}\n"
    )


@pytest.mark.parametrize(
    "entry",
    [ONE, ONE._replace(text="größe = 🙂\u2028"), ONE._replace(path="\udcff.py"), Entry("", "", "", "", "")],
    ids=["plain", "not ASCII", "a name that is no text", "empty"],
)
def test_what_is_written_is_read(tmp_path, entry):
    path = str(tmp_path / "b.json")
    write(path, {entry: 3})
    assert read(path) == {entry: 3}
    json.loads((tmp_path / "b.json").read_text("utf-8"))


def test_nothing_at_all(tmp_path):
    path = str(tmp_path / "b.json")
    write(path, {})
    assert (tmp_path / "b.json").read_text() == '{\n "version": 1,\n "findings": []\n}\n'
    assert read(path) == {}


def test_a_line_that_a_merge_has_brought_twice_counts_once(tmp_path):
    path = tmp_path / "b.json"
    write(str(path), {ONE: 2})
    lines = path.read_text().split("\n")
    path.write_text("\n".join([*lines[:3], lines[3] + ",", *lines[3:]]))
    assert read(str(path)) == {ONE: 2}


LINE = '{"path": "a", "function": "", "rule": "r", "lever": "", "text": "t", "count": 1}'


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", ":1: no baseline, for it is not valid JSON"),
        ('{"version": 1,\n"findings": [\n', ":3: no baseline, for it is not valid JSON"),
        ("\xff", ": no baseline, for it is not valid JSON"),
        ("[" * 100_000, ": no baseline, for it is not valid JSON"),
        ("[]", ": no baseline of leverlint"),
        ('{"version": "1"}', ": no baseline of leverlint"),
        ('{"dependencies": {}}', ": no baseline of leverlint"),
        ('{"version": 2, "findings": []}', ": a baseline of version 2"),
        ('{"version": 1}', ": no baseline, for it has no list `findings`"),
        (f'{{"version": 1, "findings": [{LINE}, 7]}}', ": entry 2 is damaged: "),
        (f'{{"version": 1, "findings": [{LINE.replace("1}", "0}")}]}}', ": entry 1 is damaged: "),
        (f'{{"version": 1, "findings": [{LINE.replace("1}", "true}")}]}}', ": entry 1 is damaged: "),
        (f'{{"version": 1, "findings": [{LINE.replace("path", "file")}]}}', ": entry 1 is damaged: "),
    ],
    ids=str,
)
def test_damaged_and_foreign_files(tmp_path, text, problem):
    path = tmp_path / "b.json"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(LeverlintError) as error:
        read(str(path))
    assert error.value.message.startswith(f"{path}{problem}")
    assert error.value.hint


def test_a_merge_conflict_is_called_one(tmp_path):
    path = tmp_path / "b.json"
    path.write_text('{"version": 1, "findings": [\n<<<<<<< HEAD\n=======\n>>>>>>> other\n]}\n')
    with pytest.raises(LeverlintError) as error:
        read(str(path))
    assert error.value.hint == "settle the merge conflict: keep the lines of both sides"


def test_missing(tmp_path):
    with pytest.raises(LeverlintError) as error:
        read(str(tmp_path / "b.json"))
    assert error.value.hint == "`--write-baseline` makes one"


def test_no_trace_of_a_write_that_failed(tmp_path):
    (tmp_path / "b.json").mkdir()
    with pytest.raises(LeverlintError, match="is a directory"):
        write(str(tmp_path / "b.json"), {ONE: 1})
    assert os.listdir(tmp_path) == ["b.json"]
