import signal
import subprocess
import sys
import threading

import pytest

from leverlint import cli

READ = 'import os\n\n\ndef f():\n    return os.environ["ATLAS_A"]\n'
PATIENCE = 30
"""Seconds; a machine may be busy, and a test that waits for a line should not mind."""


class Watching:
    """`leverlint check --watch`, running in a directory."""

    def __init__(self, root, *arguments):
        command = [sys.executable, "-m", "leverlint", "check", "--watch", "--output-format", "concise"]
        self._root = root
        with open(root / "output.txt", "w") as output:
            self._process = subprocess.Popen(
                [*command, *arguments], cwd=root, stdout=output, stderr=subprocess.PIPE, text=True
            )
        self._seen = 0
        self._timer = threading.Timer(PATIENCE, self._process.kill)
        self._timer.start()

    def round(self):
        """Wait for the end of one round, and give its findings and what it was said of."""
        said = []
        for line in self._process.stderr:
            said.append(line)
            if "waiting for changes" in line:
                break
        lines = (self._root / "output.txt").read_text().splitlines()
        new, self._seen = lines[self._seen :], len(lines)
        return new, said

    def end(self):
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGINT)
        code = self._process.wait(PATIENCE)
        self._timer.cancel()
        self._process.stderr.close()
        return code


@pytest.fixture
def watching(root):
    (root / "a.py").write_text(READ)
    one = Watching(root)
    yield one
    one.end()


FINDING = "a.py:5:12: LVR101 `ATLAS_A` is read outside the resolvers"


def test_each_change_is_reported(watching, root):
    assert watching.round()[0] == [FINDING]
    (root / "a.py").write_text("x = 1\n")
    assert watching.round()[0] == []
    (root / "more").mkdir()
    (root / "more" / "b.py").write_text(READ)
    assert watching.round()[0] == [FINDING.replace("a.py", "more/b.py")]
    assert watching.end() == 130


def test_a_new_configuration_holds_from_then_on(watching, root):
    watching.round()
    (root / "leverlint.toml").write_text('prefixes = ["OTHER_"]\n')
    assert "`OTHER_` in `prefixes` matches nothing" in watching.round()[0][0]
    (root / "leverlint.toml").write_text("prefixes = 3\n")
    _, said = watching.round()
    assert "`prefixes` must be an array of strings" in said[0]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-"], "takes files, not standard input"),
        (["--write-baseline"], "does not write a baseline"),
        (["--output-format", "sarif"], "which is no sarif"),
    ],
)
def test_what_makes_no_sense_again_and_again_is_refused(root, capsys, arguments, message):
    assert cli.main(["check", "--watch", *arguments]) == 2
    assert message in capsys.readouterr().err
