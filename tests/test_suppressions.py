import re
import tokenize
from io import BytesIO

import pytest

from leverlint.config import Config
from leverlint.diagnostics import Diagnostic
from leverlint.facts import Comment, FileFacts, Span
from leverlint.rule import Rule
from leverlint.sources import Sources
from leverlint.suppressions import apply

RULES = (
    Rule("LVR101", "raw-read", "error", lambda project: ()),
    Rule("LVR103", "cached-read", "warning", lambda project: ()),
    Rule("LVR105", "duplicate-read", "warning", lambda project: (), default=False),
)


def comments(path, content):
    if path.endswith(".rs"):
        return [match.span() for match in re.finditer(rb"//[^\n]*|/\*.*?\*/", content)]
    bom = len(content) - len(content.removeprefix(b"\xef\xbb\xbf"))
    starts = [bom]
    for line in content[bom:].split(b"\n"):
        starts.append(starts[-1] + len(line) + 1)
    lines = content.decode("utf-8-sig").split("\n")
    found = []
    for token in tokenize.tokenize(BytesIO(content).readline):
        if token.type == tokenize.COMMENT:
            row, column = token.start
            start = starts[row - 1] + len(lines[row - 1][:column].encode())
            found.append((start, start + len(token.string.encode())))
    return found


def run(content, path="a.py", config=None, code="LVR101"):
    """Report the rule on each line that holds READ; give the lines kept and what is unused."""
    content = content.encode()
    facts = FileFacts(
        path,
        "rust" if path.endswith(".rs") else "python",
        comments=tuple(
            Comment(
                Span(start, end),
                content[start:end].decode(),
                not content[:start].rpartition(b"\n")[2].strip(),
            )
            for start, end in comments(path, content)
        ),
    )
    rule = next(rule for rule in RULES if rule.code == code)
    findings = [
        Diagnostic(rule.code, rule.name, rule.severity, path, Span(*match.span()), None, "", "")
        for match in re.finditer(rb"READ", content)
    ]
    sources = Sources("/nowhere", {path: content})
    outcome = apply(findings, {path: facts}, sources, config or Config(), RULES)
    assert outcome.suppressed == len(findings) - len(outcome.kept)
    kept = [sources.position(path, finding.span.start)[0] for finding in outcome.kept]
    return kept, [(one.text, one.why) for one in outcome.unused]


IDLE = "suppresses nothing"


@pytest.mark.parametrize(
    ("comment", "silent"),
    [
        ("# noqa", True),
        ("# NOQA", True),
        ("# noqa: LVR101", True),
        ("# noqa:LVR101", True),
        ("# noqa: LVR1", True),
        ("# noqa: E501,LVR101", True),
        ("# noqa: E501 LVR101", True),
        ("# type: ignore  # noqa: LVR101", True),
        ("# see there  # noqa: LVR101 for a reason", True),
        # What flake8 takes for a blanket noqa is one.
        ("# noqa:LVR", True),
        ("# noqa : LVR103", True),
        ("# noqa: leverlint", True),
        ("# noqa: E501", False),
        ("# noqa: LVR103", False),
        ("# noqa: lvr101", False),
        ("#noqa: LVR101", False),
        ("# no qa: LVR101", False),
        ("# leverlint: allow(raw-read)", True),
        ("# leverlint: allow(raw-read) -- it is a test", True),
        ("#leverlint:allow( raw-read )", True),
        ("# leverlint: allow(cached-read, raw-read)", True),
        ("# leverlint: allow(LVR101)", True),
        ("# type: ignore[attr]  # leverlint: allow(raw-read)", True),
        ("# noqa: E501  # leverlint: allow(raw-read)", True),
        ("# leverlint: allow(raw-read)  # noqa: E501", True),
        ("# leverlint: allow(cached-read)", False),
        ("# leverlint: allow(LVR1)", False),
        ("# leverlint: allow()", False),
        ("# leverlint: allow", False),
        ("# leverlint: allow raw-read", False),
        ("# leverlint: allow(raw-read) is how to silence it", False),
        ("# write `# leverlint: allow(raw-read)` here", False),
        ("# with # leverlint: allow(raw-read) it is silent", False),
        ("# Leverlint: allow(raw-read)", False),
        ("# leverlint: allow-file(raw-read)", False),
        ("# leverlint: ignore(raw-read)", False),
    ],
)
def test_on_the_line(comment, silent):
    kept, _ = run(f"x = 1\ny = READ  {comment}\nz = READ\n")
    assert kept == ([3] if silent else [2, 3])


def test_text_that_looks_like_a_comment():
    assert run('x = READ, "# leverlint: allow(raw-read)"\n')[0] == [1]
    assert run('x = READ, "# noqa: LVR101"\n')[0] == [1]


def test_alone_on_the_line_above():
    assert run("# leverlint: allow(raw-read) -- why\nx = READ\ny = READ\n") == ([3], [])
    assert run("# leverlint: allow(raw-read) -- why\n# that goes on\n# and on\nx = READ\n") == ([], [])
    assert run("# leverlint: allow(raw-read)\n\nx = READ\n") == ([3], [("raw-read", IDLE)])
    assert run("x = 1  # leverlint: allow(raw-read)\ny = READ\n") == ([2], [("raw-read", IDLE)])


def test_noqa_above_does_nothing():
    assert run("# noqa: LVR101\nx = READ\n") == ([2], [("LVR101", IDLE)])


def test_noqa_covers_what_flake8_takes_for_one_line():
    assert run('f(READ, """\ntext\n""", READ)  # noqa: LVR101\n') == ([], [])
    assert run("x = READ \\\n    + 1  # noqa: LVR101\n") == ([], [])
    assert run("x = [\n    READ,\n]  # noqa: LVR101\n") == ([2], [("LVR101", IDLE)])
    assert run('s = """\n"""\nx = [\n    READ,\n]  # noqa: LVR101\n') == ([4], [("LVR101", IDLE)])


def test_rust():
    path = "a.rs"
    assert run("let x = READ; // leverlint: allow(raw-read) -- why\n", path) == ([], [])
    assert run("// leverlint: allow(raw-read)\nlet x = READ;\n", path) == ([], [])
    assert run("/// leverlint: allow(raw-read)\nlet x = READ;\n", path) == ([2], [])
    assert run("let x = READ; /* leverlint: allow(raw-read) */\n", path) == ([1], [])
    assert run("let x = READ; // noqa: LVR101\n", path) == ([1], [])
    assert run("let x = READ; // # noqa\n", path) == ([1], [])


@pytest.mark.parametrize(
    "top",
    [
        "",
        "#!/usr/bin/env python\n# -*- coding: utf-8 -*-\n\n",
        '"""A docstring\nof two lines, with # signs and \\""" in it."""\n\n# more\n',
        "r'''raw'''\n",
        "\ufeff",
    ],
)
def test_allow_file_at_the_top(top):
    assert run(f"{top}# leverlint: allow-file(raw-read) -- legacy\nx = READ\n\ny = READ\n") == ([], [])


LATE = "must stand at the top of the file, before any code"


def test_allow_file_elsewhere():
    marker = "# leverlint: allow-file(raw-read)"
    unused = [("allow-file(raw-read)", LATE)]
    assert run(f"import os\n{marker}\nx = READ\n") == ([3], unused)
    assert run(f"x = READ  {marker}\n") == ([1], unused)
    assert run(f"f()\n'''\n'''\n{marker}\nx = READ\n") == ([5], unused)


def test_allow_file_in_rust():
    marker = "// leverlint: allow-file(raw-read)\n"
    top = "#!/usr/bin/run\n//! Crate docs.\n/* block */\n#![allow(dead_code)]\n\n"
    assert run(f"{top}{marker}let x = READ;\n", "a.rs") == ([], [])
    assert run(f"#[test]\n{marker}let x = READ;\n", "a.rs")[0] == [3]
    assert run(f"use std::env;\n{marker}let x = READ;\n", "a.rs")[0] == [3]


@pytest.mark.parametrize(
    ("comment", "unused"),
    [
        ("# noqa", []),
        ("# noqa: E501", []),
        ("# noqa: LVR101,E501", [("LVR101", IDLE)]),
        ("# noqa: LVR1", []),  # LVR105 does not run; it might have found something
        ("# noqa: LVR10", []),
        ("# noqa: LVR105", []),
        ("# noqa: LVR999", [("LVR999", "is the code of no rule")]),
        ("# leverlint: allow(raw-read)", [("raw-read", IDLE)]),
        ("# leverlint: allow(raw-read, cached-read)", [("raw-read", IDLE), ("cached-read", IDLE)]),
        ("# leverlint: allow(duplicate-read)", []),
        ("# leverlint: allow(raw-reed)", [("raw-reed", "is the name of no rule; did you mean `raw-read`?")]),
        ("# leverlint: allow(zzz)", [("zzz", "is the name of no rule")]),
        ("# leverlint: allow( )", [("allow()", "names no rule")]),
    ],
)
def test_unused(comment, unused):
    assert run(f"x = 1  {comment}\n") == ([], unused)


def test_one_of_two_rules_is_unused():
    content = "x = READ  # leverlint: allow(raw-read, cached-read)\n"
    assert run(content) == ([], [("cached-read", IDLE)])
    assert run(content, code="LVR103") == ([], [("raw-read", IDLE)])


def test_two_markers_for_one_line_are_both_used():
    assert run("# leverlint: allow(raw-read)\nx = READ  # noqa: LVR101\n") == ([], [])


def test_a_suppression_of_a_rule_that_does_not_run_here_is_not_unused():
    config = Config(per_file_ignores={"a.py": ("raw-read",)})
    assert run("x = 1  # leverlint: allow(raw-read)\n", config=config) == ([], [])


def test_require_reason():
    config = Config(require_reason=True)
    why = "gives no reason, as `require-reason` asks for: `-- why`"
    assert run("x = READ  # leverlint: allow(raw-read) -- why\n", config=config) == ([], [])
    assert run("x = READ  # leverlint: allow(raw-read)\n", config=config) == (
        [1],
        [("allow(raw-read)", why)],
    )
    assert run("x = READ  # leverlint: allow(raw-read) --\n", config=config)[0] == [1]
    assert run("x = READ  # noqa: LVR101 -- why\n", config=config) == ([], [])
    assert run("x = READ  # noqa: LVR101\n", config=config) == ([1], [("LVR101", why)])


def test_the_span_of_what_is_unused():
    content = "é = 1  # é leverlint\n# leverlint: allow(raw-read, raw-reed) -- é\n".encode()
    start = content.index(b"# lev")
    comment = Comment(Span(start, len(content) - 1), "", True)
    facts = FileFacts("a.py", "python", comments=(comment,))
    outcome = apply([], {"a.py": facts}, Sources("/nowhere", {"a.py": content}), Config(), RULES)
    assert [content[one.span.start : one.span.end] for one in outcome.unused] == [b"raw-read", b"raw-reed"]
