"""Finding what matters in a file by occurrence.

From every place where a token stands that may matter, up the tree to the call that takes it.
Names learnt on the way (aliases, wrappers, constants, variables that hold a lever's name)
become tokens themselves, until there are no new ones.
"""

from collections import deque
from collections.abc import Iterable

from tree_sitter import Node

from leverlint.languages.rust import methods
from leverlint.languages.rust.api import API, ENVIRONMENT, ENVIRONMENT_FUNCTIONS, WALK_LOOKUPS
from leverlint.languages.rust.calls import Calls, is_wrapping
from leverlint.languages.rust.file import File
from leverlint.languages.rust.imports import used_names
from leverlint.languages.rust.instructions import MARKERS
from leverlint.languages.rust.literals import LITERALS
from leverlint.languages.rust.nodes import arguments_of, method_of
from leverlint.languages.rust.patterns import bindings
from leverlint.languages.rust.source import DEEPEST, Chain, Source, words

_PATHS = frozenset({"scoped_identifier", "generic_function", "scoped_type_identifier", "generic_type"})
_PASSING = frozenset(
    {"reference_expression", "parenthesized_expression", "unary_expression", "type_cast_expression",
     "array_expression", "tuple_expression", "try_expression", "unsafe_block", "block", "match_arm",
     "match_block", "match_expression", "else_clause", "if_expression", "binary_expression", "const_block",
     "index_expression", "expression_statement", "await_expression"}
)  # fmt: skip
"""What the text of a name may go through on its way up to where it is used."""
_LOOKING = frozenset(
    {"index_expression", "binary_expression", "match_expression", "field_expression", "arguments"}
)
_MACROS = frozenset({"macro_invocation", "macro_definition"})
_TAKING = frozenset({"use_declaration", "attribute_item", "inner_attribute_item", *LITERALS})
"""What has a say in the places inside of it, macros included."""
_COMMENTS = frozenset({"line_comment", "block_comment"})


class Worklist:
    def __init__(self, file: File, calls: Calls) -> None:
        self._file = file
        self._calls = calls
        self._queue: deque[tuple[str, int, int]] = deque()
        self._learnt: set[tuple[str, int, int]] = set()
        self._visited: set[int] = set()
        self.closed: set[int] = set()
        """Places inside macros that are not open."""

    def run(self, offsets: list[int]) -> None:
        for offset in offsets:
            self.visit(offset)
        while self._queue or self._calls.learnt:
            while self._calls.learnt:
                self._learn_function(self._calls.learnt.pop())
            if self._queue:
                for offset in words(self._file.source.text, *self._queue.popleft()):
                    self.visit(offset)

    def _learn_function(self, index: int) -> None:
        """Look for the calls of a function whose parameter names a variable."""
        node = self._file.functions.nodes[index]
        if node.type == "closure_expression":
            self._climb(self._file.source.chain_to(node))
            return
        name = node.child_by_field_name("name")
        if name is not None:
            spelled = self._file.source.text_of(name)
            end = len(self._file.source.text)
            self._learnt.discard((spelled, 0, end))
            self._visited.difference_update(words(self._file.source.text, spelled, 0, end))
            self.learn(spelled)

    def learn(self, name: str, start: int = 0, end: int = -1) -> None:
        """Look at every place between `start` and `end` where `name` stands."""
        token = (name, start, len(self._file.source.text) if end < 0 else end)
        if name != "_" and token not in self._learnt:
            self._learnt.add(token)
            self._queue.append(token)

    # --- Occurrences -------------------------------------------------------------------------------

    def visit(self, offset: int) -> None:
        if offset in self._visited:
            return
        self._visited.add(offset)
        chain = self._file.source.chain(offset)
        if _is_beside_code(chain):
            return
        for depth, node in enumerate(chain):
            kind = node.type
            if kind == "use_declaration":
                self._imported(chain[: depth + 1])
                return
            if kind in _MACROS:
                if not _is_only_shown(chain, depth, self._file.source):
                    self.closed.add(offset)
                return
            if kind == "attribute_item" or kind == "inner_attribute_item":
                return
            if kind in LITERALS:
                self._from_literal(chain[: depth + 1])
                return
        if chain[-1].type in (
            "identifier",
            "field_identifier",
            "type_identifier",
            "shorthand_field_identifier",
        ):
            self._from_name(chain)

    def _imported(self, chain: Chain) -> None:
        """Learn the names under which a `use` makes the environment known."""
        for name, target in used_names(chain[-1], self._file.source.text):
            path = self._file.scopes.used(target, chain)
            if name == "*":
                for function in ENVIRONMENT_FUNCTIONS if path == ENVIRONMENT else ():
                    self.learn(function)
            elif path in API or path == ENVIRONMENT or self._calls.is_wrapper_name(path[-1]):
                self.learn(name)

    def _from_literal(self, chain: Chain) -> None:
        text = self._file.source.text[chain[-1].start_byte : chain[-1].end_byte]
        if any(marker in text for marker in MARKERS):
            call = next((node for node in reversed(chain) if node.type == "call_expression"), None)
            if call is not None and call.start_byte in self._file.opened.calls:
                self._calls.instruct(call)
            return
        self._climb(chain)

    def _from_name(self, chain: Chain) -> None:
        depth = len(chain) - 1
        if chain[depth].type == "field_identifier":
            depth -= 1
            if chain[depth].type not in ("field_expression",):
                return
        while depth and chain[depth - 1].type in _PATHS:
            depth -= 1
        node, parent = chain[depth], chain[depth - 1]
        if node.type == "field_expression" and parent.type == "generic_function":
            depth -= 1
            node, parent = chain[depth], chain[depth - 1]
        if parent.type == "call_expression" and parent.child_by_field_name("function") == node:
            self._calls.consider(parent)
            if node.type != "field_expression" and self._calls.is_walk(parent):
                self._climb(self._file.source.chain_to(parent))
        elif parent.child_by_field_name("name") != node:
            self._climb(chain[: depth + 1])

    # --- Upwards -------------------------------------------------------------------------------------

    def _climb(self, chain: Chain) -> None:
        """Follow a name, a sequence of names or a function from the end of `chain` to its use."""
        depth = len(chain) - 1
        while depth > 0:
            node, parent = chain[depth], chain[depth - 1]
            kind = parent.type
            if kind in _LOOKING:
                self._calls.look_up(node, parent)
            if kind == "arguments":
                if self._given(node, chain[: depth - 1]):
                    return
                depth -= 2
                continue
            if kind == "field_expression":
                onward = self._method_on(chain, depth)
                if onward < 0:
                    return
                depth = onward
                continue
            if kind not in _PASSING:
                self._held(node, parent, chain[:depth])
                return
            if kind == "match_expression" and node == parent.child_by_field_name("value"):
                self._learn_arms(parent)
                return
            depth -= 1

    def _given(self, node: Node, chain: Chain) -> bool:
        """Look at the call at the end of `chain` that takes `node`; `False`: go on upwards."""
        call = chain[-1]
        macro = self._file.opened.macro(call)
        if macro is not None and macro.rpartition("::")[2][:-1] in methods.VALUE_MACROS:
            return False
        method = method_of(call, self._file.source)
        if method is not None and method[1] in methods.APPLYING and self._calls.apply(node, method[0]):
            return True
        if self._calls.consider(call):
            return True
        if method is not None:
            return method[1] not in methods.FALLING_BACK and method[1] not in ("zip", "push", "insert")
        return not is_wrapping(call, self._file.source)

    def _method_on(self, chain: Chain, depth: int) -> int:
        """Look at what a method does with the items of the value at `depth`; give where to go on."""
        outer = depth - 2
        if chain[outer].type == "generic_function":
            outer -= 1
        method = method_of(chain[outer], self._file.source)
        if method is None:
            return depth - 1
        receiver, name = method
        if name in WALK_LOOKUPS:
            self._calls.consider(chain[outer])
        for argument in arguments_of(chain[outer]) if name in methods.APPLYING or name == "fold" else ():
            if argument.type == "closure_expression":
                self._learn_parameters(argument)
            else:
                self._calls.apply(argument, receiver)
        return outer if name in methods.CARRYING else -1

    def _held(self, node: Node, parent: Node, chain: Chain) -> None:
        """Learn the names that hold what `node` is."""
        match parent.type:
            case "let_declaration" | "let_condition" | "for_expression":
                pattern = parent.child_by_field_name("pattern")
                if pattern is None or node != parent.child_by_field_name("value"):
                    return
                holder = self._surroundings(parent, chain)
                for name, _ in bindings(pattern, self._file.source.text):
                    self.learn(name, parent.start_byte, holder.end_byte)
            case "const_item" | "static_item":
                name_node = parent.child_by_field_name("name")
                if name_node is not None:
                    self.learn(self._file.source.text_of(name_node))
            case "assignment_expression":
                left = parent.child_by_field_name("left")
                if left is not None and left.type == "identifier":
                    holder = self._surroundings(parent, chain)
                    self.learn(self._file.source.text_of(left), holder.start_byte, holder.end_byte)
            case "field_initializer" | "shorthand_field_initializer":
                field = parent.child_by_field_name("field") or parent
                self.learn(self._file.source.text_of(field))
            case "closure_expression":
                self._climb(chain)

    def _surroundings(self, node: Node, chain: Chain) -> Node:
        for outer in reversed(chain):
            if outer != node and outer.type in ("block", "source_file", "if_expression", "while_expression"):
                return outer
        return node

    def _learn_arms(self, match: Node) -> None:
        body = match.child_by_field_name("body")
        for arm in body.named_children if body is not None else ():
            pattern = arm.child_by_field_name("pattern")
            for name, _ in bindings(pattern, self._file.source.text) if pattern is not None else ():
                self.learn(name, arm.start_byte, arm.end_byte)

    def _learn_parameters(self, closure: Node) -> None:
        parameters = closure.child_by_field_name("parameters")
        for pattern in parameters.named_children if parameters is not None else ():
            for name, _ in bindings(pattern, self._file.source.text):
                self.learn(name, parameters.end_byte if parameters else 0, closure.end_byte)


def inside_macros(source: Source, offsets: Iterable[int]) -> set[int]:
    """Give the places that a worklist would find to be inside macros, without following anything."""
    return {offset for offset in offsets if _is_inside_macro(source.chain(offset), source)}


def _is_inside_macro(chain: Chain, source: Source) -> bool:
    if _is_beside_code(chain):
        return False
    for depth, node in enumerate(chain):
        if node.type in _MACROS:
            return not _is_only_shown(chain, depth, source)
        if node.type in _TAKING:
            return False
    return False


def _is_beside_code(chain: Chain) -> bool:
    return (
        len(chain) >= DEEPEST
        or chain[-1].type in _COMMENTS
        or (len(chain) > 1 and chain[-2].type in _COMMENTS)
    )


def _is_only_shown(chain: Chain, depth: int, source: Source) -> bool:
    """Say whether a place is text directly in a macro that prints or checks."""
    macro = chain[depth].child_by_field_name("macro")
    if macro is None or len(chain) <= depth + 2 or chain[depth + 2].type not in LITERALS:
        return False
    text = source.text[chain[depth + 2].start_byte : chain[depth + 2].end_byte]
    name = source.text_of(macro).rpartition("::")[2]
    return name in methods.SILENT_MACROS and not any(marker in text for marker in MARKERS)
