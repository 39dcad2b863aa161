import os
import subprocess

import pytest

from leverlint import config
from leverlint.discovery import discover
from leverlint.errors import LeverlintError


def write(root, *paths, text=""):
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)


@pytest.fixture
def root(tmp_path, monkeypatch):
    (tmp_path / "root" / ".git").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "root")
    return tmp_path / "root"


def found(root, *paths, **options):
    settings = config.load(str(root))
    return discover(settings.root, paths, settings, **options)


def test_python_and_rust_sorted(root):
    write(root, "b.rs", "a/z.py", "a/b.pyi", "c.txt", "a.py/inner.py", "é.py")
    assert found(root).files == ("a.py/inner.py", "a/b.pyi", "a/z.py", "b.rs", "é.py")


def test_excluded_by_default(root):
    write(root, ".venv/a.py", "x/node_modules/a.py", "target/a.rs", "build/b.py", "a.py", ".github/ci.py")
    assert found(root).files == (".github/ci.py", "a.py")


def test_exclude_and_extend_exclude(root):
    write(root, "leverlint.toml", text='extend-exclude = ["gen", "src/*_pb2.py"]')
    write(root, "gen/a.py", "src/a_pb2.py", "src/a.py", "build/b.py")
    assert found(root).files == ("src/a.py",)
    write(root, "leverlint.toml", text='exclude = ["gen/"]')
    assert found(root).files == ("build/b.py", "src/a.py", "src/a_pb2.py")


def test_a_nested_configuration_excludes_below_itself(root):
    write(root, "sub/leverlint.toml", text='extend-exclude = ["/gen"]')
    write(root, "sub/gen/a.py", "sub/b/gen/a.py", "gen/a.py")
    discovery = found(root)
    assert discovery.files == ("gen/a.py", "sub/b/gen/a.py")
    assert discovery.configs == ("sub/leverlint.toml",)


def test_ignore_files(root):
    write(root, ".gitignore", text="*_gen.py\n/private/\n!keep_gen.py\n")
    write(root, "sub/.gitignore", text="!b_gen.py\nlocal.py\n")
    write(root, "sub/.ignore", text="!local.py\nmore.py\n")
    write(root, ".git/info/exclude", text="mine.py\n")
    write(root, "a_gen.py", "keep_gen.py", "private/a.py", "sub/private/a.py", "sub/b_gen.py", "mine.py")
    write(root, "sub/local.py", "sub/more.py", "sub/c_gen.py")
    assert found(root).files == ("keep_gen.py", "sub/b_gen.py", "sub/local.py", "sub/private/a.py")
    write(root, "leverlint.toml", text="respect-gitignore = false")
    assert len(found(root).files) == 9


def test_the_same_as_git_on_a_tree(root):
    write(root, ".gitignore", text="d*/\n!d2/\n/x/*.py\n!/x/k.py\n**/y/z.py\n")
    write(root, "w/.gitignore", text="/*\n!/s\n")
    write(
        root, "d1/a.py", "d2/a.py", "x/a.py", "x/k.py", "x/y/z.py", "y/z.py", "w/a.py", "w/s/a.py", "w/t/a.py"
    )
    subprocess.run(["git", "init", "-q", "."], check=True)
    done = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "*.py"], check=True, capture_output=True, text=True
    )
    assert list(found(root).files) == sorted(done.stdout.split())


def test_paths_only_filter(root):
    write(root, "a.py", "sub/b.py", "sub/deep/c.rs", "other/d.py")
    discovery = found(root, "sub", "a.py")
    assert len(discovery.files) == 4
    assert discovery.asked == {"a.py", "sub/b.py", "sub/deep/c.rs"}
    assert found(root).asked is None
    assert found(root, ".").asked is None


def test_explicit_paths_are_checked_though_ignored(root):
    write(root, ".gitignore", text="gen/\n")
    write(root, "gen/a.py", "gen/deep/b.py", "build/c.py", "d.py", "gen/notes.txt")
    assert found(root, "gen/a.py", "build").asked == {"gen/a.py", "build/c.py"}
    assert found(root, "gen").files == ("d.py", "gen/a.py", "gen/deep/b.py")
    forced = found(root, "gen", "gen/a.py", "build", "d.py", force_exclude=True)
    assert (forced.files, forced.asked) == (("d.py",), {"d.py"})


def test_configurations_of_ignored_directories_that_are_asked_about(root):
    write(root, "gen/leverlint.toml", text='prefixes = ["GEN_"]')
    write(root, "gen/deep/Cargo.toml", text="[package.metadata.leverlint]\nnames = ['X']\n")
    write(root, "leverlint.toml", text='extend-exclude = ["gen"]')
    write(root, "gen/a.py", "gen/deep/b.rs", "c.py")
    assert found(root).configs == ()
    assert found(root, "gen").configs == ("gen/deep/Cargo.toml", "gen/leverlint.toml")
    assert found(root, "gen/deep").configs == ("gen/deep/Cargo.toml", "gen/leverlint.toml")
    assert found(root, "gen/a.py").configs == ("gen/leverlint.toml",)


def test_files_outside_are_added(root):
    write(root.parent, "other/a.py", "other/sub/b.rs", "c.py")
    write(root, "d.py")
    discovery = found(root, "../other", "../c.py")
    assert discovery.files == ("../c.py", "../other/a.py", "../other/sub/b.rs", "d.py")
    assert discovery.asked == {"../c.py", "../other/a.py", "../other/sub/b.rs"}


def test_a_path_through_a_link_to_the_project(root):
    write(root, "a.py")
    os.symlink(root, root.parent / "link")
    assert found(root, str(root.parent / "link" / "a.py")).asked == {"a.py"}


def test_missing_and_foreign_paths(root):
    write(root, "README.md")
    with pytest.raises(LeverlintError, match=r"nope\.py: no such file or directory"):
        found(root, "nope.py")
    assert found(root, "README.md").skipped == (("README.md", "is neither Python nor Rust"),)


def test_links_are_not_followed_out_or_around(root):
    write(root.parent, "outside.py")
    write(root, "a/real.py")
    os.symlink("..", root / "a" / "loop")
    os.symlink("real.py", root / "a" / "alias.py")
    os.symlink("../../outside.py", root / "a" / "out.py")
    os.symlink("nowhere.py", root / "a" / "dead.py")
    os.symlink("self.py", root / "a" / "self.py")
    os.symlink("a", root / "dir.py")
    discovery = found(root)
    assert discovery.files == ("a/alias.py", "a/real.py")
    assert discovery.skipped == (
        ("a/dead.py", "is a link to nothing"),
        ("a/out.py", "is a link out of the project"),
        ("a/self.py", "is a link to nothing"),
    )


def test_what_is_no_regular_file(root):
    os.mkfifo(root / "pipe.py")
    write(root, "a.py")
    assert found(root).files == ("a.py",)


def test_a_directory_that_cannot_be_entered(root, monkeypatch):
    write(root, "shut/a.py", "b.py")
    scandir = os.scandir

    def refusing(path):
        if str(path).endswith("shut"):
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refusing)
    discovery = found(root)
    assert discovery.files == ("b.py",)
    assert discovery.skipped == (("shut", "cannot be entered: permission denied"),)


def test_files_in_memory(root):
    write(root, "a.py")
    assert found(root, extra=["new.py"]).files == ("a.py", "new.py")
    assert found(root, "new.py", extra=["new.py"]).asked == {"new.py"}


def test_crates(root):
    write(root, "Cargo.toml", text='[workspace]\n[package]\nname = "top-crate"\n')
    write(root, "one/Cargo.toml", text='[package]\nversion = "1"\nname = "one"\n[lib]\nname = "one_lib"\n')
    write(root, "vendor/one/Cargo.toml", text='[package]\nname = "one"\n')
    write(root, "two/Cargo.toml", text='[dependencies.x]\nname = "x"\n[[bin]]\nname = "two"\n')
    write(root, "target/three/Cargo.toml", text='[package]\nname = "three"\n')
    assert found(root).crates == {"top_crate": "", "one": "one", "one_lib": "one"}


def test_documentation_only_when_asked(root):
    write(root, ".gitignore", text="drafts/\n*.tmp.md\n")
    write(root, "README.md", "docs/a.rst", "docs/b.txt", "drafts/c.md", "d.tmp.md", "build/e.md", "a.py")
    assert found(root).documentation == ()
    discovery = found(root, documentation=True)
    assert discovery.documentation == ("README.md", "docs/a.rst")
    assert discovery.files == ("a.py",)
    assert found(root, "docs", documentation=True).documentation == ("README.md", "docs/a.rst")


def test_documentation_as_configured(root):
    write(root, "leverlint.toml", text='docs = ["/docs/**", "*.adoc"]\n')
    write(root, "sub/leverlint.toml", text='docs = ["notes/*.md"]\n')
    write(root, "docs/x/a.txt", "docs/conf.py", "b.md", "c.adoc", "sub/notes/d.md", "sub/e.adoc")
    discovery = found(root, documentation=True)
    assert discovery.documentation == ("c.adoc", "docs/x/a.txt", "sub/notes/d.md")
    assert discovery.files == ("docs/conf.py",)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs FIFOs")
@pytest.mark.parametrize("name", [".gitignore", ".ignore", "Cargo.toml", "pyproject.toml", "sub/.gitignore"])
def test_what_is_no_file_is_not_waited_for(root, name):
    write(root, "a.py", "sub/b.py")
    os.mkfifo(root / name)
    there = found(root)
    assert there.files == ("a.py", "sub/b.py")
    told = [(name, "is no file")] if "ignore" in name else []
    assert [(skipped.path, skipped.why) for skipped in there.skipped] == told


def test_a_gigantic_ignore_file_is_told(root):
    write(root, "a.py")
    write(root, ".gitignore", text="#" * (4 * 1024 * 1024 + 1))
    assert [(skipped.path, skipped.why) for skipped in found(root).skipped] == [
        (".gitignore", "is larger than 4 megabytes")
    ]
