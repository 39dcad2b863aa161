"""Two readers of a lever disagree on what it is when nobody sets it.

Why: a default that is typed twice drifts. One half of the program runs with 4 draft tokens and
the other with 8, on the machine of everybody who sets nothing; a default that was flipped in
one place only goes unnoticed until somebody measures.

Bad:

```python
import os

def plan():
    return int(os.environ.get("ATLAS_DRAFT_TOKENS", "4"))

def limit():
    return int(os.environ.get("ATLAS_DRAFT_TOKENS", "8"))
```

```rust
fn plan() -> usize {
    std::env::var("ATLAS_DRAFT_TOKENS").ok().and_then(|v| v.parse::<usize>().ok()).unwrap_or(4)
}

fn limit() -> usize {
    std::env::var("ATLAS_DRAFT_TOKENS").ok().and_then(|v| v.parse::<usize>().ok()).unwrap_or(8)
}
```

Good:

```python
def plan(levers):
    return levers.draft_tokens
```

```rust
fn plan(levers: &ModelLevers) -> usize {
    levers.draft_tokens
}
```

Fix: keep one default, in the resolver.

Limits: a reader that has no default, or one that cannot be told, is not compared.
"""

from collections.abc import Iterator

from leverlint import Diagnostic, Project, Related, Rule, Special, outcome_words, same


def check(project: Project) -> Iterator[Diagnostic]:
    for found in project.disagreements():
        _, there, here = found.unset
        if any(one is None or isinstance(one, Special) for one in (here, there)) or same(here, there):
            continue
        yield RULE.at(
            found.reader.path,
            found.reader.span,
            f"`{found.lever}` unset is {outcome_words(here)} here, {outcome_words(there)} there",
            "keep one default, in the resolver",
            found.lever,
            [
                Related(
                    found.reference.path,
                    found.reference.span,
                    f"for this reader, unset is {outcome_words(there)}",
                )
            ],
        )


RULE = Rule("LVR202", "default-mismatch", "error", check)
