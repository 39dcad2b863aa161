import subprocess

import pytest

from leverlint import config
from leverlint.discovery import discover


@pytest.fixture
def root(tmp_path):
    (tmp_path / "leverlint.toml").write_text("")
    return tmp_path


def write(root, files):
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)


def found(root, *paths):
    settings = config.load(str(root))
    return discover(settings.root, [str(root / path) for path in paths], settings)


def git(root, *arguments):
    subprocess.run(["git", "-C", str(root), *arguments], check=True, capture_output=True)


PARTS = {
    "mod in lib.rs": {"src/lib.rs": "pub mod dist;", "src/dist/mod.rs": ""},
    "mod without mod.rs": {"src/main.rs": "mod target;", "src/target.rs": "", "src/target/x86.rs": ""},
    "mod below a module": {"src/a.rs": "mod build ;", "src/a/build/mod.rs": ""},
    "a path attribute": {"src/lib.rs": '#[path = "build/x.rs"]\nmod x;', "src/build/x.rs": ""},
    "an included file": {"src/lib.rs": 'include!("build/x.rs");', "src/build/x.rs": ""},
    "a program of cargo": {"tests/build/main.rs": ""},
    "a crate": {"build/Cargo.toml": "", "build/src/lib.rs": ""},
    "a package in a package": {"app/__init__.py": "", "app/build/__init__.py": ""},
    "an import": {"main.py": "from build import flags\n", "build/flags.py": ""},
    "an import among others": {"main.py": "import os, venv.flags\n", "venv/flags.py": ""},
    "an absolute import": {"main.py": "import app.dist.flags as f\n", "app/dist/flags.py": ""},
    "a relative import": {"app/main.py": "from .target.flags import X\n", "app/target/flags.py": ""},
    "imported from its folder": {"main.py": "from app import (\n  x, dist)\n", "app/dist/flags.py": ""},
}


@pytest.mark.parametrize("name", sorted(PARTS))
def test_parts_of_the_project_are_checked(name, root):
    write(root, PARTS[name])
    discovery = found(root)
    assert discovery.files == tuple(sorted(path for path in PARTS[name] if not path.endswith(".toml")))
    assert discovery.skipped == ()


OUTPUTS = {
    "nobody refers to it": {"src/lib.rs": "mod distance;\n// mod\n", "src/dist/mod.rs": ""},
    "mod elsewhere": {"a/lib.rs": "mod dist;", "b/dist/mod.rs": ""},
    "the package of another": {
        "main.py": "from setuptools.command import build\nfrom builder import build\nimport a.build\n",
        "build/x.py": "",
    },
    "deep copies": {"main.py": "import build\n", "build/lib/app/x.py": ""},
}


@pytest.mark.parametrize("name", sorted(OUTPUTS))
def test_outputs_are_left_out_and_told_once(name, root):
    write(root, OUTPUTS[name])
    discovery = found(root)
    output = next(each for each in discovery.skipped if each.path.rpartition("/")[2] in ("dist", "build"))
    assert output.why.startswith("is called like a folder of outputs")
    assert len(discovery.skipped) == 1
    assert not any(path.startswith(output.path) for path in discovery.files)


@pytest.mark.parametrize("sign", ["CACHEDIR.TAG", ".rustc_info.json", "pyvenv.cfg"])
def test_what_a_tool_has_made_is_silent(sign, root):
    write(root, {f"target/{sign}": "", "target/a.rs": "", "lib.rs": "mod target;"})
    assert (found(root).files, found(root).skipped) == (("lib.rs",), ())


def test_folders_without_sources_are_silent(root):
    write(root, {"dist/app.js": "", "a.py": ""})
    assert found(root).skipped == ()


def test_only_folders_that_were_asked_about_are_told(root):
    write(root, {"a/build/x.py": "", "a/x.py": "", "b/x.py": ""})
    assert found(root, "b").skipped == ()
    assert [path for path, _ in found(root, "a").skipped] == ["a/build"]
    assert found(root, "a/build").skipped == ()


def test_the_word_of_the_user_holds(root):
    write(root, PARTS["mod in lib.rs"])
    for stated in ('extend-exclude = ["dist"]', 'exclude = ["dist"]', 'extend-exclude = ["/src/dist/"]'):
        write(root, {"leverlint.toml": stated})
        assert (found(root).files, found(root).skipped) == (("src/lib.rs",), ())


@pytest.mark.parametrize("version", ["2", "4"])
def test_what_git_tracks_is_checked(version, root):
    write(
        root,
        {
            ".gitignore": "env/\ndist/\n",
            "env/kept.py": "",
            "x/dist/gone.py": "",
            "tools/build/kept.sh.py": "",
            "deep/tools/build/x.py": "",
            "target/gone.rs": "",
        },
    )
    git(root, "init", "-q")
    git(root, "config", "index.version", version)
    git(root, "add", "-f", "env", "tools", ".gitignore")
    discovery = found(root)
    assert discovery.files == ("env/kept.py", "tools/build/kept.sh.py")
    assert [path for path, _ in discovery.skipped] == ["deep/tools/build", "target"]


def test_what_git_was_told_to_ignore_is_no_part_whatever_refers_to_it(root):
    write(root, {**PARTS["mod in lib.rs"], ".gitignore": "dist/\n"})
    assert found(root).files == ("src/dist/mod.rs", "src/lib.rs")
    git(root, "init", "-q")
    git(root, "add", ".")
    assert (found(root).files, found(root).skipped) == (("src/lib.rs",), ())


def test_git_tracks_below_a_repository_and_in_a_worktree(root):
    below = root / "above" / "root"
    write(below, {"leverlint.toml": "", "sub/build/x.py": "", "a.py": ""})
    repository = root / "above"
    git(root, "init", "-q", str(repository))
    git(repository, "-c", "user.name=x", "-c", "user.email=x@x", "commit", "-q", "--allow-empty", "-m", "x")
    assert found(below).files == ("a.py",)
    git(repository, "add", "root/sub")
    assert found(below).files == ("a.py", "sub/build/x.py")
    git(repository, "worktree", "add", "-q", str(root / "other"))
    write(root / "other", {"leverlint.toml": "", "build/x.py": ""})
    assert found(root / "other").files == ()
    git(root / "other", "add", "build")
    assert found(root / "other").files == ("build/x.py",)
