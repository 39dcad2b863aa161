import pytest
import yaml

from leverlint.errors import LeverlintError
from leverlint.hook_entry import has_entry, with_entry

HOOK = """\
- repo: local
  hooks:
    - id: leverlint
      name: leverlint
      entry: leverlint check --force-exclude
      language: system
      types_or: [python, pyi, rust]
      require_serial: true
"""
INDENTED = "".join(f"  {line}\n" for line in HOOK.splitlines())
ONE = "repos:\n  - repo: https://x\n    rev: v1\n    hooks:\n      - id: a\n"


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("", f"repos:\n{INDENTED}"),
        ("# nothing yet\n\n", None),
        ("repos:\n", f"repos:\n{INDENTED}"),
        (ONE, ONE + INDENTED),
        (ONE.rstrip("\n"), ONE + INDENTED),
        (ONE.replace("\n  ", "\n"), ONE.replace("\n  ", "\n") + HOOK),
        (f"# top\n{ONE}\n\n# ci\nci:\n  skip: [a]\n", f"# top\n{ONE}{INDENTED}\n\n# ci\nci:\n  skip: [a]\n"),
        (f"{ONE}    # - id: off\n", f"{ONE}    # - id: off\n{INDENTED}"),
        (f"exclude: ^x\n{ONE}", f"exclude: ^x\n{ONE}{INDENTED}"),
        (ONE.replace("\n", "\r\n"), (ONE + INDENTED).replace("\n", "\r\n")),
    ],
    ids=[
        "no file",
        "comments only",
        "empty list",
        "one",
        "no last newline",
        "not indented",
        "another key behind",
        "a comment in it",
        "another key before",
        "CRLF",
    ],
)  # fmt: skip
def test_the_hook_is_added_and_all_else_stays(content, expected):
    if expected is None:
        with pytest.raises(LeverlintError):
            with_entry(content.encode(), [])
        return
    edited = with_entry(content.encode(), [])
    assert edited == expected.encode()
    before, after = yaml.safe_load(content) or {}, yaml.safe_load(edited)
    assert after["repos"][:-1] == (before.get("repos") or [])
    assert after["repos"][-1]["hooks"][0]["id"] == "leverlint"
    assert {**after, "repos": None} == {**before, "repos": None}


def test_arguments():
    hook = yaml.safe_load(with_entry(b"", ["--baseline=b.json"]))["repos"][0]["hooks"][0]
    assert hook["args"] == ["--baseline=b.json"]


@pytest.mark.parametrize("content", ["repos: []\n", "hooks:\n"], ids=["one line", "no repos"])
def test_what_has_to_be_done_by_hand(content):
    with pytest.raises(LeverlintError) as error:
        with_entry(content.encode(), [])
    assert "- id: leverlint" in error.value.hint


@pytest.mark.parametrize(
    ("content", "has"),
    [
        (ONE, False),
        (ONE + INDENTED, True),
        ("  - id: leverlint-project\n", True),
        ("  - id: 'leverlint'\n", True),
        ("# leverlint\n  - id: other\n", False),
    ],
    ids=str,
)
def test_has_entry(content, has):
    assert has_entry(content.encode()) == has
