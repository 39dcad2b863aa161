"""Valid code that the published grammars do not know: it is read all the same."""

import time

import pytest

from leverlint.facts import Vocabulary
from leverlint.languages import python, rust
from leverlint.languages.rust.grammar_gaps import differences, without_gaps

LEVERS = Vocabulary(prefixes=("ATLAS_",))
READ = 'let read = std::env::var("ATLAS_X");'

RUST = {
    "an untold type in a bound": "let f = g as Box<dyn Fn(&_, &mut _, Vec<&_>) -> _>; let h = i as fn(&_);",
    "a bound of a parameter": "fn inner(f: impl FnMut(&_)) {}",
    "types of a struct pattern": "let Pair::<u8> { a, .. } = p; if let Pair::<Vec<u8>> { b, .. } = p {}",
    "types of a struct": "let pair = Pair::<u8> { a: 1, b: 2 }; let one = a as Pair::<u8>;",
    "types of a pattern that takes apart": "match x { Pair::<u8>(a) if a => 1, Pair::<Vec<u8>>(b) => 2 };",
    "types of a variant": "let e = Either::<u8>::Left { a: 1 };",
    "fields by number": "let Pair { 0: first, 1: second } = pair; match x { Pair { 0: ref a, .. } => a };",
    "taking apart what is there": "Pair { a, .. } = pair; Pair { a, b: c, .. } = pair;",
    "a reference behind a block": "match x { A => { 1 } &&B => 2, &&C => 3 };",
    "a lifetime before a trait": "let s: &(dyn 'static + Show) = t;",
    "no bounds": "fn inner<T>() where T: , Self: , {}",
    "a negative argument": "f::<-1>(); let a: Array<-1> = b;",
    "names that are keywords": "gen::<u8>(); let gen @ 1 = raw; gen.next(); let default = auto;",
    "a constant called default": "const default: u8 = 0;",
    "attributes before a receiver": "impl A { fn f(#[a] #[b] &self, #[c] x: u8) {} }",
    "safe items": 'unsafe extern "C" { safe fn f(); safe static X: u8; }',
    "modifiers to come": "auto trait A {} impl const From<u8> for B {} fn c<T: ~const A + [const] B>() {}",
    "signs in macros": "m!(a ~ b, ~c); macro_rules! n { (~ $a:tt) => {}; }",
    "macros with old names": "let a = try!(b); let c = str![d];",
    "attributes in patterns": "let Pair { #[cfg(a)] a, #[b] b: c } = pair;",
}


@pytest.mark.parametrize("name", sorted(RUST))
def test_rust_is_read_around_and_behind(name):
    source = f"fn before() {{ {READ} {RUST[name]} {READ} }}\n\nfn behind() {{ {READ} }}\n".encode()
    found = rust.extract("src/lib.rs", source, LEVERS)
    assert found.faults == ()
    reads = [call for call in found.calls if call.callee == ("std", "env", "var")]
    assert len(reads) == 3
    assert all(source[each.span.start : each.span.end] == b'std::env::var("ATLAS_X")' for each in reads)


def test_the_manifest_of_a_script_is_no_code():
    script = f'#!/usr/bin/env cargo\n----\n[package]\ntext = """\n---\n"""\n----\n\nfn main() {{ {READ} }}\n'
    found = rust.extract("src/main.rs", script.encode(), LEVERS)
    assert (len(found.calls), found.faults) == (1, ())


@pytest.mark.parametrize(
    "source",
    [
        "fn f( { }",
        "fn f() { let = 1; }",
        "match x { A => { 1 } B C => 2 }",
        "fn f() { g(a b); }",
        "struct S { a b }",
    ],
)
def test_errors_stay_errors(source):
    assert rust.extract("src/lib.rs", f"fn b() {{ {READ} }}\n{source}\n".encode(), LEVERS).faults


def test_what_can_be_called_keeps_its_types():
    text = b'fn f() { str::parse::<u8>(x); Vec::<u8>::new(); map(str::parse::<u8>) ; "{0:?} ~/x" }'
    assert without_gaps(text) == text


def test_texts_stay_as_long_as_they_were():
    for code in RUST.values():
        text = without_gaps(code.encode())
        assert len(text) == len(code.encode())
        for start, end in differences(code.encode(), text):
            assert 0 <= start < end <= len(text)


@pytest.mark.parametrize(
    "piece", ["::<", "A::<", "fn(", "fn(&_,", "#[a]", "&&", "}\n&&", "{0: ", "dyn 'a", "---\n"]
)
def test_hostile_files_take_no_longer(piece):
    started = time.perf_counter()
    without_gaps(piece.encode() * 20_000)
    assert time.perf_counter() - started < 2


PYTHON = {
    "defaults of types": "class Box[T = int, *Ts = *tuple[int, ...]](Base):\n    pass\n",
    "defaults of types of functions": "def f[T: (int, str) = int](x: T) -> T:\n    return x\n",
    "defaults of types of types": "type Table[T = dict[str, int]] = list[T]\n",
}


@pytest.mark.parametrize("name", sorted(PYTHON))
def test_python_is_read_around(name):
    source = f'import os\n\n{PYTHON[name]}\n\ndef behind():\n    return os.environ["ATLAS_X"]\n'
    found = python.extract("gate.py", source.encode(), LEVERS)
    assert (len(found.calls), found.faults) == (1, ())


def test_lines_may_end_as_they_did_long_ago():
    source = b'import os\rdef behind():\r    return os.environ["ATLAS_X"]\r'
    found = python.extract("gate.py", source, LEVERS)
    assert (len(found.calls), found.faults) == (1, ())
