"""How code of one file gets at a field of a group that another file declares: by which import, if at all.

Whatever cannot be told from the files is no way: a class that may change the field, an import
that may close a circle, a module whose name depends on who runs it.
"""

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from tree_sitter import Node

from leverlint.facts import Path
from leverlint.languages.python.groups import File, Group, look_at
from leverlint.languages.python.imports import module_of
from leverlint.languages.python.modules import locate
from leverlint.languages.syntax import text

if TYPE_CHECKING:
    from leverlint.languages import Tree, Wanted, Way

_ACCESSOR = re.compile(r"([A-Za-z_]\w*)((?:\.\w+|\(\))*)")
_DEFINITIONS = frozenset({"function_definition", "class_definition", "decorated_definition"})
_MOST_FILES = 400


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
    group = Group(resolver, wanted.group, tree, read)
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
