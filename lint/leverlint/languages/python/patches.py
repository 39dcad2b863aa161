"""What test libraries change in the environment for a while: calls of theirs as the writes that they make."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from leverlint.facts import Argument, Expression, Path
from leverlint.languages.python import api

if TYPE_CHECKING:
    from leverlint.languages.python.values import Values

_MONKEYPATCH: Path = ("pytest", "MonkeyPatch")
FIXTURES: dict[str, Path] = {"monkeypatch": _MONKEYPATCH, "mocker": ("pytest_mock", "MockerFixture")}
"""Parameters by which pytest hands objects to tests, whatever they are annotated with."""

ENVIRONMENT = b"os.environ"
"""How the environment is named in text."""

_PATCHERS = frozenset(
    {("unittest", "mock", "patch", "dict"), ("mock", "patch", "dict"), (*FIXTURES["mocker"], "patch", "dict")}
)
_ITEMS = {(*_MONKEYPATCH, "setitem"): "__setitem__", (*_MONKEYPATCH, "delitem"): "__delitem__"}
_OPTIONS = frozenset({"clear", "raising"})


class Patch(NamedTuple):
    path: Path
    """Of the API."""
    arguments: tuple[Argument, ...]


def patches(path: Path | None, given: tuple[Argument, ...], values: "Values") -> Iterator[Patch]:
    """Give what a call does to the environment when it patches that."""
    if path not in _PATCHERS and path not in _ITEMS:
        return
    environment = _environment(given[0].value, values) if given else None
    if environment is None or path is None:
        return
    rest = tuple(each for each in given[1:] if each.keyword not in _OPTIONS)
    if path in _ITEMS:
        yield Patch((*environment, _ITEMS[path]), rest[:1])
    else:
        values_given = tuple(Argument("", each.value) if each.keyword == "values" else each for each in rest)
        yield Patch((*environment, "update"), values_given)


def _environment(target: Expression, values: "Values") -> Path | None:
    """Give the environment that is patched, itself or by its dotted name."""
    mapping = values.mapping(target)
    if mapping is None:
        named = values.text_of(target)
        mapping = tuple(named.value.split(".")) if named is not None else None
    return mapping if mapping in api.ENVIRONMENTS else None
