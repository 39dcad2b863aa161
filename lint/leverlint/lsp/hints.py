"""The decoding beside each read."""

from lsprotocol import types

from leverlint.decoding import name
from leverlint.facts import Span
from leverlint.lsp.hover import described, markup
from leverlint.lsp.projects import Project


def hints(project: Project, path: str, span: Span) -> list[types.InlayHint]:
    """Give hints for the reads in a part of a file whose decoding has a name."""
    if not project.settings.hints:
        return []
    found = []
    for use in project.uses_in(path):
        if use.kind != "read" or use.dynamic or not span.start <= use.span.end <= span.end:
            continue
        if decoding := name(project.index.vector(use)):
            found.append(
                types.InlayHint(
                    position=project.places.position(path, use.span.end),
                    label=decoding,
                    kind=types.InlayHintKind.Type,
                    padding_left=True,
                    data={"root": project.root, "lever": use.lever},
                )
            )
    return found


def resolved(project: Project, hint: types.InlayHint, lever: str) -> types.InlayHint:
    """Add what the lever does, for the one hint that is being looked at."""
    hint.tooltip = markup(project, "hover", described(project, lever))
    return hint
