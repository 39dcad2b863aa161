"""What Rust reads make of values, proved against rustc: one program of ours, run on every probe.

Without rustc the golden vectors that it once gave stand in for it; `--bless` writes them.
"""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from leverlint import config, engine
from leverlint.decoding import PROBES, RAISES, same
from leverlint.discovery import discover
from leverlint.facts import Vocabulary
from leverlint.languages import rust

FOLDER = Path(__file__).parents[2] / "fixtures/decodings/rust"
GOLDEN = FOLDER / "cases.json"
CASES = re.findall(r"^pub fn (\w+)\(\) -> ([^{]+) \{$", (FOLDER / "cases.rs").read_text(), re.MULTILINE)
NAMES = [name for name, _ in CASES]

MAIN = """
trait Show { fn show(&self) -> String; }
impl Show for bool { fn show(&self) -> String { self.to_string() } }
impl Show for str { fn show(&self) -> String { format!("{self:?}") } }
impl Show for &str { fn show(&self) -> String { (**self).show() } }
impl Show for String { fn show(&self) -> String { self.as_str().show() } }
impl Show for PathBuf { fn show(&self) -> String { self.to_str().unwrap().show() } }
impl Show for Pace { fn show(&self) -> String { format!("{self:?}").show() } }
impl<T: Show> Show for Option<T> {
    fn show(&self) -> String { self.as_ref().map_or("null".into(), Show::show) }
}
impl<T: Show, E> Show for Result<T, E> {
    fn show(&self) -> String { self.as_ref().map_or("refused".into(), |value| value.show()) }
}
macro_rules! numbers { ($($kind:ty)*) => { $(impl Show for $kind {
    fn show(&self) -> String { format!("{self:?}") }
})* } }
numbers!(u8 u16 u32 u64 u128 usize i8 i32 i64 f32 f64);
impl Show for char { fn show(&self) -> String { self.to_string().show() } }
fn main() {
    std::panic::set_hook(Box::new(|_| {}));
    $CALLS
}
"""
CALL = 'println!("{name} {{}}", std::panic::catch_unwind(|| {name}().show()).unwrap_or("raises".into()));'


@pytest.fixture(scope="module")
def vectors(request, tmp_path_factory):
    """The outcome of each case on each probe, as rustc's program shows it."""
    golden = json.loads(GOLDEN.read_text()) if GOLDEN.exists() else {}
    rustc = shutil.which("rustc")
    if rustc is None:
        return golden
    found = run(rustc, tmp_path_factory.mktemp("program"))
    if request.config.getoption("--bless"):
        GOLDEN.write_text(json.dumps(found, indent=0, ensure_ascii=True) + "\n")
    else:
        assert found == golden
    return found


def run(rustc, folder):
    shutil.copy(FOLDER / "words.rs", folder)
    calls = "\n".join(CALL.format(name=name) for name in NAMES)
    main = (FOLDER / "cases.rs").read_text() + MAIN.replace("$CALLS", calls)
    (folder / "main.rs").write_text(main)
    subprocess.run(
        [rustc, "--edition", "2024", "-A", "warnings", "main.rs", "-o", "main"], cwd=folder, check=True
    )
    found = {name: [] for name in NAMES}
    for probe in PROBES:
        variables = {} if probe is None else {b"ATLAS_X": os.fsencode(probe)}
        shown = subprocess.run([folder / "main"], env=variables, capture_output=True, check=True, text=True)
        for line in shown.stdout.splitlines():
            name, _, outcome = line.partition(" ")
            found[name].append(outcome)
    return found


@pytest.fixture(scope="module")
def readers(tmp_path_factory):
    """What leverlint makes of each case."""
    folder = tmp_path_factory.mktemp("project")
    (folder / "src").mkdir()
    shutil.copy(FOLDER / "words.rs", folder / "src")
    shutil.copy(FOLDER / "cases.rs", folder / "src/lib.rs")
    settings = config.load(str(folder), isolated=True)
    index = engine.index(settings, discover(str(folder), [], settings), jobs=1)
    found = {}
    for use in index.uses:
        functions = index.facts[use.path].functions
        current = use.call.function
        while current >= 0 and functions[current].parent >= 0:
            current = functions[current].parent
        # What a static defers is no part of the function that looks at it.
        name = functions[current].path[-1] or "lazy"
        found[name] = index.vector(use)
    return found


def value_of(shown):
    if shown == "raises":
        return RAISES
    if shown in ("inf", "-inf", "NaN"):
        return float(shown)
    return None if shown == "refused" else json.loads(re.sub(r"\\u\{(\w+)\}", unescaped, shown))


def unescaped(found):
    return f"\\u{int(found[1], 16):04x}"


@pytest.mark.parametrize("name", NAMES)
def test_outcomes_are_those_of_rustc(name, vectors, readers):
    for probe, shown, told in zip(PROBES, vectors[name], readers[name], strict=True):
        expected = value_of(shown)
        # An error that is returned refuses the value as much as a panic does.
        agrees = told in (None, RAISES) if shown == "refused" else same(told, expected)
        assert agrees, f"{probe!r}: rustc says {shown}, leverlint {told!r}"


CLAP = """
use clap::{ArgAction, Parser, ValueEnum};
const ROWS: usize = 100;
#[derive(Clone, ValueEnum)]
enum Mode { Fast, VerySlow, #[value(name = "auto", alias = "guess")] Automatic }
#[derive(Parser)]
struct Cli {
    #[arg(long, ATTRIBUTE)]
    field: TYPE,
}
"""


@pytest.mark.parametrize(
    ("attribute", "kind", "outcomes"),
    [
        ('env = "ATLAS_X"', "bool", {None: False, "true": True, "false": False, "1": RAISES, "": RAISES}),
        ('env = "ATLAS_X", action = ArgAction::SetFalse', "bool", {None: True, "true": True, "0": RAISES}),
        (
            'env = "ATLAS_X", value_parser = clap::builder::BoolishValueParser::new()',
            "bool",
            {None: False, "1": True, "TRUE": True, "no": False, "2": RAISES, "": RAISES},
        ),
        (
            'env = "ATLAS_X", value_parser = clap::builder::FalseyValueParser::new()',
            "bool",
            {None: False, "": False, "off": False, "word": True, "0": False},
        ),
        ('env = "ATLAS_X", default_value_t = ROWS', "usize", {None: 100, "2": 2, "word": RAISES}),
        ('env = "ATLAS_X", default_value = "0.5"', "f64", {None: 0.5, "2": 2.0, " 1 ": RAISES}),
        ('env = "ATLAS_X"', "Option<u32>", {None: None, "1": 1, "-1": RAISES}),
        ('env = "ATLAS_X"', "String", {"": "", "word": "word", "\udcff": RAISES}),
        ('env = "ATLAS_X", default_value = "here"', "PathBuf", {None: "here", "": RAISES, "word": "word"}),
        ('env = "ATLAS_X", value_enum', "Option<Mode>", {None: None, "fast": "Fast", "Fast": RAISES}),
        (
            'env = "ATLAS_X", value_parser = clap::value_parser!(u16).range(1..=2)',
            "Option<u16>",
            {"0": RAISES, "2": 2, "1": 1},
        ),
    ],
)
def test_declared_arguments(attribute, kind, outcomes, tmp_path):
    source = CLAP.replace("ATTRIBUTE", attribute).replace("TYPE", kind)
    (tmp_path / "cli.rs").write_text(source)
    settings = config.load(str(tmp_path), isolated=True)
    index = engine.index(settings, discover(str(tmp_path), [], settings), jobs=1)
    (use,) = index.uses
    for value, expected in outcomes.items():
        assert same(index.of_value(use, value), expected), value


@pytest.mark.parametrize(
    ("code", "value", "expected"),
    [
        # Used as it is, although the code shows it too.
        ('let v = env::var("ATLAS_X").unwrap_or_default(); log(&v); open(v);', "a", "a"),
        # A guard is no decision when what follows decides.
        (
            'let Ok(v) = env::var("ATLAS_X") else { return }; if v.is_empty() { return; } '
            "let n: u8 = v.parse().unwrap_or(3); go(n);",
            "7",
            7,
        ),
        # Other conditions do not hide the reader's own.
        ('if other && env::var("ATLAS_X").is_ok() { go(); }', "0", True),
        (
            'let n = env::var("ATLAS_X").ok().and_then(|v| v.parse().ok()).unwrap_or(4u32); go(n + rest);',
            "",
            4,
        ),
        # Asked for several words, the text is what counts.
        (
            'let v = env::var("ATLAS_X").unwrap_or_default(); if v == "a" { b(); } if v == "c" { d(); }',
            "x",
            "x",
        ),
        ('if let Ok(v) = env::var("ATLAS_X") { settings.rows = v.parse::<u8>().unwrap(); }', None, None),
    ],
)
def test_uses_that_give_nothing_back(code, value, expected, tmp_path):
    (tmp_path / "a.rs").write_text("use std::env;\nfn f(other: bool, rest: u32) { " + code + " }\n")
    settings = config.load(str(tmp_path), isolated=True)
    index = engine.index(settings, discover(str(tmp_path), [], settings), jobs=1)
    (use,) = index.uses
    assert same(index.of_value(use, value), expected)


@pytest.mark.parametrize(
    "source",
    [
        pytest.param(
            b"fn f() { " + b'if env::var("ATLAS_X").is_ok() { return; } ' * 400 + b"}", id="early returns"
        ),
        pytest.param(
            b'fn f() { match env::var("ATLAS_X") { ' + b"Ok(v) if v == a => b, " * 500 + b"_ => c } }",
            id="arms",
        ),
        pytest.param(
            b'fn f() { let a = env::var("ATLAS_X"); '
            + b"".join(b"let a = g(a.clone(), a);" for _ in range(300))
            + b"}",
            id="doubled",
        ),
        pytest.param(
            b'fn f() -> bool { env::var("ATLAS_X")' + b".map(|v| v.trim().to_owned())" * 200 + b".is_ok() }",
            id="chain",
        ),
    ],
)
def test_hostile_code_takes_no_time(source):
    facts = rust.extract("src/a.rs", b"use std::env;\n" + source, Vocabulary(("ATLAS_",), decodings=True))
    assert all(len(repr(call.decoding)) < 200_000 for call in facts.calls)
