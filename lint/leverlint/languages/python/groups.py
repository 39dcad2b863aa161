"""Classes of resolvers that carry levers: whether a field is for good what it is set to once."""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from tree_sitter import Node

from leverlint.facts import Path
from leverlint.languages.python.bindings import parts
from leverlint.languages.python.modules import locate
from leverlint.languages.python.scopes import Scopes
from leverlint.languages.syntax import parser, text

if TYPE_CHECKING:
    from leverlint.languages import Tree

_KIT = frozenset({"get", "from_env", "from_values", "defaults"})
"""What every group of the declaration kit has."""
_MEDDLING = frozenset(
    {"__post_init__", "__getattr__", "__getattribute__", "__setattr__", "__new__", "__init_subclass__"}
)
"""Methods that may make a field another than what it is set to."""
_MOST_BASES = 8


class File(NamedTuple):
    path: str
    source: bytes
    root: Node
    scopes: Scopes


def look_at(path: str, source: bytes) -> File:
    root = parser("python").parse(source).root_node
    return File(path, source, root, Scopes(source, root, path))


class Group:
    """A class of a resolver whose objects, or which itself, carries levers."""

    def __init__(self, file: File, name: str, tree: "Tree", read: Callable[[str], bytes]) -> None:
        self._file = file
        self._tree = tree
        self._read = read
        self._node = _class(file, name)

    def holds(self, field: str) -> bool:
        """Say whether the field is for good what it is set to once."""
        node = self._node
        if node is None or any(name in _MEDDLING for name in _methods(node, self._file.source)):
            return False
        if field in _methods(node, self._file.source) or self._has_metaclass(node):
            return False
        if re.search(rb"replace\s*\([^()]*\b%s\s*=" % re.escape(field.encode()), self._file.source):
            return False
        if self._is_kit(node, self._file):
            return True
        declared = _declared(node, self._file.source).get(field, "")
        own = re.findall(rb"\bself\.%s\s*(?::[^=\n]*)?=(?!=)" % re.escape(field.encode()), self._file.source)
        if self._is_record(node):
            return declared in ("annotated", "default") and not own
        # Without a word in the class, it is what the constructor sets.
        return not declared and len(own) == 1

    def is_frozen(self) -> bool:
        """Say whether nothing sets the fields of an object once it is made."""
        node = self._node
        if node is None or self._is_kit(node, self._file):
            return node is not None
        around = node.parent
        above = self._file.source[around.start_byte : node.start_byte] if around is not None else b""
        frozen = around is not None and around.type == "decorated_definition" and b"frozen=True" in above
        bases = [base.rpartition(".")[2] for base in _bases(node, self._file.source)]
        return frozen or "NamedTuple" in bases

    def _is_record(self, node: Node) -> bool:
        """Say whether the constructor stores what it is given: a dataclass, or a named tuple."""
        around = node.parent
        decorators = (
            around.named_children[:-1] if around is not None and around.type == "decorated_definition" else []
        )
        names = [text(each, self._file.source).lstrip("@ ").partition("(")[0] for each in decorators]
        bases = [base.rpartition(".")[2] for base in _bases(node, self._file.source)]
        return any(name in ("dataclass", "dataclasses.dataclass") for name in names) or "NamedTuple" in bases

    def _has_metaclass(self, node: Node) -> bool:
        listed = node.child_by_field_name("superclasses")
        return listed is not None and b"metaclass" in self._file.source[listed.start_byte : listed.end_byte]

    def gives(self, member: str) -> bool:
        """Say whether the class has a function that needs no arguments."""
        return self._node is not None and self._gives(self._node, self._file, member, 0)

    def _gives(self, node: Node, file: File, member: str, depth: int) -> bool:
        function = _methods(node, file.source).get(member)
        if function is not None:
            return _needs_nothing(function, file.source)
        return depth < _MOST_BASES and any(
            self._gives_of_base(base, file, member, depth + 1) for base in _bases(node, file.source)
        )

    def _gives_of_base(self, base: str, file: File, member: str, depth: int) -> bool:
        found = self._base(base, file)
        if found is None:
            return member in _KIT and self._is_kit_path(self._path(base, file))
        return self._gives(found[0], found[1], member, depth)

    def _is_kit(self, node: Node, file: File, depth: int = 0) -> bool:
        for base in _bases(node, file.source):
            if self._is_kit_path(self._path(base, file)):
                return True
            found = self._base(base, file) if depth < _MOST_BASES else None
            if found is not None and self._is_kit(*found, depth + 1):
                return True
        return False

    def _is_kit_path(self, path: Path) -> bool:
        return path[:1] == ("atlas_levers",) and path[-1] == "Levers"

    def _path(self, base: str, file: File) -> Path:
        head, *rest = base.split(".")
        bindings = file.scopes.names(file.scopes.module).get(head, ())
        return (*bindings[0].path, *rest) if len(bindings) == 1 and bindings[0].kind == "import" else ()

    def _base(self, base: str, file: File) -> tuple[Node, File] | None:
        """Find a base class in this file or in the one that it is imported from."""
        own = _class(file, base)
        if own is not None:
            return own, file
        path = self._path(base, file)
        located = locate(path, file.path, self._tree) if path else None
        if located is None or len(located[1]) != 1:
            return None
        other = look_at(located[0], self._read(located[0]))
        found = _class(other, located[1][0])
        return (found, other) if found is not None else None


def _class(file: File, name: str) -> Node | None:
    """Give the class of that name, when nothing else in the module has it."""
    bindings = file.scopes.names(file.scopes.module).get(name, ())
    if len(bindings) != 1 or bindings[0].kind != "class":
        return None
    node = bindings[0].node
    above = node.parent if node is not None else None
    if above is not None and above.type == "decorated_definition":
        above = above.parent
    return node if above is not None and above.type == "module" else None


def _bases(node: Node, source: bytes) -> list[str]:
    listed = node.child_by_field_name("superclasses")
    children = parts(listed) if listed is not None else []
    return [text(child, source) for child in children if child.type in ("identifier", "attribute")]


def _members(node: Node) -> list[Node]:
    body = node.child_by_field_name("body")
    return parts(body) if body is not None else []


def _methods(node: Node, source: bytes) -> dict[str, Node]:
    """Give the functions of a class by name; a decorated one with its decorators."""
    found = {}
    for member in _members(node):
        definition = (
            member.child_by_field_name("definition") if member.type == "decorated_definition" else member
        )
        name = definition.child_by_field_name("name") if definition is not None else None
        if definition is not None and definition.type == "function_definition" and name is not None:
            found[text(name, source)] = member
    return found


def _needs_nothing(member: Node, source: bytes) -> bool:
    """Say whether a function of a class can be called on the class, without arguments."""
    definition = member.child_by_field_name("definition")
    if member.type != "decorated_definition" or definition is None:
        return False
    decorators = [
        text(child, source).lstrip("@ ") for child in member.named_children if child.type == "decorator"
    ]
    bound = "classmethod" in decorators
    if not (bound or "staticmethod" in decorators) or "property" in decorators:
        return False
    listed = definition.child_by_field_name("parameters")
    needed = [
        child
        for child in (parts(listed) if listed is not None else ())
        if child.type in ("identifier", "typed_parameter")
    ]
    is_async = any(child.type == "async" for child in definition.children)
    return len(needed) == int(bound) and not is_async


def _declared(node: Node, source: bytes) -> dict[str, str]:
    """Give how attributes of a class are declared: `annotated`, with a `default` too, a `value`, `twice`."""
    found: dict[str, str] = {}
    for member in _members(node):
        assignment = parts(member)[0] if member.type == "expression_statement" and parts(member) else None
        left = assignment.child_by_field_name("left") if assignment is not None else None
        if assignment is None or assignment.type != "assignment" or left is None:
            continue
        annotated = assignment.child_by_field_name("type") is not None
        valued = assignment.child_by_field_name("right") is not None
        kind = ("default" if valued else "annotated") if annotated else "value"
        name = text(left, source)
        found[name] = "twice" if name in found else kind
    return found
