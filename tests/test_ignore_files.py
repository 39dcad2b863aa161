"""Held against git itself, which is the definition of what an ignore file means."""

import re
import subprocess

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from leverlint import ignore_files
from leverlint.ignore_files import IgnoreFile

PATHS = [
    "a.py",
    "ab.py",
    "#x",
    "!x",
    "a b.py",
    "d/a.py",
    "d/e/a.py",
    "d/e/f/b.rs",
    "e/d/a.py",
    "b/ab.py",
    "t /a",
]


@pytest.fixture(scope="module")
def repository(tmp_path_factory):
    root = tmp_path_factory.mktemp("repository")
    subprocess.run(["git", "init", "-q", root], check=True)
    for path in PATHS:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text("")
    return root


def by_git(root):
    done = subprocess.run(
        ["git", "-c", "core.excludesFile=", "ls-files", "-z", "--others", "--ignored", "--exclude-standard"],
        cwd=root,
        check=True,
        capture_output=True,
        text=True,
    )
    return {path for path in done.stdout.split("\0") if path in PATHS}


def by_us(text):
    file = IgnoreFile("", text)
    return {path for path in PATHS if is_ignored(file, path)}


def is_ignored(file, path):
    parts = path.split("/")
    for length in range(1, len(parts) + 1):
        if file.verdict("/".join(parts[:length]), parts[length - 1], length < len(parts)):
            return True
    return False


@pytest.mark.parametrize(
    "text",
    [
        "*.py\n!ab.py\n",
        "d/\n",
        "/d\n",
        "d/**\n!d/e\n",
        "d/e\n",
        "**/e\n",
        "d/**/a.py\n",
        "e/\n!e/f\n",
        "# comment\n\\#x\n\\!x\n",
        "a.py   \na\\ b.py\n",
        "t\\ /\n",
        "a.py\r\n",
        "\ufeffa.py\n",
        "[ab]*.py\n![!a]b.py\n",
        "/*\n!/d\n/d/*\n!/d/e\n",
        "**\n!*/\n!a.py\n",
        "/\n",
        "**/\n",
        "/**\n!b\n",
        "***/b\n",
        "d/*/\n",
    ],
)
def test_as_git_does(repository, text):
    (repository / ".gitignore").write_bytes(text.encode())
    assert by_us(text.removeprefix("\ufeff")) == by_git(repository)


PIECES = st.sampled_from(
    ["a", "b", "d", "e", "f", "*", "**", "?", "/", ".py", "[ab]", "[!a]", "!", "\\", " ", "#"]
)
# git takes `a**/b` for `a` and then `**/b`, against its own manual; we follow the manual.
AGAINST_THE_MANUAL = re.compile(r"[^/*]\*\*+(/|$)")
LINES = st.lists(PIECES, min_size=1, max_size=6).map("".join)
LINES = LINES.filter(lambda line: not AGAINST_THE_MANUAL.search(line.removeprefix("!")))


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(LINES, min_size=1, max_size=4))
def test_as_git_does_with_whatever_patterns(repository, lines):
    text = "\n".join(lines) + "\n"
    (repository / ".gitignore").write_text(text)
    assert by_us(text) == by_git(repository)


def test_files_above_the_root_speak_about_it(tmp_path):
    (tmp_path / ".git" / "info").mkdir(parents=True)
    (tmp_path / ".git" / "info" / "exclude").write_text("secret.py\n")
    (tmp_path / ".gitignore").write_text("/sub/one.py\n")
    root = tmp_path / "sub" / "deep"
    root.mkdir(parents=True)
    (tmp_path / "sub" / ".gitignore").write_text("/deep/two.py\n/deep/one.py\n")
    files = ignore_files.above(str(root))
    assert [
        any(file.verdict(name, name, False) for file in files)
        for name in ("secret.py", "one.py", "two.py", "three.py")
    ] == [True, True, True, False]


def test_without_a_repository_nothing_above_counts(tmp_path):
    (tmp_path / ".gitignore").write_text("a.py\n")
    (tmp_path / "sub").mkdir()
    assert ignore_files.above(str(tmp_path / "sub")) == ()


def test_of_many_patterns_few_are_tried():
    file = IgnoreFile("", "\n".join(f"build_{number}*/out{number % 7}" for number in range(100_000)))
    assert file.verdict("build_777_x/out0", "out0", False) is True
    assert file.verdict("build_777_x/out1", "out1", False) is None
    assert sum(one._regex is not None for patterns in file._wild.values() for one in patterns) < 1500
