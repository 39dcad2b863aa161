"""A configured prefix, resolver, hot name, pair or ignore matches nothing.

Why: a misspelt resolver makes every read in it an error; a misspelt prefix makes leverlint
pass everything. Settings that can never fire look like protection.

Bad:

```toml
[tool.leverlint]
prefixes = ["ATALS_"]
```

Good:

```toml
[tool.leverlint]
prefixes = ["ATLAS_"]
```

Fix: correct the setting, or remove it.

Limits: only what a configuration file states is looked at, not the defaults and not the
command line.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import chain

from leverlint import Diagnostic, Project, Rule


def check(project: Project) -> Iterator[Diagnostic]:
    index = project.index
    questions: list[tuple[str, Iterable[str], Callable[[str], bool], str]] = [
        ("prefixes", project.config.prefixes, index.names_prefix, "no lever in the project starts with it"),
        ("names", project.config.names, index.names, "the project does not mention it"),
        ("wrappers", project.config.wrappers, index.calls, "no call in the project has that name"),
        ("allow-names", project.config.allow_names, index.names, "the project mentions no such name"),
        ("resolvers", project.config.resolvers, project.has_file, "no file matches it"),
        ("hot", project.config.hot, project.has_hot, "no file or function is called that"),
        ("pairs", chain.from_iterable(project.config.pairs), project.has_field, "no read fills such a field"),
        ("per-file-ignores", project.config.per_file_ignores, project.has_file, "no file matches it"),
    ]
    for key, entries, matches, problem in questions:
        for entry in entries:
            if (place := project.stated(key, entry)) and not matches(entry):
                path, span = place
                yield RULE.at(
                    path,
                    span,
                    f"`{entry}` in `{key}` matches nothing: {problem}",
                    "correct it, or remove it",
                )


RULE = Rule("LVR903", "unmatched-config", "warning", check)
