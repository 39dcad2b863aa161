"""Checking a tree runs none of its code, wherever Python would look for modules."""

import os
import subprocess
import sys

import pytest

from leverlint.cli import main
from leverlint.reporters import FORMATS
from leverlint.reporters.cells import HARMFUL

RAN = "code of the tree ran"


@pytest.fixture
def tree(tmp_path):
    (tmp_path / "leverlint.toml").write_text("")
    (tmp_path / "app.py").write_text('import os\nX = os.environ.get("ATLAS_X")\n')
    (tmp_path / "pack-1.0.dist-info").mkdir()
    (tmp_path / "pack-1.0.dist-info" / "entry_points.txt").write_text("[leverlint.packs]\npack = pack\n")
    for name in ("pack", "json", "tree_sitter", "leverlint_rules"):
        (tmp_path / f"{name}.py").write_text(f"raise SystemExit({RAN!r})\n")
    return tmp_path


@pytest.mark.parametrize("python_path", [None, "", os.pathsep, "."])
def test_as_a_module_and_with_the_tree_on_the_path(tree, python_path):
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    if python_path is not None:
        environment["PYTHONPATH"] = python_path
    command = [sys.executable, "-m", "leverlint", "check", "--no-cache", "--output-format", "concise"]
    done = subprocess.run(command, cwd=tree, env=environment, capture_output=True, text=True)
    assert RAN not in done.stdout + done.stderr
    assert done.returncode == 1
    assert "app.py:2:5: LVR101" in done.stdout


def test_under_flake8(tree):
    (tree / "json.py").unlink()  # flake8 itself would import that
    command = [sys.executable, "-m", "flake8", "--select", "LVR", "app.py"]
    done = subprocess.run(command, cwd=tree, capture_output=True, text=True)
    assert RAN not in done.stdout + done.stderr
    assert "app.py:2:5: LVR101" in done.stdout


NAMES = ("::error::x.py", "red\x1b[31m.py", "line\n::error::y.py", "bell\x07\x9b31m.py", "\u202egnp.py")
SOURCE = 'import os\nos.environ.get("ATLAS_<b>|`x`\\x1b[31m\\n::error::z\\u202e\\ud83d")\n'


@pytest.mark.parametrize("output_format", sorted(FORMATS))
def test_no_name_drives_a_terminal_or_a_workflow(tmp_path, monkeypatch, capfdbinary, output_format):
    (tmp_path / "leverlint.toml").write_text("")
    for name in NAMES:
        (tmp_path / name).write_text(SOURCE)
    monkeypatch.chdir(tmp_path)
    assert main(["check", "--no-cache", "--output-format", output_format]) == 1
    out, err = capfdbinary.readouterr()
    assert not err
    text = out.decode()
    assert not set(map(ord, text)) & {*HARMFUL} - {ord("\n")}
    commands = [line for line in text.splitlines() if line.lstrip().startswith("::")]
    assert len(commands) == (len(NAMES) if output_format == "github" else 0)


@pytest.mark.parametrize(
    "arguments",
    [
        ["check", "no\x1b[31m\n::error::such"],
        ["check", "--config", "no\x1b[31m\n::error::such"],
        ["check", "--select", "no\x1b[31m\n::error::such"],
        ["check", "--output-file", "no\x1b[31m\n::error::such/x"],
        ["explain", "no\x1b[31m\n::error::such"],
    ],
)
def test_no_message_does(tmp_path, monkeypatch, capfdbinary, arguments):
    monkeypatch.chdir(tmp_path)
    assert main(arguments) == 2
    err = capfdbinary.readouterr().err.decode()
    assert not set(map(ord, err)) & {*HARMFUL} - {ord("\n")}
    assert not [line for line in err.splitlines() if line.lstrip().startswith("::")]


@pytest.mark.parametrize("key", ["unknown\\u001b[31m\\n::error::x", "\\u009b"])
def test_no_key_of_the_configuration_does(tmp_path, monkeypatch, capfdbinary, key):
    (tmp_path / "leverlint.toml").write_text(f'"{key}" = 1\n')
    monkeypatch.chdir(tmp_path)
    assert main(["check"]) == 2
    err = capfdbinary.readouterr().err.decode()
    assert not set(map(ord, err)) & {*HARMFUL} - {ord("\n")}
