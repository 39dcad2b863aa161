"""What names mean at a place: locals, items of blocks and modules, imports and globs."""

from typing import NamedTuple

from tree_sitter import Node

from leverlint.facts import Path
from leverlint.languages.rust.api import ENVIRONMENT, ENVIRONMENT_FUNCTIONS, EXTERNAL_CRATES
from leverlint.languages.rust.generics import arguments_of_type, bound_of, telling
from leverlint.languages.rust.imports import used_names
from leverlint.languages.rust.macros import Opened
from leverlint.languages.rust.nodes import parameter_nodes, parts_of, path_segments
from leverlint.languages.rust.patterns import Route, route_to
from leverlint.languages.rust.source import Chain, Source

_KINDS = {
    "function_item": "function",
    "function_signature_item": "function",
    "const_item": "constant",
    "static_item": "constant",
    "struct_item": "type",
    "enum_item": "type",
    "union_item": "type",
    "trait_item": "type",
    "type_item": "alias",
    "mod_item": "module",
}


class Local(NamedTuple):
    """A name bound inside a function."""

    kind: str
    """`value`: part of `node`; `element`: part of any item of `node`; `parameter`: of the function `node`."""
    node: Node | None
    route: Route = ()
    position: int = -1
    binder: Node | None = None
    """The `let`, `for`, arm or closure that binds it."""


class Item(NamedTuple):
    """A name declared by an item."""

    kind: str
    """`function`, `constant`, `type`, `alias`, `module`, `file` (a `mod x;`), `foreign` or `import`."""
    node: Node
    path: Path
    """Path in the file without the leading `"."`; of an import, where it leads."""
    local: bool
    """Declared inside a function, so that no path leads to it."""


class Scope:
    """The names of one module or block."""

    def __init__(self, path: Path, chain: Chain) -> None:
        self.path = path
        self.chain = chain
        self.items: dict[str, Item] = {}
        self.uses: dict[str, tuple[Path, Node]] = {}
        self.globs: list[tuple[Path, Node]] = []
        self.lets: list[Node] = []


class Scopes:
    def __init__(self, source: Source, opened: Opened) -> None:
        self._source = source
        self._opened = opened
        self._scopes: dict[tuple[int, int], Scope] = {}
        self._resolving: set[tuple[int, str]] = set()
        self._globbing: set[Path] = set()
        """Modules whose globs are being looked through: a glob's own path may need others."""
        self.macros: dict[str, Item] = {}
        """Macros of this file by name with `!`, wherever they stand: they are textual."""
        for start in opened.definitions:
            node = next(
                (n for n in source.chain(start) if n.start_byte == start and n.type == "function_item"), None
            )
            name = node.child_by_field_name("name") if node else None
            if node is not None and name is not None:
                spelled = source.text_of(name) + "!"
                self.macros[spelled] = Item("macro", node, (spelled,), False)

    # --- Scopes --------------------------------------------------------------------------------

    def module(self, path: Path = ()) -> Scope | None:
        """Give an inline module of this file, or the file itself."""
        scope = self.at((self._source.root,))
        for name in path:
            item = scope.items.get(name)
            if item is None or item.kind != "module":
                return None
            body = item.node.child_by_field_name("body")
            if body is None:
                return None
            scope = self.at(self._source.chain_to(body))
        return scope

    def at(self, chain: Chain) -> Scope:
        """Give the scope of the module body or block at the end of `chain`."""
        node = chain[-1]
        key = (node.start_byte, node.end_byte)
        if key not in self._scopes:
            self._scopes[key] = self._read(chain)
        return self._scopes[key]

    def _read(self, chain: Chain) -> Scope:
        node = chain[-1]
        path = self.module_path(chain)
        scope = Scope(path, chain)
        local = node.type == "block"
        for child in node.children:
            kind = child.type
            if kind == "let_declaration":
                scope.lets.append(child)
            elif kind == "use_declaration":
                for name, target in used_names(child, self._source.text):
                    if name == "*":
                        scope.globs.append((target, child))
                    else:
                        scope.uses[name] = (target, child)
            elif kind in _KINDS:
                self._declare(scope, child, _KINDS[kind], local)
            elif kind == "foreign_mod_item":
                body = child.child_by_field_name("body")
                for inner in body.named_children if body else ():
                    self._declare(scope, inner, "foreign", local)
        return scope

    def _declare(self, scope: Scope, node: Node, kind: str, local: bool) -> None:
        name = node.child_by_field_name("name")
        if name is None or node.start_byte in self._opened.definitions:
            return
        if kind == "module" and node.child_by_field_name("body") is None:
            kind = "file"
        spelled = self._source.text_of(name)
        # Variants under different `cfg`s: the first stands for all.
        scope.items.setdefault(spelled, Item(kind, node, (*scope.path, spelled), local))

    def module_path(self, chain: Chain) -> Path:
        names = (n.child_by_field_name("name") for n in chain if n.type == "mod_item")
        return tuple(self._source.text_of(name) for name in names if name is not None)

    # --- Names -----------------------------------------------------------------------------------

    def lookup(self, name: str, chain: Chain) -> Local | Item | None:
        """Find what `name` means where `chain` ends; `None` when this file does not say."""
        locals_count = True
        for depth in range(len(chain) - 2, -1, -1):
            node, inner = chain[depth], chain[depth + 1]
            kind = node.type
            found: Local | Item | None = None
            if kind == "block":
                found = self._in_block(name, chain[: depth + 1], inner, locals_count)
            elif kind in ("source_file", "declaration_list"):
                if kind == "source_file" or chain[depth - 1].type == "mod_item":
                    return self.declared(name, self.at(chain[: depth + 1]))
            elif kind in ("function_item", "const_item", "static_item"):
                # A macro's parameters are textual: they reach into the functions that it makes.
                if kind == "function_item" and (locals_count or node.start_byte in self._opened.definitions):
                    found = self._parameter(node, name, chain[-1].start_byte)
                locals_count = False
            elif locals_count:
                found = self._bound(name, chain, depth)
            if found is not None:
                return found
        return None

    def _in_block(self, name: str, chain: Chain, inner: Node, locals_count: bool) -> Local | Item | None:
        scope = self.at(chain)
        if locals_count:
            for let in reversed(scope.lets):
                pattern = let.child_by_field_name("pattern")
                if let.end_byte <= inner.start_byte and pattern is not None:
                    route = route_to(pattern, name, self._source.text)
                    if route is not None:
                        return Local("value", let.child_by_field_name("value"), route, binder=let)
        return self.declared(name, scope)

    def declared(self, name: str, scope: Scope) -> Item | None:
        """Find an item or import of one scope."""
        item = scope.items.get(name)
        if item is not None:
            return item
        if name in scope.uses:
            key = (id(scope), name)
            if key in self._resolving:
                return None
            self._resolving.add(key)
            try:
                segments, node = scope.uses[name]
                target = self.used(segments, (*scope.chain, node))
                return Item("import", node, target, scope.chain[-1].type == "block")
            finally:
                self._resolving.discard(key)
        if name in ENVIRONMENT_FUNCTIONS:
            for target, node in scope.globs:
                if self.used(target, (*scope.chain, node)) == ENVIRONMENT:
                    return Item("import", node, (*ENVIRONMENT, name), scope.chain[-1].type == "block")
        return None

    def _parameter(self, function: Node, name: str, offset: int) -> Local | None:
        arms = self._opened.definitions.get(function.start_byte)
        if arms is not None:
            for arm in arms:
                if arm.start <= offset < arm.end and name[:1] == "_" and name[1:] in arm.parameters:
                    return Local("parameter", function, (), arm.parameters.index(name[1:]), function)
            return None
        parameters = function.child_by_field_name("parameters")
        return self._among(parameters, function, name) if parameters is not None else None

    def _among(self, parameters: Node, owner: Node, name: str) -> Local | None:
        for index, parameter in enumerate(parameter_nodes(parameters)):
            route = route_to(parameter, name, self._source.text)
            if route is not None:
                return Local("parameter", owner, route, index, owner)
        return None

    def _bound(self, name: str, chain: Chain, depth: int) -> Local | None:
        """Look at what expressions bind: closures, loops, `if let`, arms."""
        node, inner = chain[depth], chain[depth + 1]
        match node.type:
            case "closure_expression":
                parameters = node.child_by_field_name("parameters")
                if parameters is not None and inner != parameters:
                    return self._among(parameters, node, name)
            case "for_expression":
                if inner == node.child_by_field_name("body"):
                    return self._taken(node, "pattern", "value", name, "element")
            case "if_expression" | "while_expression":
                if inner in (node.child_by_field_name("consequence"), node.child_by_field_name("body")):
                    condition = node.child_by_field_name("condition")
                    return self._conditions([condition] if condition else [], name)
            case "let_chain":
                return self._conditions(
                    [c for c in node.named_children if c.end_byte <= inner.start_byte], name
                )
            case "match_arm":
                return self._arm(name, chain, depth)
        return None

    def _conditions(self, conditions: list[Node], name: str) -> Local | None:
        for condition in reversed(conditions):
            found = None
            if condition.type == "let_condition":
                found = self._taken(condition, "pattern", "value", name, "value")
            elif condition.type == "let_chain":
                found = self._conditions(condition.named_children, name)
            if found is not None:
                return found
        return None

    def _arm(self, name: str, chain: Chain, depth: int) -> Local | None:
        arm, pattern = chain[depth], chain[depth].child_by_field_name("pattern")
        if pattern is None or depth < 2:
            return None
        if chain[depth + 1] == pattern:
            condition = pattern.child_by_field_name("condition")
            if condition is None or chain[-1].start_byte < condition.start_byte:
                return None
        route = route_to(pattern, name, self._source.text)
        if route is None:
            return None
        return Local("value", chain[depth - 2].child_by_field_name("value"), route, binder=arm)

    def _taken(self, node: Node, pattern: str, value: str, name: str, kind: str) -> Local | None:
        bound, taken = node.child_by_field_name(pattern), node.child_by_field_name(value)
        if bound is None:
            return None
        route = route_to(bound, name, self._source.text)
        return Local(kind, taken, route, binder=node) if route is not None else None

    # --- Paths -------------------------------------------------------------------------------------

    def used(self, segments: Path, chain: Chain) -> Path:
        """Resolve the path of a `use`: its head is a crate or a module, which no unknown glob brings in."""
        return self.absolute(segments, chain, guess=False)

    def absolute(self, segments: Path, chain: Chain, guess: bool = True) -> Path:
        """Resolve a path as far as this file goes."""
        head, rest = segments[0], segments[1:]
        if head == "::":
            return rest
        if head == "Self":
            owner = self.self_type(chain)
            return self.follow(owner + rest) if owner else segments
        module = self.module_path(chain)
        if head == "self":
            return self.follow((".", *module, *rest))
        if head == "super":
            return self._above(module, rest)
        if head == "crate":
            return segments
        found = self.lookup(head, chain)
        # A function of the name of a crate does not hide it: they live in different namespaces.
        if isinstance(found, Item) and not (rest and found.kind in ("function", "foreign")):
            return self.follow(self.path_of(found) + rest)
        if head in EXTERNAL_CRATES:
            return segments
        bound = bound_of(head, chain, self._source.text) if head[:1].isupper() and found is None else None
        trait = self.type_path(bound, chain) if bound is not None else None
        if trait is not None:
            return trait + rest
        return self._through_globs(segments, module, guess, 0)

    def path_of(self, item: Item) -> Path:
        if item.kind == "import":
            return item.path
        if item.kind == "file":
            return ("self", *item.path)
        if item.kind == "foreign" and item.path[-1] in ("getenv", "secure_getenv", "setenv", "unsetenv"):
            return ("libc", item.path[-1])
        if item.kind == "alias" and not item.local:
            target = item.node.child_by_field_name("type")
            path = self.type_path(target, self._source.chain_to(item.node)) if target else None
            if path is not None and path != (".", *item.path):
                return path
        return (".", *item.path)

    def _above(self, module: Path, rest: Path) -> Path:
        if module:
            if rest[:1] == ("super",):
                return self._above(module[:-1], rest[1:])
            return self.follow((".", *module[:-1], *rest))
        return ("super", *rest)

    def _through_globs(self, segments: Path, module: Path, guess: bool, depth: int) -> Path:
        """Resolve a name that only a glob can have brought in, or else a crate."""
        scope = self.module(module)
        if scope is None or depth > 8 or module in self._globbing:
            return segments
        self._globbing.add(module)
        try:
            return self._among_globs(segments, module, scope, guess, depth)
        finally:
            self._globbing.discard(module)

    def _among_globs(self, segments: Path, module: Path, scope: Scope, guess: bool, depth: int) -> Path:
        outside = False
        for target, node in scope.globs:
            path = self.used(target, (*scope.chain, node))
            inner = self.module(path[1:]) if path[0] == "." else None
            if inner is None:
                outside |= path[0] not in EXTERNAL_CRATES
                continue
            item = self.declared(segments[0], inner)
            if item is not None:
                return self.follow(self.path_of(item) + segments[1:])
            reached = self._through_globs(segments, path[1:], guess, depth + 1)
            if reached != segments:
                return reached
        return (".", *module, *segments) if outside and guess else segments

    def follow(self, path: Path, depth: int = 0) -> Path:
        """Replace what imports of inline modules stand for."""
        if path[0] != "." or depth > 8:
            return path
        scope = self.module()
        for position, name in enumerate(path[1:], 1):
            if scope is None:
                return path
            item = self.declared(name, scope)
            if item is None:
                return path
            if item.kind in ("import", "file", "alias"):
                target = self.path_of(item)
                return (
                    path
                    if target == path[: position + 1]
                    else self.follow(target + path[position + 1 :], depth + 1)
                )
            if item.kind != "module":
                return path
            scope = self.module(path[1 : position + 1])
        return path

    # --- Types ---------------------------------------------------------------------------------------

    def self_type(self, chain: Chain) -> Path | None:
        """Give the type that `Self` means."""
        for depth in range(len(chain) - 1, -1, -1):
            node = chain[depth]
            if node.type == "impl_item":
                target = node.child_by_field_name("type")
                return self.type_path(target, chain[:depth]) if target is not None else None
            if node.type == "trait_item":
                name = node.child_by_field_name("name")
                return (".", *self.module_path(chain), self._source.text_of(name)) if name else None
        return None

    def type_path(self, node: Node, chain: Chain) -> Path | None:
        """Give the path of a struct or enum behind references and smart pointers."""
        match node.type:
            case "type_identifier":
                return self.absolute((self._source.text_of(node),), (*chain, node))
            case "scoped_type_identifier" | "scoped_identifier" | "identifier":
                segments = path_segments(node, self._source.text)
                return self.absolute(segments, (*chain, node)) if segments else None
            case "reference_type" | "pointer_type" | "qualified_type" | "higher_ranked_trait_bound":
                inner = node.child_by_field_name("type")
                return self.type_path(inner, chain) if inner is not None else None
            case "dynamic_type" | "abstract_type" | "bounded_type":
                trait = telling([node], self._source.text)
                return self.type_path(trait, chain) if trait is not None else None
            case "tuple_type" | "bracketed_type":
                inside = parts_of(node)
                return self.type_path(inside[0], chain) if len(inside) == 1 else None
            case "generic_type":
                outer = node.child_by_field_name("type")
                if outer is None:
                    return None
                arguments = arguments_of_type(node)
                if self._source.text_of(outer).rpartition("::")[2] in _POINTERS and arguments:
                    return self.type_path(arguments[0], chain)
                return self.type_path(outer, chain)
        return None


_POINTERS = frozenset({"Box", "Rc", "Arc", "LazyLock", "Lazy", "LazyCell", "OnceLock", "OnceCell", "Cow"})
