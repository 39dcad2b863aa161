"""What a method is called on, told apart as far as its name may depend on it: variants, constants."""

from tree_sitter import Node

from leverlint.facts import Path
from leverlint.languages.rust.nodes import path_segments
from leverlint.languages.rust.scopes import Item, Scopes
from leverlint.languages.rust.source import Source
from leverlint.languages.rust.types import Types


class Receivers:
    def __init__(self, source: Source, scopes: Scopes, types: Types) -> None:
        self._source = source
        self._scopes = scopes
        self._types = types

    def method(self, receiver: Node, name: str) -> Path | None:
        """Give the path of a method by the variant or constant that it is called on, or else by the type."""
        path = self._named(receiver)
        if path is not None and path[-1][:1].isupper():
            return (*path, name)
        if receiver.type == "identifier":
            found = self._scopes.lookup(self._source.text_of(receiver), self._source.chain_to(receiver))
            if isinstance(found, Item) and found.kind == "constant":
                return (*self._scopes.path_of(found), name)
        return self._types.method(receiver, name)

    def own(self, receiver: Node, name: str) -> bool:
        """Say whether a method that the standard library has too is one of a variant, or of this file."""
        path = self._named(receiver)
        if path is not None:
            return path[-1][:1].isupper() and not path[-1].isupper()
        method = self._types.method(receiver, name) if receiver.type in ("self", "identifier") else None
        return method is not None and self._types.function_at(method) is not None

    def _named(self, receiver: Node) -> Path | None:
        if receiver.type != "scoped_identifier":
            return None
        segments = path_segments(receiver, self._source.text)
        chain = (*self._source.chain_to(receiver), receiver)
        return self._scopes.absolute(segments, chain) if segments is not None else None
