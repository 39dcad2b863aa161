"""Real runs of flake8, in processes of their own."""

import os
import subprocess
import sys

import pytest

RAW = 'import os\n\n\ndef f():\n    return os.environ["ATLAS_X"]\n'
FINDING = "a.py:5:12: LVR101 `ATLAS_X` is read outside the resolvers\n"

# Counts the passes over the project in all processes, whatever the start method.
RUNNER = """\
import multiprocessing
import sys

from leverlint import engine

check = engine.check


def counting(*arguments, **options):
    with open("passes.log", "a") as file:
        file.write("pass\\n")
    return check(*arguments, **options)


engine.check = counting

if __name__ == "__main__":
    from flake8.main.cli import main

    multiprocessing.set_start_method(sys.argv[1])
    raise SystemExit(main(sys.argv[2:]))
"""


@pytest.fixture
def root(tmp_path):
    (tmp_path / ".git").mkdir()
    return tmp_path


def flake8(root, *arguments, isolated=True, **options):
    done = subprocess.run(
        [sys.executable, "-m", "flake8", *(["--isolated"] if isolated else []), *arguments],
        cwd=root,
        capture_output=True,
        text=True,
        **options,
    )
    return done.returncode, done.stdout.replace("./", ""), done.stderr


def test_findings(root):
    (root / "a.py").write_text(RAW)
    assert flake8(root, "a.py") == (1, FINDING, "")
    assert flake8(root) == (1, FINDING, "")
    assert flake8(root, "--version")[1].count("leverlint: ") == 1


def test_knowledge_of_the_whole_project(root):
    (root / "names.py").write_text('NAME = "ATLAS_X"\n')
    (root / "a.py").write_text(
        "import os\nfrom names import NAME\n\n\ndef f():\n    return os.getenv(NAME)\n"
    )
    assert flake8(root, "a.py")[1] == FINDING.replace(":5:", ":6:")


def test_a_baseline(root):
    (root / "a.py").write_text(RAW)
    subprocess.run([sys.executable, "-m", "leverlint", "check", "--write-baseline"], cwd=root, check=True)
    (root / "setup.cfg").write_text("[flake8]\nleverlint-baseline = leverlint-baseline.json\n")
    assert flake8(root, "--config", "setup.cfg", "a.py", isolated=False) == (0, "", "")
    (root / "copy.py").write_text(RAW)
    copied = FINDING.replace("a.py", "copy.py")
    assert flake8(root, "--config", "setup.cfg", "copy.py", isolated=False) == (1, copied, "")
    assert "no such baseline" in flake8(root, "--leverlint-baseline", "nope.json", "a.py")[1]


def test_columns_count_characters(root):
    (root / "a.py").write_text("import os\n\n\ndef f():\n    return 'é😀', os.environ['ATLAS_X']\n")
    assert flake8(root)[1] == FINDING.replace(":12:", ":18:")


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
@pytest.mark.parametrize("jobs", [1, 2])
def test_one_pass_whatever_the_processes(root, method, jobs):
    for number in range(4):
        (root / f"m{number}.py").write_text(RAW)
    (root / ".leverlint_cache").mkdir()
    (root / "run.py").write_text(RUNNER)
    environment = {**os.environ, "TMPDIR": str(root)}
    done = subprocess.run(
        [
            sys.executable,
            "run.py",
            method,
            "--isolated",
            f"-j{jobs}",
            *(f"m{number}.py" for number in range(4)),
        ],
        cwd=root,
        capture_output=True,
        text=True,
        env=environment,
    )
    assert done.stdout == "".join(FINDING.replace("a.py", f"m{number}.py") for number in range(4))
    assert (done.returncode, done.stderr) == (1, "")
    assert (root / "passes.log").read_text() == "pass\n"
    assert [path.name for path in root.iterdir() if path.name.startswith("leverlint-flake8-")] == []


def test_leverlints_own_configuration(root):
    (root / "a.py").write_text(RAW)
    (root / "leverlint.toml").write_text('resolvers = ["a.py"]\n')
    assert flake8(root) == (0, "", "")
    (root / "other.toml").write_text('prefixes = ["OTHER_"]\nignore = ["unmatched-config"]\n')
    assert flake8(root, "--leverlint-config", "other.toml") == (0, "", "")
    (root / "setup.cfg").write_text("[flake8]\nleverlint-config = other.toml\n")
    (root / "leverlint.toml").unlink()
    done = subprocess.run([sys.executable, "-m", "flake8"], cwd=root, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "")


def test_noqa_is_flake8s(root):
    text = RAW.rstrip("\n")
    (root / "a.py").write_text(f"{text}  # noqa: LVR101\n")
    assert flake8(root)[:2] == (0, "")
    (root / "a.py").write_text("x = 1  # noqa: LVR101\n")
    assert flake8(root)[1].startswith("a.py:1:")
    assert "LVR901" in flake8(root)[1]


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        (["--select", "LVR"], True),
        (["--select", "LVR1"], True),
        (["--select", "E,L"], True),
        (["--select", "E,W"], False),
        (["--ignore", "LVR"], False),
        (["--extend-ignore", "LVR101"], False),
        (["--extend-select", "E1"], True),
        (["--per-file-ignores", "a.py:LVR"], False),
    ],
)
def test_flake8_chooses_what_is_shown(root, arguments, shown):
    (root / "a.py").write_text(RAW)
    assert flake8(root, *arguments)[:2] == ((1, FINDING) if shown else (0, ""))


def test_no_pass_when_nothing_would_be_shown(root):
    (root / "a.py").write_text(RAW)
    (root / "leverlint.toml").write_text("broken =")
    assert flake8(root, "--select", "E") == (0, "", "")


def test_standard_input(root):
    (root / "a.py").write_text("x = 1\n")
    (root / "names.py").write_text('NAME = "ATLAS_X"\n')
    text = "import os\nfrom names import NAME\n\n\ndef f():\n    return os.getenv(NAME)\n"
    expected = FINDING.replace(":5:", ":6:")
    assert flake8(root, "--stdin-display-name", "a.py", "-", input=text) == (1, expected, "")
    assert flake8(root, "-", input=text)[1] == expected.replace("a.py", "stdin")
    (root / "a.py").write_text(RAW)
    assert flake8(root, "--stdin-display-name", "a.py", "-", input="x = 1\n") == (0, "", "")


def test_a_mistake_in_the_configuration_is_one_finding(root):
    for name in ("a.py", "b.py"):
        (root / name).write_text(RAW)
    (root / "leverlint.toml").write_text("prefixs = []\n")
    code, out, err = flake8(root, "-j1")
    assert (code, err) == (1, "")
    assert out == (
        "a.py:1:1: LVR900 leverlint could not run: leverlint.toml:1: unknown key `prefixs` "
        "(did you mean `prefixes`?)\n"
    )


def test_defects_do_not_take_flake8_down(root):
    (root / "a.py").write_text(RAW + "x=1\n")
    (root / "run.py").write_text(
        RUNNER.replace("return check(*arguments, **options)", "raise TypeError('odd')")
    )
    done = subprocess.run(
        [sys.executable, "run.py", "fork", "--isolated", "a.py"], cwd=root, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (1, "")
    assert "a.py:1:1: LVR900 leverlint could not run: TypeError: odd\n" in done.stdout
    assert "E225" in done.stdout


def test_broken_and_foreign_files_in_the_project(root):
    (root / "a.py").write_text(RAW)
    (root / "broken.py").write_text("def (:\n")
    (root / "binary.py").write_bytes(b"\0\0")
    (root / "b.rs").write_text('fn f() { let _ = std::env::var("ATLAS_Y"); }')
    assert flake8(root, "a.py") == (1, FINDING, "")
    _, out, err = flake8(root)
    assert FINDING in out
    assert "b.rs" not in out
    assert err == ""


def test_importing_the_plugin_is_light():
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-c", "import leverlint.flake8_plugin"],
        capture_output=True,
        text=True,
    )
    imported = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    ours = {name for name in imported if name.startswith("leverlint")}
    assert ours == {"leverlint", "leverlint.flake8_plugin"}
    assert not imported & {"json", "tempfile", "typing", "re", "tree_sitter", "libcst"}
