"""Fixes change no behaviour: fixtures are run before and after, with every probe in their levers."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from leverlint import config, engine, fixes
from leverlint.decoding import PROBES
from leverlint.diagnostics import Edit
from leverlint.facts import Span
from leverlint.sources import Sources

CASES = Path(__file__).parent.parent / "fixtures" / "rules" / "raw-read"

_PYTHON = """
import os, sys
names, module = sys.argv[1].split(","), sys.argv[2]
files = {path[:-3] for path in os.listdir(".") if path.endswith(".py")} | set(os.listdir("."))
sys.path.insert(0, "")
sys.stdout.reconfigure(errors="backslashreplace", encoding="utf-8")
for line in sys.stdin.buffer.read().split(b"\\0"):
    for name in names:
        os.environ.pop(name, None)
        if line != b"unset":
            os.environb[name.encode()] = line[1:]
    for loaded in [name for name in sys.modules if name.partition(".")[0] in files]:
        del sys.modules[loaded]
    __import__(module)
    print(ascii(sys.modules[module].observe()))
"""


def levers(case):
    source = "".join(path.read_text("utf-8") for path in case.rglob("*.[pr][ys]"))
    return sorted(set(re.findall(r"\bATLAS_\w+", source)))


def probes():
    more = ("tRuE", "YES", "enable", "1_0", "+1", "128", "1024", "é", "a/b", "fast", " fast ")
    return [None if probe is None else probe.encode("utf-8", "surrogateescape") for probe in (*PROBES, *more)]


def tree(case, to, fixed):
    shutil.copytree(case, to, ignore=shutil.ignore_patterns("fixed", "fixed-unsafe"))
    if fixed:
        shutil.copytree(case / "fixed", to, dirs_exist_ok=True)
    return to


def observed_in_python(folder, names, module):
    given = b"\0".join(b"unset" if probe is None else b"=" + probe for probe in probes())
    command = [sys.executable, "-c", _PYTHON, ",".join(names), module]
    run = subprocess.run(command, input=given, cwd=folder, capture_output=True, check=False)
    assert run.returncode == 0, run.stderr.decode()
    return run.stdout.decode().splitlines()


@pytest.mark.parametrize(
    ("case", "module"),
    [("fix-python", "app"), ("fix-python-package", "observing"), ("fix-python-kit", "app")],
)
def test_python_behaves_the_same_when_fixed(tmp_path, case, module):
    names = levers(CASES / case)
    before, after = (
        observed_in_python(tree(CASES / case, tmp_path / str(fixed), fixed), names, module)
        for fixed in (False, True)
    )
    assert len(before) == len(probes())
    assert len(set(before)) > 2
    assert before == after


@pytest.mark.skipif(shutil.which("rustc") is None, reason="needs rustc")
def test_rust_behaves_the_same_when_fixed(tmp_path):
    case = CASES / "fix-rust"
    outputs = []
    for fixed in (False, True):
        folder = tree(case, tmp_path / str(fixed), fixed)
        binary = folder / "observing"
        command = [
            "rustc",
            "--edition",
            "2021",
            "-A",
            "warnings",
            "-o",
            str(binary),
            str(folder / "src/main.rs"),
        ]
        built = subprocess.run(command, capture_output=True, check=False)
        assert built.returncode == 0, built.stderr.decode()
        outputs.append([run_with(binary, levers(case), probe) for probe in probes()])
    assert len(set(outputs[0])) > 5
    assert outputs[0] == outputs[1]


@pytest.mark.skipif(shutil.which("cargo") is None, reason="needs cargo")
def test_crates_behave_the_same_when_fixed(tmp_path):
    case = CASES / "fix-rust-crates"
    outputs = []
    for fixed in (False, True):
        folder = tree(case, tmp_path / str(fixed), fixed)
        built = subprocess.run(
            ["cargo", "build", "--offline", "-q"], cwd=folder, capture_output=True, check=False
        )
        assert built.returncode == 0, built.stderr.decode()
        assert b"unused import" not in built.stderr
        outputs.append([run_with(folder / "target/debug/server", levers(case), probe) for probe in probes()])
    assert len(set(outputs[0])) > 1
    assert outputs[0] == outputs[1]


def run_with(binary, names, probe):
    clean = {name: value for name, value in os.environb.items() if not name.startswith(b"ATLAS_")}
    given = {} if probe is None else {name.encode(): probe for name in names}
    return subprocess.run([binary], env={**clean, **given}, capture_output=True, check=True).stdout


# --- Edits ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        pytest.param("a = 1\nb = 2\n", "a = 1\nb = 3\n", [(10, 11, "3")], id="one sign"),
        pytest.param("a\nc\n", "a\nb\nc\n", [(2, 2, "b\n")], id="a line more"),
        pytest.param("a\r\nb\r\n", "b\r\n", [(0, 3, "")], id="a line less"),
        pytest.param("x = 'é'\n", "x = 'è'\n", [(5, 7, "è")], id="no half characters"),
        pytest.param("(()\n", "((()\n", [(2, 2, "(")], id="what is the same at both ends is counted once"),
        pytest.param("import os\n", "import oos\n", [(7, 9, "oos")], id="whole words"),
        pytest.param("a", "b", [(0, 1, "b")], id="no final newline"),
        pytest.param("a\n1\nb\n2\n", "A\n1\nB\n2\n", [(0, 1, "A"), (4, 5, "B")], id="apart"),
        pytest.param("same\n", "same\n", [], id="nothing"),
    ],
)
def test_differences(old, new, expected):
    found = fixes.differences("a.py", old.encode(), new.encode())
    assert found == tuple(Edit("a.py", Span(start, end), text) for start, end, text in expected)
    made = old.encode()
    for _, (start, end), text in reversed(found):
        made = made[:start] + text.encode() + made[end:]
    assert made == new.encode()


RESOLVER = """\
import os
from typing import NamedTuple


class Levers(NamedTuple):
    trace: bool

    @classmethod
    def get(cls):
        return cls(trace=os.environ.get("ATLAS_TRACE") == "1")
"""


def checked(root, overlays=None):
    settings = config.load(str(root), None, isolated=True)
    report = engine.check(settings, [], jobs=1, overlays=overlays)
    return report, lambda overlays: engine.check(settings, [], jobs=1, overlays=overlays)


def test_content_from_elsewhere_is_fixed_without_touching_the_disk(tmp_path):
    (tmp_path / "levers.py").write_text(RESOLVER)
    (tmp_path / "app.py").write_text("x = 1\n")
    overlays = {"app.py": b'import os\n\ndef f():\n    return os.getenv("ATLAS_TRACE") == "1"\n'}
    report, check = checked(tmp_path, overlays)
    (finding,) = [each for each in report.findings if each.fix]
    assert fixes.edits(finding, Sources(str(tmp_path), overlays)) == (
        Edit("app.py", Span(0, 9), "from levers import Levers"),
        Edit("app.py", Span(31, 62), "Levers.get().trace"),
    )
    fixed = fixes.fix_all(report, str(tmp_path), overlays, check, False)
    assert fixed.contents == {
        "app.py": b"from levers import Levers\n\ndef f():\n    return Levers.get().trace\n"
    }
    assert (fixed.counts, fixed.report.findings) == ({"app.py": 1}, ())
    assert (tmp_path / "app.py").read_text() == "x = 1\n"


READ = b"os.getenv('ATLAS_TRACE') == '1'"
FIELD = b"Levers.get().trace"
IMPORT = b"from levers import Levers"


@pytest.mark.parametrize(
    ("before", "import_before", "import_after", "between", "after"),
    [
        pytest.param(
            b"# coding: latin-1\n",
            b"import os",
            IMPORT,
            b"\nx = '\xe9'\ndef f():\n    return ",
            b"\n",
            id="latin-1",
        ),
        pytest.param(
            b"\xef\xbb\xbf",
            b"import os",
            IMPORT,
            b"\r\n\r\ndef f():\r\n    return ",
            b" # \xc3\xa9",
            id="byte order mark, CRLF, no final newline",
        ),
        pytest.param(
            b"",
            b"import os\r\n",
            b"import os\r\n" + IMPORT + b"\r\n",
            b"\ndef f():\n\treturn ",
            b"\r\nx = os\n",
            id="ends of lines of both kinds",
        ),
    ],
)
def test_the_rest_of_a_file_stays_byte_for_byte(
    tmp_path, before, import_before, import_after, between, after
):
    (tmp_path / "levers.py").write_text(RESOLVER)
    (tmp_path / "app.py").write_bytes(before + import_before + between + READ + after)
    report, check = checked(tmp_path)
    expected = {"app.py": before + import_after + between + FIELD + after}
    assert fixes.fix_all(report, str(tmp_path), {}, check, False).contents == expected


def test_a_file_that_is_not_in_its_encoding_is_left_alone(tmp_path):
    (tmp_path / "levers.py").write_text(RESOLVER)
    source = b"import os\n# \xe9\ndef f():\n    return os.getenv('ATLAS_TRACE') == '1'\n"
    (tmp_path / "app.py").write_bytes(source)
    report, check = checked(tmp_path)
    assert fixes.fix_all(report, str(tmp_path), {}, check, False).contents == {}
