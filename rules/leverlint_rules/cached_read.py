"""The value of a lever is kept where it outlives the model that it was read for.

Why: a static, a module global, a class attribute, a parameter default or a memoised function
is filled once and stays. The next model in the same process is built with the lever of the
first; a test that sets the lever sets it too late. An import that copies a value out of a
resolver does the same, and so does whatever keeps what a function without arguments returns.

Bad:

```python
import os

TILE = int(os.environ.get("ATLAS_GEMM_TILE", "64"))
```

```rust
use std::sync::LazyLock;

static TILE: LazyLock<Option<String>> = LazyLock::new(|| std::env::var("ATLAS_GEMM_TILE").ok());
```

Good:

```python
def build(levers):
    return Gemm(tile=levers.gemm_tile)
```

```rust
fn build(levers: &ModelLevers) -> Gemm {
    Gemm { tile: levers.gemm_tile }
}
```

Fix: carry the value in the resolved levers of the model.

Limits: inside a resolver only the import of a value from it is reported. Functions are followed
within one file.
"""

from collections.abc import Iterator

from leverlint import Diagnostic, Project, Related, Rule, Use

_PLACES = {
    "static": "in the static",
    "thread-local": "in the thread-local",
    "module-global": "in the module global",
    "class-attribute": "in the class attribute",
    "parameter-default": "as the default of the parameter",
    "decorator-argument": "in an argument of the decorator",
    "memoised-function": "by the memoised function",
}

_HELP = "carry it in the resolved levers of the model"


def check(project: Project) -> Iterator[Diagnostic]:
    for use in project.index.reads:
        if use.kept and not project.exempt(use) and not project.index.in_resolver(use):
            related = project.related(use)
            if not _covers(use):
                related.append(Related(use.path, use.kept.span, "kept here"))
            yield RULE.at(use.path, use.span, _message(use), _HELP, use.lever, related)
    for frozen in project.index.frozen_imports:
        yield RULE.at(
            frozen.path,
            frozen.span,
            f"importing `{frozen.name}` keeps the value of `{frozen.lever}` from when the module was loaded",
            f"import the module and read `{frozen.name}` from it, or carry the value in the model's levers",
            frozen.lever,
        )


def _message(use: Use) -> str:
    assert use.kept
    if use.kept.how == "compile-time":
        return f"`{use.lever}` is fixed when the program is compiled"
    name = f" `{use.kept.name}`" if use.kept.name else ""
    return f"`{use.lever}` is kept {_PLACES[use.kept.how]}{name}, beyond the life of a model"


def _covers(use: Use) -> bool:
    assert use.kept
    return use.kept.span == use.span or any(step.file != use.path for step in use.via)


RULE = Rule("LVR103", "cached-read", "warning", check)
