"""A suppression suppresses nothing.

Why: it hides the next finding that comes to its line, and it tells the reader of a problem
that is gone.

Bad:

```python
def kv_poison(levers):
    return levers.kv_poison  # leverlint: allow(raw-read) -- until the resolver has it
```

Good:

```python
def kv_poison(levers):
    return levers.kv_poison
```

Fix: remove the comment, or name the rule that does report here.

Limits: codes of other tools in the same comment are theirs. A suppression of a rule that is
not selected is left alone.
"""

from collections.abc import Iterator

from leverlint import Diagnostic, Project, Rule


def check(project: Project) -> Iterator[Diagnostic]:
    for unused in project.unused_suppressions:
        yield RULE.at(
            unused.path,
            unused.span,
            f"`{unused.text}` {unused.why}",
            "remove it, or name the rule that reports here",
        )


RULE = Rule("LVR901", "unused-suppression", "warning", check, after_suppressions=True)
