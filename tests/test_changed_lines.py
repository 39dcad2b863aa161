import os
import subprocess

import pytest

from leverlint.changed_lines import changes_since, only_changed
from leverlint.diagnostics import Diagnostic
from leverlint.errors import LeverlintError
from leverlint.facts import Span
from leverlint.report import Report
from leverlint.sources import Sources

TEN = "".join(f"line {number}\n" for number in range(1, 11))


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """A repository with ten lines in `a.py`, tagged `start`."""
    root = tmp_path / "repository"
    root.mkdir()
    monkeypatch.chdir(root)
    git("init", "-q", "-b", "main")
    (root / "a.py").write_text(TEN)
    commit("one")
    git("tag", "start")
    return root


def git(*arguments, **options):
    return subprocess.run(
        ["git", *arguments], check=True, capture_output=True, text=True, **options
    ).stdout.strip()


def commit(message):
    git("add", "-A")
    git("commit", "-q", "--allow-empty", "-m", message)


def changed(root, path="a.py", revision="start"):
    """Give the lines of a file that count as changed."""
    changes = changes_since(str(root), revision)
    count = (root / path).read_bytes().count(b"\n") + 1
    return [line for line in range(1, count + 1) if changes.touch(path, (line, line))]


def replaced(text, *lines):
    parts = text.splitlines(keepends=True)
    for line in lines:
        parts[line - 1] = f"new {line}\n"
    return "".join(parts)


def test_nothing_has_changed(repository):
    assert changed(repository) == []


@pytest.mark.parametrize("where", ["working tree", "index", "commit"])
def test_changes_count_wherever_they_are(repository, where):
    (repository / "a.py").write_text(replaced(TEN, 3, 4, 9))
    if where != "working tree":
        git("add", "a.py")
    if where == "commit":
        commit("two")
    assert changed(repository) == [3, 4, 9]
    assert changed(repository, revision="HEAD") == ([] if where == "commit" else [3, 4, 9])


def test_files_that_git_does_not_know_are_new(repository):
    (repository / ".gitignore").write_text("ignored.py\n")
    for name in ("b.py", "ignored.py"):
        (repository / name).write_text("x\n")
        assert changed(repository, name) == [1, 2]
    git("add", "b.py")
    assert changed(repository, "b.py") == [1]
    git("rm", "-q", "--cached", "b.py")
    git("add", "-N", "b.py")
    assert changed(repository, "b.py") == [1]


def test_removed_lines_leave_no_changed_ones(repository):
    (repository / "a.py").write_text("".join(TEN.splitlines(keepends=True)[3:]))
    assert changed(repository) == []
    (repository / "a.py").unlink()
    assert changes_since(str(repository), "start").lines == {}


def test_a_renamed_file_keeps_its_history(repository):
    git("mv", "a.py", "b.py")
    (repository / "b.py").write_text(replaced(TEN, 2))
    assert changed(repository, "b.py") == [2]
    git("config", "diff.renames", "copies")
    (repository / "a.py").write_text(TEN)
    git("add", "a.py")
    (repository / "c.py").write_text(TEN)
    git("add", "c.py")
    assert changed(repository, "c.py") == [*range(1, 11)]


def test_what_others_have_done_since_does_not_count(repository):
    git("checkout", "-q", "-b", "feature")
    (repository / "a.py").write_text(replaced(TEN, 10))
    commit("mine")
    git("checkout", "-q", "main")
    (repository / "a.py").write_text(replaced(TEN, 1))
    commit("theirs")
    git("checkout", "-q", "feature")
    assert changed(repository, revision="main") == [10]
    git("merge", "-q", "main")
    assert changed(repository, revision="main") == [10]


def test_histories_with_nothing_in_common(repository):
    git("checkout", "-q", "--orphan", "other")
    (repository / "a.py").write_text(replaced(TEN, 5))
    commit("alone")
    assert changed(repository, revision="main") == [5]


@pytest.mark.parametrize(
    ("before", "after", "lines"),
    [
        ("x\ny", "x\ny\n", [2]),
        ("x\ny\n", "x\ny", [2]),
        ("x\ny", "x\nz", [2]),
        ("x\ny", "w\nx\ny", [1]),
        ("x\r\ny\r\n", "x\r\nz\r\n", [2]),
        ("", "x\n", [1]),
    ],
    ids=["added", "taken away", "kept away", "above", "CRLF", "empty"],
)
def test_last_lines_and_their_ends(repository, before, after, lines):
    (repository / "b.py").write_bytes(before.encode())
    commit("b")
    (repository / "b.py").write_bytes(after.encode())
    assert changed(repository, "b.py", "HEAD") == lines


def test_lines_that_look_like_a_diff(repository):
    (repository / "a.py").write_text(
        "++ b/other.py\n@@ -1 +1 @@\n" + TEN + "\\ No newline\ndiff --git a/x b/x\n"
    )
    (repository / "z.py").write_text("-- a/y\n")
    commit("two")
    (repository / "z.py").write_text("++ b/a.py\n@@ -1,9 +1,9 @@\n")
    assert changed(repository) == [1, 2, 13, 14]
    assert changed(repository, "z.py") == [1, 2]


NAMES = ["a b.py", "ä.py", "tab\there.py", 'quote".py', "new\nline.py", "back\\slash.py", "b/b/c.py", "-x.py"]


@pytest.mark.parametrize("name", NAMES, ids=repr)
def test_odd_names(repository, name):
    (repository / name).parent.mkdir(parents=True, exist_ok=True)
    (repository / name).write_text(TEN)
    commit("odd")
    (repository / name).write_text(replaced(TEN, 7))
    assert changed(repository, name, "HEAD") == [7]


def test_a_name_that_is_no_text(repository):
    name = os.fsdecode(b"\xff.py")
    (repository / name).write_text(TEN)
    commit("odd")
    (repository / name).write_text(replaced(TEN, 7))
    assert changed(repository, name, "HEAD") == [7]


@pytest.mark.parametrize(
    "setting",
    [
        "diff.noprefix=true",
        "diff.mnemonicPrefix=true",
        "diff.external=false",
        "diff.context=5",
        "diff.interHunkContext=9",
        "diff.relative=false",
        "diff.renames=false",
        "color.ui=always",
        "color.diff=always",
        "core.quotePath=false",
        "core.pager=false",
        "diff.algorithm=patience",
    ],
    ids=str,
)
def test_settings_of_git_change_nothing(repository, setting):
    (repository / "ä b.py").write_text(TEN)
    commit("two")
    (repository / "ä b.py").write_text(replaced(TEN, 1, 3, 5))
    git("config", *setting.split("=", 1))
    assert changed(repository, "ä b.py", "HEAD") == [1, 3, 5]


def test_attributes_change_nothing(repository):
    (repository / ".gitattributes").write_text("*.py -diff\n*.rs diff=odd\n")
    git("config", "diff.odd.textconv", "false")
    (repository / "b.rs").write_text(TEN)
    commit("two")
    for name in ("a.py", "b.rs"):
        (repository / name).write_text(replaced(TEN, 4))
        assert changed(repository, name, "HEAD") == [4]


def test_what_a_hook_finds_in_its_environment(repository, monkeypatch, tmp_path):
    (repository / "a.py").write_text(replaced(TEN, 4))
    for name, value in {
        "GIT_DIR": str(tmp_path),
        "GIT_WORK_TREE": str(tmp_path),
        "GIT_INDEX_FILE": ".git/next-index-1.lock",
        "GIT_PREFIX": "sub/",
        "GIT_EXTERNAL_DIFF": "false",
        "GIT_DIFF_OPTS": "--unified=9",
        "GIT_PAGER": "false",
    }.items():
        monkeypatch.setenv(name, value)
    assert changed(repository) == [4]


def test_a_project_further_down(repository):
    sub = repository / "sub"
    sub.mkdir()
    (sub / "a.py").write_text(TEN)
    commit("two")
    (repository / "a.py").write_text(replaced(TEN, 1))
    (sub / "a.py").write_text(replaced(TEN, 2))
    assert changed(sub, "a.py", "HEAD") == [2]
    assert changed(sub, "a.py") == [*range(1, 11)]
    assert changes_since(str(sub), "HEAD").tracked == {"a.py"}


def test_another_working_tree(repository, tmp_path):
    git("worktree", "add", "-q", str(tmp_path / "other"))
    (tmp_path / "other" / "a.py").write_text(replaced(TEN, 8))
    assert changed(tmp_path / "other") == [8]
    assert changed(repository) == []


def test_a_conflict(repository):
    (repository / "a.py").write_text(replaced(TEN, 5))
    commit("ours")
    git("checkout", "-q", "-b", "other", "start")
    (repository / "a.py").write_text(TEN.replace("line 5", "theirs"))
    commit("theirs")
    subprocess.run(["git", "merge", "-q", "main"], capture_output=True, check=False)
    assert "<<<<<<<" in (repository / "a.py").read_text()
    assert changed(repository) == [5, 6, 7, 8, 9]


def test_submodules(repository, tmp_path):
    module = tmp_path / "module"
    module.mkdir()
    git("init", "-q", "-b", "main", cwd=module)
    (module / "m.py").write_text(TEN)
    git("add", "-A", cwd=module)
    git("commit", "-qm", "m", cwd=module)
    git("submodule", "--quiet", "add", str(module), "deep/module")
    assert changed(repository, "deep/module/m.py") == [*range(1, 12)]
    commit("a submodule")
    assert changed(repository, "deep/module/m.py", "HEAD") == []
    inside = repository / "deep" / "module"
    (inside / "m.py").write_text(replaced(TEN, 2))
    (inside / "n.py").write_text("new\n")
    assert changed(repository, "deep/module/m.py", "HEAD") == [2]
    assert changed(repository, "deep/module/n.py", "HEAD") == [1, 2]
    git("commit", "-qam", "further", cwd=inside)
    assert changed(repository, "deep/module/m.py", "HEAD") == [2]
    commit("and further")
    assert changed(repository, "deep/module/m.py", "HEAD") == []
    assert changed(repository, "deep/module/m.py", "HEAD~") == [2]
    assert changed(repository) == []


def refused(root, revision="start"):
    with pytest.raises(LeverlintError) as error:
        changes_since(str(root), revision)
    return error.value.message, error.value.hint


@pytest.mark.parametrize("revision", ["nope", "", "-h", "--all", "HEAD:a.py", "start\n"], ids=repr)
def test_a_revision_that_there_is_not(repository, revision):
    assert refused(repository, revision) == (
        f"--since: git knows no revision `{revision}`",
        "is it a branch that has not been fetched?",
    )


def test_no_repository(tmp_path):
    message, hint = refused(tmp_path)
    assert message == f"--since: `{tmp_path}` is in no git repository that can be read"
    assert hint.startswith("git says: fatal: not a git repository")


def test_no_commit_yet(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    git("init", "-q")
    assert refused(tmp_path, "HEAD")[0] == "--since: git knows no revision `HEAD`"


def test_no_git(repository, monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    assert refused(repository) == ("--since: git is not installed", "install it, or use `--baseline`")


def test_a_shallow_clone(repository, tmp_path):
    git("checkout", "-q", "-b", "feature")
    commit("two")
    git("checkout", "-q", "main")
    commit("three")
    clone = tmp_path / "clone"
    git("clone", "-q", "--depth=1", "--no-single-branch", f"file://{repository}", str(clone))
    message, hint = refused(clone, "origin/feature")
    assert message == "--since: the history does not reach back to `origin/feature`"
    assert "fetch-depth: 0" in hint
    message, hint = refused(clone, "HEAD~1")
    assert message == "--since: git knows no revision `HEAD~1`"
    assert "fetch-depth: 0" in hint
    assert changed(clone, revision="HEAD") == []


@pytest.mark.parametrize(
    ("span", "kept"),
    [((0, 1), False), ((7, 8), True), ((0, 7), False), ((0, 8), True), ((12, 14), True), ((14, 15), False)],
    ids=["before", "on it", "ends before it", "reaches into it", "starts on it", "behind"],
)
def test_a_finding_counts_if_any_of_its_lines_has_changed(repository, span, kept):
    (repository / "a.py").write_text(replaced(TEN, 2).replace("line 3", "\rne 3"))
    git("commit", "-qam", "two")
    finding = Diagnostic("LVR101", "raw-read", "error", "a.py", Span(*span), None, "m", "h")
    changes = changes_since(str(repository), "start")._replace(lines={"a.py": [(2, 2)]})
    report = only_changed(Report((finding,)), changes, Sources(str(repository)))
    assert report == (Report((finding,)) if kept else Report(unchanged=1))
