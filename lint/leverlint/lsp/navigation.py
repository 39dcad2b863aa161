"""Where levers are: the resolver's field, all places that name one, and lists of both."""

import re
from collections.abc import Iterable, Iterator

from lsprotocol import types

from leverlint.decoding import name
from leverlint.facts import Span
from leverlint.index import Use
from leverlint.lsp.projects import Project
from leverlint.lsp.subjects import subject

_MOST_SYMBOLS = 500
_LINES_BEFORE = 3
"""Lines in front of a read in which the field that takes it may be named."""


def definition(project: Project, path: str, offset: int) -> list[types.Location]:
    """Give the fields of resolvers that hold the lever; without any, where its name is kept or it is read."""
    levers, _ = subject(project, path, offset)
    readers = [use for lever in levers for use in _reads(project, lever)]
    resolved = [use for use in readers if project.index.in_resolver(use) and use.call.field]
    if resolved:
        return [project.places.location(use.path, _field_of(project, use)) for use in resolved]
    kept = [use.origin for use in readers if use.origin]
    spelt = [project.places.location(origin.file, origin.span) for origin in kept]
    return _distinct(spelt or [project.places.location(use.path, use.span) for use in readers[:1]])


def references(project: Project, path: str, offset: int, declaration: bool) -> list[types.Location]:
    """Give all that reads, sets or writes about the lever."""
    levers, _ = subject(project, path, offset)
    found: list[types.Location] = []
    for lever in levers:
        found += [
            project.places.location(use.path, use.span) for use in project.index.uses if use.lever == lever
        ]
        found += _mentions(project, lever)
        found += _written(project, lever)
    if not declaration:
        declared = definition(project, path, offset)
        found = [location for location in found if location not in declared]
    return _distinct(found)


def document_symbols(project: Project, path: str) -> list[types.DocumentSymbol]:
    symbols = []
    for use in project.uses_in(path):
        place = project.places.range(path, use.span)
        symbols.append(
            types.DocumentSymbol(
                name=use.lever,
                kind=types.SymbolKind.Constant,
                range=place,
                selection_range=place,
                detail=_detail(project, use),
            )
        )
    return symbols


def workspace_symbols(project: Project, query: str) -> list[types.WorkspaceSymbol]:
    """Give levers whose names hold the letters of the query in order, as editors expect."""
    fits = re.compile(".*".join(map(re.escape, query)), re.IGNORECASE)
    symbols = []
    for lever, readers in project.index.readers.items():
        if not fits.search(lever):
            continue
        first = next((use for use in readers if project.index.in_resolver(use)), readers[0])
        symbols.append(
            types.WorkspaceSymbol(
                name=lever,
                kind=types.SymbolKind.Constant,
                location=project.places.location(first.path, first.span),
                container_name=first.path,
            )
        )
    return symbols[:_MOST_SYMBOLS]


def _detail(project: Project, use: Use) -> str:
    if use.kind not in ("read", "walk"):
        return use.kind
    return name(project.index.vector(use)) or use.kind


def _reads(project: Project, lever: str) -> Iterable[Use]:
    return (use for use in project.index.reads if use.lever == lever)


def _field_of(project: Project, use: Use) -> Span:
    """Give the name of the field in front of the read, or the read when it stands somewhere else."""
    field = use.call.field
    content = project.sources.content_or_nothing(use.path)
    start = use.span.start
    for _ in range(_LINES_BEFORE):
        start = content.rfind(b"\n", 0, max(start - 1, 0)) + 1
    word = re.compile(rb"\b%s\b" % re.escape(field.name.encode() if field else b""))
    found = [match.span() for match in word.finditer(content, start, use.span.start)]
    return Span(*found[-1]) if found else use.span


def _mentions(project: Project, lever: str) -> Iterator[types.Location]:
    covered = {(use.path, use.span) for use in project.index.uses if use.lever == lever}
    for path, facts in project.index.facts.items():
        for mention in facts.mentions:
            if mention.value == lever and not any(
                path == where and span.start <= mention.span.start and mention.span.end <= span.end
                for where, span in covered
            ):
                yield project.places.location(path, mention.span)


def _written(project: Project, lever: str) -> Iterator[types.Location]:
    for passage in project.documentation().get(lever, ()):
        start, end = project.sources.line_bounds(passage.path, passage.line)
        # An underscore may be written with a backslash.
        spelling = re.compile(re.escape(lever).replace("_", r"\\?_").encode())
        text = project.sources.content_or_nothing(passage.path)
        for match in spelling.finditer(text, start, end):
            yield project.places.location(passage.path, Span(*match.span()))


def _distinct(locations: Iterable[types.Location]) -> list[types.Location]:
    seen: dict[tuple[str, int, int], types.Location] = {}
    for location in locations:
        start = location.range.start
        seen.setdefault((location.uri, start.line, start.character), location)
    return list(seen.values())
