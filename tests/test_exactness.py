"""What is called exact is: expressions put together by chance, worked out by the languages themselves."""

import os
import random
import shutil
import subprocess

import pytest

from leverlint import config, engine
from leverlint.decoding import PROBES
from leverlint.discovery import discover
from leverlint.operands import CannotTell, Raised, Wrapped

WORDS = ("1", "0", "true", "on", "yes", "", "Kilo", "fast", "2", "64")
TEXTS = (
    *PROBES,
    *("+1", "01", "1_0", "1.0", "1e3", "tRuE", "ON", "1\n", "\t1", "1\u00a0", "\uff11", "\u212ailo", "kilo"),
    *(
        "KILO",
        "fa\u017ft",
        "Fast",
        "fast ",
        "64",
        "63",
        "65",
        "300",
        "4294967296",
        "99999999999999999999",
        "é",
    ),
)

PYTHON = """\
import os

ON = ("1", "true", "on")


def flag(name):
    return os.environ.get(name, "0").lower() in ON


def stripped(name, default):
    raw = os.environ.get(name)
    if raw is None:
        return default
    return raw.strip()


def switch(name, default=False):
    raw = os.environ.get(name, "").strip().lower()
    if not raw:
        return default
    elif raw in ("0", "false", "off"):
        return False
    value = raw == "1"
    return value or raw == "true"


def is_on(raw):
    return raw == "1" or raw == "on"


"""
RUST = """\
fn flag(name: &str) -> bool {
    match std::env::var(name) { Ok(v) => v == "1" || v.trim() == "on", Err(_) => false }
}

fn is_on(raw: Option<&str>) -> bool {
    matches!(raw, Some("1" | "on"))
}

"""


class Chance:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def one(self, *options):
        return self.random.choice(options)

    def word(self):
        return f'"{self.one(*WORDS)}"'

    # --- Python ---------------------------------------------------------------------------------

    def python_text(self):
        found = self.one(
            'os.environ.get("ATLAS_X")',
            f'os.environ.get("ATLAS_X", {self.word()})',
            f'os.getenv("ATLAS_X", default={self.word()})',
            f'(os.environ.get("ATLAS_X") or {self.word()})',
            'os.environ["ATLAS_X"]',
            'flag("ATLAS_X")',
            f'stripped("ATLAS_X", {self.word()})',
            'switch("ATLAS_X", default=True)',
        )
        for _ in range(self.one(0, 1, 2)):
            method = self.one(
                "lower", "upper", "strip", "lstrip", "casefold", "title", "capitalize", "rstrip"
            )
            found = self.one(f"{found}.{method}()", f"{found}.replace({self.word()}, {self.word()})")
        return found

    def python(self):
        text = self.python_text()
        found = self.one(
            f"{text} == {self.word()}",
            f"{text} != {self.word()}",
            f"{text} in ({self.word()}, {self.word()})",
            f"{text} not in {{{self.word()}, {self.word()}}}",
            f"{text} in ON",
            f"{text} is None",
            f"{text}.startswith({self.word()})",
            f"{text}.isdigit()",
            f"bool({text})",
            f"is_on({text})",
            f"len({text}) > 2",
            f"int({text}) == 1",
            f"str({text})",
            text,
        )
        for _ in range(self.one(0, 1, 2)):
            found = self.one(
                f"(not {found})",
                f"({found}) == True",
                f"(({found}) and 1 == 1)",
                f"(({found}) or False)",
                f"({self.word()} if {found} else {self.word()})",
            )
        return found

    # --- Rust -----------------------------------------------------------------------------------

    def condition(self):
        text = self.one("v", "v.trim()", "v.to_lowercase().as_str()", "v.to_ascii_uppercase().as_str()")
        return self.one(
            f"{text} == {self.word()}",
            f"{text} != {self.word()} && !v.is_empty()",
            f"v.eq_ignore_ascii_case({self.word()}) || {text} == {self.word()}",
            f"v.starts_with({self.word()})",
            f"v.len() > {self.one('0', '1', '2')}",
            f"matches!(v.trim(), {self.word()} | {self.word()})",
        )

    def rust(self):
        read, condition, default = 'std::env::var("ATLAS_X")', self.condition(), self.one("true", "false")
        kind = self.one("usize", "u32", "i64", "u8")
        number = f"{read}.ok().and_then(|v| v.trim().parse::<{kind}>().ok())"
        return self.one(
            ("bool", f"{read}.as_deref() == Ok({self.word()})"),
            ("bool", f"{read}.ok().as_deref() != Some({self.word()})"),
            ("bool", 'std::env::var_os("ATLAS_X").is_some()'),
            ("bool", f"{read}.is_ok_and(|v| {condition})"),
            ("bool", f"!{read}.is_ok_and(|v| {condition})"),
            ("bool", f"{read}.map(|v| {condition}).unwrap_or({default})"),
            ("bool", f"{read}.ok().map_or({default}, |v| {condition})"),
            ("bool", f"matches!({read}.as_deref(), Ok({self.word()} | {self.word()}))"),
            ("bool", f"match {read} {{ Ok(v) => {condition}, Err(_) => {default} }}"),
            ("bool", f"if let Ok(v) = {read} {{ {condition} }} else {{ {default} }}"),
            ("bool", f"is_on({read}.ok().as_deref())"),
            ("bool", 'flag("ATLAS_X")'),
            (kind, f"{number}.unwrap_or(64)"),
            (kind, f"{number}.unwrap_or(9).clamp(1, 40)"),
            (f"Option<{kind}>", number),
        )


def exact(folder, path):
    """Give the index, and the exact expressions of a file with their reads, by place and source."""
    source = (folder / path).read_bytes()
    settings = config.load(str(folder), None, isolated=True)
    index = engine.index(settings, discover(settings.root, [], settings))
    found = [(use, each) for use in index.reads if use.path == path for each in use.call.exact]
    return index, [(use, each, source[each.span.start : each.span.end].decode()) for use, each in found]


def told(index, use, each, text):
    """Give what an expression is said to be worth; `None` when that is left open."""
    try:
        return index.exactly(use, each.decoding, text), True
    except Raised:
        return "raises", True
    except CannotTell:
        return None, False


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_python(tmp_path, seed, monkeypatch):
    chance = Chance(seed)
    functions = (f"def f{number}():\n    return {chance.python()}\n\n\n" for number in range(300))
    source = PYTHON + "".join(functions)
    (tmp_path / "code.py").write_text(source)
    (tmp_path / "levers.py").write_text("import os\nX = os.environ.get('ATLAS_X') == '1'\n")
    names = {}
    exec(compile(source, "code.py", "exec"), names)
    index, found = exact(tmp_path, "code.py")
    assert len(found) > 700
    for text in TEXTS:
        monkeypatch.delenv("ATLAS_X", raising=False)
        if text is not None:
            monkeypatch.setenv("ATLAS_X", text)
        for use, each, code in found:
            value, is_told = told(index, use, each, text)
            if is_told:
                try:
                    expected = repr(eval(code, names))
                except (AttributeError, KeyError, TypeError, ValueError):
                    expected = "'raises'"
                assert repr(value) == expected, (text, code)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("rustc") is None, reason="needs rustc")
@pytest.mark.parametrize("seed", range(3))
def test_rust(tmp_path, seed):
    chance = Chance(seed)
    items = [chance.rust() for _ in range(200)]
    functions = "".join(f"fn f{n}() -> {kind} {{\n    {code}\n}}\n\n" for n, (kind, code) in enumerate(items))
    shown = "".join(f'    println!("{{:?}}", f{n}());\n' for n in range(len(items)))
    (tmp_path / "main.rs").write_text(f"{RUST}{functions}fn main() {{\n{shown}}}\n")
    read = 'pub fn x() -> bool { std::env::var("ATLAS_X").as_deref() == Ok("1") }\n'
    (tmp_path / "levers.rs").write_text(read)
    command = ["rustc", "--edition", "2021", "-A", "warnings", "-o", "shown", "main.rs"]
    subprocess.run(command, cwd=tmp_path, check=True)
    index, found = exact(tmp_path, "main.rs")
    whole = {code: (use, each) for use, each, code in found}
    lines = [(n, whole[code], kind, code) for n, (kind, code) in enumerate(items) if code in whole]
    assert len(lines) > 150
    for text in TEXTS:
        given = {} if text is None else {b"ATLAS_X": text.encode("utf-8", "surrogateescape")}
        environment = {**{key: value for key, value in os.environb.items() if key != b"ATLAS_X"}, **given}
        run = subprocess.run([tmp_path / "shown"], env=environment, capture_output=True, check=True)
        real = run.stdout.decode().splitlines()
        for number, (use, each), kind, code in lines:
            value, is_told = told(index, use, each, text)
            if is_told:
                assert written(value) == real[number], (text, code)
                assert each.type in (kind.replace("Option<", "option:").rstrip(">"), ""), code


def written(value):
    """Write a value as Rust's `{:?}` does."""
    if isinstance(value, Wrapped):
        return f"Some({written(value.payload)})" if value.holds else "None"
    return str(value).lower() if isinstance(value, bool) else str(value)
