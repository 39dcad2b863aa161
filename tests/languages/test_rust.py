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
