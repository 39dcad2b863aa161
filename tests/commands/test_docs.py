from leverlint import cli, packs


def test_the_catalogue_is_written_and_checked(tmp_path, capsys):
    page = tmp_path / "README.md"
    assert cli.main(["docs", "--output", str(page)]) == 0
    assert cli.main(["docs", "--output", str(page), "--check"]) == 0
    text = page.read_text()
    for rule in packs.rules():
        assert f"| {rule.code} | [{rule.name}](#{rule.name}) | {rule.severity} |" in text
        assert packs.documentation(rule) in text
    page.write_text(text + "x")
    capsys.readouterr()
    assert cli.main(["docs", "--output", str(page), "--check"]) == 1
    assert "is out of date" in capsys.readouterr().err
    assert page.read_text() == text + "x"


def test_a_place_that_is_not_there(tmp_path, capsys):
    assert cli.main(["docs", "--output", str(tmp_path / "no" / "README.md")]) == 2
    assert "no such file or directory" in capsys.readouterr().err
