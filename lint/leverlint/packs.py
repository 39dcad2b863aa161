"""Finding rule packs: distributions with an entry point in the group `leverlint.packs`.

An entry point names a package; each of its modules with a `RULE` adds one rule. The built-in
pack comes through the same door as everybody else's.
"""

import os
import sys
from functools import cache
from importlib import import_module
from importlib.util import find_spec

from leverlint.errors import LeverlintError
from leverlint.import_path import without_here
from leverlint.rule import Rule

_GROUP = "leverlint.packs"


@cache
def rules() -> tuple[Rule, ...]:
    """Give the rules of all installed packs, in the order of their codes."""
    found: dict[str, Rule] = {}
    for package in _packages():
        for rule in _rules_of(package):
            other = found.setdefault(rule.code, rule)
            if other is not rule:
                raise LeverlintError(
                    f"two rules have the code `{rule.code}`: `{other.name}` and `{rule.name}`",
                    f"uninstall one of the packs, or renumber the rule in `{package}`",
                )
    return tuple(found[code] for code in sorted(found))


def stamps() -> list[tuple[str, int]]:
    """Give what changes whenever leverlint or a pack does, without importing any rule."""
    directories = [os.path.dirname(__file__)]
    for package in _packages():
        spec = find_spec(package)
        directories += (spec.submodule_search_locations if spec else None) or ()
    found = []
    for directory in directories:
        for path, _, names in os.walk(directory):
            modules = [os.path.join(path, name) for name in names if name.endswith(".py")]
            found += [(module, os.stat(module).st_mtime_ns) for module in modules]
    return sorted(found)


def documentation(rule: Rule) -> str:
    """Give a rule's page: the docstring of the module that it lives in."""
    return (sys.modules[rule.check.__module__].__doc__ or "").strip()


def _rules_of(package: str) -> list[Rule]:
    try:
        module = import_module(package)
        names = {
            entry.partition(".")[0]
            for directory in module.__path__
            for entry in os.listdir(directory)
            if entry.endswith(".py") and not entry.startswith("_")
        }
        modules = [import_module(f"{package}.{name}") for name in sorted(names)]
    except Exception as error:
        raise LeverlintError(
            f"the rule pack `{package}` cannot be imported: {error}", "reinstall or uninstall it"
        ) from error
    return [rule for found in modules if isinstance(rule := getattr(found, "RULE", None), Rule)]


def _packages() -> list[str]:
    """Read the entry points of every installed distribution.

    `importlib.metadata` would do the same in 40 ms, half of what a whole run on a file may cost.
    """
    packages: dict[str, None] = {}
    for directory in dict.fromkeys(without_here(sys.path)):
        try:
            entries = sorted(os.listdir(directory))
        except OSError:
            continue
        for entry in entries:
            if entry.endswith((".dist-info", ".egg-info")):
                path = os.path.join(directory, entry, "entry_points.txt")
                packages.update(dict.fromkeys(_declared(path)))
    return list(packages)


def _declared(path: str) -> list[str]:
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    except (OSError, UnicodeDecodeError):
        return []
    _, found, section = text.partition(f"[{_GROUP}]")
    if not found:
        return []
    lines = section.partition("\n[")[0].splitlines()
    return [line.partition("=")[2].strip() for line in lines if "=" in line]
