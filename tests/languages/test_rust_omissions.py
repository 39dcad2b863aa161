"""Functions that are left out of a Rust file: the facts must be those of the whole."""

import time
from pathlib import Path

import pytest

from leverlint.facts import Vocabulary
from leverlint.languages import rust
from leverlint.languages.rust import omissions
from leverlint.languages.rust.extract import extract_whole

FACTS = Path(__file__).parent.parent.parent / "fixtures" / "facts" / "rust"
LEVERS = Vocabulary(prefixes=("ATLAS_",))

CUT = """\
use std::env;
use crate::levers::{flag, Reader};

const NAME: &str = "ATLAS_NAME";

fn read(name: &str) -> Option<String> {
    env::var(name).ok()
}

fn suffix(kind: Kind) -> &'static str {
    // FILLER
    match kind {
        Kind::A => "A",
        Kind::B => "B",
    }
}

impl Gate {
    pub fn open(&self, kind: Kind) -> bool {
        env::var_os(format!("ATLAS_{}", suffix(kind))).is_some()
    }

    pub(crate) fn late(&self) -> Option<String> {
        // FILLER
        read(NAME)
    }

    fn other<T: Into<String>>(
        &self,
        what: T,
    ) -> Vec<String> {
        // FILLER
        let text = r#"
    }
"#;
        vec![text.to_owned()]
    }

    fn named(&self) -> String {
        // FILLER
        let spec = Spec { name: "PATH_OF_SPEC" };
        spec.name.to_owned()
    }
}

trait Door {
    fn closed(&self) -> bool;

    fn opened(&self) -> bool {
        // FILLER
        !self.closed()
    }
}

macro_rules! doors {
    ($name:ident) => {
        fn $name() -> bool {
            // FILLER
            flag(NAME)
        }
    };
}

fn spec() -> &'static Spec {
    static SPEC: OnceLock<Spec> = OnceLock::new();
    // FILLER
    SPEC.get_or_init(loaded)
}

fn loaded() -> Spec {
    Spec { name: env::var("ATLAS_SPEC").unwrap_or_default() }
}

fn unrelated() {
    // FILLER
    let x = '"';
    let y = if x == '{' { "}" } else { "{" };
    println!("{y}");
}

fn apart() -> usize {
    // FILLER
    let total: usize = (0..10).map(|x| x + 1).sum();
    total
}
"""


def cut(filler: str) -> bytes:
    return CUT.replace("// FILLER", filler).encode()


@pytest.mark.parametrize("filler", ["", "// nothing", "let _ = 1;\n" * 100], ids=["none", "little", "much"])
def test_a_part_of_a_file_gives_the_facts_of_the_whole(filler):
    source = cut(filler)
    found = rust.extract("src/a.rs", source, LEVERS)
    assert found == extract_whole("src/a.rs", source, LEVERS)
    assert [call.span for call in found.calls if b"read(NAME)" in source[call.span.start : call.span.end]]


def test_bodies_without_tokens_are_left_out():
    source = cut("let _ = 1;\n" * 100)
    left_out = [source[: body.start].rpartition(b"fn ")[2] for body in omissions.omissions(source, [])]
    assert any(head.startswith(b"apart") for head in left_out)
    assert not any(head.startswith((b"unrelated", b"other", b"closed")) for head in left_out)


@pytest.mark.parametrize("path", sorted(FACTS.glob("*.rs")), ids=lambda path: path.name)
@pytest.mark.parametrize("names", [(), ("flag", "get", "new", "read", "parse")], ids=["first", "second"])
def test_parts_and_wholes_of_fixtures_agree(path, names, monkeypatch):
    monkeypatch.setattr(omissions, "_SMALLEST", 0)
    monkeypatch.setattr(omissions, "_SHORT", 0)
    vocabulary = LEVERS._replace(wrappers=names, helpers=names)
    source = path.read_bytes()
    assert rust.extract(path.name, source, vocabulary) == extract_whole(path.name, source, vocabulary)


@pytest.mark.parametrize(
    "source",
    [
        "fn a() {\n" * 50_000,
        "fn a();\n" * 50_000,
        "fn a() {\n" * 50_000 + "\n}\n",
        "".join(f"{' ' * (i % 3000)}fn a() {{\n" for i in range(1000)),
    ],
    ids=["open", "bodiless", "closed at last", "deeper and deeper"],
)
def test_looking_for_bodies_is_linear(source):
    started = time.process_time()
    omissions.omissions(source.encode(), [])
    assert time.process_time() - started < 2
