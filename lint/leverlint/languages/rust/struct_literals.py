"""What fields are set to in struct literals and constructors of one file."""

import re

from tree_sitter import Node

from leverlint.facts import Path
from leverlint.languages.rust.nodes import arguments_of, parts_of
from leverlint.languages.rust.scopes import Scopes
from leverlint.languages.rust.source import Source
from leverlint.languages.syntax import occurrences

_MOST_LITERALS = 400


class StructLiterals:
    def __init__(self, source: Source, scopes: Scopes) -> None:
        self._source = source
        self._scopes = scopes
        self._openings: dict[tuple[str, bool], list[int]] = {}

    def values(self, owner: Path, field: str, inside: Node | None) -> list[Node]:
        """Find what a field is set to in struct literals and constructors of this file."""
        offsets = self._offsets_of_literals(owner[-1], field.isdigit())
        if inside is not None:
            offsets = [at for at in offsets if inside.start_byte <= at < inside.end_byte]
        found: list[Node] = []
        for offset in offsets:
            node = self._made_at(offset, owner)
            value = self.part(node, field) if node is not None else None
            if value is not None:
                found.append(value)
            if len(found) > _MOST_LITERALS:
                break
        return found

    def _offsets_of_literals(self, name: str, tuples: bool) -> list[int]:
        offsets = self._openings.get((name, tuples))
        if offsets is None:
            text, word = self._source.text, name.encode()
            opening = rb"\s*\(" if tuples else rb"\s*\{"
            pattern = re.compile(rb"\b(?:Self|" + re.escape(word) + rb")" + opening)
            # The pattern alone would be tried at every byte, which is slow.
            places = sorted({*occurrences(text, b"Self"), *occurrences(text, word)})
            offsets = self._openings[name, tuples] = [at for at in places if pattern.match(text, at)]
        return offsets

    def _made_at(self, offset: int, owner: Path) -> Node | None:
        for node in reversed(self._source.chain(offset)):
            if node.type in ("struct_expression", "call_expression"):
                name = node.child_by_field_name("name") or node.child_by_field_name("function")
                if name is None or self._scopes.type_path(name, self._source.chain_to(node)) != owner:
                    return None
                return node
        return None

    def part(self, node: Node, field: str) -> Node | None:
        """Give what a field of a struct literal is set to."""
        if node.type == "call_expression":
            given = arguments_of(node)
            return given[int(field)] if field.isdigit() and int(field) < len(given) else None
        body = node.child_by_field_name("body")
        for child in body.named_children if body is not None else ():
            if child.type == "field_initializer":
                name = child.child_by_field_name("field")
                if name is not None and self._source.text_of(name) == field:
                    return child.child_by_field_name("value")
            elif child.type == "shorthand_field_initializer" and self._source.text_of(child) == field:
                return parts_of(child)[-1]
        return None
