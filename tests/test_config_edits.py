import tomllib

import pytest

from leverlint.config_edits import head, home, stated, with_configuration
from leverlint.errors import LeverlintError

TEXTS = '"""\n[tool.leverlint]\n"""'
TEXT = 'prefixes = ["X_"]\n'


@pytest.mark.parametrize(
    ("files", "name"),
    [
        ([], "leverlint.toml"),
        (["Cargo.toml"], "Cargo.toml"),
        (["Cargo.toml", "pyproject.toml"], "pyproject.toml"),
        (["leverlint.toml", "pyproject.toml"], "leverlint.toml"),
    ],
    ids=str,
)
def test_home(tmp_path, files, name):
    for file in files:
        (tmp_path / file).touch()
    assert home(str(tmp_path)) == name


def test_what_is_stated():
    text = stated(["X_"], [f"some/directory/with/a/long/name/{number}.py" for number in range(3)], ['a "b\\'])
    assert text == (
        'prefixes = ["X_"]\n'
        "resolvers = [\n"
        '    "some/directory/with/a/long/name/0.py",\n'
        '    "some/directory/with/a/long/name/1.py",\n'
        '    "some/directory/with/a/long/name/2.py",\n'
        "]\n"
        "# Functions that no read should be reached from; finding the ways to them takes time.\n"
        '# hot = ["a \\"b\\\\"]\n'
    )
    tomllib.loads(text)
    assert "resolvers" not in tomllib.loads(stated(["X_"], [], []))


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("leverlint.toml", "prefixes = ['OLD_']\n", TEXT),
        ("pyproject.toml", "", f"[tool.leverlint]\n{TEXT}"),
        ("pyproject.toml", "[a]\nb = 1 # c\n", f"[a]\nb = 1 # c\n\n[tool.leverlint]\n{TEXT}"),
        ("pyproject.toml", "[a]\nb = 1", f"[a]\nb = 1\n\n[tool.leverlint]\n{TEXT}"),
        (
            "pyproject.toml",
            "[a]\r\nb = 1\r\n",
            '[a]\r\nb = 1\r\n\r\n[tool.leverlint]\r\nprefixes = ["X_"]\r\n',
        ),
        (
            "Cargo.toml",
            "[package]\nname = 'x'\n",
            f"[package]\nname = 'x'\n\n[package.metadata.leverlint]\n{TEXT}",
        ),
        (
            "Cargo.toml",
            "[package]\n[workspace]\n",
            f"[package]\n[workspace]\n\n[workspace.metadata.leverlint]\n{TEXT}",
        ),
    ],
    ids=["own", "empty", "behind", "no last newline", "CRLF", "package", "workspace"],
)
def test_everything_else_stays(name, content, expected):
    assert with_configuration(name, content.encode(), TEXT) == expected.encode()


@pytest.mark.parametrize(
    ("content", "rest"),
    [
        ("[tool.leverlint]\nprefixes = ['A_']\n", ""),
        ("# top\n[tool.leverlint]\nprefixes = [\n  # one\n  'A_',\n\n]\n# end\n", "# top\n"),
        (
            "[a]\nx = 1\n\n[tool.leverlint]\ntests = 'check'\n\n# about b\n[b]\ny = 2\n",
            "[a]\nx = 1\n\n# about b\n[b]\ny = 2\n",
        ),
        ("[tool]\nleverlint.tests = 'check'\nother = 1\n", "[tool]\nother = 1\n"),
        ("[tool.leverlint]\ntests = 'check'\n[tool.leverlint.severity]\nraw-read = 'hint'\n[b]\n", "[b]\n"),
        (f"[a]\nx = {TEXTS}\n[tool.leverlint]\n", f"[a]\nx = {TEXTS}\n"),
        (f"[a]\n\n\n[tool.leverlint]\n{TEXT}", "[a]\n"),
    ],
    ids=["alone", "comments", "in between", "dotted", "tables in it", "in a string", "anew"],
)  # fmt: skip
def test_the_old_one_goes(content, rest):
    edited = with_configuration("pyproject.toml", content.encode(), TEXT).decode()
    assert edited == f"{rest}{chr(10) if rest else ''}[tool.leverlint]\n{TEXT}"


@pytest.mark.parametrize(
    "content",
    ["tool = { other = 1 }\n", "[tool]\nleverlint = { tests = 'check' }\n[tool.x]\nleverlint = {", "a = \n"],
    ids=["inline", "broken behind", "broken"],
)
def test_what_cannot_be_edited(content):
    with pytest.raises(LeverlintError) as error:
        with_configuration("pyproject.toml", content.encode(), TEXT)
    assert error.value.message.startswith("pyproject.toml: ")


def test_an_inline_table_goes_as_well():
    content = b"[tool]\nleverlint = { tests = 'check' }\n"
    edited = with_configuration("pyproject.toml", content, TEXT)
    assert tomllib.loads(edited.decode()) == {"tool": {"leverlint": {"prefixes": ["X_"]}}}


def test_head():
    assert head("leverlint.toml", b"") == ""
    assert head("pyproject.toml", b"") == "[tool.leverlint]\n"
