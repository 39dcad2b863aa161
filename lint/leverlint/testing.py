"""The harness for rules and languages: ours and those of third-party packs.

A rule's fixture is a folder of real files. A comment on the line of a finding says what must
be reported there: `# error: raw-read[ATLAS_X]` (`//` in Rust). What is not announced must not
be reported. See `fixtures/README.md` for the grammar.
"""

from leverlint.facts_text import facts_text

__all__ = ["facts_text"]
