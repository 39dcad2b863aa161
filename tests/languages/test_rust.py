"""What Rust sources say, file by file, against golden facts; and where paths lead."""

import time
from pathlib import Path

import pytest

from leverlint.facts import FileFacts, Vocabulary
from leverlint.languages import Tree, rust
from leverlint.testing import facts_text

FACTS = Path(__file__).parent.parent.parent / "fixtures" / "facts" / "rust"
LEVERS = Vocabulary(prefixes=("ATLAS_",))


def facts(source: str, path: str = "src/gate.rs", vocabulary: Vocabulary = LEVERS) -> FileFacts:
    return rust.extract(path, source.encode(), vocabulary)


@pytest.mark.parametrize("path", sorted(FACTS.glob("*.rs")), ids=lambda path: path.name)
def test_facts_are_golden(path, bless):
    source = path.read_bytes()
    found = facts_text(rust.extract(path.name, source, LEVERS), source)
    golden = path.with_suffix(".facts")
    if bless:
        golden.write_text(found)
    assert found == golden.read_text()


TREE = Tree(
    frozenset(
        {
            "app/src/main.rs",
            "app/src/gate.rs",
            "app/src/gate/deep.rs",
            "app/src/gate/inline/leaf.rs",
            "app/src/store/mod.rs",
            "app/src/store/disk.rs",
            "app/src/bin/tool.rs",
            "app/src/bin/helper.rs",
            "app/tests/whole.rs",
            "app/build.rs",
            "core/src/lib.rs",
            "core/src/levers.rs",
            "core/src/linux/imp.rs",
            "loose/src/store.rs",
            "loose/src/prelude.rs",
        }
    ),
    {"app": "app", "demo_core": "core"},
    {"core/src/linux/imp.rs": "core/src/levers.rs"},
)


@pytest.mark.parametrize(
    ("file", "path", "expected"),
    [
        ("app/src/gate.rs", "crate::gate::flag", ("app/src/gate.rs", "flag")),
        ("app/src/gate/deep.rs", "crate::store::disk::flag", ("app/src/store/disk.rs", "flag")),
        ("app/src/gate/deep.rs", "super::flag", ("app/src/gate.rs", "flag")),
        ("app/src/gate/deep.rs", "super::super::store::X", ("app/src/store/mod.rs", "X")),
        ("app/src/store/disk.rs", "super::X", ("app/src/store/mod.rs", "X")),
        ("app/src/gate.rs", "self::deep::flag", ("app/src/gate/deep.rs", "flag")),
        ("app/src/gate.rs", ".::deep::flag", ("app/src/gate/deep.rs", "flag")),
        ("app/src/gate.rs", "self::inline::leaf::X", ("app/src/gate/inline/leaf.rs", "X")),
        ("app/src/gate.rs", "crate::gate::inner::X", ("app/src/gate.rs", "inner::X")),
        ("app/src/main.rs", "gate::deep::X", ("app/src/gate/deep.rs", "X")),
        ("app/src/main.rs", "demo_core::levers::X", ("core/src/levers.rs", "X")),
        ("app/src/gate.rs", ".::demo_core::levers::X", ("core/src/levers.rs", "X")),
        ("app/tests/whole.rs", "crate::X", ("app/tests/whole.rs", "X")),
        ("app/src/bin/tool.rs", "helper::X", ("app/src/bin/helper.rs", "X")),
        ("app/build.rs", "crate::X", ("app/build.rs", "X")),
        ("core/src/linux/imp.rs", "super::X", ("core/src/levers.rs", "X")),
        ("core/src/linux/imp.rs", "crate::levers::X", ("core/src/levers.rs", "X")),
        ("loose/src/store.rs", "crate::prelude::X", ("loose/src/prelude.rs", "X")),
    ],
)
def test_paths_lead_into_files(file, path, expected):
    found = rust.locate(tuple(path.split("::")), file, TREE)
    assert found == (expected[0], tuple(expected[1].split("::")))


@pytest.mark.parametrize("path", ["std::env::var", "serde::de", ".::flag", ".::std::env::var"])
def test_paths_may_lead_nowhere(path):
    assert rust.locate(tuple(path.split("::")), "app/src/gate.rs", TREE) is None


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("app/src/gate.rs", ("app/src/main.rs",)),
        ("app/src/gate/deep.rs", ("app/src/gate.rs",)),
        ("app/src/store/disk.rs", ("app/src/store/mod.rs",)),
        ("app/src/store/mod.rs", ("app/src/main.rs",)),
    ],
)
def test_parents_are_the_files_that_may_declare_a_module(path, expected):
    assert rust.parents(path, TREE) == expected


@pytest.mark.parametrize(
    ("attribute", "test"),
    [
        ("#[cfg(test)]", True),
        ("#[cfg(all(test, unix))]", True),
        ("#[cfg(all(unix, any(test, all(test, doc))))]", True),
        ("#[cfg(any(test, unix))]", False),
        ("#[cfg(not(test))]", False),
        ("#[cfg(all(unix, not(test)))]", False),
        ('#[cfg(feature = "test")]', False),
        ("#[cfg_attr(test, inline)]", False),
        ("#[test]", True),
        ("#[tokio::test(start_paused = true)]", True),
        ("#[inline]\n/// Documented.\n#[cfg(test)]\n#[doc(hidden)]", True),
        ("#[cfg(test)]\nuse std::fmt;\n", False),
        ("#[cfg(test)]\nconst X: u8 = 1;\n#[inline]", False),
    ],
)
def test_test_code_is_told_exactly(attribute, test):
    found = facts(f'{attribute}\nfn read() {{ std::env::var("ATLAS_X").unwrap(); }}\n')
    assert [call.test for call in found.calls] == [test]


@pytest.mark.parametrize(
    ("path", "test"),
    [("tests/a.rs", True), ("core/tests/b/a.rs", True), ("src/tests.rs", False), ("benches/a.rs", False)],
)
def test_test_files_are_told_by_their_path(path, test):
    assert facts("fn read() {}", path).test is test


def test_build_scripts_are_told_by_their_name():
    assert facts("fn main() {}", "core/build.rs").build_script
    assert not facts("fn main() {}", "core/src/build_info.rs").build_script


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("fn f(name: &str) { std::env::var(name).ok(); }", True),
        ('fn f() { ["HOME"].map(std::env::var); }', True),
        ("macro_rules! f { ($n:expr) => { option_env!($n) } }", True),
        ("use std::env;\nfn f() { env::vars(); }", True),
        ("use std::env::*;\nfn f() { var(name()); }", True),
        ('const NAME: &str = "ATLAS_X";', True),
        ("// leverlint: allow(raw-read)", True),
        ("#[clap(env)] struct A;", True),
        ("use std::env;\nfn f() { env::args(); }", False),
        ('fn f(c: Command) { c.env("X", "1"); }', False),
        ("fn f() { let environment = 1; }", False),
        ('fn f() { std::env::var("HOME").ok(); }', False),
        ('fn f() -> &str { env!("CARGO_PKG_VERSION") }', False),
        ('use std::env::var;\nfn f() { var("HOME").ok(); }', True),
        ("fn f() { flag(NAME) }", False),
    ],
)
def test_files_without_facts_are_refused(source, expected):
    assert rust.concerns(source.encode(), LEVERS) is expected


def test_known_wrappers_make_files_concern():
    wrappers = LEVERS._replace(wrappers=("flag", "lever!"))
    assert rust.concerns(b"fn f() { flag(NAME) }", wrappers)
    assert rust.concerns(b"fn f() { lever!(NAME) }", wrappers)
    assert not rust.concerns(b"fn f() { flags(NAME) }", wrappers)


def test_calls_of_known_wrappers_are_recorded_whatever_they_are_given():
    source = (
        "use crate::levers::{flag, lever};\nfn f(n: usize) { flag(NAMES[n]); crate::lever!(n); other(n); }\n"
    )
    found = facts(source, vocabulary=LEVERS._replace(wrappers=("flag", "lever!")))
    assert [call.callee for call in found.calls] == [("crate", "levers", "flag"), ("crate", "lever!")]


@pytest.mark.parametrize(
    "source",
    [
        pytest.param(b"", id="empty"),
        pytest.param(b'\0\0std::env::var("ATLAS_X")\0', id="nul"),
        pytest.param(b'fn f() { std::env::var("ATLAS_', id="unterminated"),
        pytest.param(b'println!(std::env::var("ATLAS_X"', id="unterminated macro"),
        pytest.param(b'macro_rules! m { ($x) => ("ATLAS_X") ', id="unterminated macro_rules"),
        pytest.param(b'#[arg(env = )] #[arg(env("ATLAS_X" struct', id="broken attribute"),
        pytest.param(b'fn f() { let "ATLAS_X" = std::env::var; for in env::vars() {} }', id="nonsense"),
        pytest.param(b"use std::env as; use std::{env::{self as, *}, }; use ::; env!()", id="broken use"),
        pytest.param(b'const A: &str = B; const B: &str = A; fn f() { std::env::var(A) }', id="circle"),
        pytest.param(b"use a::*; use b::*; mod a { pub use super::b::*; } mod b { pub use super::a::*; }\n"
                     b"fn f() { x::var(std::env::var) }", id="circle of globs"),
        pytest.param(b"fn f() { let f = |n| f(n); f(std::env::var) }", id="recursive closure"),
    ],
)  # fmt: skip
def test_any_bytes_are_survived(source):
    found = rust.extract("src/a.rs", source, LEVERS)
    facts_text(found, source)


@pytest.mark.parametrize(
    "source",
    [
        pytest.param(
            b"fn f() {" + b"f(" * 3000 + b'std::env::var("ATLAS_X")' + b")" * 3000 + b"}", id="nested"
        ),
        pytest.param(
            b"fn f() {" + b'g(std::env::var("ATLAS_X"), ' * 800 + b")" * 800 + b"}", id="nested reads"
        ),
        pytest.param(b"println!(" * 400 + b'std::env::var("ATLAS_X")' + b")" * 400, id="nested macros"),
        pytest.param(b'const A: [&str; 1] = ["ATLAS_X", ' + b'"ATLAS_Y", ' * 20_000 + b"];", id="long array"),
        pytest.param(b'fn f() { std::env::var("ATLAS_X"); }\n' * 3000, id="many reads"),
        pytest.param(
            b"".join(b'const A%d: &str = "ATLAS_%d";\n' % (n, n) for n in range(3000)), id="many constants"
        ),
        pytest.param(b"fn f() {" + b'let x = "ATLAS_X"; x.a(x);' * 2000 + b"}", id="shadowed over and over"),
        pytest.param(b')]}"ATLAS_X' * 20_000, id="closers"),
    ],
)
def test_hostile_input_takes_no_time(source):
    before = time.process_time()
    rust.extract("src/a.rs", source, LEVERS)
    assert time.process_time() - before < 5
