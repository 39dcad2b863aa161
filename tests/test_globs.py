import pytest

from leverlint.globs import anchored, matches


@pytest.mark.parametrize(
    ("pattern", "matched", "unmatched"),
    [
        ("**/levers.py", ["levers.py", "a/levers.py", "a/b/levers.py"], ["xlevers.py", "levers.pyi"]),
        ("levers.py", ["levers.py", "a/b/levers.py"], ["levers.py.txt"]),
        ("**/*_levers.rs", ["my_levers.rs", "a/my_levers.rs"], ["levers.rs", "my_levers.rs.bak"]),
        ("**/levers/**", ["levers/a.py", "x/levers/a/b.rs"], ["levers", "x/levers", "xlevers/a.py"]),
        ("src/levers.py", ["src/levers.py"], ["a/src/levers.py", "src/x/levers.py"]),
        ("/levers.py", ["levers.py"], ["a/levers.py"]),
        ("src/", ["src/a.py", "b/src/a.py"], ["src"]),
        ("src", ["src", "src/a.py", "b/src/c/d.py"], ["srcs/a.py"]),
        ("src/*.py", ["src/a.py"], ["src/a/b.py", "src/a.rs"]),
        ("src/**/*.py", ["src/a.py", "src/a/b/c.py"], ["a.py", "lib/src/a.py"]),
        ("a?.py", ["ab.py"], ["a.py", "a/.py"]),
        ("[!a]b.py", ["cb.py"], ["ab.py", "/b.py"]),
        ("[]x].py", ["].py", "x.py"], ["y.py"]),
        ("[[:digit:]].py", ["3.py"], ["d.py"]),
        (r"\*.py", ["*.py"], ["a.py"]),
        ("a[.py", [], ["a[.py", "a"]),
        ("[z-a].py", [], ["b.py"]),
        ("*a*a*a*a*a*a*a*a*a*a*a*a*b", [], ["a" * 20]),
    ],
)
def test_matching(pattern, matched, unmatched):
    assert [path for path in matched if not matches((pattern,), path)] == []
    assert [path for path in unmatched if matches((pattern,), path)] == []


def test_several_patterns_are_one_question():
    patterns = ("a.py", "src/*.rs", "b.py")
    assert [matches(patterns, path) for path in ("x/a.py", "src/c.rs", "b.py", "c.rs")] == [
        True,
        True,
        True,
        False,
    ]
    assert not matches((), "a.py")


@pytest.mark.parametrize(
    ("pattern", "matched", "unmatched"),
    [
        ("levers.py", "sub/x/levers.py", "levers.py"),
        ("**/levers.py", "sub/levers.py", "other/levers.py"),
        ("src/a.py", "sub/src/a.py", "src/a.py"),
        ("/a.py", "sub/a.py", "sub/x/a.py"),
        ("gen/", "sub/x/gen/a.py", "gen/a.py"),
    ],
)
def test_a_nested_pattern_is_anchored_where_it_is_stated(pattern, matched, unmatched):
    assert matches((anchored(pattern, "sub"),), matched)
    assert not matches((anchored(pattern, "sub"),), unmatched)


def test_a_directory_with_special_signs_is_taken_literally():
    pattern = anchored("levers.py", "s[u]b*")
    assert matches((pattern,), "s[u]b*/levers.py")
    assert not matches((pattern,), "sub/levers.py")


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("*a" * 14 + "*b", "a" * 4000),
        ("**/a/" * 14 + "b", "a/" * 2000 + "c"),
        ("/".join(["**", "*a*"] * 12) + "/**/b", "aaa/" * 1000 + "x"),
        ("**/" * 14 + "b", "a/" * 2000 + "c"),
        ("a/" + "**/*/" * 14 + "b", "a/" * 2000 + "c"),
    ],
)
def test_no_pattern_takes_for_ever(pattern, path):
    # Tried out, each of these would take longer than anybody has.
    assert not matches((pattern,), path)
