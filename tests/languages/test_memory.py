"""Trees made from earlier ones: they must be those that are made afresh."""

import random
from pathlib import Path

import pytest

from leverlint.languages.memory import Memory
from leverlint.languages.syntax import parser

FIXTURES = Path(__file__).parent.parent.parent / "fixtures"
PIECES = [
    b"x",
    b" ",
    b"\n",
    b"(",
    b")",
    b"{}",
    b'"',
    b"#",
    b"//",
    b"if a:\n    b\n",
    b"let a = 1;\n",
    b"fn f() {}\n",
]


def nodes(tree):
    """Give all that a tree says of its nodes."""
    found, pending = [], [tree.root_node]
    while pending:
        node = pending.pop()
        found.append((node.type, node.start_byte, node.end_byte, node.start_point, node.end_point))
        pending.extend(node.children)
    return found


@pytest.mark.parametrize(("language", "suffix"), [("rust", "rs"), ("python", "py")])
@pytest.mark.parametrize("strokes", [range(8), pytest.param(range(8, 60), marks=pytest.mark.slow)], ids=len)
def test_a_tree_from_memory_is_that_of_a_fresh_parse(language, suffix, strokes):
    for file in sorted((FIXTURES / "facts" / language).glob(f"*.{suffix}")):
        memory, text = Memory(), file.read_bytes()
        memory.tree(language, text)
        for number in strokes:
            chance = random.Random(f"{file.name} {number}")
            at = chance.randrange(len(text) + 1)
            text = text[:at] + chance.choice(PIECES) + text[at + chance.choice((0, 0, 0, 3)) :]
            assert nodes(memory.tree(language, text)) == nodes(parser(language).parse(text)), (file, number)


def test_marks_move_along_and_go_with_what_they_stand_at():
    memory = Memory()
    memory.mark(b"one two three", {0, 4, 8})
    assert memory.marked(b"one two, three") == {0, 4, 9}
    assert memory.marked(b"one t three") == {0, 4, 6}
    assert memory.marked(b"") == {0}
