"""How code of one file gets at a field of a group that another file declares: by which import, if at all.

Whatever cannot be told from the files is no way: a class that may change the field, an import
that may close a circle, a module whose name depends on who runs it.
"""

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from tree_sitter import Node

from leverlint.facts import Path
from leverlint.languages.python.bindings import parts
from leverlint.languages.python.imports import module_of
from leverlint.languages.python.modules import locate
from leverlint.languages.python.scopes import Scopes
from leverlint.languages.syntax import parser, text

if TYPE_CHECKING:
    from leverlint.languages import Tree, Wanted, Way

_ACCESSOR = re.compile(r"([A-Za-z_]\w*)((?:\.\w+|\(\))*)")
_KIT = frozenset({"get", "from_env", "from_values", "defaults"})
"""What every group of the declaration kit has."""
_MEDDLING = frozenset(
    {"__post_init__", "__getattr__", "__getattribute__", "__setattr__", "__new__", "__init_subclass__"}
)
"""Methods that may make a field another than what it is set to."""
_DEFINITIONS = frozenset({"function_definition", "class_definition", "decorated_definition"})
_MOST_FILES = 400
_MOST_BASES = 8


class File(NamedTuple):
    path: str
    source: bytes
    root: Node
    scopes: Scopes


class Import(NamedTuple):
    """A name that is imported, or a module for a plain `import`."""

    module: str
    """The module as written: `.levers`, `engine.levers`."""
    name: str
    """What is imported from it; empty for `import engine.levers`."""
    path: Path
    statement: Node

    @property
    def at_top(self) -> bool:
        """It is run before anything that is defined in the file."""
        above, before = self.statement.parent, self.statement.prev_named_sibling
        while before is not None and before.type not in _DEFINITIONS:
            before = before.prev_named_sibling
        return above is not None and above.type == "module" and before is None


def look_at(path: str, source: bytes) -> File:
    root = parser("python").parse(source).root_node
    return File(path, source, root, Scopes(source, root, path))


def imports(file: File, *, of_functions: bool = False) -> Iterator[Import]:
    """Give what a file imports when it is imported itself, and what its functions do if asked for."""
    pending = [file.root]
    while pending:
        node = pending.pop()
        if node.type == "import_statement":
            for child in node.children_by_field_name("name"):
                dotted = child.child_by_field_name("name") or child
                module = "".join(text(dotted, file.source).split())
                yield Import(module, "", tuple(module.split(".")), node)
        elif node.type == "import_from_statement":
            yield from _imported_from(node, file)
        elif node.type not in ("function_definition", "lambda") or of_functions:
            pending.extend(reversed(node.named_children))


def _imported_from(node: Node, file: File) -> Iterator[Import]:
    written = node.child_by_field_name("module_name")
    module = "".join(text(written, file.source).split()) if written is not None else ""
    path = module_of(node, file.scopes)
    if any(child.type == "wildcard_import" for child in node.named_children):
        yield Import(module, "*", path, node)
    for child in node.children_by_field_name("name"):
        dotted = child.child_by_field_name("name") or child
        name = text(dotted, file.source)
        yield Import(module, name, (*path, name), node)


def way(wanted: "Wanted", tree: "Tree", read: Callable[[str], bytes]) -> "Way | None":
    """Say how the field is reached; `None` when that cannot be told for certain."""
    from leverlint.languages import Way

    expression = wanted.template.format(group=wanted.group, field=wanted.field)
    accessor = _ACCESSOR.fullmatch(expression)
    if accessor is None or wanted.resolver.endswith(".pyi") or wanted.user.endswith(".pyi"):
        return None
    resolver = look_at(wanted.resolver, read(wanted.resolver))
    user = look_at(wanted.user, read(wanted.user))
    if resolver.root.has_error or user.root.has_error:
        return None
    group = _Group(resolver, wanted.group, tree, read)
    if not group.holds(wanted.field):
        return None
    head, rest = accessor[1], accessor[2]
    if head == wanted.group:
        member = re.match(r"\.(\w+)(\(\))?", rest)
        if not wanted.configured and not (member and group.gives(member[1])):
            return None
    elif len(resolver.scopes.names(resolver.scopes.module).get(head, ())) != 1:
        return None
    module = _Ways(user, resolver.path, tree, read).module()
    opposite = f"not {expression}"
    return Way(expression, head, module, opposite, mutable=not group.is_frozen()) if module else None


class _Group:
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
        return (declared == "value" and not own) or (not declared and len(own) == 1)

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


class _Ways:
    """The imports of one file, and what they say about how another is called."""

    def __init__(self, user: File, resolver: str, tree: "Tree", read: Callable[[str], bytes]) -> None:
        self._user = user
        self._resolver = resolver
        self._tree = tree
        self._read = read
        self._imports = list(imports(user))

    def module(self) -> str:
        """Give the module that the resolver is imported as; empty when that is not certain."""
        led = [each for each in self._imports if self._leads_to_resolver(each)]
        if at_top := [each for each in led if each.at_top]:
            return self._spelt(at_top[0])
        # Whoever imports it late, or for annotations only, has a reason.
        everywhere = imports(self._user, of_functions=True)
        if any(map(self._leads_to_resolver, everywhere)) or any(each.name == "*" for each in self._imports):
            return ""
        module = self._beside() or self._computed()
        return module if module and not self._closes_a_circle() else ""

    def _leads_to_resolver(self, one: Import) -> bool:
        located = locate(one.path, self._user.path, self._tree)
        return located is not None and located[0] == self._resolver

    def _spelt(self, one: Import) -> str:
        located = locate(one.path, self._user.path, self._tree)
        if one.name and located is not None and not located[1] and one.name != "*":
            # `from engine import levers`: the module is what is imported.
            return one.module + one.name if one.module.endswith(".") else f"{one.module}.{one.name}"
        return one.module

    def _beside(self) -> str:
        """Call it as a module is called that lies beside it."""
        directory, _, name = self._resolver.rpartition("/")
        stem = name.removesuffix(".py")
        for one in self._imports:
            located = locate(one.path, self._user.path, self._tree) if one.at_top else None
            if located is None or located[0].rpartition("/")[0] != directory or stem == "__init__":
                continue
            if located[0].endswith("/__init__.py") or not located[0].endswith(".py"):
                continue
            spelt = self._spelt(one)
            before = spelt[: len(spelt) - len(spelt.rpartition(".")[2])]
            return before + stem
        return ""

    def _computed(self) -> str:
        """Call it by its place below the directory that its package lies in."""
        directory, _, name = self._resolver.rpartition("/")
        names = [name.removesuffix(".py")] if name != "__init__.py" else []
        root, package = self._top(directory)
        own_directory = self._user.path.rpartition("/")[0]
        own_root, own_package = self._top(own_directory)
        if not package:
            alone = not own_package and own_directory == directory and directory in ("", "src")
            return names[0] if alone and names else ""
        absolute = ".".join((*package, *names))
        if (own_root, own_package[:1]) == (root, package[:1]):
            return self._relative(own_package, package, names) if self._is_relative() else absolute
        heads = {one.path[0] for one in self._imports if one.at_top}
        return absolute if package[0] in heads or (not own_package and own_directory == root) else ""

    def _is_relative(self) -> bool:
        modules = [one.module for one in self._imports if one.at_top]
        _, package = self._top(self._user.path.rpartition("/")[0])
        absolute = any(module.partition(".")[0] == package[0] for module in modules)
        return not absolute and any(module.startswith(".") for module in modules)

    def _relative(self, own: Path, package: Path, names: list[str]) -> str:
        shared = 0
        while shared < min(len(own), len(package)) and own[shared] == package[shared]:
            shared += 1
        return "." * (len(own) - shared + 1) + ".".join((*package[shared:], *names))

    def _top(self, directory: str) -> tuple[str, Path]:
        """Split a directory into where packages are looked for, and the package that it is."""
        package: list[str] = []
        while directory and f"{directory}/__init__.py" in self._tree.files:
            directory, _, name = directory.rpartition("/")
            package.insert(0, name)
        return directory, tuple(package)

    def _closes_a_circle(self) -> bool:
        """Say whether importing the resolver may import the file that is about to do so."""
        above = {self._user.path, *self._packages(self._user.path)}
        pending = [self._resolver, *(each for each in self._packages(self._resolver) if each not in above)]
        seen = set(pending)
        while pending:
            file = look_at((path := pending.pop()), self._read(path))
            for one in imports(file):
                located = locate(one.path, path, self._tree)
                if located is None:
                    continue
                if located[0] == self._user.path or (
                    located[0] in above and located[1] and path not in above
                ):
                    return True
                for each in (located[0], *self._packages(located[0])):
                    if each not in seen and each not in above:
                        seen.add(each)
                        pending.append(each)
            if len(seen) > _MOST_FILES:
                return True
        return False

    def _packages(self, path: str) -> list[str]:
        """Give the files that are run before a module is: its packages'."""
        directory = path.rpartition("/")[0]
        found = []
        while directory:
            package = f"{directory}/__init__.py"
            if package in self._tree.files and package != path:
                found.append(package)
            directory = directory.rpartition("/")[0]
        return found
