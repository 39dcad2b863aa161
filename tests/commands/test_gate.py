import json
import os
import subprocess

import pytest

from leverlint import cli

READ = 'import os\n\n\ndef f():\n    return os.environ["ATLAS_X"]\n'
RUST = """pub struct Head;

impl Head {
    pub fn go(&self) -> bool {
        std::env::var("ATLAS_R").is_ok()
    }
}
"""
AGAIN = 'fn again() -> bool {\n    std::env::var_os("ATLAS_R").is_some()\n}\n'
BASELINE = "leverlint-baseline.json"


@pytest.fixture
def check(capfd):
    def run(*arguments):
        """Give exit code, standard output, standard error."""
        code = cli.main(["check", "--output-format", "concise", *arguments])
        return code, *capfd.readouterr()

    return run


@pytest.fixture
def tree(root, check):
    """A project with a baseline: two findings in Python, one in Rust."""
    write(root, **{"a.py": READ, "pkg/b.py": READ.replace("ATLAS_X", "ATLAS_Y"), "src/lib.rs": RUST})
    assert check("--write-baseline") == (
        0,
        "",
        f"leverlint: note: {BASELINE} holds 3 findings: 3 added, 0 removed\n",
    )
    return root


def write(root, **files):
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)


def test_with_a_baseline_a_second_run_is_clean(tree, check):
    assert check("--baseline", BASELINE) == (0, "", "")
    assert check("--baseline", BASELINE, "--no-cache") == (0, "", "")
    assert check("--baseline", BASELINE, "--output-format", "text")[1] == (
        "no findings (3 files checked, 3 in the baseline)\n"
    )
    summary = json.loads(check("--baseline", BASELINE, "--output-format", "json")[1])["summary"]
    assert summary == {"files": 3, "findings": 0, "suppressed": 0, "baselined": 3}


def test_the_cache_knows_nothing_of_the_baseline(tree, check):
    assert check("--baseline", BASELINE)[0] == 0
    assert check()[1].count("\n") == 3
    assert check("--baseline", BASELINE)[0] == 0


@pytest.mark.parametrize(
    "change",
    [
        {"a.py": "# a line\n\n" + READ},
        {"a.py": READ.replace("return ", "value = ") + "    return value\n"},
        {"a.py": READ.replace('os.environ["ATLAS_X"]', 'os.environ[\n        "ATLAS_X"\n    ]')},
        {"a.py": READ.replace("f()", "renamed()")},
        {"a.py": "", "c.py": READ},
        {"a.py": None, "deeper/renamed.py": READ},
        {"src/lib.rs": "pub mod head;\n", "src/head.rs": RUST},
        {"src/lib.rs": RUST.replace("pub struct Head;", "//! Much\n//! to say.\npub struct Head;")},
    ],
    ids=[
        "lines above",
        "an edit beside it",
        "another format",
        "a renamed function",
        "a moved function",
        "a renamed file",
        "a moved method in Rust",
        "lines above in Rust",
    ],
)
def test_it_stays_clean(tree, check, change):
    for name, text in change.items():
        if text is None:
            (tree / name).unlink()
        else:
            write(tree, **{name: text})
    assert check("--baseline", BASELINE) == (0, "", "")


@pytest.mark.parametrize(
    ("change", "finding"),
    [
        (
            {"a.py": READ.replace("return ", 'print(os.environ["ATLAS_X"])\n    return ')},
            "a.py:6:12: LVR101 `ATLAS_X` is read outside the resolvers\n",
        ),
        (
            {"a.py": READ.replace("return ", 'print(os.getenv("ATLAS_X"))\n    return ')},
            "a.py:5:11: LVR101 `ATLAS_X` is read outside the resolvers\n",
        ),
        (
            {"a.py": READ + '\n\ndef g():\n    return os.environ["ATLAS_X"]\n'},
            "a.py:9:12: LVR101 `ATLAS_X` is read outside the resolvers\n",
        ),
        ({"copy.py": READ}, "copy.py:5:12: LVR101 `ATLAS_X` is read outside the resolvers\n"),
        (
            {"src/lib.rs": RUST.replace("go", "gone") + AGAIN},
            "src/lib.rs:9:5: LVR101 `ATLAS_R` is read outside the resolvers\n",
        ),
    ],
    ids=["the same once more", "otherwise once more", "in another function", "in a copy", "in Rust"],
)
def test_one_new_read_is_red(tree, check, change, finding):
    write(tree, **change)
    assert check("--baseline", BASELINE) == (1, finding, "")
    findings = json.loads(check("--baseline", BASELINE, "--output-format", "json")[1])["findings"]
    assert [(one["path"], one["line"]) for one in findings] == [
        (finding.split(":")[0], int(finding.split(":")[1]))
    ]


@pytest.mark.parametrize(
    ("change", "finding"),
    [
        (
            {"a.py": READ.replace("return os", "return levers.x\n\n\ndef g():\n    return os")},
            "a.py:9:12: LVR101 `ATLAS_X` is read outside the resolvers\n",
        ),
        (
            {"a.py": "def f():\n    return levers.x\n", "c.py": READ},
            "c.py:5:12: LVR101 `ATLAS_X` is read outside the resolvers\n",
        ),
        (
            {"src/lib.rs": RUST.replace('std::env::var("ATLAS_R").is_ok()', "self.r") + AGAIN},
            "src/lib.rs:9:5: LVR101 `ATLAS_R` is read outside the resolvers\n",
        ),
    ],
    ids=["in another function", "in another file", "in Rust"],
)
def test_what_was_mended_gives_no_credit_elsewhere(tree, check, change, finding):
    write(tree, **change)
    code, out, err = check("--baseline", BASELINE)
    assert (code, out) == (1, finding)
    assert "1 entry stands for what is not found any more" in err


def test_a_copy_is_red_even_if_only_the_copy_is_asked_about(tree, check):
    write(tree, **{"copy.py": READ})
    assert check("--baseline", BASELINE, "copy.py")[:2] == (
        1,
        "copy.py:5:12: LVR101 `ATLAS_X` is read outside the resolvers\n",
    )
    (tree / "a.py").unlink()
    assert check("--baseline", BASELINE, "copy.py") == (0, "", "")


def test_what_is_gone_is_told_and_taken_out(tree, check):
    (tree / "a.py").write_text("")
    assert check("--baseline", BASELINE) == (
        0,
        "",
        f"leverlint: note: in {BASELINE}, 1 entry stands for what is not found any more\n"
        f"leverlint: hint: `--baseline {BASELINE} --write-baseline` takes out what is gone\n",
    )
    assert check("--baseline", BASELINE, "-q") == (0, "", "")
    assert check("--baseline", BASELINE, "pkg") == (0, "", "")
    assert check("--write-baseline")[2] == (
        f"leverlint: note: {BASELINE} holds 2 findings: 0 added, 1 removed\n"
        "leverlint: removed: raw-read `ATLAS_X` in a.py, in `f`\n"
    )
    assert check("--baseline", BASELINE) == (0, "", "")


def test_what_is_added_is_told(tree, check):
    write(tree, **{"c.py": READ.replace("ATLAS_X", "ATLAS_NEW")})
    assert check("--write-baseline") == (
        0,
        "",
        f"leverlint: note: {BASELINE} holds 4 findings: 1 added, 0 removed\n"
        "leverlint: added: raw-read `ATLAS_NEW` in c.py, in `f`\n",
    )


@pytest.mark.parametrize(
    "options",
    [("pkg",), ("--select", "env-write"), ("--ignore", "raw-read"), ("--prefix", "OTHER_")],
    ids=lambda options: options[0],
)
def test_nothing_is_lost_that_was_not_looked_at(tree, check, options):
    before = (tree / BASELINE).read_text()
    assert check("--write-baseline", *options)[2].endswith(
        f"leverlint: note: {BASELINE} holds 3 findings: 0 added, 0 removed\n"
    )
    assert (tree / BASELINE).read_text() == before
    (tree / "a.py").write_text("")
    check("--write-baseline", *options)
    assert (tree / BASELINE).read_text() == before


def test_the_prefixes_of_a_file_hold_for_good(tree, check):
    (tree / "leverlint.toml").write_text('prefixes = ["ATLAS_Y"]\n')
    assert check("--write-baseline", "--isolated", "--prefix", "ATLAS_Y")[2].endswith("0 removed\n")
    assert "1 finding: 0 added, 2 removed" in check("--write-baseline")[2]
    assert "1 finding: 0 added, 0 removed" in check("--write-baseline", "--prefix", "OTHER_")[2]


def test_a_file_that_cannot_be_read_keeps_its_entries(tree, check):
    (tree / "a.py").write_bytes(b"\0")
    assert "note" not in check("--baseline", BASELINE)[2]
    assert "3 findings" in check("--write-baseline")[2]


def test_paths_add_their_own_findings_only(tree, check):
    write(tree, **{"c.py": READ.replace("_X", "_C"), "pkg/d.py": READ.replace("_X", "_D")})
    assert check("--write-baseline", "pkg")[2].endswith("raw-read `ATLAS_D` in pkg/d.py, in `f`\n")
    assert check("--baseline", BASELINE)[1] == "c.py:5:12: LVR101 `ATLAS_C` is read outside the resolvers\n"


def test_findings_about_the_check_itself_stay(root, check):
    write(root, **{"a.py": READ + "def (:\n"})
    code, out, err = check("--write-baseline")
    assert (code, out.count("\n"), err.split(":")[2]) == (1, 1, f" {BASELINE} holds 1 finding")
    assert "LVR902" in out


def test_the_default_is_in_the_project_wherever_one_is(tree, check, monkeypatch):
    monkeypatch.chdir(tree / "pkg")
    assert check("--write-baseline")[2] == (
        f"leverlint: note: ../{BASELINE} holds 3 findings: 0 added, 0 removed\n"
    )
    assert check("--baseline", f"../{BASELINE}") == (0, "", "")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--baseline", "nope.json"], "nope.json: no such baseline\n  hint: `--write-baseline` makes one\n"),
        (["--baseline", "a.py", "--write-baseline"], "a.py:1: no baseline, for it is not valid JSON\n"),
        (["--since", "HEAD", "--write-baseline"], "`--write-baseline` and `--since` exclude each other\n"),
        (["--write-baseline", "-"], "`--write-baseline` takes files, not standard input\n"),
    ],
    ids=["missing", "foreign", "since", "standard input"],
)
def test_what_cannot_be_done(tree, check, arguments, message, monkeypatch):
    with open(os.devnull) as nothing:
        monkeypatch.setattr("sys.stdin", nothing)
        code, out, err = check(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith(f"leverlint: error: {message}")
    assert (tree / "a.py").read_text() == READ


def test_since_and_baseline_together(tree, check):
    git("init", "-q")
    git("add", "a.py")
    git("commit", "-qm", "one")
    write(tree, **{"a.py": READ + READ.replace("ATLAS_X", "ATLAS_Z").replace("f()", "g()")})
    assert check("--since", "HEAD")[1].split(" ")[0] == "a.py:10:12:"
    assert check("--since", "HEAD", "--baseline", BASELINE)[1].count("\n") == 1
    summary = check("--since", "HEAD", "a.py", "--output-format", "text")[1].splitlines()[-1]
    assert summary == "1 finding in 1 file: 1 error (1 file checked, 1 on unchanged lines)"


def git(*arguments):
    subprocess.run(["git", *arguments], check=True, capture_output=True)
