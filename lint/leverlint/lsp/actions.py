"""What an editor offers to do about a finding: the fix, another name, a suppression with a reason."""

import re
from collections.abc import Iterator, Sequence

from lsprotocol import types

from leverlint import fixes, languages
from leverlint.diagnostics import Diagnostic, Edit
from leverlint.facts import Span
from leverlint.lsp.diagnostics import converted, findings_of
from leverlint.lsp.projects import Project
from leverlint.sources import UTF8_BOM

FIX_ALL = "source.fixAll.leverlint"
KINDS = (types.CodeActionKind.QuickFix, FIX_ALL)
_REASON = "say why"


def actions(
    project: Project, path: str, span: Span, only: Sequence[str] | None, version: int | None
) -> list[types.CodeAction]:
    """Give the actions for a part of a file.

    Diagnostics that clients echo are not looked at: some send their ranges back in other units.
    """
    found = findings_of(project, path)
    offered: list[types.CodeAction] = []
    if _is_wanted(types.CodeActionKind.QuickFix, only):
        for finding in found:
            if finding.span.start <= span.end and span.start <= finding.span.end:
                offered += _quick_fixes(project, finding, version)
    if _is_wanted(FIX_ALL, only) and any(finding.is_fixable() for finding in found):
        title = "leverlint: fix all that is safe to fix"
        data = {"uri": project.places.uri(path)}
        offered.append(types.CodeAction(title, kind=FIX_ALL, data=data))
    return offered


def fix_all(project: Project, path: str, version: int | None) -> types.WorkspaceEdit | None:
    findings = [finding for finding in findings_of(project, path) if finding.is_fixable()]
    edits = fixes.edits_of_all(findings, path, project.sources)
    return _workspace_edit(project, edits, path, version) if edits else None


def _is_wanted(kind: str, only: Sequence[str] | None) -> bool:
    return not only or any(kind == one or kind.startswith(f"{one}.") for one in only)


def _quick_fixes(project: Project, finding: Diagnostic, version: int | None) -> Iterator[types.CodeAction]:
    shown = converted(project, [finding])

    def action(title: str, edits: Sequence[Edit], preferred: bool = False) -> types.CodeAction:
        return types.CodeAction(
            title,
            kind=types.CodeActionKind.QuickFix,
            diagnostics=shown,
            is_preferred=preferred or None,
            edit=_workspace_edit(project, edits, finding.path, version),
        )

    if finding.fix is not None and (edits := fixes.edits(finding, project.sources)):
        warning = "" if finding.is_fixable() else " (unsafe: some values change)"
        yield action(f"leverlint: {finding.fix.title}{warning}", edits, preferred=not warning)
    if renamed := _other_name(project, finding):
        edit, name = renamed
        yield action(f"leverlint: did you mean `{name}`?", [edit])
    if comment := _suppression(project, finding):
        yield action(f"leverlint: suppress {finding.rule} here, with a reason", [comment])


def _other_name(project: Project, finding: Diagnostic) -> tuple[Edit, str] | None:
    """Find a lever of a resolver with nearly the name of one that nothing but this finding's code reads."""
    lever, index = finding.lever, project.index
    if lever is None or len(index.readers.get(lever, ())) != 1 or index.declared_field(lever):
        return None
    from difflib import get_close_matches

    declared = [other for other in index.readers if other != lever and index.declared_field(other)]
    close = get_close_matches(lever, declared, 1, 0.9)
    content = project.sources.content_or_nothing(finding.path)
    at = content.find(lever.encode(), finding.span.start, finding.span.end)
    if not close or at < 0:
        return None
    return Edit(finding.path, Span(at, at + len(lever.encode())), close[0]), close[0]


def _suppression(project: Project, finding: Diagnostic) -> Edit | None:
    """Write a comment alone on the line above, unless that is inside of a string or a continued line."""
    name = languages.name_for(finding.path)
    if name is None:
        return None
    language = languages.language(name)
    content = project.sources.content_or_nothing(finding.path)
    start = content.rfind(b"\n", 0, finding.span.start) + 1
    continued = content[:start].rstrip(b"\r\n").endswith(b"\\")
    if continued or (start and language.text_at(content, start - 1) == "string"):
        return None
    start = len(UTF8_BOM) if not start and content.startswith(UTF8_BOM) else start
    indent = re.match(rb"[ \t]*", content[start : finding.span.start])
    margin = indent[0].decode() if indent else ""
    ending = "\r\n" if content[max(start - 2, 0) : start] == b"\r\n" else "\n"
    text = f"{margin}{language.COMMENT_SIGN} leverlint: allow({finding.rule}) -- {_REASON}{ending}"
    return Edit(finding.path, Span(start, start), text)


def _workspace_edit(
    project: Project, edits: Sequence[Edit], path: str, version: int | None
) -> types.WorkspaceEdit:
    """Give edits, all of one file, for the version of its document that they were made for."""
    uri = project.places.uri(path)
    texts = [types.TextEdit(project.places.range(edit.path, edit.span), edit.text) for edit in edits]
    if not project.client.versioned_edits:
        return types.WorkspaceEdit(changes={uri: texts})
    document = types.OptionalVersionedTextDocumentIdentifier(uri, version)
    return types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(document, texts)])
