"""A value that is not UTF-8 panics, vanishes or is changed.

Why: an environment variable holds bytes. `env::var(..).is_ok()` takes a variable that is set
to other bytes for unset, `env::vars()` panics on the first one, and a lossy conversion gives
another value than the one that was set, such as a path that does not exist.

Bad:

```python
import os

def socket():
    return os.environb[b"ATLAS_SOCKET"].decode("utf-8", "ignore")
```

```rust
fn traced() -> bool {
    std::env::var("ATLAS_TRACE").is_ok()
}
```

Good:

```python
import os

def socket():
    return os.fsdecode(os.environb[b"ATLAS_SOCKET"])
```

```rust
fn traced() -> bool {
    std::env::var_os("ATLAS_TRACE").is_some()
}
```

Fix: ask `var_os` for presence and for paths, walk with `vars_os`, and let Python keep
undecodable bytes as it does by default.

Limits: only the conversion next to the read, or of the local variable that holds it, is seen. That
a value vanishes is only reported where presence is what counts: a switch for certain words, or
a text that has a default, takes such a value for one of those that it does not know.
"""

from collections.abc import Iterator

from leverlint import NOT_UTF8, PROBES, Diagnostic, Project, Related, Rule, Use, same

_UNSET, _WORD, _NOT_UTF8 = (PROBES.index(text) for text in (None, "word", NOT_UTF8))

_WHAT = {
    "absent": "is taken for unset when its value is not UTF-8",
    "replaced": "is changed when its value is not UTF-8",
    "dropped": "loses the bytes of its value that are not UTF-8",
    "panics": "makes the program panic when any value is not UTF-8",
}

_HELP = {
    "absent": "test for presence with `var_os(..).is_some()`",
    "replaced": "keep the value as it came, or refuse it",
    "dropped": "keep the value as it came, or refuse it",
    "panics": "walk over `vars_os()` instead",
}


def check(project: Project) -> Iterator[Diagnostic]:
    for use in project.index.reads:
        if project.exempt(use):
            continue
        if use.lossy is not None:
            how, span = use.lossy
        elif _takes_for_unset(project, use):
            how, span = "absent", use.span
        else:
            continue
        related = project.related(use)
        inherited = any(step.call.lossy == use.lossy for step in use.via)
        if not inherited and not use.span.start <= span.start < use.span.end:
            related.append(Related(use.path, span, "here"))
        yield RULE.at(use.path, use.span, f"`{use.lever}` {_WHAT[how]}", _HELP[how], use.lever, related)


def _takes_for_unset(project: Project, use: Use) -> bool:
    """Say whether a reader only asks for presence, and does not see it when the value is not UTF-8."""
    tested = use.call.tested or any(step.call.tested for step in use.via)
    if use.kind != "read" or use.dynamic or not tested:
        return False
    vector = project.index.vector(use)
    given = vector[_WORD]
    return (
        isinstance(given, bool | int | float)
        and all(
            same(given, one) for text, one in zip(PROBES, vector, strict=True) if text and text != NOT_UTF8
        )
        and isinstance(vector[_UNSET], bool | int | float)
        and not same(vector[_UNSET], given)
        and same(vector[_UNSET], vector[_NOT_UTF8])
    )


RULE = Rule("LVR106", "lossy-read", "info", check, default=False)
