"""A lever is read outside the resolvers.

Why: a lever is to be resolved once, when the model is built, and carried as plain data. A raw
read allocates and takes the process-wide environment lock each time; it decodes the value in
its own way, with its own default, and it is missed by whoever lists the levers.

A call of a wrapper (a function, closure, lambda, method or macro that is given the name) is a
read at the call. A function of a resolver that is called with a name is the resolver's own
business and not reported.

Bad:

```python
import os

def decode(batch):
    return batch.poison if os.environ.get("ATLAS_KV_POISON") == "1" else batch
```

```rust
fn decode(batch: Batch) -> Batch {
    if std::env::var("ATLAS_KV_POISON").as_deref() == Ok("1") { batch.poison() } else { batch }
}
```

Good:

```python
def decode(batch, levers):
    return batch.poison if levers.kv_poison else batch
```

```rust
fn decode(batch: Batch, levers: &ModelLevers) -> Batch {
    if levers.kv_poison { batch.poison() } else { batch }
}
```

Fix: add the lever to a resolver and hand its field down. Files in which reading is right are
named by `resolvers` in the configuration.

`--fix` does it where a resolver has the lever already: the whole expression that decodes the
value becomes the field, spelt as `accessor` in the configuration says (`ModelLevers.get().kv_poison`).
That is safe when every value that was tried means the same there, down to its type, and the code
on both sides does nothing else. Where a few values change their meaning, the fix is unsafe and says
which. None is offered in code that is run when it is loaded, where the import could close a circle,
for a field that other code sets, or for a lever that the program itself writes.

Limits: a method of an object whose class cannot be told is not followed. Test code is left
alone unless `tests = "check"`.
"""

from collections.abc import Iterator

from leverlint import Diagnostic, Fix, Project, Replacement, Rule, Use, value_words


def check(project: Project) -> Iterator[Diagnostic]:
    index = project.index
    for use in index.reads:
        if use.dynamic or use.kind != "read" or project.exempt(use) or index.in_resolver(use):
            continue
        found = project.replacement(use)
        yield RULE.at(
            use.path,
            use.span,
            _message(use),
            _help(project, use) if found is None else _offer(found),
            use.lever,
            project.related(use),
            None if found is None else _fix(found),
        )


def _message(use: Use) -> str:
    through = f" through `{use.via[0].name}`" if use.via and use.via[0].name else ""
    when = " at compile time" if use.api.compile_time else ""
    return f"`{use.lever}` is read{through}{when} outside the resolvers"


def _help(project: Project, use: Use) -> str:
    carried = project.carried_by(use.lever)
    if carried:
        return f"a resolver carries it already: use {carried}"
    return "resolve it once in a resolver and hand the field down"


def _offer(found: Replacement) -> str:
    changes = ", ".join(map(value_words, found.changes))
    how = f"which decides otherwise for {changes}" if changes else "decoded alike"
    return f"a resolver carries it already: use `{found.expression}`, {how}"


def _fix(found: Replacement) -> Fix:
    applicability = "unsafe" if found.changes else "safe"
    return Fix(applicability, f"replace with `{found.expression}`", found.intent)


RULE = Rule("LVR101", "raw-read", "error", check)
