"""Names of levers, offered where one is being typed: in strings, comments and files that are no code."""

from lsprotocol import types

from leverlint import languages
from leverlint.lsp.hover import described, markup
from leverlint.lsp.projects import Project

_LEAST = 2
"""Letters of a prefix that must be there before all levers with it are offered."""


def completion(project: Project, path: str, offset: int) -> types.CompletionList | None:
    word, span = project.word_at(path, offset)
    typed = word[: offset - span.start]
    prefixes = project.session.config.for_path(path).prefixes
    if not any(typed.startswith(one) or (len(typed) >= _LEAST and one.startswith(typed)) for one in prefixes):
        return None
    language = languages.name_for(path)
    if language is not None:
        content = project.sources.content_or_nothing(path)
        if not languages.language(language).text_at(content, span.start):
            return None
    place = project.places.range(path, span)
    items = [
        types.CompletionItem(
            label=lever,
            kind=types.CompletionItemKind.Constant,
            text_edit=types.TextEdit(place, lever),
            data={"root": project.root},
        )
        for lever in project.index.readers
        if lever.startswith(typed)
    ]
    return types.CompletionList(is_incomplete=False, items=items)


def resolved(project: Project, item: types.CompletionItem) -> types.CompletionItem:
    """Add what the lever does, for the one item that is being looked at."""
    text = markup(project, "completion", described(project, item.label))
    # Not every client knows more than a string.
    item.documentation = text if text.kind == types.MarkupKind.Markdown else text.value
    return item
