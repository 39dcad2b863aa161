"""What attributes say: test code, memoised functions."""

from collections.abc import Iterator

from tree_sitter import Node

from leverlint.facts import Span
from leverlint.languages.rust.nodes import tokens_of
from leverlint.languages.rust.source import Chain, Source, span_of

_HOLDERS = frozenset(
    {"source_file", "declaration_list", "block", "field_initializer_list", "match_block", "arguments",
     "field_declaration_list", "array_expression", "enum_variant_list", "parameters"}
)  # fmt: skip
_TEST_ATTRIBUTES = frozenset(
    {"test", "rstest", "test_case", "wasm_bindgen_test", "proptest", "quickcheck", "test_matrix", "fixture"}
)
_MEMOISING = frozenset({"cached", "memoize", "once", "io_cached", "memo", "cached_result"})
_MAY_BE_TEST = (b"test", b"quickcheck", b"fixture")


class Attributes:
    def __init__(self, source: Source) -> None:
        self._source = source
        self._speak_of_tests = any(word in source.text for word in _MAY_BE_TEST)
        self._tests: dict[int, bool] = {}

    def is_test(self, chain: Chain) -> bool:
        """Say whether the end of `chain` is only there in test builds."""
        if not self._speak_of_tests:
            return False
        return any(
            self._marks_test(chain[depth], chain[depth - 1]) for depth in range(len(chain) - 1, 0, -1)
        ) or self._inner(chain[0])

    def file_is_test(self) -> bool:
        return self._speak_of_tests and self._inner(self._source.root)

    def _marks_test(self, node: Node, parent: Node) -> bool:
        if parent.type not in _HOLDERS:
            return False
        key = node.id
        if key not in self._tests:
            self._tests[key] = any(map(self._says_test, attributes_of(node))) or (
                node.type == "mod_item" and self._inner(node.child_by_field_name("body"))
            )
        return self._tests[key]

    def _inner(self, container: Node | None) -> bool:
        """Look for `#![cfg(test)]` at the beginning of a file or module."""
        for child in container.named_children if container is not None else ():
            if child.type == "inner_attribute_item":
                if self._says_test(child):
                    return True
            elif child.type not in ("line_comment", "block_comment"):
                break
        return False

    def _says_test(self, item: Node) -> bool:
        name, arguments = self._parts(item)
        if name == "cfg":
            return arguments is not None and self._requires_test(arguments)
        return name.rpartition("::")[2] in _TEST_ATTRIBUTES

    def _parts(self, item: Node) -> tuple[str, Node | None]:
        attribute = item.named_children[0] if item.named_children else None
        if attribute is None or not attribute.named_children:
            return "", None
        name = self._source.text_of(attribute.named_children[0]).replace(" ", "")
        return name, attribute.child_by_field_name("arguments")

    def _requires_test(self, tokens: Node) -> bool:
        """Say whether the one condition in parentheses holds in test builds only."""
        return any(self._conditions(tokens))

    def _conditions(self, tokens: Node) -> Iterator[bool]:
        children = tokens_of(tokens)
        for position, child in enumerate(children):
            if child.type != "identifier":
                continue
            word = self._source.text_of(child)
            after = children[position + 1] if position + 1 < len(children) else None
            if after is not None and after.type == "token_tree":
                inner = list(self._conditions(after))
                yield (word == "all" and any(inner)) or (word == "any" and bool(inner) and all(inner))
            else:
                yield word == "test" and (after is None or after.type != "=")

    def memoised(self, chain: Chain) -> Span | None:
        for item in attributes_of(chain[-1]):
            if self._parts(item)[0].rpartition("::")[2] in _MEMOISING:
                return span_of(item)
        return None


def attributes_of(node: Node) -> Iterator[Node]:
    """Give the outer attributes of an item, last first."""
    before = node.prev_named_sibling
    while before is not None and before.type in ("attribute_item", "line_comment", "block_comment"):
        if before.type == "attribute_item":
            yield before
        before = before.prev_named_sibling
