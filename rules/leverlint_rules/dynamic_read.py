"""A variable is read under a name that is put together at run time and may be a lever's.

Why: nobody can list the levers of a program that builds their names. A misspelt one is
silently ignored, a renamed one is forgotten, and no search finds the reader. A walk over the
environment that picks names by prefix is the same thing.

Bad:

```python
import os

def kernel_flag(kernel):
    return os.environ.get(f"ATLAS_{kernel.upper()}_TILE")
```

```rust
fn kernel_flag(kernel: &str) -> Option<String> {
    std::env::var(format!("ATLAS_{}_TILE", kernel.to_uppercase())).ok()
}
```

Good:

```python
TILES = {"gemm": "ATLAS_GEMM_TILE", "conv": "ATLAS_CONV_TILE"}
```

```rust
const TILES: [(&str, &str); 2] = [("gemm", "ATLAS_GEMM_TILE"), ("conv", "ATLAS_CONV_TILE")];
```

Fix: spell every name, and resolve them in a resolver.

Limits: a name is only reported when its beginning spells a whole prefix; a name of which
nothing is known is not.
"""

from collections.abc import Iterator

from leverlint import Diagnostic, Project, Rule


def check(project: Project) -> Iterator[Diagnostic]:
    index = project.index
    for use in index.reads:
        if not use.dynamic or project.exempt(use) or index.in_resolver(use):
            continue
        if use.kind == "walk":
            message = f"the environment is searched for every `{use.lever}`"
        else:
            message = f"a variable is read under a name built at run time, `{use.lever}`"
        yield RULE.at(
            use.path,
            use.span,
            message,
            "spell the names, and resolve each once in a resolver",
            use.lever,
            project.related(use),
        )


RULE = Rule("LVR102", "dynamic-read", "warning", check)
