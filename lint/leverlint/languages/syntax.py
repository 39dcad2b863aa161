"""Loading tree-sitter grammars, and the few tree questions that every language asks."""

from functools import cache

from tree_sitter import Language, Node, Parser


@cache
def parser(name: str) -> Parser:
    """Give the parser for `python` or `rust`, loading its grammar on first use."""
    if name == "python":
        import tree_sitter_python as grammar
    else:
        import tree_sitter_rust as grammar
    return Parser(Language(grammar.language()))


def occurrences(source: bytes, token: bytes) -> list[int]:
    """Give the offsets of `token` in `source`, in order."""
    found = []
    at = source.find(token)
    while at >= 0:
        found.append(at)
        at = source.find(token, at + len(token))
    return found


def text(node: Node, source: bytes) -> str:
    return source[node.start_byte : node.end_byte].decode("utf-8", "replace")
