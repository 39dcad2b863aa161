"""Where a value is kept for longer than one model lives."""

import re
from itertools import islice

from tree_sitter import Node

from leverlint.facts import Kept, Path, Span
from leverlint.languages.rust.file import File
from leverlint.languages.rust.nodes import FUNCTION_KINDS, method_of, name_of, parts_of, path_segments
from leverlint.languages.rust.scopes import Item
from leverlint.languages.rust.source import Chain, Source, span_of, words

_INITIALISING = frozenset(
    {
        "get_or_init",
        "get_or_try_init",
        "get_mut_or_init",
        "call_once",
        "call_once_force",
        "get_or_insert_with",
    }
)
_STORING = frozenset(
    {"set", "store", "swap", "replace", "insert", "push", "fetch_or", "fetch_and", "get_or_insert"}
)
_MOST_CALLS = 200
_CALLABLE = re.compile(r"\bfn\b|\bFn")


class Keeping:
    def __init__(self, file: File) -> None:
        self._file = file
        self._callers: dict[int, Kept | None] = {}

    def of(self, chain: Chain, compile_time: bool) -> Kept | None:
        if compile_time:
            holder = self._constant(chain)
            return Kept("compile-time", *holder) if holder else Kept("compile-time", "", span_of(chain[-1]))
        return self._kept_around(chain) or self._kept_later(chain)

    def _constant(self, chain: Chain) -> tuple[str, Span] | None:
        for node in reversed(chain):
            if node.type in ("const_item", "static_item"):
                return name_of(node, self._file.source)
            if node.type in FUNCTION_KINDS:
                return None
        return None

    def _kept_around(self, chain: Chain) -> Kept | None:
        """Look for what keeps the value among the expressions and items around the read."""
        for depth in range(len(chain) - 1, -1, -1):
            node = chain[depth]
            if (
                node.type == "call_expression"
                and depth + 1 < len(chain)
                and chain[depth + 1].type == "arguments"
            ):
                kept = self._kept_by_method(node, _INITIALISING | _STORING)
                if kept is not None:
                    return kept
            elif node.type == "assignment_expression":
                left = node.child_by_field_name("left")
                kept = self._static_in(left) if left is not None and chain[depth + 1] != left else None
                if kept is not None:
                    return kept
            elif node.type == "static_item":
                return self._kept_by_static(node, chain[depth:])
            elif node.type == "function_item":
                return self._memoised(chain[: depth + 1]) or self._kept_by_caller(chain[: depth + 1])
        return None

    def _kept_by_static(self, static: Node, inside: Chain) -> Kept | None:
        declared = static.child_by_field_name("type")
        if declared is not None and _CALLABLE.search(self._file.source.text_of(declared)):
            return None
        # An initialiser itself runs at compile time: only what it defers can read.
        lazy = any(start <= static.start_byte < end for start, end, _ in self._file.opened.flats)
        if not lazy and not any(node.type == "closure_expression" for node in inside):
            return None
        return self._named(static)

    def _kept_by_caller(self, chain: Chain) -> Kept | None:
        """Look for a static that a function without parameters initialises, itself or through others."""
        function = chain[-1]
        parameters = function.child_by_field_name("parameters")
        if parameters is None or parts_of(parameters):
            return None
        key = function.start_byte
        if key not in self._callers:
            # A function may lead back to itself.
            self._callers[key] = None
            self._callers[key] = self._initialised_by(chain)
        return self._callers[key]

    def _initialised_by(self, chain: Chain) -> Kept | None:
        name, definition = name_of(chain[-1], self._file.source)
        path = self._path(chain, name)
        text = self._file.source.text
        offsets = list(islice(words(text, name, 0, len(text)), _MOST_CALLS + 1))
        for offset in offsets if len(offsets) <= _MOST_CALLS else ():
            use = self._use(self._file.source.chain(offset)) if offset != definition.start else None
            if use is None or self._leads_to(use) != path:
                continue
            kept = self._kept_where_named(use)
            if kept is not None:
                return kept._replace(by_caller=True)
        return None

    def _path(self, chain: Chain, name: str) -> Path:
        """Give the path of the function at the end of a chain."""
        inside_type = any(node.type in ("impl_item", "trait_item") for node in chain[:-1])
        owner = self._file.scopes.self_type(chain) if inside_type else None
        return (*owner, name) if owner else (".", *self._file.scopes.module_path(chain), name)

    def _use(self, chain: Chain) -> Chain | None:
        """Give the chain down to the whole path that ends in the name at the end of a chain."""
        depth = len(chain) - 1
        if chain[depth].type != "identifier":
            return None
        if chain[depth - 1].type == "scoped_identifier":
            if chain[depth - 1].child_by_field_name("name") != chain[depth]:
                return None
            depth -= 1
        return chain[: depth + 1] if depth > 1 else None

    def _leads_to(self, use: Chain) -> Path | None:
        segments = path_segments(use[-1], self._file.source.text)
        return self._file.scopes.absolute(segments, use) if segments is not None else None

    def _kept_where_named(self, use: Chain) -> Kept | None:
        """Say what keeps the result of a function that is handed to an initialiser, or called."""
        above = use[-2]
        if above.type == "arguments":
            kept = self._kept_by_method(use[-3], _INITIALISING)
            return kept or self._kept_by_initialiser(use)
        if above.type != "call_expression" or above.child_by_field_name("function") != use[-1]:
            return None
        if use[-3].type == "expression_statement" and use[-3].children[-1].type == ";":
            return None
        return self._kept_around(use[:-1]) or self._kept_later(use[:-1])

    def _kept_by_initialiser(self, use: Chain) -> Kept | None:
        """Find the static whose initialiser is handed a function: `LazyLock::new(load)`."""
        for node in reversed(use):
            if node.type == "static_item":
                return self._named(node)
            if node.type in FUNCTION_KINDS:
                return None
        return None

    def _named(self, static: Node) -> Kept:
        return Kept(self._flavour(static), *name_of(static, self._file.source))

    def _memoised(self, chain: Chain) -> Kept | None:
        said = self._file.attributes.memoised(chain)
        return (
            Kept("memoised-function", name_of(chain[-1], self._file.source)[0], said)
            if said is not None
            else None
        )

    def _kept_by_method(self, call: Node, names: frozenset[str]) -> Kept | None:
        method = method_of(call, self._file.source)
        if method is None or method[1] not in names:
            return None
        return self._static_in(method[0])

    def _static_in(self, node: Node) -> Kept | None:
        """Find the static that an expression stores into."""
        while True:
            method = method_of(node, self._file.source)
            if method is not None:
                node = method[0]
            elif node.type in (
                "unary_expression",
                "parenthesized_expression",
                "try_expression",
                "reference_expression",
            ):
                node = parts_of(node)[-1]
            elif node.type in ("index_expression", "field_expression"):
                node = parts_of(node)[0]
            else:
                break
        segments = path_segments(node, self._file.source.text)
        if segments is None:
            return None
        chain = self._file.source.chain_to(node)
        if len(segments) == 1:
            found = self._file.scopes.lookup(segments[0], chain)
            if isinstance(found, Item) and found.node.type == "static_item":
                return self._named(found.node)
            if not (isinstance(found, Item) and found.kind == "import"):
                return None
        # A static of another file: nothing else at the end of a path is written to.
        if segments[-1].isupper() or ("_" in segments[-1] and segments[-1].upper() == segments[-1]):
            return Kept("static", segments[-1], span_of(node))
        return None

    def _flavour(self, static: Node) -> str:
        for start, end, name in self._file.opened.flats:
            if start <= static.start_byte < end and name == "thread_local!":
                return "thread-local"
        return "static"

    def _kept_later(self, chain: Chain) -> Kept | None:
        """Look for a static that a variable with the value is stored into."""
        for node in uses_of_variable(chain, self._file.source):
            outer = self._file.source.chain_to(node)
            for depth in range(len(outer) - 1, 0, -1):
                parent = outer[depth - 1]
                if parent.type == "call_expression" and outer[depth].type == "arguments":
                    kept = self._kept_by_method(parent, _INITIALISING | _STORING)
                    if kept is not None:
                        return kept
                elif (
                    parent.type == "assignment_expression"
                    and parent.child_by_field_name("right") == outer[depth]
                ):
                    left = parent.child_by_field_name("left")
                    kept = self._static_in(left) if left is not None else None
                    if kept is not None:
                        return kept
                elif parent.type in ("block", *FUNCTION_KINDS):
                    break
        return None


def uses_of_variable(chain: Chain, source: Source) -> list[Node]:
    """Give the places after a `let` where its variable is used, when the value goes into one."""
    for depth in range(len(chain) - 1, 0, -1):
        if chain[depth].type == "let_declaration":
            pattern, block = chain[depth].child_by_field_name("pattern"), chain[depth - 1]
            if pattern is None or pattern.type != "identifier" or block.type != "block":
                return []
            end = min(block.end_byte, chain[depth].end_byte + 20_000)
            name = source.text_of(pattern)
            found = words(source.text, name, chain[depth].end_byte, end)
            return [source.chain(offset)[-1] for offset in found]
        if chain[depth].type in ("block", *FUNCTION_KINDS):
            return []
    return []
