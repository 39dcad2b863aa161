import json
import os
import shutil
import subprocess
import sys

import pytest

from leverlint import cargo_subcommand

READ = 'fn f() -> bool {\n    std::env::var("ATLAS_X").is_ok()\n}\n'

CARGO = """\
#!{python}
import json, os, sys
command, *arguments = sys.argv[1:]
if command == "locate-project":
    print(os.path.join({root!r}, "Cargo.toml" if "--workspace" in arguments else "crates/b/Cargo.toml"))
elif command == "metadata":
    packages = [("top", "."), ("b", "crates/b"), ("b-macros", "crates/b/macros")]
    print(json.dumps({{"packages": [
        {{"id": f"path+file://{root}/{{path}}#{{name}}@0.1.0", "name": name, "version": "0.1.0",
          "manifest_path": os.path.normpath(os.path.join({root!r}, path, "Cargo.toml"))}}
        for name, path in packages
    ]}}))
else:
    print(json.dumps({{"ran": sys.argv[1:]}}))
"""


@pytest.fixture
def workspace(tmp_path, monkeypatch):
    """Three packages, one within another, and a cargo that knows of them."""
    (tmp_path / ".git").mkdir()
    for package in (".", "crates/b", "crates/b/macros"):
        (tmp_path / package / "src").mkdir(parents=True)
        (tmp_path / package / "src" / "lib.rs").write_text(READ)
        (tmp_path / package / "Cargo.toml").write_text("[package]\n")
    cargo = tmp_path / "cargo"
    cargo.write_text(CARGO.format(python=sys.executable, root=str(tmp_path)))
    cargo.chmod(0o755)
    monkeypatch.setenv("CARGO", str(cargo))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def cargo_leverlint(capfd):
    def run(*arguments):
        code = cargo_subcommand.main(["leverlint", "--no-cache", *arguments])
        return code, *capfd.readouterr()

    return run


def reported(out):
    return [line.partition(":")[0] for line in out.splitlines()]


TOP, B, MACROS = "src/lib.rs", "crates/b/src/lib.rs", "crates/b/macros/src/lib.rs"


CHOICES = {
    "": [MACROS, B],
    "--workspace": [MACROS, B, TOP],
    "--all": [MACROS, B, TOP],
    "-p b": [B],
    "-pb --package=top": [B, TOP],
    "-p b@0.1.0": [B],
    "-p b*": [MACROS, B],
    "--workspace --exclude b": [MACROS, TOP],
    "-- src": [TOP],
}


@pytest.mark.parametrize("arguments", CHOICES)
def test_packages(arguments, workspace, cargo_leverlint):
    code, out, err = cargo_leverlint("--message-format", "short", *arguments.split())
    assert (code, reported(out), err) == (1, CHOICES[arguments], "")


def test_packages_by_their_ids(workspace, cargo_leverlint):
    for package in (f"path+file://{workspace}/crates/b#b@0.1.0", f"file://{workspace}/crates/b"):
        assert reported(cargo_leverlint("--message-format", "short", "-p", package)[1]) == [B]


def test_what_is_ignored_stays_so(workspace, cargo_leverlint):
    (workspace / ".gitignore").write_text("/target/\n")
    (workspace / "target" / "debug").mkdir(parents=True)
    (workspace / "target" / "debug" / "generated.rs").write_text(READ)
    assert reported(cargo_leverlint("--message-format", "short", "-p", "top")[1]) == [TOP]
    assert '"target' not in cargo_leverlint("--message-format=json", "-p", "top")[1]


def test_a_package_that_is_not_there(workspace, cargo_leverlint):
    assert cargo_leverlint("-p", "topp") == (
        2,
        "",
        "leverlint: error: there is no package `topp` in the workspace\n  hint: did you mean `top`?\n",
    )


def test_no_package_at_all(workspace, cargo_leverlint):
    (workspace / "cargo").write_text("#!/bin/sh\necho 'error: could not find `Cargo.toml`' >&2; exit 101\n")
    assert cargo_leverlint() == (2, "", "leverlint: error: cargo: could not find `Cargo.toml`\n")


def test_by_hand_it_is_leverlint_check(workspace, cargo_leverlint):
    code, out, _ = cargo_leverlint(
        "-p", "b", "--select", "lossy-read,raw-read", "--all-targets", "-F", "x", "--quiet"
    )
    assert code == 1
    assert out.startswith(
        "error[LVR101] raw-read: `ATLAS_X` is read outside the resolvers\n --> crates/b/src/lib.rs"
    )
    assert "finding" not in out
    # What cargo calls the same is cargo's; behind `--` everything is ours.
    assert cargo_leverlint("-p", "b", "--tests", "--", "--tests", "allow", "--ignore", "raw-read")[0] == 0


def test_for_rust_analyzer_it_also_runs_cargo_check(workspace, cargo_leverlint):
    # As rust-analyzer 1.96 calls it.
    asked = (
        "--workspace",
        "--message-format=json",
        "--manifest-path",
        "Cargo.toml",
        "--keep-going",
        "--all-targets",
    )
    code, out, err = cargo_leverlint(*asked)
    *found, ran, finished = map(json.loads, out.splitlines())
    assert (code, err) == (0, "")
    assert [message["spans"][0]["file_name"] for message in found] == [MACROS, B, TOP]
    assert ran["ran"] == [
        *("check", "--message-format=json", "--workspace", "--manifest-path", "Cargo.toml"),
        *("--keep-going", "--all-targets"),
    ]
    assert finished == {"reason": "build-finished", "success": True}


EXTRA = {
    "--with=clippy": "clippy",
    "--with none": "",
    "-j 2 --config net.offline=true --features=a": "check -j 2 --config net.offline=true --features a",
    "--newer-than-we x --prefix OTHER_": "check --newer-than-we x",
    "-- --prefix OTHER_": "check",
}


@pytest.mark.parametrize("extra", EXTRA)
def test_further_options_of_rust_analyzer(extra, workspace, cargo_leverlint):
    _, out, err = cargo_leverlint("--message-format=json", *extra.split())
    messages = [json.loads(line) for line in out.splitlines()]
    ran = [word for message in messages for word in message.get("ran", ())]
    assert err == ""
    assert [word for word in ran if word != "--message-format=json"] == EXTRA[extra].split()
    assert any("spans" in message for message in messages) == ("OTHER_" not in extra)


def test_the_terminals_view_is_coloured_when_asked(workspace, cargo_leverlint):
    for form, colored in (("json", False), ("json-diagnostic-rendered-ansi", True)):
        _, out, _ = cargo_leverlint(f"--message-format={form}", "--with=none")
        assert ("\x1b[" in json.loads(out.splitlines()[0])["rendered"]) is colored


def test_help_and_version(capsys):
    for option in ("--help", "--version"):
        with pytest.raises(SystemExit) as caught:
            cargo_subcommand.main(["leverlint", option])
        assert caught.value.code == 0
    assert "leverlint check" in capsys.readouterr().out


@pytest.mark.skipif(shutil.which("cargo") is None, reason="needs cargo")
def test_as_a_subcommand_of_the_real_cargo(tmp_path):
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "lib.rs").write_text(READ)
    (tmp_path / "Cargo.toml").write_text('[package]\nname = "demo"\nversion = "0.1.0"\nedition = "2021"\n')
    done = subprocess.run(
        ["cargo", "leverlint", "-p", "demo", "--no-cache", "--message-format", "short"],
        cwd=tmp_path,
        env={**os.environ, "PATH": os.path.dirname(sys.executable) + os.pathsep + os.environ["PATH"]},
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout == "src/lib.rs:2:5: LVR101 `ATLAS_X` is read outside the resolvers\n"
