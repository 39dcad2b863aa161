import json
import os

import pytest

from leverlint import cli

APP = """\
import os


class Settings:
    def __init__(self):
        self.a = os.getenv("ZED_A")
        self.b = os.getenv("ZED_B")
        self.c = os.getenv("ZED_C")
"""
RAW = 'import os\n\n\ndef forward():\n    return os.getenv("ZED_A"), os.getenv("HOME")\n'

TOLD = """\
2 files looked at

Variables that are read, by the beginning of their names (* the levers):
  *  ZED_  3 names  4 reads  in 2 files  the project is called `zed`

Resolvers, files in which reading levers is right:
  * settings.py  reads 3 levers of 3, keeps them in fields, is called `settings`

Functions that look hot and read levers (left to you to switch on, in `hot`):
    forward  ZED_A

With this configuration: 1 finding
       1  LVR101 raw-read
  most of them in
       1  app.py

"""
CONFIGURATION = """\
prefixes = ["ZED_"]
resolvers = ["/settings.py"]
# Functions that no read should be reached from; finding the ways to them takes time.
# hot = ["forward"]
"""
NEXT = """\

Next:
  read the configuration and correct it; `leverlint check` says what does not match
"""
BASELINE = "leverlint-baseline.json"


@pytest.fixture
def zed(root, monkeypatch):
    """A project with that name, entered."""
    (root / "zed").mkdir()
    (root / "zed" / "settings.py").write_text(APP)
    (root / "zed" / "app.py").write_text(RAW)
    monkeypatch.chdir(root / "zed")
    return root / "zed"


@pytest.fixture
def leverlint(capfd):
    def run(*arguments):
        """Give exit code, standard output, standard error."""
        code = cli.main([*arguments])
        return code, *capfd.readouterr()

    return run


def test_a_new_file(zed, leverlint):
    code, out, err = leverlint("init")
    assert (code, err) == (0, "")
    assert out == (
        TOLD
        + "wrote leverlint.toml\n"
        + NEXT
        + "  live with what is there, for now: `leverlint check --write-baseline`\n"
    )
    assert (zed / "leverlint.toml").read_text() == CONFIGURATION
    assert leverlint("check", "--output-format", "concise")[:2] == (
        1,
        "app.py:5:12: LVR101 `ZED_A` is read outside the resolvers\n",
    )


def test_a_dry_run_writes_nothing(zed, leverlint):
    before = sorted(os.listdir(zed))
    code, out, err = leverlint("init", "--dry-run", "--baseline", "--pre-commit")
    assert (code, err) == (0, "")
    assert out == (
        TOLD
        + f"would write leverlint.toml\nwould write {BASELINE}\nwould write .pre-commit-config.yaml\n"
        + "\nleverlint.toml would say:\n"
        + "".join(f"    {line}\n" for line in CONFIGURATION.splitlines())
    )
    assert sorted(os.listdir(zed)) == before


def test_a_manifest(zed, leverlint):
    manifest = "[project]\nname = 'zed'  # and no more\n"
    (zed / "pyproject.toml").write_text(manifest)
    assert "wrote pyproject.toml\n" in leverlint("init")[1]
    assert (zed / "pyproject.toml").read_text() == f"{manifest}\n[tool.leverlint]\n{CONFIGURATION}"
    assert leverlint("check")[0] == 1


def test_another_file_than_the_manifest(zed, leverlint):
    (zed / "pyproject.toml").touch()
    assert "wrote leverlint.toml\n" in leverlint("init", "--file", "leverlint.toml")[1]
    assert (zed / "pyproject.toml").read_text() == ""
    assert leverlint("init", "--file", "Cargo.toml", "--force")[0] == 2


def test_a_manifest_that_there_is_not(zed, leverlint):
    assert leverlint("init", "--file", "Cargo.toml") == (
        2,
        "",
        "leverlint: error: there is no Cargo.toml to write into\n"
        "  hint: `--file leverlint.toml` makes a new file\n",
    )


def test_what_is_configured_is_not_touched(zed, leverlint):
    manifest = '[tool.leverlint]\nprefixes = ["OLD_"]\n\n[tool.other]\nx = 1\n'
    (zed / "pyproject.toml").write_text(manifest)
    code, out, err = leverlint("init")
    assert (code, out) == (2, "")
    assert err.startswith(
        "leverlint: error: pyproject.toml: leverlint is configured already\n  hint: `--force`"
    )
    assert (zed / "pyproject.toml").read_text() == manifest
    assert leverlint("init", "--force")[0] == 0
    assert (zed / "pyproject.toml").read_text() == f"[tool.other]\nx = 1\n\n[tool.leverlint]\n{CONFIGURATION}"


def test_baseline_and_hook(zed, leverlint):
    hooks = "# ours\nrepos:\n  - repo: https://x\n    rev: v1\n    hooks:\n      - id: a\n"
    (zed / ".pre-commit-config.yaml").write_text(hooks)
    code, out, err = leverlint("init", "--baseline", "--pre-commit")
    assert (code, err) == (0, "")
    assert out.endswith(f"{NEXT}  see only what is new: `leverlint check --baseline {BASELINE}`\n")
    assert [entry["lever"] for entry in json.loads((zed / BASELINE).read_text())["findings"]] == ["ZED_A"]
    edited = (zed / ".pre-commit-config.yaml").read_text()
    assert edited.startswith(hooks)
    assert edited.endswith(f"      args: [--baseline={BASELINE}]\n")
    assert leverlint("check", "--baseline", BASELINE)[:2] == (
        0,
        "no findings (2 files checked, 1 in the baseline)\n",
    )
    assert leverlint("init", "--force", "--pre-commit")[2] == (
        "leverlint: note: .pre-commit-config.yaml has a hook of leverlint already\n"
    )
    assert (zed / ".pre-commit-config.yaml").read_text() == edited


def test_nothing_is_written_if_not_everything_can_be(zed, leverlint):
    (zed / ".pre-commit-config.yaml").write_text("repos: []\n")
    assert leverlint("init", "--baseline", "--pre-commit")[0] == 2
    assert not (zed / "leverlint.toml").exists()
    assert not (zed / BASELINE).exists()


def test_prefixes_that_are_given(zed, leverlint):
    assert leverlint("init", "--prefix", "HOME,ZED_")[0] == 0
    assert (zed / "leverlint.toml").read_text().startswith('prefixes = ["HOME", "ZED_"]\n')
    code, _, err = leverlint("init", "--force", "--prefix", "A B")
    assert (code, err.splitlines()[0]) == (
        2,
        "leverlint: error: --prefix: `prefixes` holds `A B`, which no variable can start with",
    )


def test_another_directory(zed, leverlint, monkeypatch):
    monkeypatch.chdir(zed.parent)
    assert "wrote zed/leverlint.toml\n" in leverlint("init", "zed")[1]
    assert leverlint("init", "nowhere") == (2, "", "leverlint: error: nowhere: no such directory\n")


def test_no_family_stands_out(root, leverlint):
    (root / "a.py").write_text(RAW.replace("ZED_A", "CUDA_HOME"))
    code, out, err = leverlint("init")
    assert (code, out.splitlines()[-1].split()[0]) == (2, "CUDA_")
    assert "--prefix" in err
    assert not (root / "leverlint.toml").exists()


def test_nothing_to_look_at(root, leverlint):
    assert leverlint("init")[2] == (
        "leverlint: error: .: no Python or Rust file is in it that ignore files leave\n"
    )


def test_no_resolver_stands_out(zed, leverlint):
    (zed / "settings.py").write_text("")
    out = leverlint("init")[1]
    assert "  none stands out; name them in `resolvers`, or make one\n" in out
    assert "\n# resolvers = " in (zed / "leverlint.toml").read_text()
    assert leverlint("check", "--select", "unmatched-config")[0] == 0
