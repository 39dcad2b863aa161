"""A lever is read in a second place.

Why: two readers decode the same text twice, each with a default of its own. They agree until
one of them is changed. Read at different moments, they may even see different values.

Bad:

```python
import os

def prefill(batch):
    return batch.chunked(int(os.environ.get("ATLAS_CHUNK", "512")))

def decode(batch):
    return batch.chunked(int(os.environ.get("ATLAS_CHUNK", "512")))
```

```rust
fn prefill(batch: Batch) -> Batch {
    batch.chunked(std::env::var("ATLAS_CHUNK").ok())
}

fn decode(batch: Batch) -> Batch {
    batch.chunked(std::env::var("ATLAS_CHUNK").ok())
}
```

Good:

```python
import os

def chunk():
    return int(os.environ.get("ATLAS_CHUNK", "512"))

def prefill(batch):
    return batch.chunked(chunk())

def decode(batch):
    return batch.chunked(chunk())
```

```rust
fn chunk() -> Option<String> {
    std::env::var("ATLAS_CHUNK").ok()
}

fn prefill(batch: Batch) -> Batch {
    batch.chunked(chunk())
}

fn decode(batch: Batch) -> Batch {
    batch.chunked(chunk())
}
```

Fix: let one of them carry the value, and hand it to the other. Two fields that are meant to
hold the same lever are declared as one of the `pairs` of the configuration.

Limits: names that are put together at run time are not compared. A test for presence beside
the lookup in the same function is one reader, not two.
"""

from collections.abc import Iterator

from leverlint import Diagnostic, Project, Related, Rule, Use

_HELP = "let one reader carry the value, or declare the two fields in `pairs`"


def check(project: Project) -> Iterator[Diagnostic]:
    earlier: dict[str, list[Use]] = {}
    for use in _readers(project):
        known = earlier.setdefault(use.lever, [])
        other = next((one for one in known if not project.paired(one, use)), None)
        if other:
            related = [Related(other.path, other.span, "first read here"), *project.related(use)]
            yield RULE.at(use.path, use.span, f"`{use.lever}` has another reader", _HELP, use.lever, related)
        known.append(use)


def _readers(project: Project) -> list[Use]:
    reads = [
        use
        for use in project.index.reads
        if use.kind == "read" and not use.dynamic and not project.exempt(use)
    ]
    lookups = {_function(use) for use in reads if not _is_test(use)}
    readers = [use for use in reads if not (_is_test(use) and _function(use) in lookups)]
    # A resolver's reader is the one that the others repeat, wherever its file stands; so is one that
    # spells the name which the others take from it.
    spelt = {use.origin for use in readers if _spells(use)}
    return sorted(
        readers,
        key=lambda use: (not project.index.in_resolver(use), use.origin in spelt and not _spells(use)),
    )


def _spells(use: Use) -> bool:
    """Say whether the name stands in the call that reads it."""
    if use.origin is None or use.origin.file != use.path:
        return False
    return use.span.start <= use.origin.span.start and use.origin.span.end <= use.span.end


def _function(use: Use) -> tuple[str, int, str]:
    return use.path, use.call.function, use.lever


def _is_test(use: Use) -> bool:
    """Say whether a use only asks whether the lever is there."""
    return isinstance(use.call.callee, tuple) and use.call.callee[-1:] == ("__contains__",)


RULE = Rule("LVR105", "duplicate-read", "warning", check, default=False)
