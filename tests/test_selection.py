import pytest

from leverlint.config import Config
from leverlint.rule import Rule
from leverlint.selection import is_selected, known_selectors, severity

ON = Rule("LVR101", "raw-read", "error", lambda project: ())
OFF = Rule("LVR105", "duplicate-read", "warning", lambda project: (), default=False)
OTHER = Rule("LVR901", "unused-suppression", "warning", lambda project: ())


@pytest.mark.parametrize(
    ("config", "selected"),
    [
        (Config(), {"LVR101", "LVR901"}),
        (Config(select=("ALL",)), {"LVR101", "LVR105", "LVR901"}),
        (Config(select=()), set()),
        (Config(select=("LVR1",)), {"LVR101", "LVR105"}),
        (Config(select=("raw-read", "LVR901")), {"LVR101", "LVR901"}),
        (Config(extend_select=("duplicate-read",)), {"LVR101", "LVR105", "LVR901"}),
        (Config(select=("LVR901",), extend_select=("LVR105",)), {"LVR105", "LVR901"}),
        (Config(ignore=("LVR101",)), {"LVR901"}),
        (Config(ignore=("ALL",)), set()),
        (Config(select=("ALL",), ignore=("LVR1",)), {"LVR901"}),
        (Config(select=("LVR101", "LVR9"), ignore=("LVR1", "ALL")), {"LVR101", "LVR901"}),
        (Config(select=("LVR1",), ignore=("LVR1",)), set()),
        (Config(ignore=("ALL",), extend_select=("raw-read",)), {"LVR101"}),
    ],
)
def test_selection(config, selected):
    assert {rule.code for rule in (ON, OFF, OTHER) if is_selected(rule, "a.py", config)} == selected


def test_per_file_ignores():
    config = Config(per_file_ignores={"tests/**": ("raw-read",), "gen.py": ("ALL",)})
    assert is_selected(ON, "src/a.py", config)
    assert not is_selected(ON, "tests/a.py", config)
    assert is_selected(OTHER, "tests/a.py", config)
    assert not is_selected(OTHER, "src/gen.py", config)


def test_the_most_exact_severity_wins():
    config = Config(severity={"LVR1": "warning", "raw-read": "hint", "ALL": "info"})
    assert [severity(rule, config) for rule in (ON, OFF, OTHER)] == ["hint", "warning", "info"]
    assert severity(ON, Config()) == "error"
    assert severity(ON, Config(severity={"LVR9": "hint"})) == "error"


def test_known_selectors():
    assert known_selectors([ON]) == {"ALL", "LVR", "LVR1", "LVR10", "LVR101", "raw-read"}
