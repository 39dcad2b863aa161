"""A switch is read by the truth of its text, so that `0` and `false` switch it on.

Why: every text but the empty one is true. Whoever sets `ATLAS_X=0` to switch something off
switches it on, and whoever sets `false` does, too.

Bad:

```python
import os

def traced():
    return bool(os.environ.get("ATLAS_TRACE"))
```

```rust
fn traced() -> bool {
    std::env::var("ATLAS_TRACE").is_ok_and(|v| !v.is_empty())
}
```

Good:

```python
import os

def traced():
    return os.environ.get("ATLAS_TRACE") == "1"
```

```rust
fn traced() -> bool {
    std::env::var("ATLAS_TRACE").as_deref() == Ok("1")
}
```

Fix: compare with the values that mean on.

Limits: a lever whose text is used anywhere (a path, a list, a comparison with other text) may be
tested for being empty, and a test for mere presence (`in os.environ`, `is_some()`) says what it
means: neither is reported, nor is what a resolver decided, or whether a decoded switch was given.
"""

from collections.abc import Iterator

from leverlint import PROBES, Diagnostic, Project, Rule, Special, Use, kind, same

_UNSET, _EMPTY, _ZERO, _ONE, _FALSE, _WORD = (
    PROBES.index(text) for text in (None, "", "0", "1", "false", "word")
)


def check(project: Project) -> Iterator[Diagnostic]:
    for lever, readers in project.index.readers.items():
        trapped = [use for use in readers if _counts(project, use) and _is_trap(project, use)]
        if trapped and all(_is_switch(project, use) for use in readers):
            trapped = [use for use in trapped if use not in project.guards(lever)]
            for use in trapped:
                yield RULE.at(
                    use.path,
                    use.span,
                    f"`{lever}` is tested for being empty: `0` and `false` switch it the same way as `1`",
                    "compare with the values that mean on",
                    lever,
                    project.related(use),
                )


def _counts(project: Project, use: Use) -> bool:
    return not project.exempt(use) and not project.index.in_resolver(use)


def _is_trap(project: Project, use: Use) -> bool:
    vector = project.index.vector(use)
    unset, empty, zero, one, false, word = (
        vector[index] for index in (_UNSET, _EMPTY, _ZERO, _ONE, _FALSE, _WORD)
    )
    return (
        isinstance(one, bool)
        and same(zero, one)
        and same(false, one)
        and same(word, one)
        and isinstance(empty, bool)
        and not same(empty, one)
        # With a default that is true, only the empty text is off.
        and isinstance(unset, bool)
    )


def _is_switch(project: Project, use: Use) -> bool:
    vector = project.index.vector(use)
    # What is not told of any text may take it for what it says.
    return kind(vector) == "switch" and vector[_ONE] is not Special.UNTOLD


RULE = Rule("LVR403", "presence-trap", "error", check)
