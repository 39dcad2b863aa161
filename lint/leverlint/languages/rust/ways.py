"""How code of one file gets at a field of a struct that another file declares: by which path, if at all.

Whatever cannot be told from the files is no way: what only some builds have, what is not visible,
a crate that the user's does not depend on.
"""

import posixpath
import re
import tomllib
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from tree_sitter import Node

from leverlint.facts import Path
from leverlint.languages.rust.attributes import attributes_of
from leverlint.languages.rust.modules import parents
from leverlint.languages.rust.nodes import parts_of
from leverlint.languages.rust.outcome_kinds import RUST_TYPES
from leverlint.languages.rust.source import parse

if TYPE_CHECKING:
    from leverlint.languages import Tree, Wanted, Way

_ACCESSOR = re.compile(r"([A-Za-z_]\w*)((?:::\w+(?=\()|\.\w+|\(\))*)")
_TYPE = re.compile(r"(?:Option<(\w+)>|(\w+))")
_GIVEN = r"(?:(?:&'static |Arc<|std::sync::Arc<)?(?:Self|%s)>?)"
_COPIED = RUST_TYPES - {"String", "char"}
"""Types whose values can be taken out of a shared struct."""
_DEEPEST = 32
_PLACED = re.compile(rb'#\s*\[\s*path\s*=\s*"([^"\\]+)"')


class Module(NamedTuple):
    """A file of a crate, and the way to it from the crate's root."""

    path: Path
    files: tuple[str, ...]
    """The root of the crate, the files between, and the file itself."""
    visible: tuple[str, ...]
    """How each name of the path is declared: `pub`, `pub(crate)` or nothing."""


def way(wanted: "Wanted", tree: "Tree", read: Callable[[str], bytes]) -> "Way | None":
    """Say how the field is reached; `None` when that cannot be told for certain."""
    from leverlint.languages import Way

    expression = wanted.template.format(group=wanted.group, field=wanted.field)
    accessor = _ACCESSOR.fullmatch(expression)
    if accessor is None:
        return None
    modules = _Modules(tree, read)
    group = _Group(modules.root(wanted.resolver), modules.source(wanted.resolver), wanted.group)
    kind = group.type_of(wanted.field)
    head, rest = accessor[1], accessor[2]
    if head == wanted.group and not group.gives(rest, inside=True, same_crate=True):
        return None
    home, user = modules.find(wanted.resolver), modules.find(wanted.user)
    if home is None or user is None or not kind:
        return None
    same_crate = home.files[0] == user.files[0]
    inside = user.path[: len(home.path)] == home.path if same_crate else False
    item = group.function(head) if head != wanted.group else group.struct
    if item is None or (head == wanted.group and not group.gives(rest, inside, same_crate)):
        return None
    if not (group.shows(item, inside, same_crate) and group.shows_field(wanted.field, inside, same_crate)):
        return None
    prefix = ("crate",) if same_crate else (modules.crate_of(home, user),)
    found = modules.route(home, user, head, same_crate) if all(prefix) else None
    if found is None:
        return None
    return Way(expression, head, "::".join((*prefix, *found)), f"!{expression}", kind)


class _Group:
    """A struct of a resolver with its functions."""

    def __init__(self, root: Node, source: bytes, name: str) -> None:
        self._root = root
        self._source = source
        self._name = name
        self.struct = next(
            (
                item
                for item in self._items("struct_item")
                if self._named(item) == name and _is_always(item, source)
            ),
            None,
        )

    def _items(self, kind: str) -> Iterator[Node]:
        return (child for child in self._root.named_children if child.type == kind)

    def _named(self, node: Node | None) -> str:
        name = node.child_by_field_name("name") if node is not None else None
        return self._text(name) if name is not None else ""

    def _text(self, node: Node) -> str:
        return self._source[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def _field(self, name: str) -> Node | None:
        body = self.struct.child_by_field_name("body") if self.struct is not None else None
        for field in parts_of(body) if body is not None else ():
            if field.type == "field_declaration" and self._named(field) == name:
                return field if _is_always(field, self._source) else None
        return None

    def type_of(self, field: str) -> str:
        """Give the type of a field as `facts.Exact` spells it; empty when values of it cannot be copied."""
        declared = self._field(field)
        if self._root.has_error or declared is None or self.struct is None:
            return ""
        if self.struct.child_by_field_name("type_parameters") is not None or self._is_set(field):
            return ""
        kind = declared.child_by_field_name("type")
        written = _TYPE.fullmatch("".join(self._text(kind).split())) if kind is not None else None
        name = written[1] or written[2] if written is not None else ""
        return "" if name not in _COPIED or written is None else f"option:{name}" if written[1] else name

    def _is_set(self, field: str) -> bool:
        """Say whether code of the file, which alone could, sets the field of a struct that was made."""
        return (
            re.search(rb"\.%s\s*(?:[-+*/|&^%%]|<<|>>)?=(?!=)" % re.escape(field.encode()), self._source)
            is not None
        )

    def function(self, name: str) -> Node | None:
        """Give a function of the module that needs nothing."""
        for item in self._items("function_item"):
            if self._named(item) == name and _is_always(item, self._source) and self._is_plain(item):
                return item
        return None

    def gives(self, rest: str, inside: bool, same_crate: bool) -> bool:
        """Say whether `Group::get()` is there to be called, and gives such a struct."""
        called = re.match(r"::(\w+)\(\)\.", rest)
        for block in self._items("impl_item"):
            kind, body = block.child_by_field_name("type"), block.child_by_field_name("body")
            if kind is None or body is None or self._text(kind) != self._name:
                continue
            if block.child_by_field_name("trait") is not None or not _is_always(block, self._source):
                continue
            for item in parts_of(body):
                if item.type == "function_item" and called is not None and self._named(item) == called[1]:
                    return (
                        self._is_plain(item)
                        and _is_always(item, self._source)
                        and self.shows(item, inside, same_crate)
                    )
        return False

    def _is_plain(self, item: Node) -> bool:
        parameters, result = item.child_by_field_name("parameters"), item.child_by_field_name("return_type")
        if parameters is None or parts_of(parameters) or result is None:
            return False
        if item.child_by_field_name("type_parameters") is not None:
            return False
        if any(
            child.type == "function_modifiers" and self._text(child) != "const" for child in item.children
        ):
            return False
        return re.fullmatch(_GIVEN % re.escape(self._name), self._text(result)) is not None

    def shows(self, item: Node, inside: bool, same_crate: bool) -> bool:
        """Say whether an item may be named from where the user is."""
        return _reaches(_visibility(item, self._source), inside, same_crate)

    def shows_field(self, field: str, inside: bool, same_crate: bool) -> bool:
        declared = self._field(field)
        return declared is not None and self.shows(declared, inside, same_crate)


def _is_always(item: Node, source: bytes) -> bool:
    """Say whether an item is there in every build."""
    return not any(b"cfg" in source[each.start_byte : each.end_byte] for each in attributes_of(item))


def _visibility(item: Node, source: bytes) -> str:
    node = next((child for child in item.children if child.type == "visibility_modifier"), None)
    return "".join(source[node.start_byte : node.end_byte].decode().split()) if node is not None else ""


def _reaches(visibility: str, inside: bool, same_crate: bool) -> bool:
    return visibility == "pub" or inside or (visibility == "pub(crate)" and same_crate)


# perf: an editor asks for the ways to the same few files after every other stroke.
@lru_cache(maxsize=32)
def _parsed(source: bytes) -> Node:
    return parse(source).root_node


class _Modules:
    """The modules of crates, found from the files up."""

    def __init__(self, tree: "Tree", read: Callable[[str], bytes]) -> None:
        self._tree = tree
        self._read = read
        self._roots: dict[str, Node] = {}

    def source(self, path: str) -> bytes:
        return self._read(path)

    def root(self, path: str) -> Node:
        if path not in self._roots:
            self._roots[path] = _parsed(self._read(path))
        return self._roots[path]

    def find(self, file: str) -> Module | None:
        """Find the way to a file from the root of its crate; `None` when there is none, or more than one."""
        names: list[str] = []
        visible: list[str] = []
        files = [file]
        while not _is_root(files[0], self._tree):
            declared = [
                (parent, *found)
                for parent in self._parents(files[0])
                if (found := self._declaration(parent, files[0])) is not None
            ]
            if len(declared) != 1 or len(files) > _DEEPEST:
                return None
            parent, name, visibility = declared[0]
            files.insert(0, parent)
            names.insert(0, name)
            visible.insert(0, visibility)
        return Module(tuple(names), tuple(files), tuple(visible))

    def _parents(self, file: str) -> list[str]:
        known = self._tree.submodules.get(file)
        return list(dict.fromkeys((*([known] if known else []), *parents(file, self._tree))))

    def _declaration(self, parent: str, child: str) -> tuple[str, str] | None:
        """Give name and visibility of `mod name;` in a file, for the module that `child` is."""
        source = self._read(parent)
        for item in self.root(parent).named_children:
            declared = item.child_by_field_name("name") if item.type == "mod_item" else None
            if declared is None or item.child_by_field_name("body") is not None:
                continue
            name = source[declared.start_byte : declared.end_byte].decode("utf-8", "replace")
            attributes = [source[each.start_byte : each.end_byte] for each in attributes_of(item)]
            placed = next((found for each in attributes if (found := _PLACED.match(each))), None)
            if placed is not None:
                written = f"{parent.rpartition('/')[0]}/{placed[1].decode('utf-8', 'replace')}"
                is_it = posixpath.normpath(written.lstrip("/")) == child
            else:
                is_it = self._lies_below(parent, name, child)
            if is_it:
                return (
                    None if any(b"cfg" in each for each in attributes) else (name, _visibility(item, source))
                )
        return None

    def _lies_below(self, parent: str, name: str, child: str) -> bool:
        """Say whether a file is where `mod name;` of another is looked for."""
        above, _, own = parent.rpartition("/")
        at_top = own in ("lib.rs", "main.rs", "mod.rs", "build.rs") or _is_root(parent, self._tree)
        stem = "/".join(filter(None, (above, "" if at_top else own.removesuffix(".rs"), name)))
        return child in (f"{stem}.rs", f"{stem}/mod.rs")

    def route(self, home: Module, user: Module, name: str, same_crate: bool) -> Path | None:
        """Give the shortest path to an item that every module on it lets through."""
        for length in range(len(home.path) + 1):
            if not self._passes(home, length, user, same_crate):
                return None
            here = home.path[:length]
            if length == len(home.path):
                return here
            if self._exports(home, length, name, user, same_crate):
                return here
        return None

    def _passes(self, home: Module, length: int, user: Module, same_crate: bool) -> bool:
        """Say whether the last module of a beginning of the path may be named by the user."""
        if not length:
            return True
        within = user.path[: length - 1] == home.path[: length - 1]
        return _reaches(home.visible[length - 1], same_crate and within, same_crate)

    def _exports(self, home: Module, length: int, name: str, user: Module, same_crate: bool) -> bool:
        """Say whether a module on the way passes an item on: `pub use model_levers::ModelLevers;`."""
        file, below = home.files[length], "::".join(home.path[length:])
        source = self._read(file)
        plain = rf"(?:self::)?{re.escape(below)}::(?:{name}|\{{(?:[\w,]*,)?{name}(?:,[\w,]*)?\}})"
        for item in self.root(file).named_children:
            argument = item.child_by_field_name("argument") if item.type == "use_declaration" else None
            if argument is None or not _is_always(item, source):
                continue
            written = "".join(
                source[argument.start_byte : argument.end_byte].decode("utf-8", "replace").split()
            )
            within = same_crate and user.path[:length] == home.path[:length]
            if re.fullmatch(plain, written) and _reaches(_visibility(item, source), within, same_crate):
                return True
        return False

    def crate_of(self, home: Module, user: Module) -> str:
        """Give the name by which the user's crate knows the other; empty when it does not depend on it."""
        if home.files[0].rpartition("/")[2] != "lib.rs":
            return ""
        packages = [self._package(module.files[0]) for module in (home, user)]
        name = next((name for name, place in self._tree.crates.items() if place == packages[0]), "")
        if packages[0] == packages[1] or not name or packages[1] is None:
            return name if packages[0] == packages[1] else ""
        manifest = "/".join(filter(None, (packages[1], "Cargo.toml")))
        try:
            stated = tomllib.loads(self._read(manifest).decode())
        except (tomllib.TOMLDecodeError, UnicodeDecodeError):
            return ""
        if not stated.get("package", {}).get("edition"):
            # Without one it is that of 2015, in which paths begin elsewhere.
            return ""
        known = stated.get("dependencies", {}).get(name) or stated.get("dependencies", {}).get(
            name.replace("_", "-")
        )
        if isinstance(known, str):
            return name
        renamed = isinstance(known, dict) and ("package" in known or known.get("optional"))
        return name if isinstance(known, dict) and not renamed else ""

    def _package(self, root: str) -> str | None:
        fitting = [place for place in self._tree.crates.values() if not place or root.startswith(place + "/")]
        return max(fitting, key=len, default=None)


def _is_root(file: str, tree: "Tree") -> bool:
    """Say whether a file is the root of a crate: `lib.rs` or `main.rs` in the `src` of a package, or beside
    others in `src/bin`, `tests`, `examples` or `benches`."""
    directory, _, name = file.rpartition("/")
    if name in ("lib.rs", "main.rs"):
        package = directory.removesuffix("src").rstrip("/")
        return directory.endswith("src") and (not tree.crates or package in tree.crates.values())
    for folder in ("src/bin", "tests", "examples", "benches"):
        if directory == folder or directory.endswith("/" + folder):
            package = directory[: -len(folder)].rstrip("/")
            return not tree.crates or package in tree.crates.values()
    return False
