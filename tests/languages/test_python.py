"""What Python sources say, file by file, against golden facts; and where imports lead."""

import os
from pathlib import Path

import pytest

from leverlint.facts import FileFacts, Vocabulary
from leverlint.languages import Tree, python
from leverlint.languages.python import excerpt, extraction
from leverlint.testing import facts_text

FACTS = Path(__file__).parent.parent.parent / "fixtures" / "facts" / "python"
LEVERS = Vocabulary(prefixes=("ATLAS_",))


def facts(source: str, path: str = "module.py", vocabulary: Vocabulary = LEVERS) -> FileFacts:
    return python.extract(path, source.encode(), vocabulary)


def names(found: FileFacts) -> list[str]:
    return [call.arguments[0].value.value for call in found.calls]


@pytest.mark.parametrize("path", sorted(FACTS.glob("*.py*")), ids=lambda path: path.name)
def test_facts_are_golden(path, bless):
    if path.suffix == ".facts":
        pytest.skip("a golden file")
    source = path.read_bytes()
    found = facts_text(python.extract(path.name, source, LEVERS), source)
    golden = path.with_suffix(".facts")
    if bless:
        golden.write_text(found)
    assert found == golden.read_text()


@pytest.mark.parametrize("path", ["tests/a.py", "pkg/test/a.py", "conftest.py", "pkg/test_a.py", "a_test.py"])
def test_test_files_are_told_by_their_path(path):
    found = facts('import os\ndef test_x(): os.getenv("ATLAS_X")\ndef other(): os.getenv("ATLAS_Y")\n', path)
    assert found.test
    assert [call.test for call in found.calls] == [True, True]
    assert [function.test for function in found.functions] == [True, False]


@pytest.mark.parametrize("path", ["testing/a.py", "contest.py", "attest_a.py", "latest.py", "tests.py"])
def test_other_files_are_no_tests(path):
    found = facts('import os\ndef test_x(): os.getenv("ATLAS_X")\n', path)
    assert not found.test
    assert not any(call.test for call in found.calls)


@pytest.mark.parametrize(
    ("path", "statement", "expected"),
    [
        ("pkg/sub/a.py", "from . import x", ("/pkg/sub", "x")),
        ("pkg/sub/a.py", "from .b import x", ("/pkg/sub", "b", "x")),
        ("pkg/sub/a.py", "from ..b.c import x", ("/pkg", "b", "c", "x")),
        ("pkg/a.py", "from ..b import x", ("/", "b", "x")),
        ("a.py", "from .b import x", ("/", "b", "x")),
        ("pkg/__init__.py", "from .b import x", ("/pkg", "b", "x")),
    ],
)
def test_relative_imports_start_at_a_directory(path, statement, expected):
    found = facts(f'{statement}\nx("ATLAS_X")\n', path)
    assert found.calls[0].callee == expected


@pytest.mark.parametrize(
    ("path", "file", "expected"),
    [
        (("/pkg", "names", "FLAG"), "pkg/a.py", ("pkg/names.py", ("FLAG",))),
        (("/pkg", "FLAG"), "pkg/a.py", ("pkg/__init__.py", ("FLAG",))),
        (("/", "top", "FLAG"), "pkg/a.py", ("top.py", ("FLAG",))),
        (("pkg", "names", "FLAG"), "pkg/deep/b.py", ("pkg/names.py", ("FLAG",))),
        (("pkg", "FLAG"), "top.py", ("pkg/__init__.py", ("FLAG",))),
        (("names", "FLAG"), "pkg/a.py", ("pkg/names.py", ("FLAG",))),
        (("lib", "inner", "FLAG"), "elsewhere/c.py", ("src/lib/inner.py", ("FLAG",))),
        (("stubs", "FLAG"), "top.py", ("stubs.pyi", ("FLAG",))),
        (("vendored", "env", "FLAG"), "top.py", ("third/vendored/env.py", ("FLAG",))),
        (("numpy", "FLAG"), "top.py", None),
        ((".", "FLAG"), "top.py", None),
    ],
)
def test_imports_lead_to_files(path, file, expected):
    files = frozenset(
        [
            "top.py",
            "stubs.pyi",
            "pkg/__init__.py",
            "pkg/a.py",
            "pkg/names.py",
            "pkg/names.pyi",
            "pkg/deep/b.py",
            "src/lib/__init__.py",
            "src/lib/inner.py",
            "elsewhere/c.py",
            "third/vendored/env.py",
        ]
    )
    assert python.locate(path, file, Tree(files, {}, {})) == expected


def test_two_modules_of_one_name_are_told_apart_by_nearness():
    files = frozenset(["a/names.py", "a/use.py", "b/names.py", "b/use.py"])
    assert python.locate(("names", "X"), "b/use.py", Tree(files, {}, {})) == ("b/names.py", ("X",))
    assert python.locate(("names", "X"), "use.py", Tree(files, {}, {})) is None


def test_calls_of_known_wrappers_are_recorded_whatever_their_arguments():
    source = "from helpers import flag\nfrom names import X\nflag(X)\nother(X)\n"
    assert not facts(source).calls
    found = facts(source, vocabulary=LEVERS._replace(wrappers=("flag",)))
    assert [call.callee for call in found.calls] == [("helpers", "flag")]


def test_names_without_a_prefix_count_when_they_are_configured():
    found = facts('import os\nos.getenv("TQ_MODE")\nflag = 1\n', vocabulary=Vocabulary(names=("TQ_MODE",)))
    assert [mention.value for mention in found.mentions] == ["TQ_MODE"]


def test_text_that_is_no_code_is_not_mentioned():
    source = (
        '"""ATLAS_X"""\ndef f():\n    "ATLAS_DOC"\n    # "ATLAS_COMMENT"\n'
        '    return "ATLAS_SAID", "ATLAS_A b"\n'
    )
    assert [mention.value for mention in facts(source).mentions] == ["ATLAS_SAID"]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (b"import os\nos.environ\n", True),
        (b"flag('ATLAS_X')\n", True),
        (b"ATLAS_X = EnvBool(False)\n", True),
        (b"    ATLAS_X: EnvBool = EnvBool(False)\n", True),
        (b"import helper\nhelper.flag(NAME)\n", True),
        (b"x = 1  # noqa: LVR101\n", True),
        (b"class S(BaseSettings): pass\n", True),
        (b"envs.ATLAS_X.get()\n", False),
        (b"import sys\n", False),
    ],
)
def test_files_that_hold_nothing_are_refused(source, expected):
    assert python.concerns(source, LEVERS._replace(wrappers=("flag",))) is expected


@pytest.mark.parametrize(
    "source",
    [
        b"",
        b"\x00\xff\xfe environ",
        b"environ" * 5000,
        b"(" * 20000 + b"os.environ",
        b"x = " + b"not " * 3000 + b"os.environ['ATLAS_X']",
        b"import os\n" + b"".join(b" " * i + b"if os.environ:\n" for i in range(300)),
        b"def f(x):\n" + b"".join(b"    x = g(x) + x + str(x)\n" for _ in range(200)) + b"    os.getenv(x)\n",
        b"import os\nx = os.getenv(" + b"+".join([b'"A"'] * 3000) + b")\n",
        b"class A(A): environ = A.environ\nA().environ['ATLAS_X']\n",
        b"a = b\nb = a\na['ATLAS_X']\n",
        b"from .......... import environ\nenviron['ATLAS_X']\n",
    ],
    ids=range(11),
)
def test_hostile_sources_are_survived(source):
    assert python.extract("a.py", source, LEVERS).language == "python"


CUT = """\
import os
from names import NAME

FILLER = 0
LIST = [
"a",
os.environ.get("ATLAS_IN_LIST"),
]


def unrelated():
    '''os.environ["ATLAS_TEXT"]
def no_function():
    return 1
    '''
    return %(filler)s


class Big:
    DEPTH = "ATLAS_DEPTH"
    words = "one",

    def __init__(self, name):
        self.name = name
        self.filler = [%(filler)s]

    if FILLER:

        def maybe(self):
            return os.getenv(self.name)

    @property
    def depth(self):
        return os.getenv(self.DEPTH)

    def other(self):
        return %(filler)s


def helper(name):
    return reader(name)


def late():
    return helper(NAME), helper("ATLAS_LATE"), %(filler)s


def reader(name):
    global kept
    kept = os.getenv(name)
    return kept


if FILLER:
    env = os.environ
else:
    env = {}


def last():
    return env["HOME"], env[NAME], Big("ATLAS_BIG")  # noqa: LVR101
"""


@pytest.mark.parametrize("size", [1, 40, 400])
def test_a_part_of_a_file_gives_the_facts_of_the_whole(size):
    filler = "\n        + ".join(["len('x')"] * size)
    source = (CUT % {"filler": f"({filler})"}).encode()
    found = python.extract("a.py", source, LEVERS)
    assert found == extraction.extract_whole("a.py", source, LEVERS)
    assert len(found.calls) >= 10
    if size == 400:
        assert excerpt.begin(source, [source.index(b"ATLAS_LATE")]) is not None


def _differing(root: Path, vocabulary: Vocabulary) -> list[str]:
    differing = []
    for path in sorted(root.rglob("*.py")):
        source = path.read_bytes()
        if python.concerns(source, vocabulary):
            whole = extraction.extract_whole(path.name, source, vocabulary)
            # What is wrong in a statement that nobody reads stays unseen.
            if python.extract(path.name, source, vocabulary)._replace(faults=()) != whole._replace(faults=()):
                differing.append(str(path))
    return differing


def test_parts_and_wholes_agree_on_this_repository():
    root = Path(__file__).parent.parent.parent
    vocabulary = Vocabulary(("ATLAS_", "P", "re"), wrappers=("text", "facts"))
    assert not [path for room in ("lint", "tests") for path in _differing(root / room, vocabulary)]


@pytest.mark.slow
@pytest.mark.parametrize("prefixes", [("PYTHON",), ("T", "x"), ("S",)], ids=lambda prefixes: prefixes[0])
def test_parts_and_wholes_agree_on_the_standard_library(prefixes):
    assert not _differing(Path(os.__file__).parent / "test", Vocabulary(prefixes, wrappers=("run_python",)))
