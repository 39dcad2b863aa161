"""A lever is resolved, and nothing consults what it resolves to.

Why: people set it, scripts carry it along, and it does nothing. Often the code that consulted
it has gone, or one of two entry points forgot to.

Looked at is where a resolver keeps the lever: a field, an attribute, a mapping key, or the
function that returns it; and constants of a resolver that hold the name of a lever which is
read nowhere. That a lever goes into another field counts when that one is consulted.

Bad:

```python
# levers.py
import os

def coalesce():
    return os.environ.get("ATLAS_COALESCE", "1") != "0"

def trace():
    return os.environ.get("ATLAS_TRACE") == "1"

def log(text):
    if trace():
        print(text)
```

```rust
// levers.rs
pub struct Levers {
    pub coalesce: bool,
    pub trace: bool,
}

pub fn resolve() -> Levers {
    Levers {
        coalesce: std::env::var("ATLAS_COALESCE").as_deref() != Ok("0"),
        trace: std::env::var("ATLAS_TRACE").as_deref() == Ok("1"),
    }
}

pub fn log(levers: &Levers, text: &str) {
    if levers.trace { println!("{text}") }
}
```

Good:

```python
# levers.py
import os

def coalesce():
    return os.environ.get("ATLAS_COALESCE", "1") != "0"

def merge(batches):
    return batches.merged() if coalesce() else batches
```

```rust
// levers.rs
pub struct Levers {
    pub coalesce: bool,
}

pub fn resolve() -> Levers {
    Levers { coalesce: std::env::var("ATLAS_COALESCE").as_deref() != Ok("0") }
}

pub fn merge(levers: &Levers, batches: Batches) -> Batches {
    if levers.coalesce { batches.merged() } else { batches }
}
```

Fix: remove the lever, or consult it where it was forgotten.

Limits: consumers are told by name: a field of another type that is called the same hides a dead
one. Those outside of the project are not seen, so a resolver that no other file names is left
alone. What prints, compares or serialises all fields consults none of them. A name that a walk
over the environment picks up by its prefix is taken to be wanted.
"""

from collections.abc import Iterator
from fnmatch import fnmatchcase

from leverlint import Diagnostic, Project, Rule, Sought, Span, Use

_HELP = "remove the lever, or consult it where it was forgotten"


def check(project: Project) -> Iterator[Diagnostic]:
    fields = list(_fields(project))
    constants = list(_constants(project))
    dead = project.unconsulted([sought for _, sought in fields])
    # Asked apart: which constants there are changes with every read that is typed.
    dead |= project.unconsulted([sought for *_, sought in constants])
    used = {sought.path for _, sought in fields if sought not in dead}
    for use, sought in fields:
        # A resolver that nobody in the project has heard of is a library's.
        if sought in dead and (sought.path in used or project.is_named(sought.path)):
            yield RULE.at(use.path, use.span, _message(use.lever, sought), _HELP, use.lever)
    for span, lever, sought in constants:
        if sought in dead:
            message = f"`{sought.name}` holds the name `{lever}`, and nothing in this project looks it up"
            yield RULE.at(sought.path, span, message, _HELP, lever)


def _fields(project: Project) -> Iterator[tuple[Use, Sought]]:
    walks = _patterns(project, ("walk",))
    for use in project.index.reads:
        field = use.call.field
        if field is None or use.kind != "read" or use.dynamic or use.test or use.build_script:
            continue
        if _is_picked(use.lever, walks):
            continue
        if project.resolves(use.path) and not (field.kind == "function" and field.name == "main"):
            yield use, Sought(field.name, field.kind, field.owner, use.path)


def _constants(project: Project) -> Iterator[tuple[Span, str, Sought]]:
    """Give the constants that hold the name of a lever which no code reads."""
    read = {use.lever for use in project.index.reads}
    families = _patterns(project, ("walk", "read"))
    for path, span, names, lever in project.index.named_levers:
        if lever not in read and project.resolves(path) and not _is_picked(lever, families):
            yield span, lever, Sought(names[-1], "constant", "", path)


def _patterns(project: Project, kinds: tuple[str, ...]) -> set[str]:
    """Give the patterns of names that are put together, or that a walk over the environment picks up."""
    uses = (use for use in project.index.reads if use.dynamic and use.kind in kinds and not use.test)
    return {use.lever for use in uses}


def _is_picked(lever: str, patterns: set[str]) -> bool:
    return any(fnmatchcase(lever, pattern) for pattern in patterns)


def _message(lever: str, sought: Sought) -> str:
    name = f"{sought.owner}.{sought.name}" if sought.owner else sought.name
    if sought.kind == "function":
        return f"`{lever}` is resolved by `{name}`, which nothing in this project calls"
    return f"`{lever}` is resolved into `{name}`, which nothing in this project consults"


RULE = Rule("LVR303", "dead-lever", "warning", check)
