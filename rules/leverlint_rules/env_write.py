"""The process's own environment is changed.

Why: what is written is seen by every reader that comes later and by none that came before, so
the order of start-up decides what a lever is. In a program with threads, changing the
environment while another thread reads it is undefined behaviour.

Bad:

```python
import os

def quiet():
    os.environ["ATLAS_LOG"] = "0"
```

```rust
fn quiet() {
    unsafe { std::env::set_var("ATLAS_LOG", "0") };
}
```

Good:

```python
import dataclasses

def quiet(levers):
    return dataclasses.replace(levers, log=False)
```

```rust
fn quiet(levers: Levers) -> Levers {
    Levers { log: false, ..levers }
}
```

Fix: change a copy of the resolved levers; give a child process an environment of its own.

Limits: the environment of a child (`Command::env`, `subprocess.run(env=…)`) is not the
process's own, nor is a copy (`os.environ.copy()`, `dict(os.environ)`); one made by `copy.copy`
or `copy.deepcopy` is. A method of an object that stands for a variable (`SWITCH.set("1")`) is
reported where it is called; setting a property of one is not seen.
"""

from collections.abc import Iterator

from leverlint import Diagnostic, Project, Rule


def check(project: Project) -> Iterator[Diagnostic]:
    for use in project.index.writes:
        if project.exempt(use):
            continue
        yield RULE.at(
            use.path,
            use.span,
            f"`{use.lever}` is changed in the process's own environment",
            "change a copy of the resolved levers, or the environment of the child process",
            use.lever,
            project.related(use),
        )


RULE = Rule("LVR107", "env-write", "warning", check)
