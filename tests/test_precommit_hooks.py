import re
from pathlib import Path

import pytest

from leverlint import cli

MANIFEST = (Path(__file__).parent.parent / ".pre-commit-hooks.yaml").read_text()
ENTRIES = re.findall(r"^  entry: leverlint (.*)$", MANIFEST, re.MULTILINE)


def test_both_hooks_are_there():
    assert re.findall(r"^- id: (.*)$", MANIFEST, re.MULTILINE) == ["leverlint", "leverlint-project"]
    assert MANIFEST.count("require_serial: true") == 2
    assert len(ENTRIES) == 2


@pytest.mark.parametrize("entry", ENTRIES)
def test_an_entry_runs(entry, tmp_path, monkeypatch, capsys):
    (tmp_path / "a.py").write_text("import os\n\n\ndef f():\n    return os.environ['ATLAS_X']\n")
    monkeypatch.chdir(tmp_path)
    assert cli.main([*entry.split(), "a.py"]) == 1
    assert "LVR101" in capsys.readouterr().out


@pytest.mark.parametrize("entry", ENTRIES)
def test_an_entry_takes_a_baseline(entry, tmp_path, monkeypatch, capsys):
    (tmp_path / "a.py").write_text("import os\n\n\ndef f():\n    return os.environ['ATLAS_X']\n")
    monkeypatch.chdir(tmp_path)
    assert cli.main(["check", "--write-baseline"]) == 0
    assert cli.main([*entry.split(), "--baseline=leverlint-baseline.json", "a.py"]) == 0
    assert "1 in the baseline" in capsys.readouterr().out
