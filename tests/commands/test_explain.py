import pytest

from leverlint import cli, packs


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
