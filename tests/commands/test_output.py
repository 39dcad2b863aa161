import json
import os
import subprocess
import sys

import pytest

from leverlint import cli
from leverlint.reporters import FORMATS

RAW = 'import os\n\n\ndef f():\n    return os.environ["ATLAS_X"]  # é\n'
MACHINES = [name for name, form in FORMATS.items() if not form.for_people]


@pytest.fixture
def check(capfd):
    def run(*arguments):
        code = cli.main(["check", "--no-cache", *arguments])
        return code, *capfd.readouterr()

    return run


@pytest.mark.parametrize("name", MACHINES)
def test_nothing_but_the_format_where_programs_read(name, root, check, monkeypatch):
    (root / "a.py").write_text(RAW)
    plain = check("--output-format", name)
    assert plain[2] == ""
    monkeypatch.setenv("FORCE_COLOR", "1")
    options = ("--output-format", name, "--color", "always")
    assert check(*options) == plain
    assert check(*options, "--quiet") == plain
    assert check(*options, "--output-file", "report") == (1, "", "")
    assert (root / "report").read_text("utf-8") == plain[1]


@pytest.mark.parametrize("name", [name for name in MACHINES if name != "json"])
def test_statistics_go_where_no_program_is_disturbed(name, root, check):
    (root / "a.py").write_text(RAW)
    plain = check("--output-format", name)[1]
    assert check("--output-format", name, "--statistics") == (1, plain, "1  LVR101  raw-read  error\n")


@pytest.mark.parametrize("name", MACHINES)
def test_the_terminals_encoding_is_not_that_of_programs(name, root):
    (root / "é.py").write_text(RAW)
    done = subprocess.run(
        [sys.executable, "-m", "leverlint", "check", "--no-cache", "--output-format", name],
        cwd=root,
        env={**os.environ, "PYTHONIOENCODING": "latin-1"},
        capture_output=True,
    )
    assert ("%C3%A9.py" if name == "sarif" else "é.py") in done.stdout.decode("utf-8")


def test_a_file_is_for_people_as_well(root, check):
    (root / "a.py").write_text(RAW)
    assert check("--output-file", "report") == (1, "", "")
    assert (root / "report").read_text().endswith("\n1 finding in 1 file: 1 error (1 file checked)\n")
    assert "\x1b" not in (root / "report").read_text()
    check("--output-file", "report", "--color", "always")
    assert "\x1b[1;31m" in (root / "report").read_text()


def paths(name, out):
    if name == "github":
        return [part.partition(",")[0] for part in out.split("file=")[1:]]
    if name == "gitlab":
        return [issue["location"]["path"] for issue in json.loads(out)]
    results = json.loads(out)["runs"][0]["results"]
    return [one["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for one in results]


@pytest.mark.parametrize("name", ["github", "gitlab", "sarif"])
def test_paths_are_those_of_the_repository(name, root, check, monkeypatch, tmp_path_factory):
    (root / "services" / "billing").mkdir(parents=True)
    (root / "services" / "billing" / "a.py").write_text(RAW)
    monkeypatch.chdir(root / "services")
    options = ("--output-format", name)
    expected = ["services/billing/a.py"]
    assert paths(name, check(*options)[1]) == expected
    assert paths(name, check(*options, "billing")[1]) == expected
    # A project of its own within the repository.
    (root / "services" / "billing" / "leverlint.toml").write_text("")
    assert paths(name, check(*options, "billing")[1]) == expected
    # Started from elsewhere: the repository that the project is in.
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    assert paths(name, check(*options, str(root / "services"))[1]) == expected
    # A submodule, seen from the repository that holds it.
    (root / "services" / "billing" / ".git").write_text("gitdir: elsewhere")
    monkeypatch.chdir(root)
    assert paths(name, check(*options, "services/billing")[1]) == expected
    # No repository at all.
    (root / ".git").rmdir()
    (root / "services" / "billing" / ".git").unlink()
    monkeypatch.chdir(root / "services")
    assert paths(name, check(*options, "billing")[1]) == ["billing/a.py"]


@pytest.mark.parametrize("name", ["json", "junit", "rdjson", "cargo"])
def test_paths_are_those_of_the_working_directory(name, root, check, monkeypatch):
    (root / "sub").mkdir()
    (root / "sub" / "a.py").write_text(RAW)
    monkeypatch.chdir(root / "sub")
    assert '"a.py' in check("--output-format", name)[1]
