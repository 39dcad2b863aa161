"""Loading tree-sitter grammars, and the few tree questions that every language asks."""

import os
from functools import cache
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader, ModuleSpec, PathFinder
from types import ModuleType
from typing import Protocol

from tree_sitter import Language, Node, Parser


@cache
def parser(name: str) -> Parser:
    """Give the parser for `python` or `rust`, loading its grammar on first use."""
    grammar = _binding(f"tree_sitter_{name}") or __import__(f"tree_sitter_{name}")
    return Parser(Language(grammar.language()))


def _binding(package: str) -> ModuleType | None:
    """Load a grammar's extension module without its package, or nothing if it is built differently.

    The package itself imports `importlib.resources` for query files that are not needed here:
    14 ms, more than the start of Python.
    """
    spec = PathFinder.find_spec(package)
    for directory in (spec.submodule_search_locations if spec else None) or ():
        for entry in os.listdir(directory):
            if entry.startswith("_binding.") and entry.endswith(tuple(EXTENSION_SUFFIXES)):
                path = os.path.join(directory, entry)
                loader = ExtensionFileLoader(f"{package}._binding", path)
                module = loader.create_module(ModuleSpec(loader.name, loader, origin=path))
                loader.exec_module(module)
                return module
    return None


def occurrences(source: bytes, token: bytes, start: int = 0, end: int | None = None) -> list[int]:
    """Give the offsets of `token` in a range of `source`, in order."""
    found = []
    stop = len(source) if end is None else end
    at = source.find(token, start, stop)
    while at >= 0:
        found.append(at)
        at = source.find(token, at + len(token), stop)
    return found


def nodes_around(root: Node, offset: int, deepest: int) -> list[Node]:
    """Give the nodes around a byte, from the root down to the token; no more than `deepest`."""
    cursor = root.walk()
    nodes = [root]
    while len(nodes) < deepest and cursor.goto_first_child_for_byte(offset) is not None:
        node = cursor.node
        if node is None or node.start_byte > offset:
            break
        nodes.append(node)
    return nodes


class Placed(Protocol):
    """A node, or something else that stands somewhere."""

    @property
    def start_byte(self) -> int: ...

    @property
    def end_byte(self) -> int: ...


def text(node: Placed, source: bytes) -> str:
    return source[node.start_byte : node.end_byte].decode("utf-8", "replace")
