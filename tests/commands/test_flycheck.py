import json
import os
import signal
import subprocess
import sys
import time

import pytest

from leverlint import cli

READ = 'fn f() -> bool {\n    std::env::var("ATLAS_X").is_ok()\n}\n'
FINISHED = {"reason": "build-finished", "success": True}


@pytest.fixture
def crate(root):
    (root / "Cargo.toml").write_text('[package]\nname = "demo"\n')
    (root / "src").mkdir()
    (root / "src" / "lib.rs").write_text(READ)
    (root / "build.py").write_text('import os\n\nos.environ["ATLAS_X"]\n')
    return root


@pytest.fixture
def flycheck(capfd):
    def run(*arguments):
        """Give exit code, lines (what is JSON, read) and standard error."""
        code = cli.main(["flycheck", "--no-cache", *arguments])
        out, err = capfd.readouterr()
        lines = out.removesuffix("\n").split("\n") if out else []
        return code, [json.loads(line) if line.startswith("{") else line for line in lines], err

    return run


def places(messages):
    return [
        (message["code"]["code"], message["spans"][0]["file_name"], message["spans"][0]["line_start"])
        for message in messages
        if isinstance(message, dict) and "spans" in message
    ]


def printing(*lines, code=0):
    return "--", sys.executable, "-c", f"print({chr(10).join(lines)!r}); raise SystemExit({code})"


def test_alone(crate, flycheck):
    code, messages, err = flycheck()
    assert (code, err) == (0, "")
    assert places(messages) == [("leverlint::LVR101", "src/lib.rs", 2)]
    assert messages[-1] == FINISHED


def test_a_command_speaks_as_well_and_build_finished_comes_once_at_the_end(crate, flycheck):
    said = (
        '{"reason":"compiler-message"}',
        "noise",
        '{"reason":"build-finished","success":false}',
        '{"last":1}',
    )
    code, messages, err = flycheck(*printing(*said, code=101))
    assert (code, err) == (0, "")
    assert places(messages) == [("leverlint::LVR101", "src/lib.rs", 2)]
    assert messages[1:] == [{"reason": "compiler-message"}, "noise", {"last": 1}, FINISHED]


def test_the_command_may_have_options_and_a_separator_of_its_own(crate, flycheck):
    show = "import json, sys; print(json.dumps({'ran': sys.argv[1:]}))"
    _, messages, _ = flycheck("--", sys.executable, "-c", show, "--prefix", "x", "--", "-W", "clippy::all")
    assert messages[1] == {"ran": ["--prefix", "x", "--", "-W", "clippy::all"]}


def test_a_clean_crate(crate, flycheck):
    (crate / "src" / "lib.rs").write_text("fn f() {}\n")
    assert flycheck() == (0, [FINISHED], "")


def test_paths_are_relative_to_the_workspace(crate, flycheck, monkeypatch):
    (crate / "leverlint.toml").write_text("")
    monkeypatch.chdir(crate / "src")
    assert places(flycheck()[1]) == [("leverlint::LVR101", "lib.rs", 2)]


def test_only_the_saved_file(crate, flycheck):
    (crate / "src" / "main.rs").write_text(READ)
    assert len(places(flycheck()[1])) == 2
    _, messages, _ = flycheck("--saved-file", str(crate / "src" / "main.rs"))
    assert places(messages) == [("leverlint::LVR101", "src/main.rs", 2)]


def test_a_command_that_is_not_there(crate, flycheck):
    assert flycheck("--", "no-such-cargo", "check") == (
        2,
        [],
        "leverlint: error: `no-such-cargo` cannot be started: no such file or directory\n"
        "  hint: it must be on the PATH that rust-analyzer has\n",
    )


def test_a_command_that_fails_without_a_word_is_told_in_the_editor(crate, flycheck):
    """rust-analyzer would tell, were it not for the messages of ours."""
    code, messages, _ = flycheck("--", "sh", "-c", "echo no such command >&2; exit 101")
    assert code == 0
    assert places(messages) == [
        ("leverlint::LVR101", "src/lib.rs", 2),
        ("leverlint::failure", "Cargo.toml", 1),
    ]
    assert "has failed with exit code 101" in messages[1]["message"]


def test_a_mistake_in_the_configuration_is_told_in_the_editor(crate, flycheck):
    (crate / "leverlint.toml").write_text('prefixes = ["X_"]\nprefixs = []\n')
    code, messages, err = flycheck(*printing('{"cargo":1}'))
    assert code == 0
    assert places(messages) == [("leverlint::failure", "leverlint.toml", 2)]
    assert messages[0]["message"] == "leverlint: unknown key `prefixs`"
    assert messages[0]["children"][0]["message"] == "did you mean `prefixes`?"
    assert messages[1:] == [{"cargo": 1}, FINISHED]
    assert err == "leverlint: error: leverlint.toml:2: unknown key `prefixs`\n"


def running(crate, command, **options):
    return subprocess.Popen(
        [sys.executable, "-m", "leverlint", "flycheck", "--no-cache", "--", *command],
        cwd=crate,
        stdout=subprocess.PIPE,
        **options,
    )


def gone(process):
    for _ in range(200):
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    return False


def test_lines_are_passed_on_as_they_come(crate):
    # The command waits for an answer to each line: one that is held back would never be answered.
    script = 'while read line; do echo "$line"; cat answer > /dev/null; done < lines'
    (crate / "lines").write_text("one\ntwo\n")
    os.mkfifo(crate / "answer")
    with running(crate, ["sh", "-c", script]) as process:
        seen = []
        for line in process.stdout:
            seen.append(line)
            if line in (b"one\n", b"two\n"):
                (crate / "answer").write_text("go on")
    assert seen[1:] == [b"one\n", b"two\n", json.dumps(FINISHED, separators=(",", ":")).encode() + b"\n"]


@pytest.mark.parametrize("way", ["signal", "nobody reads"])
def test_the_command_ends_with_us(way, crate):
    # The command tells its process id as its only line, and sleeps.
    with running(crate, ["sh", "-c", "echo $$; exec sleep 1000"], stderr=subprocess.DEVNULL) as process:
        process.stdout.readline()
        command = int(process.stdout.readline())
        if way == "signal":
            process.send_signal(signal.SIGTERM)
        else:
            process.stdout.close()
        code = process.wait()
    assert gone(command)
    assert code == (128 + signal.SIGTERM if way == "signal" else 2)
