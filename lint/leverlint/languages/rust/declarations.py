"""What a file declares: imports, globs, module files, and the names that reads depend on."""

import posixpath
from collections.abc import Iterator, Sequence

from tree_sitter import Node

from leverlint.facts import (
    UNKNOWN,
    Class,
    Definition,
    Expression,
    FunctionValue,
    Glob,
    Instance,
    Path,
    Reference,
    Span,
    Submodule,
)
from leverlint.languages.rust import expressions
from leverlint.languages.rust.api import EXTERNAL_CRATES, RESULT
from leverlint.languages.rust.attributes import attributes_of
from leverlint.languages.rust.file import File
from leverlint.languages.rust.literals import LITERALS, literal_value
from leverlint.languages.rust.scopes import Scope
from leverlint.languages.rust.source import Chain, span_of


class Declarations:
    def __init__(self, path: str, file: File) -> None:
        self._path = path
        self._file = file

    # --- Imports and modules ---------------------------------------------------------------------

    def modules(self) -> list[Scope]:
        """Give the scope of the file and those of its inline modules."""
        found, pending = [], [self._file.scopes.at((self._file.source.root,))]
        while pending:
            scope = pending.pop(0)
            found.append(scope)
            for item in scope.items.values():
                body = item.node.child_by_field_name("body") if item.kind == "module" else None
                if body is not None:
                    pending.append(self._file.scopes.at(self._file.source.chain_to(body)))
        return found

    def imports(self) -> Iterator[Definition]:
        for scope in self.modules():
            for name, (_, node) in scope.uses.items():
                item = self._file.scopes.declared(name, scope)
                if item is not None and item.kind == "import" and item.path != (".", *scope.path, name):
                    yield Definition((*scope.path, name), Reference(item.path), span_of(node), imported=True)

    def globs(self) -> Iterator[Glob]:
        for scope in self.modules():
            for target, node in scope.globs:
                yield Glob(scope.path, self._file.scopes.used(target, (*scope.chain, node)))
            for item in scope.items.values():
                if item.kind == "file" and any(
                    self._attribute(a) == "macro_use" for a in attributes_of(item.node)
                ):
                    yield Glob(scope.path, self._file.scopes.path_of(item))

    def submodules(self) -> Iterator[Submodule]:
        for scope in self.modules():
            for name, item in scope.items.items():
                if item.kind == "file":
                    test = self._file.attributes.is_test((*scope.chain, item.node))
                    yield Submodule(
                        (*scope.path, name), tuple(self._files(scope.path, name, item.node)), test
                    )
        yield from self._included()

    def _included(self) -> Iterator[Submodule]:
        text, at = self._file.source.text, -1
        while (at := text.find(b"include!", at + 1)) >= 0:
            chain = self._file.source.chain(at)
            node = next((n for n in chain if n.type == "macro_invocation"), None)
            literal = (
                next((n for n in node.named_children[-1].children if n.type in LITERALS), None)
                if node
                else None
            )
            if literal is not None:
                file = self._beside(literal_value(literal, text))
                yield Submodule((), (file,), self._file.attributes.is_test(chain))

    def _files(self, module: Path, name: str, node: Node) -> Iterator[str]:
        written = next((path for path in map(self._path_attribute, attributes_of(node)) if path), None)
        if written is not None and not module:
            yield self._beside(written)
            return
        folder = self._folder() + "".join(part + "/" for part in module)
        if written is not None:
            yield posixpath.normpath(folder + written)
            return
        yield f"{folder}{name}.rs"
        yield f"{folder}{name}/mod.rs"
        directory = posixpath.dirname(self._path)
        beside = f"{directory}/" if directory else ""
        if not module and beside != folder:
            # The file may be the root of a crate, which its name does not always show.
            yield f"{beside}{name}.rs"
            yield f"{beside}{name}/mod.rs"

    def _folder(self) -> str:
        directory, _, name = self._path.rpartition("/")
        place = directory + "/" if directory else ""
        if name in ("lib.rs", "main.rs", "mod.rs", "build.rs"):
            return place
        return place + name.removesuffix(".rs") + "/"

    def _beside(self, written: str) -> str:
        return posixpath.normpath(posixpath.join(posixpath.dirname(self._path), written.replace("\\", "/")))

    def _path_attribute(self, item: Node) -> str | None:
        if self._attribute(item) != "path":
            return None
        value = item.named_children[0].child_by_field_name("value")
        return (
            literal_value(value, self._file.source.text)
            if value is not None and value.type in LITERALS
            else None
        )

    def _attribute(self, item: Node) -> str:
        attribute = item.named_children[0] if item.named_children else None
        name = attribute.named_children[0] if attribute is not None and attribute.named_children else None
        return self._file.source.text_of(name) if name is not None else ""

    # --- Names that reads depend on ------------------------------------------------------------------

    def named(self, constants: list[Path], members: Sequence[str]) -> Iterator[Definition]:
        """Define every name that calls referred to or others ask for, and what those refer to in turn."""
        done: set[Path] = set()
        pending = [*constants, *self._file.names.touched]
        for member in members:
            yield from self._asked(tuple(member.split(".")))
        while pending:
            path = pending.pop(0)
            if path in done or path[0] != "." or len(path) < 2:
                continue
            done.add(path)
            before = len(self._file.names.touched)
            yield from self._define(path)
            pending += list(self._file.names.touched)[before:]
        yield from self._functions_found()

    def _functions_found(self) -> Iterator[Definition]:
        for index, (function, node) in enumerate(
            zip(self._file.functions.facts, self._file.functions.nodes, strict=True)
        ):
            name = node.child_by_field_name("name")
            if name is not None and function.path[0] != "<locals>":
                yield Definition(function.path, FunctionValue(index), span_of(name))

    def _define(self, path: Path) -> Iterator[Definition]:
        function = self._file.types.function_at(path)
        if function is not None:
            index = self._file.functions.index(function)
            name = function.child_by_field_name("name")
            yield Definition(
                self._file.functions.facts[index].path, FunctionValue(index), span_of(name or function)
            )
        nodes = self._file.types.value_at(path)
        item = self._file.types.item_at(path)
        value = expressions.any_of(self._file.names.lower(node) for node in nodes)
        if value == UNKNOWN:
            value = self._file.objects.field(path)
        name = item.node.child_by_field_name("name") if item is not None else None
        span = span_of(name) if name is not None else span_of(nodes[0]) if nodes else Span(0, 0)
        if value != UNKNOWN:
            yield Definition(path[1:], value, span)
        elif item is not None and item.kind == "constant":
            instance = self._instance(item.node)
            if instance is not None:
                yield Definition(path[1:], instance, span)

    def _instance(self, item: Node) -> Expression | None:
        declared = item.child_by_field_name("type")
        return _object_of(self._file.types.of_type(declared, item) if declared is not None else None)

    # --- What other files ask ------------------------------------------------------------------------

    def _asked(self, names: Path) -> Iterator[Definition]:
        """Define the first steps of a path of this file, and go on with those of what they lead to."""
        seen: set[Path] = set()
        while names not in seen and len(seen) < _MOST_STEPS:
            seen.add(names)
            for length in range(1, len(names) + 1):
                if names[length : length + 1] == (RESULT,):
                    continue
                made = self._made(names[:length])
                if made is None:
                    self._file.names.touched[(".", *names[:length])] = None
                    continue
                value, span = made
                yield Definition(names[:length], value, span)
                if isinstance(value, Instance) and value.path[0] == ".":
                    names = value.path[1:] + names[length:]
                break

    def _made(self, names: Path) -> tuple[Expression, Span] | None:
        """Give the type of a field, of an alias, or of what a function returns."""
        path, types = (".", *names), self._file.types
        if names[-1] == RESULT:
            returned = _object_of(types.returned(path[:-1])) or self._file.objects.result(path[:-1])
            return (returned, Span(0, 0)) if returned != UNKNOWN or types.function_at(path[:-1]) else None
        item = types.item_at(path)
        if item is not None and item.kind == "alias":
            target = self._file.scopes.path_of(item)
            return (Reference(target), span_of(item.node)) if target != path else None
        owner = types.item_at(path[:-1]) if len(names) > 1 else None
        declared = types.declared_field(owner, names[-1]) if owner is not None else None
        instance = _object_of(types.of_type(declared, owner.node)) if declared is not None and owner else None
        return (instance, span_of(declared)) if instance is not None and declared is not None else None

    def classes(self) -> Iterator[Class]:
        """Give the traits, the types whose methods may be a trait's, and those of other files."""
        for scope in self.modules():
            for node in scope.chain[-1].named_children:
                if node.type == "trait_item":
                    name = node.child_by_field_name("name")
                    bounds = node.child_by_field_name("bounds")
                    if name is not None:
                        bases = self._bases(bounds.named_children if bounds else [], (*scope.chain, node))
                        yield Class((*scope.path, self._file.source.text_of(name)), bases, open=True)
                elif node.type == "impl_item":
                    yield from self._implemented(node, (*scope.chain, node))

    def _implemented(self, node: Node, chain: Chain) -> Iterator[Class]:
        trait, target = node.child_by_field_name("trait"), node.child_by_field_name("type")
        owner = self._file.scopes.type_path(target, chain) if target is not None else None
        body = node.child_by_field_name("body")
        names = (item.child_by_field_name("name") for item in (body.named_children if body else ()))
        members = tuple(self._file.source.text_of(name) for name in names if name is not None)
        bases = self._bases([trait] if trait is not None else [], chain)
        if owner is None or owner[0] in EXTERNAL_CRATES:
            return
        if owner[0] == "." and self._file.types.item_at(owner) is not None:
            if bases:
                yield Class(owner[1:], bases, members=members)
        else:
            own = owner[1:] if owner[0] == "." else owner[-1:]
            yield Class(own, bases, extends=owner, members=members)

    def _bases(self, traits: Sequence[Node], chain: Chain) -> tuple[Path, ...]:
        paths = (self._file.scopes.type_path(trait, chain) for trait in traits)
        return tuple(path for path in paths if path is not None and path[0] not in EXTERNAL_CRATES)


def _object_of(path: Path | None) -> Expression | None:
    # What the standard library or the prelude owns has no members that matter.
    known = path is not None and len(path) > 1 and path[0] not in EXTERNAL_CRATES
    return Instance(path) if path is not None and known else None


_MOST_STEPS = 16
"""How many fields and results of one file a path is followed through."""
