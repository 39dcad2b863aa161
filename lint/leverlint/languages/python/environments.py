"""Which parameters, variables and attributes of a file turned out to hold the environment."""

from typing import TYPE_CHECKING

from tree_sitter import Node

from leverlint.facts import Expression, Path, Reference
from leverlint.languages.python import api
from leverlint.languages.python.scopes import Scope
from leverlint.languages.syntax import text

if TYPE_CHECKING:
    from leverlint.languages.python.values import Values


class Environments:
    def __init__(self, values: "Values") -> None:
        self._values = values
        self._handed: dict[tuple[int, int], tuple[Path, ...]] = {}
        """Parameters that some call of this file hands the environment, or a copy of it, to."""
        self._locals: set[tuple[int, str]] = set()
        """Variables of functions that are filled with the environment name by name."""
        self._members: set[Path] = set()
        """The same of names of modules, classes and objects."""

    def hand(self, function: int, parameter: int, mapping: Path) -> bool:
        """Note that a parameter is handed the environment; say whether that is news."""
        known = self._handed.get((function, parameter), ())
        if mapping in known:
            return False
        # The process's own goes first: what is done to it counts, whatever else the parameter may be.
        self._handed[function, parameter] = tuple(
            sorted((*known, mapping), key=lambda path: path == api.COPY)
        )
        self._values.forget_locals()
        return True

    def fill(self, owner: Node, scope: Scope) -> str:
        """Note that something is filled name by name; give its own name if that is news."""
        if owner.type != "identifier":
            value = self._values.of(owner, scope)
            return self._member(value.path) if isinstance(value, Reference) else ""
        name = text(owner, self._values.source)
        found = self._values.scopes.lookup(name, scope)
        if found is None:
            return ""
        if found.scope.kind in ("module", "class"):
            return self._member((".", *found.scope.path, name))
        key = (found.scope.node.id, name)
        if key in self._locals:
            return ""
        self._locals.add(key)
        self._values.forget_locals()
        return name

    def _member(self, path: Path) -> str:
        if path[0] != "." or path in self._members:
            return ""
        self._members.add(path)
        self._values.definitions.pop(path[1:], None)
        self._values.forget_locals()
        return path[-1]

    def of_parameter(self, function: int, parameter: int) -> list[Expression]:
        return [Reference(mapping) for mapping in self._handed.get((function, parameter), ())]

    def of_local(self, scope: Scope, name: str) -> list[Expression]:
        return [Reference(api.COPY)] if (scope.node.id, name) in self._locals else []

    def of_member(self, path: Path) -> list[Expression]:
        return [Reference(api.COPY)] if (".", *path) in self._members else []
