"""What stands in the box over a lever: what each value does, who reads it, what is written about it."""

from lsprotocol import types

from leverlint.catalogue import Row
from leverlint.errors import did_you_mean
from leverlint.facts import Span
from leverlint.listings import View, page
from leverlint.listings.words import DECODINGS
from leverlint.lsp.projects import Project
from leverlint.lsp.subjects import subject

_MOST_LEVERS = 3
_MOST_PLACES = 6


def hover(project: Project, path: str, offset: int) -> types.Hover | None:
    levers, span = subject(project, path, offset)
    parts = [described(project, lever) for lever in levers[:_MOST_LEVERS]]
    if not parts:
        return None
    text = markup(project, "hover", "\n\n---\n\n".join(parts))
    return types.Hover(text, project.places.range(path, span))


def markup(project: Project, where: str, text: str) -> types.MarkupContent:
    """Give Markdown as such to a client that shows it; it reads well enough where it is not."""
    shown = where in project.client.markdown
    kind = types.MarkupKind.Markdown if shown else types.MarkupKind.PlainText
    return types.MarkupContent(kind, text)


def described(project: Project, lever: str) -> str:
    """Describe a lever in Markdown."""
    row = project.row(lever)
    if row is None:
        near = did_you_mean(lever, project.index.readers)
        return f"**{lever}**: no code reads it{f'; {near}' if near else ''}"
    view = View(project.sources)
    lines = [f"**{lever}**{page.headline(row)}"]
    if table := page.truth_table(row, view):
        # No language is named: Vim's ALE fails over one for which Vim has no syntax.
        lines += ["", "```", *(line.rstrip() for line in table), "```"]
    if row.fields:
        lines += ["", "Resolved into " + ", ".join(f"`{field}`" for field in row.fields)]
    lines += ["", *_readers(project, row), "", *_documentation(project, row)]
    return "\n".join(lines).rstrip()


def _readers(project: Project, row: Row) -> list[str]:
    lines = ["Read at"]
    for reader in row.readers[:_MOST_PLACES]:
        through = "".join(f", through `{name}`" for name in reader.wrappers if name)
        named = f": `{reader.decoding}`" if reader.decoding in DECODINGS else ""
        where = "in a test" if reader.test else "in a resolver" if reader.resolver else ""
        lines.append(f"- {_link(project, reader.path, reader.span)}{named}{through}{where and f', {where}'}")
    if len(row.readers) > _MOST_PLACES:
        lines.append(f"- and {len(row.readers) - _MOST_PLACES} more")
    return lines


def _documentation(project: Project, row: Row) -> list[str]:
    """Show what says most: sentences before lines of code."""
    if not row.documented:
        return ["No documentation names it."]
    first = min(row.documented, key=lambda passage: passage.code)
    more = len(row.documented) - 1
    others = f" (and at {more} more place{'s' if more > 1 else ''})" if more else ""
    link = f"[{first.path}:{first.line}]({project.places.uri(first.path)}#L{first.line})"
    return [f"Documented at {link}{others}", "", f"> {_plain(first.text)}"]


def _link(project: Project, path: str, span: Span) -> str:
    line = project.places.position(path, span.start).line + 1
    return f"[{path}:{line}]({project.places.uri(path)}#L{line})"


def _plain(text: str) -> str:
    """Keep text from being taken for markup."""
    return "".join(f"\\{sign}" if sign in "\\`*_[]<>#|" else sign for sign in text)
