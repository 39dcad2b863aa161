"""The server itself: which projects there are, where they are asked, and when to speak unasked."""

import asyncio
import contextlib
import gc
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar
from urllib.parse import unquote

from lsprotocol import types
from pygls.exceptions import JsonRpcException, PyglsError
from pygls.lsp.server import LanguageServer
from pygls.workspace import TextDocument

from leverlint import __version__, baseline_file, languages
from leverlint.config_files import FILE_NAMES
from leverlint.errors import LeverlintError
from leverlint.ignore_files import NAMES as IGNORE_FILES
from leverlint.lsp import progress, settings
from leverlint.lsp.diagnostics import converted, findings_of, result_id
from leverlint.lsp.places import path_of
from leverlint.lsp.projects import Client, Project, Projects
from leverlint.lsp.protocol import Protocol
from leverlint.lsp.settings import Settings
from leverlint.workers import Progress

Answer = TypeVar("Answer")

SECTION = "leverlint"
_DOCUMENTATION = ("md", "rst")
_NO_PROJECT = "none"
_FILES_OF_SETTINGS = (*FILE_NAMES, *IGNORE_FILES, baseline_file.NAME)


@contextlib.contextmanager
def _staying() -> Iterator[None]:
    """Have what is made here left alone by the collector of garbage: its visits are felt while typing."""
    gc.unfreeze()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


class LeverlintServer(LanguageServer):
    """What is said of threads: documents and settings belong to the event loop, projects to `_worker`."""

    protocol: Protocol

    def __init__(self) -> None:
        super().__init__(SECTION, __version__, protocol_cls=Protocol, max_workers=1)
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="projects")
        self._projects = Projects(Client())
        self._stated = Settings()
        """By the options of the start, or a notification; holds where the client has no other answer."""
        self._by_folder: dict[str, Settings] = {}
        self._published: dict[str, str] = {}
        """What each open document has been told last, where diagnostics are pushed."""
        self._is_publishing = False
        self._strokes = 0
        self._read = asyncio.Event()
        """Projects have been read for the first time; what is asked before has to wait."""
        self._has_begun = False
        """Projects are being read: documents opened before are taken along then."""

    def report_server_error(
        self, error: Exception, source: type[PyglsError] | type[JsonRpcException]
    ) -> None:
        if source is JsonRpcException:
            self.protocol.answer_nobody(error)
        else:
            super().report_server_error(error, source)

    # --- Asking projects -------------------------------------------------------------------------

    async def ask(self, uri: str, question: Callable[[Project, str], Answer]) -> Answer | None:
        """Give the answer of the project that a document belongs to; `None` where there is none."""
        path = path_of(uri)

        def answer() -> Answer | None:
            found = self._project(path)
            return question(*found) if found else None

        await self._read.wait()
        return await self._in_worker(answer)

    def _project(self, path: str | None) -> tuple[Project, str] | None:
        """Give the project of a path, by the settings of the folder that the path lies in."""
        if path is None:
            return None
        folders = [folder for folder in self._by_folder if path.startswith(os.path.join(folder, ""))]
        stated = self._by_folder[max(folders, key=len)] if folders else self._stated
        return self._projects.around(path, stated)

    async def ask_all(self, question: Callable[[Project], Answer]) -> list[Answer]:
        await self._read.wait()
        return await self._in_worker(lambda: [question(project) for project in self._projects])

    async def ask_at(self, root: str, question: Callable[[Project], Answer]) -> Answer | None:
        """Ask the project with a root that it was given with an earlier answer."""
        answers = await self.ask_all(lambda project: question(project) if project.root == root else None)
        return next((answer for answer in answers if answer is not None), None)

    async def _in_worker(self, work: Callable[[], Answer]) -> Answer:
        return await asyncio.get_running_loop().run_in_executor(self._worker, work)

    def _later(self, work: Callable[[], None]) -> None:
        """Have something done after all that has been asked so far."""
        self._worker.submit(work).add_done_callback(self._complain)

    def _complain(self, done: "Future[None]") -> None:
        error = None if done.cancelled() else done.exception()
        if error is not None:
            self._loop.call_soon_threadsafe(self._say, f"leverlint has failed, please report it: {error!r}")

    def _say(self, message: str) -> None:
        self.window_show_message(types.ShowMessageParams(types.MessageType.Error, message))

    # --- Start and settings ----------------------------------------------------------------------

    def begin(self, parameters: types.InitializeParams) -> None:
        self._stated = settings.read(parameters.initialization_options)

    async def ready(self) -> None:
        """Take up work, when the client is ready to be asked."""
        self._loop = asyncio.get_running_loop()
        workspace = self.client_capabilities.workspace
        self._projects = Projects(self._client())
        watched = workspace.did_change_watched_files if workspace else None
        if watched and watched.dynamic_registration:
            await self.client_register_capability_async(types.RegistrationParams([_watchers()]))
        await self.reload()

    def _client(self) -> Client:
        encoding = self.server_capabilities.position_encoding or types.PositionEncodingKind.Utf16
        workspace, document = self.client_capabilities.workspace, self.client_capabilities.text_document
        hover = document.hover if document else None
        completion = document.completion if document else None
        item = completion.completion_item if completion else None
        formats = {
            "hover": (hover and hover.content_format) or (),
            "completion": (item and item.documentation_format) or (),
        }
        edit = workspace.workspace_edit if workspace else None
        return Client(
            encoding=str(getattr(encoding, "value", encoding)),
            markdown=frozenset(where for where in formats if types.MarkupKind.Markdown in formats[where]),
            versioned_edits=bool(edit and edit.document_changes),
        )

    async def take_settings(self, stated: object) -> None:
        """Take settings that came with a notification; many clients send none and want to be asked."""
        before = self._stated, self._by_folder
        section = settings.section(stated, SECTION)
        if section is not None:
            self._stated = settings.read(section)
        await self._ask_for_settings()
        # Some clients tell at the start what they have been asked already.
        if (self._stated, self._by_folder) != before:
            await self._load()

    async def reload(self) -> None:
        """Read settings and projects anew."""
        await self._ask_for_settings()
        await self._load()

    async def _load(self) -> None:
        folders = [path for uri in self._folders() if (path := path_of(uri))]
        wanted = {folder: self._by_folder.get(folder, self._stated) for folder in folders}

        def load(documents: Iterable[tuple[str, str]], move: Progress | None) -> list[LeverlintError]:
            before = self._projects.clear()
            failed = []
            with _staying():
                for folder, stated in wanted.items():
                    try:
                        self._projects.open(folder, stated, move)
                    except LeverlintError as error:
                        failed.append(error)
                        # While a configuration is being written, the last one that could be read holds.
                        self._projects.keep(before, folder)
                self._take(documents)
            return failed

        async with progress.shown(self, "leverlint reads the project") as bar:
            # Nothing may come between: what is typed from now on is taken after the reading.
            documents = self._texts(self.documents())
            self._has_begun = True
            errors = await self._in_worker(lambda: load(documents, bar))
        for error in errors:
            self._say(f"{error.message}\n{error.hint}" if error.hint else error.message)
        self._read.set()
        self._published.clear()
        await self._tell()
        self._later(self._projects.remember)

    def _folders(self) -> list[str]:
        folders = [folder.uri for folder in self.workspace.folders.values()]
        return folders or ([self.workspace.root_uri] if self.workspace.root_uri else [])

    async def _ask_for_settings(self) -> None:
        workspace = self.client_capabilities.workspace
        folders = self._folders()
        if not (workspace and workspace.configuration and folders):
            return
        items = [types.ConfigurationItem(scope_uri=uri, section=SECTION) for uri in folders]
        try:
            answers = await self.workspace_configuration_async(types.ConfigurationParams(items))
        except Exception as error:
            self.window_log_message(
                types.LogMessageParams(types.MessageType.Warning, f"no settings: {error!r}")
            )
            return
        self._by_folder = {
            path_of(uri) or "": settings.read(answer)
            for uri, answer in zip(folders, answers, strict=False)
            # Some clients answer with nothing in it when they mean that they do not know.
            if answer
        }

    # --- Documents -------------------------------------------------------------------------------

    def edited(self, uri: str) -> None:
        """Take the text of an open document for that of its file."""
        document = self.document(uri)
        documents = self._texts([document] if document else [])
        if self._has_begun:
            self._later(lambda: self._take(documents))
        self._publish_soon()

    def closed(self, uri: str) -> None:
        path = path_of(uri) or ""

        def close() -> None:
            if found := self._projects.of(path):
                found[0].close(found[1])

        self._later(close)
        if not self.pulls and self._published.pop(uri, None) is not None:
            self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    async def changed_on_disk(self, changes: Sequence[types.FileEvent]) -> None:
        paths = [(path, change.type) for change in changes if (path := path_of(change.uri))]
        if any(os.path.basename(path) in _FILES_OF_SETTINGS for path, _ in paths):
            await self.reload()
            return

        def look() -> None:
            for path, kind in paths:
                found = self._projects.of(path)
                if found is not None:
                    found[0].changed_on_disk(found[1], kind != types.FileChangeType.Changed)
            for project in self._projects:
                project.catch_up()

        await self._in_worker(look)
        await self._tell()

    def documents(self) -> list[TextDocument]:
        """Give the documents that are open."""
        return list(self.workspace.text_documents.values())

    def document(self, uri: str) -> TextDocument | None:
        """Give an open document."""
        # The library keeps documents by what their addresses stand for.
        found: TextDocument | None = self.workspace.text_documents.get(unquote(uri))
        return found

    def _texts(self, documents: Iterable[TextDocument]) -> list[tuple[str, str]]:
        """Give the texts that documents have now."""
        return [(document.uri, document.source) for document in documents]

    def _take(self, documents: Iterable[tuple[str, str]]) -> None:
        for uri, text in documents:
            if found := self._project(path_of(uri)):
                project, relative = found
                project.edit(relative, uri, text)

    # --- Saying something unasked ----------------------------------------------------------------

    @property
    def pulls(self) -> bool:
        """Whether the client is to ask for diagnostics; then none are sent unasked.

        One that cannot be told to ask again would not see what an edit means for other documents.
        """
        document, workspace = self.client_capabilities.text_document, self.client_capabilities.workspace
        refreshes = workspace and workspace.diagnostics and workspace.diagnostics.refresh_support
        return bool(document and document.diagnostic and refreshes)

    def _publish_soon(self) -> None:
        self._strokes += 1
        if not self.pulls and not self._is_publishing:
            self._is_publishing = True
            self._publishing = asyncio.ensure_future(self._keep_publishing())

    async def _keep_publishing(self) -> None:
        """Look once more if there were strokes meanwhile, at all of them together."""
        try:
            seen = -1
            while seen != self._strokes:
                seen = self._strokes
                await self._publish()
        finally:
            self._is_publishing = False

    async def _publish(self) -> None:
        """Send the diagnostics of open documents for which they have changed."""
        await self._read.wait()
        addresses = [document.uri for document in self.documents()]

        def look() -> list[tuple[str, str, list[types.Diagnostic]]]:
            found = []
            for uri in addresses:
                belonging = self._project(path_of(uri))
                findings = findings_of(*belonging) if belonging else []
                name = result_id(*belonging, findings) if belonging else _NO_PROJECT
                if self._published.get(uri) != name:
                    found.append((uri, name, converted(belonging[0], findings) if belonging else []))
            return found

        for uri, name, diagnostics in await self._in_worker(look):
            if document := self.document(uri):
                self._published[uri] = name
                self.text_document_publish_diagnostics(
                    types.PublishDiagnosticsParams(uri, diagnostics, document.version)
                )

    async def _tell(self) -> None:
        """Have the client look again: something other than its documents has changed."""
        workspace = self.client_capabilities.workspace
        # Some clients announce more than they can do; that is no reason to fail.
        with contextlib.suppress(JsonRpcException):
            if not self.pulls:
                await self._publish()
            else:
                await self.workspace_diagnostic_refresh_async(None)
        with contextlib.suppress(JsonRpcException):
            if workspace and workspace.inlay_hint and workspace.inlay_hint.refresh_support:
                await self.workspace_inlay_hint_refresh_async(None)


def _watchers() -> types.Registration:
    suffixes = sorted(
        suffix.lstrip(".") for language in languages.LANGUAGES.values() for suffix in language.SUFFIXES
    )
    patterns = (
        f"**/*.{{{','.join((*suffixes, *_DOCUMENTATION))}}}",
        f"**/{{{','.join(_FILES_OF_SETTINGS)}}}",
    )
    watchers = [types.FileSystemWatcher(pattern) for pattern in patterns]
    options = types.DidChangeWatchedFilesRegistrationOptions(watchers)
    return types.Registration("leverlint-files", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
