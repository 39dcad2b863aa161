import importlib.util
import os

import pytest

from leverlint import cli, packs
from leverlint.testing import check_case


@pytest.fixture
def pack(tmp_path, monkeypatch):
    (tmp_path / "rules" / "leverlint_rules").mkdir(parents=True)
    (tmp_path / "fixtures" / "rules").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def load(path):
    spec = importlib.util.spec_from_file_location("new_rule_under_test", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_skeleton_is_a_rule_that_fails_until_it_is_written(pack, monkeypatch, capsys):
    assert cli.main(["new-rule", "odd-read"]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert [os.path.exists(path) for path in printed[:-1]] == [True] * 5
    module = load(pack / "rules" / "leverlint_rules" / "odd_read.py")
    rule = module.RULE
    assert (rule.name, rule.code in {one.code for one in packs.rules()}) == ("odd-read", False)
    monkeypatch.setattr(packs, "rules", lambda: (rule,))
    cases = pack / "fixtures" / "rules" / "odd-read"
    for language in ("python", "rust"):
        check_case(str(cases / f"good-{language}"), ["odd-read"])
        with pytest.raises(AssertionError, match=r"missing .*odd-read\[ATLAS_TRACE\]"):
            check_case(str(cases / f"bad-{language}"), ["odd-read"])
    monkeypatch.setattr(module, "_is_wrong", lambda lever: True)
    for language in ("python", "rust"):
        check_case(str(cases / f"bad-{language}"), ["odd-read"], bless=True)


def test_codes(pack, capsys):
    assert cli.main(["new-rule", "odd-read", "--code", "LVR777"]) == 0
    assert 'Rule("LVR777", "odd-read"' in (pack / "rules" / "leverlint_rules" / "odd_read.py").read_text()
    assert cli.main(["new-rule", "other", "--code", "LVR101"]) == 2
    assert cli.main(["new-rule", "other", "--code", "LVR1001"]) == 2
    assert "the code `LVR101` is taken" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["Odd", "odd_read", "odd read", "", "raw-read", "../x"])
def test_names_that_cannot_be(pack, name):
    assert cli.main(["new-rule", name]) == 2
    assert list((pack / "rules" / "leverlint_rules").iterdir()) == []


def test_nothing_is_overwritten(pack, capsys):
    assert cli.main(["new-rule", "odd-read"]) == 0
    assert cli.main(["new-rule", "odd-read"]) == 2
    assert "exists already" in capsys.readouterr().err


def test_outside_of_a_pack(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert cli.main(["new-rule", "odd-read"]) == 2
    assert "hint: run this at the root of the pack" in capsys.readouterr().err
