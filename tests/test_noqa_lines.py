"""Held against flake8 itself."""

import ast
import io
import tokenize
from types import SimpleNamespace

from flake8.processor import FileProcessor
from hypothesis import given, settings
from hypothesis import strategies as st

from leverlint.noqa_lines import noqa_lines
from leverlint.sources import Sources

PIECES = [
    "x = 1\n",
    "x = 1  # noqa: LVR101\n",
    "x = (\n",
    ")\n",
    ")  # noqa\n",
    '"""\n',
    '"""  # noqa\n',
    "'''text''' \\\n",
    "f(1) + \\\n",
    "# noqa\n",
    "\n",
    "if x:\n",
    "    y = '''  # noqa\n",
    "    '''; z = '\\\n",
    "'  # noqa\n",
]


class Processor(SimpleNamespace):
    """As much of flake8's as its look for the lines of a comment needs."""

    _noqa_line_range = FileProcessor._noqa_line_range

    @property
    def file_tokens(self):
        lines = iter(self.lines)
        return list(tokenize.generate_tokens(lambda: next(lines, "")))


def by_flake8(text, line):
    """Give the lines whose findings flake8 silences for a comment that only stands on `line`."""
    lines = io.StringIO(text).readlines()
    bare = [each if number == line else each.replace("noqa", "none") for number, each in enumerate(lines, 1)]
    mapping = FileProcessor._noqa_line_mapping.func(Processor(lines=bare))
    covered = {number for number in range(1, len(lines) + 1) if "# noqa" in mapping.get(number, "")}
    # Where it cannot tokenize, flake8 looks at the line itself.
    return covered or {line}


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=6).map("".join))
def test_as_flake8_does(text):
    sources = Sources("/nowhere", {"a.py": text.encode()})

    def bounds(number):
        return sources.line_bounds("a.py", number)

    for line in comment_lines(text):
        assert noqa_lines(text.encode(), line, bounds) == by_flake8(text, line)


def comment_lines(text):
    """Give the lines with a noqa comment; none for what is no Python, where flake8 asks no plugin."""
    try:
        ast.parse(text)
    except SyntaxError:
        return
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT and "# noqa" in token.string:
            yield token.start[0]
