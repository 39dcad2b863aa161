"""`leverlint new-rule`: a rule's module and its first fixtures, which fail until the rule is written."""

import argparse
import os
import re

from leverlint import packs
from leverlint.errors import LeverlintError

_NAME = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")

_MODULE = '''\
"""Say in one sentence what is reported.

Why: say what goes wrong where this is found.

Bad:

```python
import os

TRACE = os.environ.get("ATLAS_TRACE")
```

```rust
fn trace() -> bool {{
    std::env::var("ATLAS_TRACE").is_ok()
}}
```

Good:

```python
def trace(levers):
    return levers.trace
```

```rust
fn trace(levers: &Levers) -> bool {{
    levers.trace
}}
```

Fix: say what to do instead.

Limits: say what is not seen.
"""

from collections.abc import Iterator

from leverlint import Diagnostic, Project, Rule


def check(project: Project) -> Iterator[Diagnostic]:
    for use in project.index.reads:
        if project.exempt(use) or not _is_wrong(use.lever):
            continue
        message = f"`{{use.lever}}` is read in a way that this rule is about"
        yield RULE.at(use.path, use.span, message, "do it the other way", use.lever, project.related(use))


def _is_wrong(lever: str) -> bool:
    # Nothing is reported yet: the fixtures say what should be.
    return False


RULE = Rule("{code}", "{name}", "warning", check, default=False)
'''

_BAD_PYTHON = """\
import os


def trace():
    return os.environ.get("ATLAS_TRACE")  # error: {name}[ATLAS_TRACE]
"""

_BAD_RUST = """\
pub fn trace() -> bool {{
    std::env::var("ATLAS_TRACE").is_ok() // error: {name}[ATLAS_TRACE]
}}
"""

_GOOD_PYTHON = """\
def trace(levers):
    return levers.trace
"""

_GOOD_RUST = """\
pub fn trace(levers: &Levers) -> bool {{
    levers.trace
}}
"""

_FIXTURES = {
    "bad-python/trace.py": _BAD_PYTHON,
    "bad-rust/trace.rs": _BAD_RUST,
    "good-python/trace.py": _GOOD_PYTHON,
    "good-rust/trace.rs": _GOOD_RUST,
}


def configure(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(run=run)
    parser.add_argument("name", metavar="NAME", help="the problem in kebab case: dead-lever")
    parser.add_argument("--code", help="(default: the next that is free)")
    parser.add_argument(
        "--rules", metavar="DIR", default="rules/leverlint_rules", help="(default: %(default)s)"
    )
    parser.add_argument("--fixtures", metavar="DIR", default="fixtures/rules", help="(default: %(default)s)")


def run(arguments: argparse.Namespace) -> int:
    name: str = arguments.name
    if not _NAME.fullmatch(name):
        raise LeverlintError(f"`{name}` is no name of a rule", "name the problem in kebab case: `dead-lever`")
    if any(rule.name == name for rule in packs.rules()):
        raise LeverlintError(f"there is a rule `{name}` already")
    for directory in (arguments.rules, arguments.fixtures):
        if not os.path.isdir(directory):
            hint = "run this at the root of the pack, or name the folders with `--rules` and `--fixtures`"
            raise LeverlintError(f"there is no folder `{directory}` here", hint)
    code = _code(arguments.code)
    files = {os.path.join(arguments.rules, f"{name.replace('-', '_')}.py"): _MODULE}
    for path, text in _FIXTURES.items():
        files[os.path.join(arguments.fixtures, name, *path.split("/"))] = text
    for path in files:
        if os.path.exists(path):
            raise LeverlintError(f"{path} exists already")
    for path, text in files.items():
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8", newline="\n") as file:
            file.write(text.format(name=name, code=code))
        print(path)
    print(f"next: write the rule, then `pytest -k {name} --bless`, then `leverlint docs`")
    return 0


def _code(wanted: str | None) -> str:
    """Give the code that was asked for, or the first free one behind those in use."""
    used = {rule.code for rule in packs.rules()}
    if wanted is not None:
        if not re.fullmatch(r"[A-Z]{1,3}[0-9]{3}", wanted):
            raise LeverlintError(
                f"`{wanted}` is no code", "flake8 takes one to three letters and three digits"
            )
        if wanted in used:
            raise LeverlintError(f"the code `{wanted}` is taken")
        return wanted
    # The nine hundreds are about leverlint itself.
    ordinary = [int(code[3:]) for code in used if re.fullmatch(r"LVR[0-8][0-9]{2}", code)]
    return f"LVR{max(ordinary, default=100) + 1}"
