"""`action.yml`: its scripts are run as a runner of GitHub Actions runs them."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from leverlint import cli

ROOT = Path(__file__).parent.parent
ACTION = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
INSTALL, CHECK = ACTION["runs"]["steps"]
RAW = 'import os\n\n\ndef f():\n    return os.environ["ATLAS_X"]\n'


def step(described, tmp_path, **inputs):
    """Run one step, with the inputs of the action put in where its `env` says."""
    given = {name: values["default"] for name, values in ACTION["inputs"].items()} | inputs
    environment = {
        name: re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda match: given[match[1]], value)
        for name, value in described["env"].items()
    }
    script = tmp_path / "step.sh"
    script.write_text(described["run"], "utf-8")
    return subprocess.run(
        # As https://docs.github.com/actions says of `shell: bash`.
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", script],
        cwd=tmp_path / "repository",
        env={**os.environ, "RUNNER_TEMP": str(tmp_path), "GITHUB_ACTION_PATH": str(ROOT), **environment},
        capture_output=True,
        text=True,
    )


@pytest.fixture
def repository(tmp_path):
    (tmp_path / "repository" / ".git").mkdir(parents=True)
    (tmp_path / "repository" / "a.py").write_text(RAW)
    return tmp_path / "repository"


@pytest.fixture
def installed(tmp_path):
    """Stand in for the first step: the leverlint of the tests."""
    scripts = tmp_path / "leverlint" / "bin"
    scripts.mkdir(parents=True)
    for name, module in (("python", ""), ("leverlint", "-m leverlint ")):
        (scripts / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" {module}"$@"\n')
        (scripts / name).chmod(0o755)


def test_what_the_action_declares():
    assert ACTION["runs"]["using"] == "composite"
    assert {"name", "description", "inputs", "runs"} <= set(ACTION)
    for described in ACTION["runs"]["steps"]:
        assert described["shell"] == "bash"
        # An expression in a script would be code of whoever can set it.
        assert "${{" not in described["run"]
    used = {match for one in (INSTALL, CHECK) for match in re.findall(r"inputs\.([\w-]+)", str(one["env"]))}
    assert used == set(ACTION["inputs"])


def test_the_options_that_it_uses_exist(capsys):
    with pytest.raises(SystemExit):
        cli.main(["check", "--help"])
    known = capsys.readouterr().out
    used = set(re.findall(r"(?<=\s)--[a-z-]+", CHECK["run"].partition('"$bin/leverlint"')[2]))
    assert used == {"--output-format", "--output-file", "--exit-zero"}
    assert all(option in known for option in used)


@pytest.mark.usefixtures("installed")
def test_findings_are_annotations(repository, tmp_path):
    done = step(CHECK, tmp_path)
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout == (
        "::error title=leverlint raw-read (LVR101),file=a.py,line=5,endLine=5,col=12,endColumn=33"
        "::a.py:5:12: LVR101 `ATLAS_X` is read outside the resolvers"
        "%0Ahelp: resolve it once in a resolver and hand the field down\n"
    )


@pytest.mark.usefixtures("installed")
def test_inputs_are_words(repository, tmp_path):
    (repository / "a b.py").write_text(RAW.replace("ATLAS_", "OTHER_"))
    done = step(CHECK, tmp_path, paths="'a b.py'", args="--prefix OTHER_ --select 'raw-read, env-write'")
    assert (done.returncode, done.stdout.count("::error"), done.stderr) == (1, 1, "")
    assert "file=a b.py" in done.stdout
    assert step(CHECK, tmp_path, args="--ignore raw-read").returncode == 0
    assert step(CHECK, tmp_path, args="--no-such-option").returncode == 2
    assert step(CHECK, tmp_path, args="'unbalanced").returncode == 1


@pytest.mark.usefixtures("installed")
def test_inputs_cannot_become_code(repository, tmp_path):
    for name in ("args", "paths", "sarif-file"):
        for hostile in (
            "$(touch owned)",
            "`touch owned`",
            '"; touch owned; "',
            "'; touch owned; '",
            "\ntouch owned",
        ):
            step(CHECK, tmp_path, **{name: hostile})
    assert not list(tmp_path.rglob("owned"))


@pytest.mark.usefixtures("installed")
def test_sarif_on_top(repository, tmp_path):
    done = step(CHECK, tmp_path, **{"sarif-file": "out put.sarif"})
    assert (done.returncode, done.stdout.count("::error")) == (1, 1)
    [run] = json.loads((repository / "out put.sarif").read_text("utf-8"))["runs"]
    assert [result["ruleId"] for result in run["results"]] == ["LVR101"]


def test_an_old_python_is_refused(repository, tmp_path):
    (tmp_path / "old").write_text("#!/bin/sh\nexit 1\n")
    (tmp_path / "old").chmod(0o755)
    done = step(INSTALL, tmp_path, python=str(tmp_path / "old"))
    assert done.returncode == 2
    assert done.stdout.startswith("::error title=leverlint::leverlint needs Python 3.11")


@pytest.mark.slow
def test_installed_from_its_own_checkout(repository, tmp_path):
    # What the repository holds must not be taken for a module.
    (repository / "shlex.py").write_text("raise SystemExit('owned')\n")
    done = step(INSTALL, tmp_path, python=sys.executable)
    assert done.returncode == 0, done.stderr
    assert shutil.which("leverlint", path=tmp_path / "leverlint" / "bin")
    done = step(CHECK, tmp_path)
    assert (done.returncode, done.stdout.count("::error")) == (1, 1), done.stderr
