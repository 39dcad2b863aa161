import os
import sys

import pytest

from leverlint import config_files
from leverlint.config import Config, load
from leverlint.errors import LeverlintError
from leverlint.facts import Span


def write(folder, name, text):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


@pytest.fixture
def project(tmp_path, monkeypatch):
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_without_a_file_the_defaults_hold_at_the_repository(project):
    (project / "sub").mkdir()
    config = load(str(project / "sub"))
    assert config.root == str(project)
    assert config._replace(nested=None) == Config(root=str(project))
    assert config.is_resolver("a/levers.py")
    assert not config.is_resolver("a/b.py")


def test_without_a_file_and_repository_the_start_is_the_root(tmp_path):
    (tmp_path / "sub").mkdir()
    assert load(str(tmp_path / "sub")).root == str(tmp_path / "sub")


@pytest.mark.parametrize(
    ("name", "head"),
    [
        ("leverlint.toml", ""),
        ("pyproject.toml", "[project]\nname = 'x'\n[tool.leverlint]\n"),
        ("Cargo.toml", "[workspace.metadata.leverlint]\n"),
        ("Cargo.toml", "[package.metadata.leverlint]\n"),
        ("pyproject.toml", "[tool]\n"),
    ],
)
def test_each_place(project, name, head):
    body = 'prefixes = ["A_"]\ntests = "check"\n'
    if head == "[tool]\n":
        body = 'leverlint = { prefixes = ["A_"], tests = "check" }\n'
    write(project, name, head + body)
    config = load(str(project))
    assert (config.prefixes, config.tests, config.names) == (("A_",), "check", ())


def test_every_key(project):
    write(
        project,
        "leverlint.toml",
        """
prefixes = ["A_"]
names = ["PLAIN"]
resolvers = ["src/r.py"]
hot = ["forward", "src/hot.py"]
tests = "check"
pairs = [["A.x", "B.x"]]
allow-names = ["A_SERVICE_*"]
removed = { A_OLD = "A_NEW" }
select = ["ALL"]
extend-select = ["LVR1"]
ignore = ["LVR2"]
exclude = ["gen"]
extend-exclude = ["gen2"]
respect-gitignore = false
docs = ["doc/*.md"]
wrappers = { "mod.flag" = 1 }
accessor = "{group}.{field}"
require-reason = true
[per-file-ignores]
"tests/**" = ["raw-read"]
[severity]
raw-read = "info"
""",
    )
    config = load(str(project))
    assert config._replace(nested=None, sources={}) == Config(
        root=str(project),
        prefixes=("A_",),
        names=("PLAIN",),
        resolvers=("src/r.py",),
        hot=("forward", "src/hot.py"),
        tests="check",
        pairs=(("A.x", "B.x"),),
        allow_names=("A_SERVICE_*",),
        removed={"A_OLD": "A_NEW"},
        select=("ALL",),
        extend_select=("LVR1",),
        ignore=("LVR2",),
        per_file_ignores={"tests/**": ("raw-read",)},
        severity={"raw-read": "info"},
        exclude=("gen",),
        extend_exclude=("gen2",),
        respect_gitignore=False,
        docs=("doc/*.md",),
        wrappers={"mod.flag": 1},
        accessor={"python": "{group}.{field}", "rust": "{group}.{field}"},
        require_reason=True,
    )
    assert config.sources["tests"].line == 6
    assert config.sources["severity"].line == 22


def test_the_nearest_manifest_of_a_directory_wins(project):
    write(project, "leverlint.toml", 'prefixes = ["A_"]')
    write(project, "pyproject.toml", '[tool.leverlint]\nprefixes = ["B_"]')
    assert load(str(project)).prefixes == ("A_",)


def test_a_workspace_that_is_a_package_too(project):
    write(
        project,
        "Cargo.toml",
        "[workspace.metadata.leverlint]\nprefixes = ['A_']\nnames = ['X']\n"
        "[package.metadata.leverlint]\nnames = ['Y']\n",
    )
    config = load(str(project))
    assert (config.prefixes, config.names) == (("A_",), ("Y",))


def test_nested_files_extend_their_parents(project):
    write(project, "leverlint.toml", 'prefixes = ["A_"]\ntests = "check"\nseverity = { raw-read = "info" }')
    write(
        project,
        "crates/one/Cargo.toml",
        "[package]\nname = 'one'\n[package.metadata.leverlint]\nresolvers = ['src/config.rs', 'knobs.rs']\n"
        "severity = { env-write = 'hint' }\n",
    )
    write(project, "crates/one/deep/leverlint.toml", 'prefixes = ["B_"]')
    config = load(str(project / "crates" / "one"))
    assert config.root == str(project)
    assert config.prefixes == ("A_",)
    one = config.for_path("crates/one/src/lib.rs")
    assert (one.prefixes, one.tests) == (("A_",), "check")
    assert one.severity == {"raw-read": "info", "env-write": "hint"}
    assert one.is_resolver("crates/one/src/config.rs")
    assert one.is_resolver("crates/one/src/deep/knobs.rs")
    assert not one.is_resolver("src/config.rs")
    assert config.for_path("crates/one/deep/a.rs").prefixes == ("B_",)
    assert config.for_path("crates/one/deep/a.rs").resolvers == one.resolvers
    assert config.for_path("crates/two/lib.rs") is config.for_path("lib.rs") is config
    assert one.sources["resolvers"].path == "crates/one/Cargo.toml"
    assert one.sources["tests"].path == "leverlint.toml"


def test_the_outermost_file_below_the_repository_makes_the_root(project):
    write(project, "a/leverlint.toml", "")
    write(project, "a/b/leverlint.toml", 'prefixes = ["B_"]')
    config = load(str(project / "a" / "b"))
    assert config.root == str(project / "a")
    assert config.prefixes == ("ATLAS_",)
    assert config.for_path("b/x.py").prefixes == ("B_",)


def test_what_is_above_the_repository_does_not_count(tmp_path):
    write(tmp_path, "leverlint.toml", 'prefixes = ["OUTER_"]')
    (tmp_path / "repo" / ".git").mkdir(parents=True)
    assert load(str(tmp_path / "repo")).prefixes == ("ATLAS_",)


def test_isolated(project):
    write(project, "leverlint.toml", 'prefixes = ["A_"]')
    config = load(str(project), isolated=True)
    assert config == Config(root=str(project))


def test_an_explicit_file_is_the_only_one(project):
    write(project, "leverlint.toml", 'prefixes = ["A_"]')
    write(project, "sub/leverlint.toml", 'prefixes = ["SUB_"]')
    write(project, "ci/strict.toml", 'resolvers = ["src/x.py"]')
    config = load(str(project), "ci/strict.toml")
    assert (config.root, config.prefixes, config.resolvers) == (str(project), ("ATLAS_",), ("src/x.py",))
    assert config.for_path("sub/a.py") is config


def test_the_command_line_wins_everywhere(project):
    write(project, "leverlint.toml", 'prefixes = ["A_"]\nignore = ["LVR105"]')
    write(project, "sub/leverlint.toml", 'prefixes = ["SUB_"]\nextend-select = ["LVR106"]')
    config = load(str(project), overrides={"prefixes": ("C_",), "ignore": ("LVR107",)})
    assert config.for_path("sub/a.py").prefixes == ("C_",)
    assert config.ignore == ("LVR105", "LVR107")
    assert config.for_path("sub/a.py").extend_select == ("LVR106",)
    afresh = load(str(project), overrides={"select": ("ALL",)})
    assert (afresh.select, afresh.ignore, afresh.for_path("sub/a.py").extend_select) == (("ALL",), (), ())


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("prefixs = []", "leverlint.toml:1: unknown key `prefixs`", "did you mean `prefixes`?"),
        (
            "\nextend_select = []",
            "leverlint.toml:2: unknown key `extend_select`",
            "did you mean `extend-select`?",
        ),
        ("zzz = 1", "leverlint.toml:1: unknown key `zzz`", ""),
        (
            "# c\n\nprefixes = 'A_'",
            "leverlint.toml:3: `prefixes` must be an array of strings, but it is a string",
            "",
        ),
        (
            "names = ['A', 3]",
            "leverlint.toml:1: `names` must be an array of strings, but item 2 is an integer",
            "",
        ),
        (
            "prefixes = ['']",
            "leverlint.toml:1: `prefixes` must not hold an empty prefix",
            "it would make every variable a lever",
        ),
        (
            "prefixes = ['A_*']",
            "leverlint.toml:1: `prefixes` holds `A_*`, which no variable can start with",
            "a prefix is plain text: `ATLAS_`",
        ),
        ("tests = 'no'", 'leverlint.toml:1: `tests` must be "check" or "allow", not "no"', ""),
        ("tests = true", 'leverlint.toml:1: `tests` must be "check" or "allow", but it is a boolean', ""),
        (
            "require-reason = 1",
            "leverlint.toml:1: `require-reason` must be `true` or `false`, but it is an integer",
            "",
        ),
        (
            "pairs = [['a']]",
            "leverlint.toml:1: `pairs` must be an array of pairs of strings, but item 1 is none",
            "",
        ),
        (
            "[severity]\nraw-read = 'fatal'",
            'leverlint.toml:2: `severity` of `raw-read` must be "error" or "warning" or "info" or "hint", '
            'not "fatal"',
            "",
        ),
        (
            "wrappers = { f = 'x' }",
            "leverlint.toml:1: `wrappers` must be a table of argument positions, but `f` is a string",
            "",
        ),
        (
            "wrappers = { f = -1 }",
            "leverlint.toml:1: `wrappers` must be a table of argument positions from 0, but `f` is -1",
            "",
        ),
        (
            "resolvers = ['!a']",
            "leverlint.toml:1: `resolvers` holds `!a`, but patterns cannot be negated",
            "",
        ),
        (
            "per-file-ignores = []",
            "leverlint.toml:1: `per-file-ignores` must be a table of arrays of rules, but it is an array",
            "",
        ),
        (
            "accessor = { java = 'x' }",
            "leverlint.toml:1: `accessor` must be a string or a table with `python` and `rust`, not `java`",
            "",
        ),
        (
            "select = ['raw-reed']",
            "leverlint.toml:1: `select` names no rule: `raw-reed`",
            "did you mean `raw-read`?",
        ),
        (
            "[per-file-ignores]\n'a' = ['LVR1', 'LVR999']",
            "leverlint.toml:2: `per-file-ignores` names no rule: `LVR999`",
            "did you mean `LVR1`?",
        ),
        ("[severity]\nx = 'hint'", "leverlint.toml:2: `severity` names no rule: `x`", ""),
        ("x = ", "leverlint.toml: not valid TOML: Invalid value (at end of document)", ""),
    ],
)
def test_mistakes_are_told_with_key_file_and_line(project, text, message, hint):
    write(project, "leverlint.toml", text)
    with pytest.raises(LeverlintError) as caught:
        load(str(project), known_selectors=["LVR101", "LVR1", "raw-read", "ALL"])
    assert (caught.value.message, caught.value.hint) == (message, hint)


def test_mistakes_in_a_nested_file(project):
    write(project, "sub/pyproject.toml", "[tool.other]\nx = 1\n[tool.leverlint]\nhott = []")
    with pytest.raises(LeverlintError) as caught:
        load(str(project)).for_path("sub/a.py")
    assert caught.value.message == "sub/pyproject.toml:4: unknown key `hott`"


def test_mistakes_on_the_command_line(project):
    with pytest.raises(LeverlintError) as caught:
        load(str(project), overrides={"prefixes": ("",)})
    assert caught.value.message == "--prefix: `prefixes` must not hold an empty prefix"


def test_a_table_of_ours_that_is_none(project):
    write(project, "pyproject.toml", "[tool]\nleverlint = 3")
    with pytest.raises(LeverlintError, match=r"pyproject\.toml:2: `tool\.leverlint` must be a table"):
        load(str(project))


def test_a_missing_explicit_file(project):
    with pytest.raises(LeverlintError, match=r"nope\.toml: no such file or directory"):
        load(str(project), "nope.toml")


def test_rules_are_only_loaded_when_they_are_named(project):
    def known():
        raise AssertionError

    write(project, "leverlint.toml", 'prefixes = ["A_"]')
    load(str(project), known_selectors=known)


def test_manifests_without_us_do_not_cost_the_parser(project, monkeypatch):
    write(project, "pyproject.toml", "[project]\nname = 'x'")
    write(project, "Cargo.toml", "this is not even TOML")
    monkeypatch.setitem(sys.modules, "tomllib", None)
    assert load(str(project)).prefixes == ("ATLAS_",)


def test_locating_keys():
    content = b"""\
"a b" = 1
text = '''
b = 2
'''
b = [
  "one",
  "two",
]

[t.'x.y']
c.d = 1
"""
    lines = {
        key: config_files.locate(content, key).line for key in [("a b",), ("b",), ("t", "x.y", "c", "d")]
    }
    assert lines == {("a b",): 1, ("b",): 5, ("t", "x.y", "c", "d"): 11}
    place = config_files.locate(content, ("b",))
    span = config_files.locate_text(content, place.span, "two")
    assert content[span.start : span.end] == b'"two"'
    assert config_files.locate_text(content, place.span, "three") == place.span
    assert config_files.locate(b"", ("x",)) == (1, Span(0, 0))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs FIFOs")
def test_a_configuration_that_is_no_file(project):
    os.mkfifo(project / "leverlint.toml")
    with pytest.raises(LeverlintError) as error:
        load(str(project))
    assert error.value.message == "leverlint.toml: is no file"


@pytest.mark.parametrize("text", ["a = " + "[" * 100_000, "a = " + "{b = " * 100_000])
def test_a_configuration_that_is_nested_too_deeply(project, text):
    write(project, "leverlint.toml", text)
    with pytest.raises(LeverlintError) as error:
        load(str(project))
    assert error.value.message == "leverlint.toml: nested too deeply"
