"""The functions, closures and macros of one file, numbered as facts refer to them."""

from tree_sitter import Node

from leverlint.facts import Function, Path
from leverlint.languages.rust.attributes import Attributes
from leverlint.languages.rust.macros import Opened
from leverlint.languages.rust.nodes import parameter_nodes
from leverlint.languages.rust.patterns import bindings
from leverlint.languages.rust.scopes import Scopes
from leverlint.languages.rust.source import Chain, Source, span_of

FUNCTIONS = frozenset({"function_item", "closure_expression", "function_signature_item"})


class Functions:
    """Gives every function that comes up a number, and its facts."""

    def __init__(self, source: Source, scopes: Scopes, attributes: Attributes, opened: Opened) -> None:
        self._source = source
        self._scopes = scopes
        self._attributes = attributes
        self._opened = opened
        self._indices: dict[tuple[int, str], int] = {}
        self.facts: list[Function] = []
        self.nodes: list[Node] = []
        self._methods: dict[tuple[str, str], Node] | None = None

    def index(self, node: Node) -> int:
        key = (node.start_byte, node.type)
        if key not in self._indices:
            chain = self._source.chain_to(node)
            parent = self.enclosing(chain[:-1])
            self._indices[key] = len(self.facts)
            self.facts.append(self._describe(node, chain, parent))
            self.nodes.append(node)
        return self._indices[key]

    def enclosing(self, chain: Chain) -> int:
        """Give the innermost function around the end of `chain`, `-1` at module level."""
        for node in reversed(chain):
            if node.type in FUNCTIONS:
                return self.index(node)
        return -1

    def _describe(self, node: Node, chain: Chain, parent: int) -> Function:
        arms = self._opened.definitions.get(node.start_byte) if node.type == "function_item" else None
        test = self._attributes.is_test(chain)
        if arms is not None:
            widest = max((arm.parameters for arm in arms), key=len, default=())
            name = node.child_by_field_name("name")
            spelled = (self._source.text_of(name) if name else "") + "!"
            repeated = any(arm.repeated for arm in arms if arm.parameters == widest)
            return Function(
                (spelled,), "macro", span_of(node), widest, parent=parent, test=test, repeated=repeated
            )
        parameters = node.child_by_field_name("parameters")
        names = tuple(self._name(p) for p in parameter_nodes(parameters)) if parameters is not None else ()
        if node.type == "closure_expression":
            return Function(("",), "closure", span_of(node), names, parent=parent, test=test)
        path, kind = self.path(node, chain)
        memoised = self._attributes.memoised(chain)
        return Function(
            path,
            kind,
            span_of(node),
            names,
            parent=parent,
            test=test,
            memoised=memoised,
            private=not self._is_visible(node, chain),
            receiver=kind == "method" and _has_receiver(parameters),
        )

    def _is_visible(self, node: Node, chain: Chain) -> bool:
        """Say whether other modules than its own and those inside may use a function."""
        if any(child.type == "visibility_modifier" for child in node.children):
            return True
        # Methods of traits are as visible as the trait.
        outer = next(
            (outer for outer in reversed(chain[:-1]) if outer.type in ("impl_item", "trait_item")), None
        )
        return outer is not None and (
            outer.type == "trait_item" or outer.child_by_field_name("trait") is not None
        )

    def path(self, node: Node, chain: Chain) -> tuple[Path, str]:
        """Give a function's path in the file, and whether it is a `method`."""
        name = node.child_by_field_name("name")
        spelled = self._source.text_of(name) if name is not None else ""
        owner = self._owner(chain)
        if owner is not None:
            return (*owner, spelled), "method"
        if any(outer.type in FUNCTIONS for outer in chain[:-1]):
            return ("<locals>", spelled), "function"
        return (*self._scopes.module_path(chain), spelled), "function"

    def _owner(self, chain: Chain) -> Path | None:
        for outer in reversed(chain[:-1]):
            if outer.type in ("impl_item", "trait_item"):
                path = self._scopes.self_type(chain)
                if path is None:
                    return None
                return path[1:] if path[0] == "." else path[-1:]
            if outer.type in FUNCTIONS:
                return None
        return None

    def _name(self, parameter: Node) -> str:
        return next((name for name, _ in bindings(parameter, self._source.text)), "_")

    # --- Methods ---------------------------------------------------------------------------------

    def method(self, owner: Path, name: str) -> Node | None:
        """Find an associated function or constant of a type in this file."""
        if self._methods is None:
            self._methods = {}
            self._collect(self._source.root)
        return self._methods.get((owner[-1], name))

    def _collect(self, container: Node) -> None:
        assert self._methods is not None
        for child in container.named_children:
            body = child.child_by_field_name("body") if child.type in _HOLDERS else None
            if body is None:
                continue
            if child.type == "mod_item":
                self._collect(body)
                continue
            target = child.child_by_field_name("type" if child.type == "impl_item" else "name")
            if target is None:
                continue
            owner = self._source.text_of(target).partition("<")[0].rpartition("::")[2].strip()
            for member in body.named_children:
                name = member.child_by_field_name("name")
                if name is not None:
                    self._methods.setdefault((owner, self._source.text_of(name)), member)


def _has_receiver(parameters: Node | None) -> bool:
    return parameters is not None and any(child.type == "self_parameter" for child in parameters.children)


_HOLDERS = frozenset({"mod_item", "impl_item", "trait_item"})
