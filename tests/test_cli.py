import os
import subprocess
import sys

import pytest

from leverlint import __version__, cli
from leverlint.errors import LeverlintError


def python(*arguments, **options):
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, **options)


@pytest.fixture
def command(monkeypatch):
    """Put a command of the test's own behind the name `check`."""

    def replace(run):
        module = type(sys)("leverlint_test_command")
        module.configure = lambda parser: parser.set_defaults(run=run)
        monkeypatch.setitem(sys.modules, "leverlint_test_command", module)
        monkeypatch.setitem(cli.COMMANDS, "check", ("leverlint_test_command", "x"))

    return replace


def raising(error):
    def run(arguments):
        raise error

    return run


def test_version():
    done = python("-m", "leverlint", "--version")
    assert (done.returncode, done.stdout) == (0, f"leverlint {__version__}\n")


def test_version_imports_nothing():
    done = python("-X", "importtime", "-m", "leverlint", "--version")
    imported = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert {name for name in imported if name.startswith("leverlint")} == {"leverlint"}
    assert not imported & {"argparse", "re", "typing", "json"}


def test_the_exit_code_is_the_commands(command):
    command(lambda arguments: 1)
    assert cli.main(["check"]) == 1


def test_a_mistake_is_told_without_traceback(command, capsys):
    command(raising(LeverlintError("it is wrong", "do it right")))
    assert cli.main(["check"]) == 2
    assert capsys.readouterr() == ("", "leverlint: error: it is wrong\n  hint: do it right\n")


def test_a_defect_is_no_finding(command, capsys):
    command(raising(ZeroDivisionError()))
    assert cli.main(["check"]) == 2
    err = capsys.readouterr().err
    assert "Traceback" in err
    assert "defect of leverlint" in err


def test_interruption_is_silent(command, capsys):
    command(raising(KeyboardInterrupt()))
    assert cli.main(["check"]) == 130
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("arguments", [[], ["chekc"], ["check", "--no-such-option"]])
def test_bad_arguments(arguments, capsys):
    with pytest.raises(SystemExit) as caught:
        cli.main(arguments)
    assert caught.value.code == 2
    assert capsys.readouterr().out == ""


def test_help_of_every_command(capsys):
    for name in cli.COMMANDS:
        with pytest.raises(SystemExit) as caught:
            cli.main([name, "--help"])
        assert caught.value.code == 0
    assert "--output-format" in capsys.readouterr().out


def test_a_closed_pipe_is_quiet(tmp_path):
    lines = "".join(f'x{i} = os.environ["ATLAS_X"]\n' for i in range(3000))
    (tmp_path / "a.py").write_text("import os\n" + lines)
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [sys.executable, "-m", "leverlint", "check", "--no-cache", "--select", "raw-read"],
        cwd=tmp_path,
        stdout=write,
        stderr=subprocess.PIPE,
        text=True,
    )
    os.close(write)
    assert (done.returncode, done.stderr) == (1, "")
