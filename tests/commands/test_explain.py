import pytest

from leverlint import cli, packs
from leverlint.commands import survey


@pytest.mark.parametrize("wanted", ["raw-read", "LVR101", "lvr101"])
def test_a_rule_is_explained_by_its_docstring(wanted, capsys):
    assert cli.main(["explain", wanted]) == 0
    out = capsys.readouterr().out
    (rule,) = [rule for rule in packs.rules() if rule.code == "LVR101"]
    assert out == f"LVR101 raw-read (error, on by default)\n\n{packs.documentation(rule)}\n"


def test_an_unknown_rule(capsys):
    assert cli.main(["explain", "raw-reed"]) == 2
    assert capsys.readouterr() == (
        "",
        "leverlint: error: there is no rule `raw-reed`\n  hint: did you mean `raw-read`?\n",
    )


def test_a_rule_is_explained_without_a_look_at_the_project(project, capsys, monkeypatch):
    monkeypatch.setattr(survey, "survey", None)
    for wanted in ("raw-reed", "LVR999", "LVR101"):
        cli.main(["explain", wanted])
    assert "there is no rule `LVR999`" in capsys.readouterr().err


RESOLVER = """\
import os


def flag(name):
    return os.environ.get(name) == "1"


class ModelLevers:
    @classmethod
    def from_env(cls):
        return cls(trace=flag("ATLAS_TRACE"))
"""
USER = """\
fn traced() -> bool { std::env::var("ATLAS_DUMP").is_ok() }
fn dumped() -> bool { std::env::var("ATLAS_DUMP").as_deref() == Ok("1") }
fn width() -> usize { std::env::var("ATLAS_WIDTH").ok().and_then(|v| v.parse().ok()).unwrap_or(8) }
"""


@pytest.fixture
def project(tmp_path, monkeypatch):
    (tmp_path / ".git").mkdir()
    (tmp_path / "levers.py").write_text(RESOLVER)
    (tmp_path / "use.rs").write_text(USER)
    (tmp_path / "dev.py").write_text('import os\n\n\ndef f(n):\n    return os.environ[f"ATLAS_DEV_{n}"]\n')
    (tmp_path / "a.md").write_text("```\nATLAS_TRACE=1\n```\n\n| `ATLAS_TRACE` | says *what* it does |\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def explain(*arguments):
    return cli.main(["explain", "--no-cache", *arguments])


def test_a_lever_is_explained_by_what_reads_and_documents_it(project, capsys):
    assert explain("ATLAS_TRACE") == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert out.splitlines()[0].startswith("ATLAS_TRACE")
    assert "  levers.py:11  through `flag`, into `ModelLevers.trace`, resolver\n" in out
    assert "Resolved into\n  ModelLevers.trace (levers.py)\n" in out
    assert out.endswith("Documented at\n  a.md:5\n    says what it does\n  a.md:2\n    ATLAS_TRACE=1\n")


def test_values_and_readers_that_disagree_stand_side_by_side(project, capsys):
    assert explain("ATLAS_DUMP") == 0
    assert capsys.readouterr().out == (
        "ATLAS_DUMP: its readers disagree\n"
        "\n"
        "              A     B\n"
        "  unset       off   off\n"
        "  empty       on    off   <- differs\n"
        "  0           on    off   <- differs\n"
        "  1           on    on\n"
        "  true        on    off   <- differs\n"
        "  false       on    off   <- differs\n"
        "  2, ' 1 '    on    off   <- differs\n"
        "  not UTF-8   off   off\n"
        "\n"
        "Read at\n"
        "  A  present: on when set, whatever the value; what is not UTF-8 is off\n"
        "     use.rs:1  in `traced()`\n"
        "  B  opt_in: on only at exactly `1`\n"
        "     use.rs:2  in `dumped()`\n"
        "\n"
        "No documentation names it.\n"
    )


def test_probes_that_do_something_of_their_own_are_shown(project, capsys):
    assert explain("ATLAS_WIDTH") == 0
    out = capsys.readouterr().out
    assert out.startswith("ATLAS_WIDTH: parsed, a number\n\n  unset            8\n")
    assert "  2                2\n  -1, 0.5, ' 1 '   8\n" in out
    assert "yes" not in out


@pytest.mark.parametrize(
    ("wanted", "hint"),
    [
        ("ATLAS_TRCE", "did you mean `ATLAS_TRACE`?"),
        ("atlas_trace", "did you mean `ATLAS_TRACE`?"),
        ("DUMP", "did you mean `ATLAS_DUMP`?"),
        ("raw_read", "did you mean `raw-read`?"),
        ("ATLAS_DEV_3", "it may be one of `ATLAS_DEV_*`, which are read: `leverlint explain 'ATLAS_DEV_*'`"),
        ("SOMETHING_ELSE", "`leverlint levers` lists what there is"),
    ],
)
def test_an_unknown_lever(project, capsys, wanted, hint):
    assert explain(wanted) == 2
    assert capsys.readouterr() == (
        "",
        f"leverlint: error: there is no rule, and no lever that is read here, called `{wanted}`\n"
        f"  hint: {hint}\n",
    )


def test_a_pattern(project, capsys):
    assert explain("ATLAS_DEV_*") == 0
    out = capsys.readouterr().out
    assert out.startswith("ATLAS_DEV_*: a pattern\n")
    assert "  dev.py:5  in `f()`\n" in out


def test_the_project_may_be_elsewhere_and_settings_are_options(
    project, capsys, tmp_path_factory, monkeypatch
):
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    assert explain("ATLAS_TRACE", str(project)) == 0
    assert "levers.py:11" in capsys.readouterr().out
    assert explain("ATLAS_TRACE", str(project), "--prefix", "ATLAS_D") == 2
    assert explain("ATLAS_TRACE", str(project), "--resolver", "", "--isolated") == 0
    assert "Resolved into" not in capsys.readouterr().out


def test_color_follows_the_option(project, capsys):
    explain("ATLAS_TRACE", "--color", "always")
    assert capsys.readouterr().out.startswith("\x1b[1mATLAS_TRACE\x1b[0m")


def test_a_reader_that_asks_for_the_opposite_is_no_disagreement(project, capsys):
    read = 'std::env::var("ATLAS_Q")'
    (project / "use.rs").write_text(
        f"fn a() -> bool {{ {read}.is_ok() }}\nfn b() -> bool {{ {read}.is_err() }}\n"
    )
    assert explain("ATLAS_Q") == 0
    out = capsys.readouterr().out
    assert "  1           on    off\n" in out
    assert "differs" not in out
    assert "  (compared after turning B around: the opposite of what A asks)\n" in out
