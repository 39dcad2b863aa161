import io
import json
import os
import subprocess
import sys

import pytest

from leverlint import cli
from leverlint.commands.options import start_directory

RAW = 'import os\n\n\ndef f():\n    return os.environ["ATLAS_X"]\n'
FINDING = "a.py:5:12: LVR101 `ATLAS_X` is read outside the resolvers\n"


@pytest.fixture
def check(capfd):
    def run(*arguments):
        """Give exit code, standard output, standard error."""
        code = cli.main(["check", "--no-cache", *arguments])
        return code, *capfd.readouterr()

    return run


def write(root, **files):
    for name, text in files.items():
        path = root / f"{name.replace('__', '/')}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def test_clean(root, check):
    write(root, levers=RAW)
    assert check() == (0, "no findings (1 file checked)\n", "")
    assert check("--output-format", "concise") == (0, "", "")


def test_findings(root, check):
    write(root, a=RAW)
    assert check("--output-format", "concise") == (1, FINDING, "")
    assert check("--output-format", "concise", "--exit-zero")[0] == 0
    code, out, _ = check("--output-format", "json")
    assert code == 1
    assert [finding["path"] for finding in json.loads(out)["findings"]] == ["a.py"]
    assert check()[1].endswith("\n1 finding in 1 file: 1 error (1 file checked)\n")


def test_the_whole_project_is_read_whatever_is_asked(root, check):
    write(root, pkg__names='NAME = "ATLAS_X"\n')
    write(
        root, app="import os\nfrom pkg.names import NAME\n\n\ndef f():\n    return os.getenv(NAME)\n", b=RAW
    )
    code, out, _ = check("app.py", "--output-format", "concise")
    assert (code, out) == (1, "app.py:6:12: LVR101 `ATLAS_X` is read outside the resolvers\n")


def test_in_a_subdirectory_paths_are_relative_to_it(root, check, monkeypatch):
    write(root, sub__a=RAW, b=RAW)
    monkeypatch.chdir(root / "sub")
    assert check("--output-format", "concise") == (1, FINDING, "")
    _, out, _ = check("..", "--output-format", "concise")
    assert out == FINDING.replace("a.py", "../b.py") + FINDING


def test_a_tree_elsewhere(root, check, tmp_path_factory):
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    write(elsewhere, a=RAW)
    (elsewhere / "leverlint.toml").write_text('prefixes = ["OTHER_"]')
    write(elsewhere, b=RAW.replace("ATLAS_", "OTHER_"))
    code, out, _ = check(str(elsewhere), "--output-format", "concise")
    assert code == 1
    assert out.startswith(f"{os.path.relpath(elsewhere)}/b.py:5:12: LVR101 `OTHER_X`")


def test_the_project_is_where_the_paths_are(root, tmp_path_factory, monkeypatch):
    loose = tmp_path_factory.mktemp("loose")
    write(loose, a=RAW, sub__b=RAW, repo__sub__c=RAW)
    (loose / "repo" / ".git").mkdir()
    monkeypatch.chdir(loose)

    def start(*paths):
        return os.path.relpath(start_directory(paths))

    assert start() == "."
    assert start("sub") == "sub"
    assert start("sub/b.py") == "."
    assert start("a.py", "sub") == "."
    assert start("repo/sub/c.py") == "repo/sub"
    assert start("repo/sub", "a.py") == "."
    monkeypatch.chdir(root)
    assert start(str(loose / "a.py")) == "."
    assert start(str(loose)) == os.path.relpath(loose)
    assert start(str(loose / "repo" / "sub" / "c.py")) == os.path.relpath(loose / "repo" / "sub")


def test_options_override_the_configuration(root, check):
    (root / "leverlint.toml").write_text('prefixes = ["OTHER_"]\n')
    write(root, a=RAW, test_a=RAW)
    concise = ("--output-format", "concise", "--prefix", "NONE_,ATLAS_")
    assert check(*concise)[1] == FINDING
    assert check(*concise, "--tests", "check")[1] == FINDING + FINDING.replace("a.py", "test_a.py")
    assert check(*concise, "--resolver", "a.py")[1] == ""
    assert check(*concise, "--ignore", "raw-read")[1] == ""
    assert check(*concise, "--ignore", "LVR")[1] == ""
    assert check(*concise, "--select", "LVR8,env-write")[0] == 2
    assert check(*concise, "--select", "env-write,LVR9")[1] == ""
    assert check("--isolated", "--output-format", "concise")[1] == FINDING
    (root / "leverlint.toml").write_text("broken =")
    assert check("a.py", "--isolated", "--output-format", "concise")[1] == FINDING


def test_no_resolver_at_all(root, check):
    write(root, levers=RAW)
    assert check("--resolver", "", "--output-format", "concise")[1] == FINDING.replace("a.py", "levers.py")


def test_configuration_file(root, check):
    (root / "strict.toml").write_text('ignore = ["raw-read"]')
    write(root, a=RAW)
    assert check("--config", "strict.toml")[0] == 0
    code, out, err = check("--config", "nope.toml")
    assert (code, out, err) == (2, "", "leverlint: error: nope.toml: no such file or directory\n")


def test_bad_configuration(root, check):
    (root / "leverlint.toml").write_text("prefixs = []")
    assert check() == (
        2,
        "",
        "leverlint: error: leverlint.toml:1: unknown key `prefixs`\n  hint: did you mean `prefixes`?\n",
    )


def test_bad_selectors(root, check):
    assert check("--select", "raw-reed") == (
        2,
        "",
        "leverlint: error: --select: `select` names no rule: `raw-reed`\n  hint: did you mean `raw-read`?\n",
    )


def test_missing_path(root, check):
    assert check("nope.py") == (2, "", "leverlint: error: nope.py: no such file or directory\n")


def test_output_file(root, check):
    write(root, a=RAW)
    assert check("--output-file", "out.txt", "--output-format", "concise") == (1, "", "")
    assert (root / "out.txt").read_text() == FINDING
    assert check("--output-file", "no/such/dir")[0] == 2


def test_statistics(root, check):
    write(root, a=RAW)
    _, out, _ = check("--statistics", "--output-format", "concise")
    assert out == FINDING + "1  LVR101  raw-read  error\n"
    _, out, err = check("--statistics", "--output-format", "json")
    assert json.loads(out)["summary"]["findings"] == 1
    assert json.loads(out)["statistics"] == [
        {"code": "LVR101", "rule": "raw-read", "severity": "error", "count": 1, "fixable": 0}
    ]
    assert err == ""
    assert "statistics" not in json.loads(check("--output-format", "json")[1])
    check("--write-baseline", "-q")
    assert check("--statistics", "--output-format", "concise", "--baseline", "leverlint-baseline.json") == (
        0,
        "",
        "",
    )


def test_colour(root, check, monkeypatch):
    write(root, a=RAW)
    assert "\x1b[" not in check()[1]
    assert "\x1b[" in check("--color", "always")[1]
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[" in check()[1]
    assert "\x1b[" not in check("--color", "never")[1]
    assert "\x1b[" not in check("--output-format", "json")[1]
    check("--output-file", "out.txt")
    assert "\x1b[" not in (root / "out.txt").read_text()


def test_quiet(root, check):
    assert check("--quiet") == (0, "", "")
    write(root, a=RAW)
    out = check("-q")[1]
    assert out.startswith("error[LVR101]")
    assert "checked" not in out


def stdin(monkeypatch, text):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))


def test_standard_input(root, check, monkeypatch):
    write(root, a="x = 1\n", b=RAW)
    stdin(monkeypatch, RAW)
    assert check("-", "--stdin-filename", "a.py", "--output-format", "concise") == (1, FINDING, "")
    stdin(monkeypatch, RAW)
    assert check("--stdin-filename", "new/a.py", "--output-format", "concise")[1] == "new/" + FINDING
    stdin(monkeypatch, RAW)
    assert check("-", "--output-format", "concise")[1] == FINDING.replace("a.py", "stdin.py")
    stdin(monkeypatch, "x = 1\n")
    assert check("-", "--stdin-filename", "b.py", "--output-format", "concise")[1] == ""


def test_a_run_that_finds_nothing_to_check_says_why(root, check):
    code, _, err = check()
    assert code == 0
    assert err == (
        "leverlint: warning: nothing to check: no Python or Rust file in this directory that `exclude` "
        "and ignore files leave\n"
    )
    write(root, a="x = 1\n", b="y = 1\n")
    assert check() == (
        0,
        "no findings (2 files checked)\n",
        "leverlint: note: 2 files checked, but no lever is used in the project; levers start with `ATLAS_`\n"
        "leverlint: hint: name your own with `--prefix` or `prefixes` in leverlint.toml\n",
    )


def test_unreadable_files(root, check):
    (root / "a.py").write_bytes(b"\0\0")
    assert check() == (
        2,
        "no findings (0 files checked)\n",
        "leverlint: warning: a.py is binary; skipped\n"
        "leverlint: warning: nothing to check: no Python or Rust file in this directory that `exclude` "
        "and ignore files leave\n"
        "leverlint: error: nothing could be read\n",
    )
    write(root, b=RAW)
    code, _, err = check()
    assert (code, err) == (1, "leverlint: warning: a.py is binary; skipped\n")


def test_only_what_is_asked_about_counts(root, check):
    (root / "binary.py").write_bytes(b"\0\0")
    write(root, a="x = 1\n", b=RAW.replace("]\n", "]  # noqa: LVR101\n"))
    summary = json.loads(check("a.py", "--output-format", "json", "-q")[1])["summary"]
    assert summary == {"files": 1, "findings": 0, "suppressed": 0, "baselined": 0}
    assert "binary.py" not in check("a.py")[2]
    assert json.loads(check("--output-format", "json", "-q")[1])["summary"]["suppressed"] == 1


def test_force_exclude(root, check):
    write(root, build__a=RAW)
    assert check("build/a.py", "--output-format", "concise")[0] == 1
    code, out, err = check("build/a.py", "--force-exclude")
    assert (code, out) == (0, "no findings (0 files checked)\n")
    assert "nothing to check" in err


def test_show_config(root, check):
    (root / "leverlint.toml").write_text('\nprefixes = ["A_", "B\\"_"]\n')
    (root / "sub").mkdir()
    (root / "sub" / "pyproject.toml").write_text("[tool.leverlint.severity]\nraw-read = 'hint'\n")
    code, out, _ = check("--show-config", "sub/a.py", "--tests", "check")
    lines = out.splitlines()
    assert code == 0
    assert lines[0] == f"# sub/a.py, in the project {root}"
    assert 'prefixes = ["A_", "B\\"_"]  # leverlint.toml:2' in lines
    assert 'tests = "check"  # command line' in lines
    assert 'severity = { "raw-read" = "hint" }  # sub/pyproject.toml:1' in lines
    assert "names = []  # default" in lines
    assert "severity = {}  # default" in check("--show-config")[1].splitlines()


def test_any_number_of_jobs_gives_the_same_bytes(root, check):
    for number in range(30):
        write(root, **{f"pkg__m{number}": RAW * 3})
    results = {check("--jobs", str(jobs), "--output-format", "json") for jobs in (1, 2, 5)}
    assert len(results) == 1


def test_the_cache_is_where_it_is_told_to_be(root, capfd):
    write(root, a=RAW)
    assert cli.main(["check", "--no-cache"]) == 1
    assert sorted(os.listdir(root)) == [".git", "a.py"]
    assert cli.main(["check", "--cache-dir", "c"]) == 1
    first = capfd.readouterr().out
    assert cli.main(["check", "--cache-dir", "c"]) == 1
    assert first.endswith(capfd.readouterr().out)
    assert sorted(os.listdir(root)) == [".git", "a.py", "c"]


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="needs a terminal")
def test_progress_is_for_terminals_only(monkeypatch):
    from leverlint.commands import output

    class Terminal(io.StringIO):
        def isatty(self):
            return True

    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setattr(sys, "stderr", Terminal())
    clock = iter([0.0, 0.5, 2.0, 2.01, 3.0, 4.0])
    monkeypatch.setattr(output.time, "monotonic", lambda: next(clock))
    show = output.progress()
    for done in (1, 2, 3, 4, 5):
        show(done, 5)
    assert sys.stderr.getvalue() == "\r\x1b[K2 of 5 files\r\x1b[K4 of 5 files\r\x1b[K"
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    assert output.progress() is None


def test_what_a_plain_run_imports(root):
    write(root, a=RAW)
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "leverlint", "check", "--no-cache"],
        cwd=root,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    imported = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    heavy = {"dataclasses", "pathlib", "inspect", "logging", "subprocess", "tomllib", "tokenize"}
    heavy |= {"importlib.metadata", "concurrent.futures", "multiprocessing", "difflib", "pathspec", "libcst"}
    assert imported & heavy == set()
