"""A file could not be parsed in full.

Why: what stands around the error may hold reads that were not seen. The rest of the file is
checked all the same.

Bad:

```python
import os

def flag(:
    return os.environ["ATLAS_TRACE"]
```

Good:

```python
def flag(levers):
    return levers.trace
```

Fix: repair the syntax, or exclude the file if it is not meant to be valid.

Limits: only files that have to do with levers are parsed.
"""

from collections.abc import Iterator

from leverlint import Diagnostic, Project, Rule


def check(project: Project) -> Iterator[Diagnostic]:
    touching = {use.path for use in project.index.uses}
    for path, facts in project.index.facts.items():
        if facts.learnt and path not in touching:
            continue
        for fault in facts.faults:
            yield RULE.at(
                path,
                fault.span,
                f"this could not be parsed: {fault.message}",
                "repair the syntax; levers read around here may have been missed",
            )


RULE = Rule("LVR902", "syntax-error", "error", check)
