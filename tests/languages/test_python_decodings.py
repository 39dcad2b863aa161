"""What Python reads make of values, proved against CPython: every fixture is run on every probe."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from leverlint import config, engine
from leverlint.decoding import NOT_UTF8, PROBES, RAISES, UNTOLD, Outcome, Vector, same
from leverlint.discovery import discover
from leverlint.facts import UNTOLD as UNTOLD_CODE
from leverlint.facts import Vocabulary
from leverlint.languages import python

RUNNER = """
import json, os, sys
fixtures, probes = json.load(sys.stdin)
found = []
for source in fixtures:
    row = []
    for probe in probes:
        os.environ.pop("ATLAS_X", None)
        if probe is not None:
            os.environ["ATLAS_X"] = probe
        try:
            names = {"__name__": "fixture"}
            exec(source, names)
            row.append(["value", names["value"]()])
        except (Exception, SystemExit):
            row.append(["raises", None])
    found.append(row)
json.dump(found, sys.stdout)
"""

# Each has a function `value` that returns what is made of ATLAS_X.
FIXTURES = {
    "compared": 'def value(): return os.environ.get("ATLAS_X") == "1"',
    "compared the other way round": 'def value(): return "0" != os.getenv("ATLAS_X", "0")',
    "two words": 'def value(): return os.getenv("ATLAS_X") in ("on", "1")',
    "not among": 'def value(): return os.getenv("ATLAS_X", "").lower() not in {"", "0", "false", "off"}',
    "part of a text": 'def value(): return os.getenv("ATLAS_X", "1") in "true1"',
    "set": 'def value(): return "ATLAS_X" in os.environ',
    "not set": 'def value(): return "ATLAS_X" not in os.environ',
    "is nothing": 'def value(): return os.environ.get("ATLAS_X") is None',
    "is something": 'def value(): return os.environ.get("ATLAS_X") is not None',
    "truth": 'def value(): return bool(os.environ.get("ATLAS_X"))',
    "not": 'def value(): return not os.environ.get("ATLAS_X")',
    "default of another kind": 'def value(): return os.environ.get("ATLAS_X", 4)',
    "demanded": 'def value(): return os.environ["ATLAS_X"]',
    "keyword default": 'def value(): return os.getenv("ATLAS_X", default="word").upper()',
    "strip": 'def value(): return os.getenv("ATLAS_X", "").strip() == "1"',
    "casefold": 'def value(): return os.getenv("ATLAS_X", "No").casefold() == "yes"',
    "integer": 'def value(): return int(os.getenv("ATLAS_X", "3"))',
    "base": 'def value(): return int(os.environ.get("ATLAS_X", "7"), 8)',
    "default is no text": 'def value(): return int(os.getenv("ATLAS_X", 3))',
    "number without default": 'def value(): return float(os.getenv("ATLAS_X"))',
    "float": 'def value(): return float(os.environ.get("ATLAS_X", "0.25"))',
    "clamped": 'def value(): return max(1, min(8, int(os.getenv("ATLAS_X", "4"))))',
    "arithmetic": 'def value(): return int(os.getenv("ATLAS_X", "4")) * 2 + 1',
    "more than": 'def value(): return int(os.getenv("ATLAS_X", "0")) > 1',
    "chained": 'def value(): return 0 < float(os.getenv("ATLAS_X", "0")) < 2',
    "either": 'def value(): return os.environ.get("ATLAS_X") or "plain"',
    "number or": 'def value(): return int(os.environ.get("ATLAS_X") or "6")',
    "both": 'def value(): return os.getenv("ATLAS_X") is not None and os.getenv("ATLAS_X") != "0"',
    "conditional": 'def value(): return 2 if os.getenv("ATLAS_X") == "on" else 5',
    "json": 'import json\ndef value(): return json.loads(os.getenv("ATLAS_X", "true"))',
    "literal": 'import ast\ndef value(): return ast.literal_eval(os.getenv("ATLAS_X", "2"))',
    "starts": 'def value(): return os.getenv("ATLAS_X", "").startswith(("t", "T", "1"))',
    "first letter": 'def value(): return os.getenv("ATLAS_X", "n")[:1] in "yY1"',
    "item": 'def value(): return os.getenv("ATLAS_X", "n")[0] == "y"',
    "digits": 'def value(): return os.getenv("ATLAS_X", "").isdigit()',
    "length": 'def value(): return len(os.getenv("ATLAS_X", "")) > 2',
    "list": 'def value(): return os.getenv("ATLAS_X", "a,b").split(",")',
    "cleaned list": """
def value():
    return [part.strip() for part in os.getenv("ATLAS_X", " a, ,b").split(",") if part.strip()]
""",
    "numbers": 'def value(): return tuple(int(part) for part in os.getenv("ATLAS_X", "1,2").split(","))',
    "a set of words": """
YES = frozenset({"1", "on"})
def value(): return os.getenv("ATLAS_X", "0").lower() in YES
""",
    "table": """
LEVELS = {"0": 10, "1": 20, "on": 30}
def value(): return LEVELS.get(os.getenv("ATLAS_X", "0"), 5)
""",
    "table without default": 'def value(): return {"0": False, "1": True}[os.environ.get("ATLAS_X", "0")]',
    "variable": """
def value():
    raw = os.environ.get("ATLAS_X", "off")
    raw = raw.strip().lower()
    return raw in ("on", "1", "true")
""",
    "early return": """
def value():
    raw = os.getenv("ATLAS_X")
    if raw is None:
        return True
    if raw == "0" or not raw:
        return False
    return raw != "off"
""",
    "elif": """
def value():
    raw = os.getenv("ATLAS_X", "")
    if raw in ("1", "on"):
        mode = "always"
    elif raw == "0":
        mode = "never"
    else:
        mode = "auto"
    return mode
""",
    "walrus": """
def value():
    if (raw := os.getenv("ATLAS_X")) and raw != "0":
        return int(raw) if raw.isdigit() else -1
    return 0
""",
    "any digit": 'def value(): return any(sign.isdigit() for sign in os.getenv("ATLAS_X", ""))',
    "all of some letters": 'def value(): return all(sign in "true1" for sign in os.getenv("ATLAS_X", "2"))',
    "one of several starts": """
def value(): return any(os.getenv("ATLAS_X", "").lower().startswith(word) for word in ("t", "on", "1"))
""",
    "one of several ends": """
ENDS = ["e", "s", "0"]
def value():
    raw = os.getenv("ATLAS_X", "no")
    return any(raw.endswith(end) for end in ENDS)
""",
    "last sign": 'def value(): return os.getenv("ATLAS_X", "?")[-1] in "eE1"',
    "found inside": 'def value(): return os.getenv("ATLAS_X", "").find("r") >= 0',
    "pattern": 'import re\ndef value(): return bool(re.match(r"(?:t|on|1)", os.getenv("ATLAS_X", "")))',
    "pattern for all of it": """
import re
NUMBER = re.compile(r"-?[0-9]+")
def value(): return NUMBER.fullmatch(os.getenv("ATLAS_X", "x")) is not None
""",
    "pattern somewhere": """
import re
def value():
    if re.search("[5r]", os.environ.get("ATLAS_X", "")) is not None:
        return True
    return False
""",
    "no text for a pattern": 'import re\ndef value(): return bool(re.match("1", os.getenv("ATLAS_X")))',
    "span of time": """
from datetime import timedelta
def value(): return timedelta(minutes=int(os.getenv("ATLAS_X", "3"))).total_seconds()
""",
    "span of time with more": """
import datetime
def value():
    return datetime.timedelta(days=1, milliseconds=float(os.getenv("ATLAS_X", "250"))).total_seconds()
""",
    "guarded by type": """
def parse(raw):
    if isinstance(raw, bool):
        return raw
    if raw is None or isinstance(raw, (int, float)):
        return bool(raw)
    return raw.lower() in ("1", "on")
def value(): return parse(os.environ.get("ATLAS_X", True))
""",
    "guarded by types of a union": """
def parse(raw):
    return raw if isinstance(raw, int | None) else raw == "on"
def value(): return parse(os.environ.get("ATLAS_X"))
""",
    "only text": """
def parse(raw):
    if not isinstance(raw, str):
        return raw
    return float(raw) if raw.isascii() and not raw.isspace() else -1.0
def value(): return parse(os.environ.get("ATLAS_X", 0.5))
""",
    "caught": """
def value():
    try:
        return int(os.environ.get("ATLAS_X", "2"))
    except ValueError:
        return 9
""",
    "caught only what is named": """
def value():
    try:
        return int(os.environ.get("ATLAS_X"))
    except ValueError:
        return 9
""",
    "caught as well when nothing is set": """
def value():
    try:
        number = float(os.environ["ATLAS_X"])
    except (KeyError, ValueError):
        number = 0.5
    return number
""",
    "lookup caught": """
def value():
    try:
        raw = os.environ["ATLAS_X"]
    except KeyError:
        return "none"
    return raw.lower()
""",
    "conversion not caught": """
def value():
    try:
        return int(os.environ["ATLAS_X"])
    except KeyError:
        return 0
""",
    "raises": """
def value():
    raw = os.getenv("ATLAS_X", "1")
    if raw not in ("0", "1"):
        raise ValueError(raw)
    return raw == "1"
""",
    "asserted": """
def value():
    count = int(os.getenv("ATLAS_X", "1"))
    assert count > 0
    return count
""",
    "ends": """
import sys
def value():
    raw = os.getenv("ATLAS_X")
    if not raw:
        sys.exit("set it")
    return raw
""",
    "read for what it may raise": """
def value():
    raw = os.getenv("ATLAS_X", "1")
    number = int(raw)
    if raw == "word":
        return 7
    return number
""",
    "match": """
def value():
    match os.getenv("ATLAS_X", "").lower():
        case "1" | "true" | "on":
            return True
        case "0" | "":
            return False
        case _:
            return None
""",
    "wrapper": """
def flag(name, default="0"):
    return os.environ.get(name, default).lower() in ("1", "true")
def value(): return flag("ATLAS_X", default="1")
""",
    "wrapper with its own default": """
def number(name, default=3, low=None):
    raw = os.getenv(name)
    if not raw:
        return default
    try:
        found = int(raw)
    except ValueError:
        return default
    return found if low is None else max(low, found)
def value(): return number("ATLAS_X", low=1)
""",
    "wrapper of a wrapper": """
def raw(name):
    return os.environ.get(name, "").strip()
def enabled(name):
    return raw(name) not in ("", "0", "no")
def value(): return enabled("ATLAS_X")
""",
    "conversion handed in": """
def setting(name, kind, default):
    raw = os.getenv(name)
    return kind(raw) if raw is not None else default
def value(): return setting("ATLAS_X", int, 11)
""",
    "helper": """
def parse(text):
    text = text.strip().lower()
    if text in ("1", "true", "yes"):
        return True
    if text in ("0", "false", "no", ""):
        return False
    raise ValueError(text)
def value(): return parse(os.environ.get("ATLAS_X", "no"))
""",
    "helper with a keyword": """
def at_least(text, low=2):
    return max(low, int(text))
def value(): return at_least(os.environ.get("ATLAS_X", "1"), low=0)
""",
    "returned function": """
def lazily(name, default="false"):
    def read():
        return os.getenv(name, default).lower() in ("true", "1")
    return read
FLAG = lazily("ATLAS_X")
def value(): return FLAG()
""",
    "table of functions": """
READERS = {"x": lambda: int(os.getenv("ATLAS_X", "5"))}
def value(): return READERS["x"]()
""",
    "object": """
class Flag:
    def __init__(self, name, default):
        self._name = name
        self._default = default
    def get(self):
        raw = os.environ.get(self._name)
        if raw is None:
            return self._default
        return raw.strip().lower() in ("1", "true", "yes")
SPEED = Flag("ATLAS_X", True)
def value(): return SPEED.get()
""",
    "descriptor": """
class Field:
    def __init__(self, default):
        self.default = default
    def __set_name__(self, owner, name):
        self.name = name
    def parse(self, text):
        raise NotImplementedError
    def fallback(self):
        return self.default() if callable(self.default) else self.default
    def get(self):
        raw = os.getenv(self.name)
        if raw is None:
            return self.fallback()
        try:
            return self.parse(raw)
        except ValueError:
            return self.fallback()
class Count(Field):
    def parse(self, text):
        return int(text)
class Switch(Field):
    def parse(self, text):
        if text.lower() not in ("0", "1", "true", "false"):
            raise ValueError(text)
        return text.lower() in ("1", "true")
class Levers:
    ATLAS_X = Count(12)
def value(): return Levers.ATLAS_X.get()
""",
    "enumeration": """
import enum
class Mode(enum.Enum):
    ON = "on"
    OFF = "off"
def value(): return Mode(os.environ.get("ATLAS_X", "off")).value
""",
    "attribute": """
class Engine:
    def __init__(self):
        raw = os.environ.get("ATLAS_X", "")
        if raw:
            self.depth = int(raw)
        else:
            self.depth = 4
def value(): return Engine().depth
""",
    "loop over names": """
def first(*names):
    for name in names:
        if found := os.environ.get(name):
            return found
    return "nothing"
def value(): return first("ATLAS_X")
""",
    "another variable": 'def value(): return os.getenv("ATLAS_X") or os.getenv("ATLAS_OLD_NAME") or "z"',
}


@pytest.fixture(scope="module")
def truth() -> dict[str, list[Outcome]]:
    """What CPython makes of every fixture and probe."""
    sources = ["import os\n" + source for source in FIXTURES.values()]
    ran = subprocess.run(
        [sys.executable, "-c", RUNNER],
        input=json.dumps([sources, PROBES]),
        capture_output=True,
        text=True,
        check=True,
    )
    rows = json.loads(ran.stdout)
    return {
        name: [RAISES if kind == "raises" else _frozen(value) for kind, value in row]
        for name, row in zip(FIXTURES, rows, strict=True)
    }


def _frozen(value):
    return tuple(value) if isinstance(value, list) else value


@pytest.mark.parametrize("name", FIXTURES)
def test_outcomes_are_those_of_cpython(name, truth, tmp_path):
    (tmp_path / "levers.py").write_text("import os\n" + FIXTURES[name])
    found = vectors(tmp_path)
    told = [vector for vector in found if UNTOLD not in vector]
    assert told, found
    for probe, expected, outcome in zip(PROBES, truth[name], told[0], strict=True):
        assert same(expected, outcome), (probe, expected, outcome)


def vectors(root: Path) -> list[Vector]:
    """What the readers of ATLAS_X in a project make of every probe."""
    settings = config.load(str(root), isolated=True)._replace(prefixes=("ATLAS_",))
    index = engine.index(settings, discover(settings.root, [], settings), jobs=1, cache_dir=None)
    return [index.vector(use) for use in index.readers["ATLAS_X"]]


def decoded(source: str) -> str:
    """What is made of the only read of a source, whatever place it stands at."""
    found = python.extract("levers.py", f"import os\n{source}\n".encode(), Vocabulary(("ATLAS_",)))
    (decoding,) = [call.decoding for call in found.calls if call.callee[:2] == ("os", "environ")]
    return re.sub(r"start=\d+, end=\d+", "", repr(decoding))


READ = 'os.environ.get("ATLAS_X") == "1"'


@pytest.mark.parametrize(
    "source",
    [
        f"ON = {READ} and on_gpu()",
        f"ON = on_gpu() and {READ}",
        f"ON = {READ} or on_gpu()",
        f"def on(here):\n    if not here:\n        return False\n    return {READ}",
        f"def on(most):\n    on = {READ}\n    if on and most > 3:\n        raise ValueError\n    return on",
        f"ON = Options(depth=3, on={READ})",
    ],
    ids=["and", "after and", "or", "returned before", "refused for another reason", "keyword"],
)
def test_other_questions_do_not_stand_in_the_way(source):
    assert decoded(source) == decoded(f"ON = {READ}")


@pytest.mark.parametrize(
    "rest",
    [
        "    if raw == 'fast':\n        run(fast)\n    elif raw == 'small':\n        run(small)",
        "    if raw == 'all':\n        run()\n    else:\n        bind(raw.split('|'))",
    ],
    ids=["several words", "a word apart"],
)
def test_a_value_that_is_more_than_one_question_is_text(rest):
    source = f"def pick():\n    raw = os.environ.get('ATLAS_X')\n{rest}"
    assert decoded(source) == decoded('RAW = os.environ.get("ATLAS_X")')


@pytest.mark.parametrize(
    "source",
    [
        "print(f\"x is {os.environ.get('ATLAS_X')}\")",
        'log.info("x: %s", os.environ.get("ATLAS_X"))',
        "def swap():\n    old = os.environ.get('ATLAS_X')\n    run()\n    os.environ['ATLAS_X'] = old",
        "def each():\n    for sign in os.environ.get('ATLAS_X'):\n        use(sign)",
    ],
    ids=["shown", "logged", "put back", "iterated"],
)
def test_what_is_not_decoded_is_not_told(source):
    found = python.extract("levers.py", f"import os\n{source}\n".encode(), Vocabulary(("ATLAS_",)))
    reads = [call for call in found.calls if call.callee[-1] == "get"]
    assert [call.decoding for call in reads] == [UNTOLD_CODE]


DECLARED = {
    "switch": 'opt_in("ATLAS_X")',
    "negative switch": 'kill_switch("ATLAS_X")',
    "on by default": 'opt_out("ATLAS_X")',
    "any case": 'truthy("ATLAS_X")',
    "exact words": 'truthy_exact("ATLAS_X")',
    "set": 'present("ATLAS_X")',
    "not set": 'kill_present("ATLAS_X")',
    "one of several set": 'any_present("ATLAS_X", "ATLAS_Y")',
    "undecided": 'tri_state("ATLAS_X")',
    "choice": 'choice("ATLAS_X", {"word": 1, "0": 2}, default=None)',
    "number": 'parsed("ATLAS_X", usize, default=7)',
    "held": 'parsed("ATLAS_X", f32, default=0.0, clamp=(0.0, 0.99))',
    "as good as none": 'parsed("ATLAS_X", usize, default=None, unset=1)',
    "another spelling": 'opt_in("ATLAS_X", aliases=("ATLAS_Y",))',
}


@pytest.mark.parametrize("name", DECLARED)
def test_declarations_are_decoded_as_the_kit_does(name, tmp_path):
    declare = pytest.importorskip("atlas_levers.declare")
    rust_values = pytest.importorskip("atlas_levers.rust_values")
    lever = eval(DECLARED[name], {**vars(declare), **vars(rust_values)}).metadata["lever"]
    words = DECLARED[name].partition("(")[0]
    (tmp_path / "levers.py").write_text(
        f"from atlas_levers.declare import {words}\n"
        f"from atlas_levers.rust_values import f32, usize\nX = {DECLARED[name]}\n"
    )
    (vector, *_) = vectors(tmp_path)
    for probe, outcome in zip(PROBES, vector, strict=True):
        text = None if probe == NOT_UTF8 else probe
        expected = lever.read({"ATLAS_X": text}.get, {"ATLAS_X": probe is not None}.get, {})
        assert same(expected, outcome), (probe, expected, outcome)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (
            "import environs\nenv = environs.Env()\nX = env.bool('ATLAS_X', False)",
            (False, RAISES, False, True),
        ),
        ("import environs\nenv = environs.Env()\nX = env.int('ATLAS_X')", (RAISES, RAISES, 0, 1)),
        (
            "import environ\nenv = environ.Env()\nX = env.bool('ATLAS_X', default=True)",
            (True, False, False, True),
        ),
        (
            "from decouple import config\nX = config('ATLAS_X', cast=bool, default=True)",
            (True, False, False, True),
        ),
        ("from decouple import config\nX = config('ATLAS_X', default='2', cast=int)", (2, RAISES, 0, 1)),
        (
            "from starlette.config import Config\nconfig = Config()\n"
            "X = config('ATLAS_X', cast=bool, default=False)",
            (False, RAISES, False, True),
        ),
        (
            "from pydantic_settings import BaseSettings\nclass S(BaseSettings):\n    atlas_x: bool = True",
            (True, RAISES, False, True),
        ),
        (
            "from pydantic_settings import BaseSettings\nclass S(BaseSettings):\n"
            "    atlas_x: int | None = None",
            (None, RAISES, 0, 1),
        ),
        (
            "import click\n@click.option('--x', envvar='ATLAS_X', is_flag=True)\ndef main(x): ...",
            (False, False, False, True),
        ),
        (
            "import click\n@click.option('--x', envvar='ATLAS_X', type=int, default=6)\ndef main(x): ...",
            (6, 6, 0, 1),
        ),
        (
            "import click\n@click.option('--x/--no-x', envvar='ATLAS_X')\ndef main(x): ...",
            (False, False, False, True),
        ),
        (
            "import click\n@click.option('--x', envvar='ATLAS_X', required=True)\ndef main(x): ...",
            (RAISES, RAISES, "0", "1"),
        ),
        (
            "import click\n@click.option('--x', envvar='ATLAS_X', multiple=True)\ndef main(x): ...",
            (UNTOLD, UNTOLD, UNTOLD, UNTOLD),
        ),
        (
            "import typer\ndef main(x: bool = typer.Option(True, envvar='ATLAS_X')): ...",
            (True, True, False, True),
        ),
        (
            "import typer\nfrom typing import Annotated, Optional\n"
            "def main(x: Annotated[Optional[int], typer.Option(envvar='ATLAS_X')] = 4): ...",
            (4, 4, 0, 1),
        ),
        (
            "import typer\ndef main(x: str = typer.Argument(..., envvar='ATLAS_X')): ...",
            (RAISES, RAISES, "0", "1"),
        ),
        (
            "from envparse import env\nX = env.bool('ATLAS_X', default=True)",
            (True, False, False, True),
        ),
        (
            "from environs import env\nX = env('ATLAS_X', 'none')",
            ("none", "", "0", "1"),
        ),
    ],
)
def test_readers_of_libraries_are_decoded_as_documented(source, expected, tmp_path):
    (tmp_path / "levers.py").write_text(source)
    (vector,) = vectors(tmp_path)
    assert vector[:4] == expected
