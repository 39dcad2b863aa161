"""Checking a tree runs none of its code, wherever Python would look for modules."""

import os
import subprocess
import sys

import pytest

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
