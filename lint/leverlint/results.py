"""Which functions' results decodings ask for, in files that have not been asked for them."""

from collections.abc import Iterable, Iterator, Mapping

from leverlint.facts import Decoding, FileFacts, FunctionValue, Helper, Named, Path, Untold
from leverlint.resolution import Resolver, Value


def wanted_results(
    facts: Mapping[str, FileFacts],
    resolver: Resolver,
    decodings: Iterable[tuple[str, Decoding]],
    files: Iterable[FileFacts],
) -> dict[str, tuple[str, ...]]:
    """Give, by file, the names of functions that decodings lead to and whose results are not known.

    The results that are known of functions in `files` are decodings as well.

    Following names on the way makes the resolver note the files that it has no facts of.
    """
    wanted: dict[str, dict[str, None]] = {}
    results = ((file.path, function.result) for file in files for function in file.functions)
    seen: set[tuple[str, Path]] = set()
    for file, decoding in (*decodings, *results):
        for path in _paths(decoding):
            if (file, path) not in seen:
                seen.add((file, path))
                for home, name in _without_result(facts, resolver, file, path):
                    wanted.setdefault(home, {})[name] = None
    return {home: tuple(names) for home, names in sorted(wanted.items())}


def _without_result(
    facts: Mapping[str, FileFacts], resolver: Resolver, file: str, path: Path
) -> Iterator[tuple[str, str]]:
    defined = [target for target in resolver.follow(file, path) if isinstance(target, Value)]
    for target in defined:
        if isinstance(target.expression, FunctionValue):
            function = facts[target.file].functions[target.expression.function]
            if isinstance(function.result, Untold):
                yield target.file, function.path[-1]
        elif isinstance(target.definition.meaning, Untold):
            yield target.file, target.definition.path[-1]
    if not defined:
        yield from resolver.homes(file, path)


def _paths(decoding: Decoding) -> Iterator[Path]:
    """Give the paths of helpers and constants in a decoding."""
    pending: list[object] = [decoding]
    while pending:
        node = pending.pop()
        if isinstance(node, Helper) and not isinstance(node.function, FunctionValue):
            yield node.function
        elif isinstance(node, Named):
            yield node.path
        if isinstance(node, tuple):
            pending.extend(part for part in node if isinstance(part, tuple))
