"""What a file declares: imports, globs, module files, and the names that reads depend on."""

import posixpath
from collections.abc import Iterator

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
from leverlint.languages.rust.api import EXTERNAL_CRATES
from leverlint.languages.rust.attributes import attributes_of
from leverlint.languages.rust.file import File
from leverlint.languages.rust.literals import LITERALS, literal_value
from leverlint.languages.rust.scopes import Scope
from leverlint.languages.rust.source import span_of


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

    def named(self, constants: list[Path]) -> Iterator[Definition]:
        """Define every name that calls referred to, and what those refer to in turn."""
        done: set[Path] = set()
        pending = [*constants, *self._file.names.touched]
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
            return
        nodes = self._file.types.value_at(path)
        item = self._file.types.item_at(path)
        value = expressions.any_of(self._file.names.lower(node) for node in nodes)
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
        path = (
            self._file.scopes.type_path(declared, self._file.source.chain_to(item))
            if declared is not None
            else None
        )
        # What the standard library or the prelude owns has no members that matter.
        known = path is not None and len(path) > 1 and path[0] not in EXTERNAL_CRATES
        return Instance(path) if path is not None and known else None

    def classes(self) -> Iterator[Class]:
        """Give the types whose methods come from a trait's defaults."""
        for scope in self.modules():
            for node in scope.chain[-1].named_children:
                trait = node.child_by_field_name("trait") if node.type == "impl_item" else None
                target = node.child_by_field_name("type") if trait is not None else None
                if trait is None or target is None:
                    continue
                base = self._file.scopes.type_path(trait, (*scope.chain, node))
                owner = self._file.scopes.type_path(target, (*scope.chain, node))
                if (
                    base is not None
                    and owner is not None
                    and owner[0] == "."
                    and base[0] in (".", "crate", "super", "self")
                ):
                    yield Class(owner[1:], (base,))
