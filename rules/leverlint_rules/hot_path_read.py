"""A lever is read on a hot path.

Why: a read takes the process-wide lock of the environment, copies the text and decodes it. In
code that runs for every token or frame that is paid over and over, and whoever changes the
variable in between gets a step that was decided half one way and half the other.

What is hot is said by `hot` in the configuration: functions (`forward_block`, `Reader.step`,
`DFlashHead::propose`) or files; here, `forward_block`. Reported are reads in them and in whatever
they call, with the calls that lead there, and calls that resolve levers afresh; not what is kept
after the first time, such as `get()` on a resolved value.

Bad:

```python
import os

def tile():
    return int(os.environ.get("ATLAS_GEMM_TILE", "64"))

def forward_block(batch):
    return batch.multiply(tile())
```

```rust
fn tile() -> Option<String> {
    std::env::var("ATLAS_GEMM_TILE").ok()
}

fn forward_block(batch: Batch) -> Batch {
    batch.multiply(tile())
}
```

Good:

```python
import os

def load(checkpoint):
    return Model(checkpoint, tile=int(os.environ.get("ATLAS_GEMM_TILE", "64")))

def forward_block(model, batch):
    return batch.multiply(model.tile)
```

```rust
fn load(checkpoint: Checkpoint) -> Model {
    Model::new(checkpoint, std::env::var("ATLAS_GEMM_TILE").ok())
}

fn forward_block(model: &Model, batch: Batch) -> Batch {
    batch.multiply(model.tile)
}
```

Fix: read the lever when the model is built, and use the value in the hot function.

Limits: calls of methods are followed where the class of the object can be told: in its file,
by annotations, constructors and fields. Calls through trait objects, callbacks and tables of
functions are left out. A way may lead through a branch that is rarely taken: it is not weighed,
nor is a test whether an attribute has been filled before.
"""

from collections.abc import Iterable, Iterator

from leverlint import Diagnostic, Hop, HotRead, Project, Related, Rule

_HELP = "read it when the model is built, and hand the value down"


def check(project: Project) -> Iterator[Diagnostic]:
    entered: dict[Hop, list[HotRead]] = {}
    found = [read for read in project.index.hot_reads if not project.exempt(read.use)]
    direct = {(read.use.path, read.use.span) for read in found if read.entry is None}
    for read in found:
        # What a call of an object's method reads is that object's lever; others are for other objects.
        if read.entry is not None and (read.entry.path, read.entry.call.span) in direct:
            continue
        if read.entry is None:
            yield _read(project, read)
        else:
            entered.setdefault(read.entry, []).append(read)
    for entry, reads in entered.items():
        yield _resolved(entry, reads)


def _read(project: Project, read: HotRead) -> Diagnostic:
    use = read.use
    where = f"on a hot path: {_chain(read)}" if read.hops else f"in the hot function `{read.function}`"
    related = [*_calls(read.hops), *project.related(use)]
    return RULE.at(use.path, use.span, f"`{use.lever}` is read {where}", _HELP, use.lever, related)


def _resolved(entry: Hop, reads: list[HotRead]) -> Diagnostic:
    """Report the call through which a hot function resolves levers, once for all of them."""
    levers = sorted({read.use.lever for read in reads})
    what = f"`{levers[0]}`" if len(levers) == 1 else f"{len(levers)} levers"
    first = reads[0]
    before = first.hops[: first.hops.index(entry)]
    way = first._replace(hops=(*before, entry))
    return RULE.at(
        entry.path,
        entry.call.span,
        f"`{entry.callee}` resolves {what} afresh on a hot path: {_chain(way)}",
        _HELP,
        levers[0] if len(levers) == 1 else None,
        [*_calls(before), Related(first.use.path, first.use.span, f"`{first.use.lever}` is read here")],
    )


def _chain(read: HotRead) -> str:
    return " → ".join(f"`{name}`" for name in (read.function, *(hop.callee for hop in read.hops)))


def _calls(hops: Iterable[Hop]) -> list[Related]:
    return [Related(hop.path, hop.call.span, f"`{hop.caller}` calls `{hop.callee}` here") for hop in hops]


RULE = Rule("LVR104", "hot-path-read", "error", check)
