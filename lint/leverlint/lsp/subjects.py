"""Which lever somebody points at: the name itself, a call that reads it, or the field that holds it."""

from leverlint.facts import Span
from leverlint.index import Use
from leverlint.lsp.projects import Project


def subject(project: Project, path: str, offset: int) -> tuple[list[str], Span]:
    """Give the levers that are meant at a place, and the text that stands for them; there may be none."""
    word, span = project.word_at(path, offset)
    index = project.index
    if word in index.readers or (word and index.is_lever(path, word)):
        return [word], span
    if through := _used_at(project, path, offset):
        return list(dict.fromkeys(use.lever for use in through)), through[0].span
    if levers := _of_field(project, path, word, span):
        return levers, span
    return [], span


def _used_at(project: Project, path: str, offset: int) -> list[Use]:
    """Give the uses of the innermost call around a place."""
    around = [use for use in project.uses_in(path) if use.span.start <= offset <= use.span.end]
    narrowest = min((use.span.end - use.span.start for use in around), default=0)
    return [use for use in around if use.span.end - use.span.start == narrowest]


def _of_field(project: Project, path: str, word: str, span: Span) -> list[str]:
    """Give the levers that resolvers keep in a field of this name, where it is taken out of something."""
    content = project.sources.content_or_nothing(path)
    in_resolver = project.session.config.for_path(path).is_resolver(path)
    if not word or not (in_resolver or content[: span.start].rstrip().endswith((b".", b"::"))):
        return []
    return [
        lever
        for lever, readers in project.index.readers.items()
        if any(
            use.call.field is not None and use.call.field.name == word and project.index.in_resolver(use)
            for use in readers
        )
    ]
