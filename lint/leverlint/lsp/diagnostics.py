"""Findings as an editor takes them."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from importlib.util import find_spec

from lsprotocol import types
from pygls import uris

from leverlint import languages, packs
from leverlint.diagnostics import Diagnostic
from leverlint.digests import digest
from leverlint.lsp.places import path_of
from leverlint.lsp.projects import Project

SOURCE = "leverlint"

_SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "info": types.DiagnosticSeverity.Information,
    "hint": types.DiagnosticSeverity.Hint,
}


def findings_of(
    project: Project, path: str, findings: Iterable[Diagnostic] | None = None
) -> list[Diagnostic]:
    """Give the findings of a file that the client wants to see."""
    if languages.name_for(path) in project.settings.elsewhere:
        return []
    found = project.report().findings if findings is None else findings
    return [finding for finding in found if finding.path == path]


def result_id(project: Project, path: str, findings: Iterable[Diagnostic]) -> str:
    """Name what is reported for a file: the same name means the same diagnostics, places included."""
    content = project.sources.content_or_nothing(path)
    return digest([repr(list(findings)), content.decode("utf-8", "replace")])


def converted(project: Project, findings: Iterable[Diagnostic]) -> list[types.Diagnostic]:
    return [_converted(project, finding) for finding in findings]


def of_workspace(
    project: Project, told: Mapping[str, str], versions: Mapping[str, int | None]
) -> list[types.WorkspaceDocumentDiagnosticReport]:
    """Give reports of all files that have findings, or had some when the client was `told` last."""
    by_path: dict[str, list[Diagnostic]] = {}
    for finding in project.report().findings:
        by_path.setdefault(finding.path, []).append(finding)
    for uri in told:
        path = project.relative(path_of(uri) or "")
        if path is not None:
            by_path.setdefault(path, [])
    reports: list[types.WorkspaceDocumentDiagnosticReport] = []
    for path in by_path:
        uri, findings = project.places.uri(path), findings_of(project, path, by_path[path])
        name, version = result_id(project, path, findings), versions.get(uri)
        if told.get(uri) == name:
            reports.append(
                types.WorkspaceUnchangedDocumentDiagnosticReport(uri=uri, result_id=name, version=version)
            )
        else:
            items = converted(project, findings)
            reports.append(
                types.WorkspaceFullDocumentDiagnosticReport(
                    uri=uri, items=items, version=version, result_id=name
                )
            )
    return reports


def _converted(project: Project, finding: Diagnostic) -> types.Diagnostic:
    places = project.places
    page = _page(finding.rule)
    return types.Diagnostic(
        range=places.range(finding.path, finding.span),
        message=f"{finding.message}\nhelp: {finding.help}" if finding.help else finding.message,
        severity=_SEVERITIES[finding.severity],
        source=SOURCE,
        code=finding.code,
        code_description=types.CodeDescription(page) if page else None,
        related_information=[
            types.DiagnosticRelatedInformation(places.location(related.path, related.span), related.message)
            for related in finding.related
        ]
        or None,
        data={"fingerprint": finding.fingerprint},
    )


@lru_cache(maxsize=256)
def _page(rule: str) -> str | None:
    """Give where the rule is explained: its module, the docstring of which is its documentation."""
    for known in packs.rules():
        if known.name == rule:
            module = find_spec(known.check.__module__)
            return uris.from_fs_path(module.origin) if module and module.origin else None
    return None
