import pytest

from leverlint import config, engine

PYTHON = """\
import os
from dataclasses import dataclass


@dataclass(frozen=True)
class Levers:
    trace: bool


def levers():
    return Levers(trace=os.environ.get("ATLAS_TRACE") == "1")


current = levers()
"""
RUST = """\
pub struct Levers {
    pub trace: bool,
}

pub fn levers() -> Levers {
    Levers { trace: std::env::var("ATLAS_TRACE").as_deref() == Ok("1") }
}
"""
USERS = {
    "app.py": 'import os\n\n\ndef app():\n    return os.environ.get("ATLAS_TRACE") == "1"\n',
    "src/main.rs": "mod levers;\n\nfn main() {\n"
    '    let _ = std::env::var("ATLAS_TRACE").as_deref() == Ok("1");\n}\n',
}


def offered(root, accessor=None):
    settings = config.load(str(root), None, isolated=True)
    if accessor is not None:
        templates = {"python": accessor, "rust": accessor}
        settings = settings._replace(accessor=templates, sources={"accessor": None})
    report = engine.check(settings, [], jobs=1)
    assert not report.skipped
    return [
        (finding.fix.applicability, *finding.fix.intent[1:])
        for finding in report.findings
        if finding.fix is not None
    ]


@pytest.fixture
def project(tmp_path):
    (tmp_path / "src").mkdir()
    (tmp_path / "levers.py").write_text(PYTHON)
    (tmp_path / "src" / "levers.rs").write_text(RUST)
    for path, text in USERS.items():
        (tmp_path / path).write_text(text)
    return tmp_path


def test_the_default_way_must_exist(project):
    assert offered(project) == []


@pytest.mark.parametrize(
    ("accessor", "found"),
    [
        pytest.param(
            "levers().{field}",
            [
                ("safe", "levers().trace", "levers", "levers", False),
                ("safe", "levers().trace", "levers", "crate::levers", False),
            ],
            id="a function",
        ),
        pytest.param(
            "current.{field}", [("safe", "current.trace", "current", "levers", False)], id="an object"
        ),
        pytest.param("missing.{field}", [], id="a name that there is not"),
        pytest.param("{group}(1).{field}", [], id="more than names and calls"),
        pytest.param("{group}::levers().{field}", [], id="a function that is no method"),
    ],
)
def test_a_configured_way(project, accessor, found):
    assert offered(project, accessor) == found


def test_a_function_is_called_as_it_is_spelt(project, capsys, monkeypatch):
    from leverlint.cli import main

    monkeypatch.chdir(project)
    (project / "leverlint.toml").write_text('accessor = "levers().{field}"\n')
    assert main(["check", "--select", "raw-read", "--fix", "--no-cache"]) == 0
    assert (project / "app.py").read_text() == (
        "from levers import levers\n\n\ndef app():\n    return levers().trace\n"
    )
    assert (project / "src" / "main.rs").read_text() == (
        "mod levers;\n\nfn main() {\n    let _ = crate::levers::levers().trace;\n}\n"
    )


@pytest.mark.parametrize(
    "assignment",
    ["group.trace = True", "group.trace |= x", "setattr(group, 'trace', x)", "group.trace: bool = True"],
)
def test_a_field_that_other_code_sets(project, assignment):
    resolver = PYTHON.replace("(frozen=True)", "")
    (project / "levers.py").write_text(resolver)
    accessor = "current.{field}"
    assert len(offered(project, accessor)) == 1
    (project / "tests").mkdir()
    (project / "tests" / "test_app.py").write_text(f"def test(group, x):\n    {assignment}\n")
    assert len(offered(project, accessor)) == 1
    (project / "other.py").write_text(f"def change(group, x):\n    {assignment}\n")
    assert offered(project, accessor) == []
    (project / "levers.py").write_text(PYTHON)
    assert len(offered(project, accessor)) == 1
