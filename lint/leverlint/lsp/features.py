"""What the server answers to: each request of the protocol, handed to the room that knows."""

from collections.abc import Callable
from typing import Protocol

from lsprotocol import types

from leverlint.facts import Span
from leverlint.lsp import actions, completion, hints, hover, navigation
from leverlint.lsp.diagnostics import converted, findings_of, of_workspace, result_id
from leverlint.lsp.projects import Project
from leverlint.lsp.server import LeverlintServer


class Pointing(Protocol):
    """A request about a place in a document."""

    @property
    def text_document(self) -> types.TextDocumentIdentifier: ...

    @property
    def position(self) -> types.Position: ...


Question = Callable[[Project, str, int], object]


def register(server: LeverlintServer) -> None:
    """Make a server answer."""
    _life(server)
    _documents(server)
    _knowledge(server)
    _actions(server)


def _life(server: LeverlintServer) -> None:
    @server.feature(types.INITIALIZE)
    def initialize(ls: LeverlintServer, params: types.InitializeParams) -> None:
        ls.begin(params)
        if ls.pulls:
            _diagnostics(ls)

    @server.feature(types.INITIALIZED)
    async def initialized(ls: LeverlintServer, params: types.InitializedParams) -> None:
        await ls.ready()

    @server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    async def configuration(ls: LeverlintServer, params: types.DidChangeConfigurationParams) -> None:
        await ls.take_settings(params.settings)

    @server.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    async def folders(ls: LeverlintServer, params: types.DidChangeWorkspaceFoldersParams) -> None:
        await ls.reload()

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    async def files(ls: LeverlintServer, params: types.DidChangeWatchedFilesParams) -> None:
        await ls.changed_on_disk(params.changes)


def _documents(server: LeverlintServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def opened(ls: LeverlintServer, params: types.DidOpenTextDocumentParams) -> None:
        ls.edited(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def changed(ls: LeverlintServer, params: types.DidChangeTextDocumentParams) -> None:
        ls.edited(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    async def saved(ls: LeverlintServer, params: types.DidSaveTextDocumentParams) -> None:
        # Not every client watches files: at least what it saves itself is known to have changed.
        change = types.FileEvent(params.text_document.uri, types.FileChangeType.Changed)
        await ls.changed_on_disk([change])

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(ls: LeverlintServer, params: types.DidCloseTextDocumentParams) -> None:
        ls.closed(params.text_document.uri)


def _diagnostics(server: LeverlintServer) -> None:
    options = types.DiagnosticOptions(
        inter_file_dependencies=True, workspace_diagnostics=True, identifier="leverlint"
    )

    @server.feature(types.TEXT_DOCUMENT_DIAGNOSTIC, options)
    async def document(
        ls: LeverlintServer, params: types.DocumentDiagnosticParams
    ) -> types.DocumentDiagnosticReport:
        def look(project: Project, path: str) -> types.DocumentDiagnosticReport:
            findings = findings_of(project, path)
            name = result_id(project, path, findings)
            if params.previous_result_id == name:
                return types.RelatedUnchangedDocumentDiagnosticReport(name)
            return types.RelatedFullDocumentDiagnosticReport(converted(project, findings), result_id=name)

        report = await ls.ask(params.text_document.uri, look)
        return report or types.RelatedFullDocumentDiagnosticReport([])

    @server.feature(types.WORKSPACE_DIAGNOSTIC)
    async def workspace(
        ls: LeverlintServer, params: types.WorkspaceDiagnosticParams
    ) -> types.WorkspaceDiagnosticReport:
        versions = {document.uri: document.version for document in ls.documents()}
        told = {previous.uri: previous.value for previous in params.previous_result_ids}

        def look(project: Project) -> list[types.WorkspaceDocumentDiagnosticReport]:
            return of_workspace(project, told, versions)

        reports = [report for of_project in await ls.ask_all(look) for report in of_project]
        # What was told of a project that is no more has to be taken back.
        gone = told.keys() - {report.uri for report in reports}
        reports += [
            types.WorkspaceFullDocumentDiagnosticReport(uri, [], versions.get(uri)) for uri in sorted(gone)
        ]
        return types.WorkspaceDiagnosticReport(reports)


def _knowledge(server: LeverlintServer) -> None:
    async def at(ls: LeverlintServer, params: Pointing, question: Question) -> object:
        def look(project: Project, path: str) -> object:
            return question(project, path, project.places.offset(path, params.position))

        return await ls.ask(params.text_document.uri, look)

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def on_hover(ls: LeverlintServer, params: types.HoverParams) -> object:
        return await at(ls, params, hover.hover)

    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    async def on_definition(ls: LeverlintServer, params: types.DefinitionParams) -> object:
        return await at(ls, params, navigation.definition)

    @server.feature(types.TEXT_DOCUMENT_REFERENCES)
    async def on_references(ls: LeverlintServer, params: types.ReferenceParams) -> object:
        declaration = params.context.include_declaration

        def question(project: Project, path: str, offset: int) -> object:
            return navigation.references(project, path, offset, declaration)

        return await at(ls, params, question)

    completions = types.CompletionOptions(trigger_characters=["_"], resolve_provider=True)

    @server.feature(types.TEXT_DOCUMENT_COMPLETION, completions)
    async def on_completion(ls: LeverlintServer, params: types.CompletionParams) -> object:
        return await at(ls, params, completion.completion)

    @server.feature(types.COMPLETION_ITEM_RESOLVE)
    async def on_completion_item(ls: LeverlintServer, item: types.CompletionItem) -> object:
        root = _data(item.data, "root")
        return await ls.ask_at(root, lambda project: completion.resolved(project, item)) or item

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    async def on_symbols(ls: LeverlintServer, params: types.DocumentSymbolParams) -> object:
        return await ls.ask(params.text_document.uri, navigation.document_symbols)

    @server.feature(types.WORKSPACE_SYMBOL)
    async def on_workspace_symbols(ls: LeverlintServer, params: types.WorkspaceSymbolParams) -> object:
        found = await ls.ask_all(lambda project: navigation.workspace_symbols(project, params.query))
        return [symbol for each in found for symbol in each]

    @server.feature(types.TEXT_DOCUMENT_INLAY_HINT, types.InlayHintOptions(resolve_provider=True))
    async def on_hints(ls: LeverlintServer, params: types.InlayHintParams) -> object:
        return await ls.ask(
            params.text_document.uri,
            lambda project, path: hints.hints(project, path, _span(project, path, params.range)),
        )

    @server.feature(types.INLAY_HINT_RESOLVE)
    async def on_hint(ls: LeverlintServer, hint: types.InlayHint) -> object:
        root, lever = _data(hint.data, "root"), _data(hint.data, "lever")
        return await ls.ask_at(root, lambda project: hints.resolved(project, hint, lever)) or hint


def _actions(server: LeverlintServer) -> None:
    options = types.CodeActionOptions(code_action_kinds=list(actions.KINDS), resolve_provider=True)

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, options)
    async def on_actions(ls: LeverlintServer, params: types.CodeActionParams) -> object:
        version = _version(ls, params.text_document.uri)

        def look(project: Project, path: str) -> list[types.CodeAction]:
            span = _span(project, path, params.range)
            return actions.actions(project, path, span, params.context.only, version)

        return await ls.ask(params.text_document.uri, look)

    @server.feature(types.CODE_ACTION_RESOLVE)
    async def on_action(ls: LeverlintServer, action: types.CodeAction) -> object:
        uri = _data(action.data, "uri")
        if uri and action.edit is None:
            version = _version(ls, uri)
            action.edit = await ls.ask(uri, lambda project, path: actions.fix_all(project, path, version))
        return action


def _version(ls: LeverlintServer, uri: str) -> int | None:
    document = ls.document(uri)
    return document.version if document else None


def _span(project: Project, path: str, place: types.Range) -> Span:
    return Span(project.places.offset(path, place.start), project.places.offset(path, place.end))


def _data(data: object, name: str) -> str:
    """Read what was sent along with an earlier answer; clients send it back as they please."""
    value = data.get(name) if isinstance(data, dict) else getattr(data, name, "")
    return value if isinstance(value, str) else ""
