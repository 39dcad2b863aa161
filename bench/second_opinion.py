"""List every literal that names a lever and that leverlint does not count as read or written.

    python bench/second_opinion.py TREE PREFIX [PREFIX...]

An independent look: it parses every file in full and asks nothing of leverlint but the places
of the names it found. Each line that is left needs a reason that a person can state.
"""

import os
import re
import sys
from collections import Counter
from collections.abc import Iterator

from tree_sitter import Node

from leverlint import config as configuration
from leverlint import engine, languages
from leverlint.discovery import discover
from leverlint.languages import syntax
from leverlint.sources import Sources, Unreadable

_LITERALS = {"string_content", "string_literal", "raw_string_literal", "string"}


def main(root: str, prefixes: list[str]) -> None:
    settings = configuration.load(
        root, isolated=True, overrides={"prefixes": tuple(prefixes), "resolvers": (), "tests": "check"}
    )
    found = discover(settings.root, [], settings)
    index = engine.index(settings, found)
    counted = {(use.path, use.lever) for use in index.uses}
    places = {(use.origin.file, use.origin.span.start) for use in index.uses if use.origin}
    sources = Sources(settings.root)
    name = re.compile(rf"(?:{'|'.join(map(re.escape, prefixes))})[A-Z0-9_]+")
    kinds = Counter(use.kind for use in index.uses)
    silent = 0
    for path in found.files:
        for node, literal in _literals(path, sources, name):
            nearby = range(node.start_byte - 4, node.end_byte)
            if any(file == path and start in nearby for file, start in places):
                continue
            silent += 1
            known = "used" if (path, literal) in counted else "SILENT"
            line, _ = sources.position(path, node.start_byte)
            print(f"{path}:{line}: {known} {literal}: {_surroundings(node)}")
    print(f"{dict(kinds)}, {silent} literals without a use", file=sys.stderr)


def _literals(path: str, sources: Sources, name: re.Pattern[str]) -> Iterator[tuple[Node, str]]:
    try:
        content = sources.content(path)
    except Unreadable:
        return
    if not name.search(content.decode("utf-8", "replace")):
        return
    pending = [syntax.parser(languages.name_for(path) or "").parse(content).root_node]
    while pending:
        node = pending.pop()
        if node.type in _LITERALS:
            text = syntax.text(node, content).strip("rbcu#\"'")
            if name.fullmatch(text):
                yield node, text
                continue
        pending.extend(reversed(node.children))


def _surroundings(node: Node) -> str:
    around = node
    for _ in range(3):
        around = around.parent or around
    return " ".join((around.text or b"").decode("utf-8", "replace").split())[:100]


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]), sys.argv[2:])
