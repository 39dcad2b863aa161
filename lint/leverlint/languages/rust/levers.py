"""Which expressions hold the name of a lever."""

from leverlint.facts import Expression, Path, Reference, Text, Vocabulary
from leverlint.languages.rust.expressions import everything_in
from leverlint.languages.rust.names import Names
from leverlint.languages.rust.types import Types


class Levers:
    def __init__(self, names: Names, types: Types, vocabulary: Vocabulary) -> None:
        self._names = names
        self._types = types
        self._prefixes = vocabulary.prefixes
        self._further = frozenset(vocabulary.names)
        self._known: dict[Path, bool] = {}

    def named_in(self, expression: Expression) -> bool:
        """Say whether the name of a lever is somewhere in an expression."""
        return any(map(self._is_lever, everything_in(expression)))

    def _is_lever(self, part: Expression) -> bool:
        if isinstance(part, Text):
            return part.value.startswith(self._prefixes) or part.value in self._further
        return isinstance(part, Reference) and part.path[0] == "." and self._is_constant(part.path)

    def _is_constant(self, path: Path) -> bool:
        if path not in self._known:
            # Constants may refer to each other in a circle.
            self._known[path] = False
            self._known[path] = any(
                self.named_in(self._names.lower(node)) for node in self._types.value_at(path)
            )
        return self._known[path]

    def constant_text(self, expression: Expression) -> str:
        """Give the one text that a reference to a constant of this file stands for."""
        if not isinstance(expression, Reference):
            return ""
        for node in self._types.value_at(expression.path):
            value = self._names.lower(node)
            if isinstance(value, Text):
                return value.value
        return ""
