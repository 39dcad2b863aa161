"""Editors as they present themselves: the abilities that each announces, and how it is talked to."""

import asyncio
import sys

import pytest
import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

_PATIENCE = 1500
"""Looks of a fiftieth of a second each: a machine may be busy, and only a failure takes them all."""

EDITORS = ("visual_studio_code", "neovim", "neovim@v0.7.0", "emacs")
COMMAND = [sys.executable, "-m", "leverlint", "server"]

LEVERS = """\
import os


class ModelLevers:
    def __init__(self):
        self.kv_poison = os.environ.get("ATLAS_KV_POISON") == "1"

    @classmethod
    def get(cls):
        return cls()
"""
ENGINE = """\
import os


def step(batch):
    sign = "😀"; on = os.environ.get("ATLAS_KV_POISON") == "1"
    # what ATLAS_KV_POISON means
    return on, sign
"""
KERNEL = """\
pub fn launch() -> bool {
    let sign = "😀"; std::env::var("ATLAS_KV_POISON").as_deref() == Ok("1")
}
"""
NOTES = """\
# Levers

`ATLAS_KV_POISON` fills freed blocks with nonsense.
"""


@pytest.fixture
def project(tmp_path):
    """A small project in two languages, with a resolver and documentation."""
    root = tmp_path / "a project"
    (root / ".git").mkdir(parents=True)
    for name, text in (
        ("levers.py", LEVERS),
        ("engine.py", ENGINE),
        ("kernel.rs", KERNEL),
        ("notes.md", NOTES),
    ):
        (root / name).write_text(text, "utf-8")
    return root


class Editor:
    """One editor with a project open; diagnostics come as it has announced to want them."""

    def __init__(self, client: LanguageClient, root, capabilities):
        self.client = client
        self.root = root
        self.capabilities = capabilities
        self.settings = None
        self.registered = []
        self.refreshed = 0
        self.versions = {}
        self.texts = {}

    @property
    def pulls(self):
        return self.result.capabilities.diagnostic_provider is not None

    async def start(self, folders=None, options=None):
        @self.client.feature(types.CLIENT_REGISTER_CAPABILITY)
        def register(params):
            self.registered += params.registrations

        @self.client.feature(types.WORKSPACE_INLAY_HINT_REFRESH)
        def refresh(params):
            self.refreshed += 1

        folders = [self.root] if folders is None else folders
        if self.settings is not None:
            self.client.set_configuration({"leverlint": self.settings})
        self.result = await self.client.initialize_session(
            types.InitializeParams(
                capabilities=self.capabilities,
                workspace_folders=[types.WorkspaceFolder(each.as_uri(), each.name) for each in folders],
                root_uri=folders[0].as_uri(),
                initialization_options=options,
            )
        )

    def uri(self, name):
        return (self.root / name).as_uri()

    def document(self, name):
        return types.TextDocumentIdentifier(self.uri(name))

    async def open(self, name, text=None):
        language = {"py": "python", "rs": "rust", "md": "markdown"}[name.rpartition(".")[2]]
        text = (self.root / name).read_text("utf-8") if text is None else text
        self.versions[name] = 1
        self.texts[name] = text
        item = types.TextDocumentItem(self.uri(name), language, 1, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))

    async def type(self, name, start, end, text):
        self.versions[name] += 1
        old = self.texts[name]
        self.texts[name] = old[: self._index(old, start)] + text + old[self._index(old, end) :]
        change = types.TextDocumentContentChangePartial(types.Range(start, end), text)
        document = types.VersionedTextDocumentIdentifier(self.versions[name], self.uri(name))
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, [change]))

    async def apply(self, name, edit):
        """Make the edits of one document, as an editor does: from the last to the first."""
        if edit.document_changes:
            (document,) = edit.document_changes
            assert document.text_document.version == self.versions[name]
            edits = document.edits
        else:
            edits = edit.changes[self.uri(name)]
        for each in sorted(edits, key=lambda each: (each.range.start.line, each.range.start.character))[::-1]:
            await self.type(name, each.range.start, each.range.end, each.new_text)

    def _index(self, text, position):
        """Give the place of a position in a text."""
        lines = text.splitlines(keepends=True)
        line = lines[position.line] if position.line < len(lines) else ""
        columns = [self.units(line[:at]) for at in range(len(line) + 1)]
        at = max(number for number, column in enumerate(columns) if column <= position.character)
        return sum(map(len, lines[: position.line])) + min(at, len(line.rstrip("\n")))

    async def shows(self, name, *codes):
        """Wait until the editor shows findings with these codes for a document, and give them."""
        return await self._until(name, lambda found: [each.code for each in found] == list(codes))

    async def shows_text(self, name, text):
        """Wait until one finding says `text`."""
        return await self._until(name, lambda found: any(text in each.message for each in found))

    async def shows_at(self, name, position):
        """Wait until a finding starts at a position."""
        return await self._until(name, lambda found: any(each.range.start == position for each in found))

    async def _until(self, name, is_right):
        found = None
        for _ in range(_PATIENCE):
            found = await self._shown(name)
            if found is not None and is_right(found):
                return found
            await asyncio.sleep(0.02)
        raise AssertionError(f"{name}: {found}")

    async def _shown(self, name):
        if self.pulls:
            params = types.DocumentDiagnosticParams(self.document(name))
            return (await self.client.text_document_diagnostic_async(params)).items
        return self.client.diagnostics.get(self.uri(name))

    def changed(self, name, kind):
        """Tell that a file has changed outside of the editor."""
        event = types.FileEvent(self.uri(name), kind)
        self.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))

    async def says(self, text):
        """Wait until the server has shown a message with `text`."""
        for _ in range(_PATIENCE):
            if any(text in message.message for message in self.client.messages):
                return
            await asyncio.sleep(0.02)
        raise AssertionError([message.message for message in self.client.messages])

    async def hover(self, name, position):
        return await self.client.text_document_hover_async(types.HoverParams(self.document(name), position))

    async def actions(self, name, place, only=None):
        context = types.CodeActionContext([], only)
        params = types.CodeActionParams(self.document(name), place, context)
        return await self.client.text_document_code_action_async(params) or []

    def column(self, line, text):
        """Give the column at which `text` starts in a line, in the units that were agreed on."""
        return self.units(line[: line.index(text)])

    def units(self, before):
        encoding = self.result.capabilities.position_encoding
        match getattr(encoding, "value", encoding):
            case "utf-8":
                return len(before.encode())
            case "utf-32":
                return len(before)
        return len(before.encode("utf-16-le")) // 2


def abilities(name):
    """Give what an editor announces; what is known of VS Code's is from before it asked for diagnostics."""
    announced = client_capabilities(name)
    if name == "visual_studio_code":
        announced.text_document.diagnostic = types.DiagnosticClientCapabilities(dynamic_registration=True)
        announced.workspace.diagnostics = types.DiagnosticWorkspaceClientCapabilities(refresh_support=True)
    return announced


@pytest_lsp.fixture(params=EDITORS, config=ClientServerConfig(server_command=COMMAND))
async def started(request, lsp_client: LanguageClient, project):
    lsp_client.editor = Editor(lsp_client, project, abilities(request.param))
    await lsp_client.editor.start()
    yield
    await lsp_client.shutdown_session()


@pytest_lsp.fixture(config=ClientServerConfig(server_command=COMMAND))
async def waiting(lsp_client: LanguageClient, project):
    lsp_client.editor = Editor(lsp_client, project, abilities("visual_studio_code"))
    yield
    await lsp_client.shutdown_session()


@pytest.fixture
def editor(started):
    """Each of the editors, started on the project."""
    return started.editor


@pytest.fixture
def unstarted(waiting):
    """One editor that has yet to be started."""
    return waiting.editor


@pytest_lsp.fixture(config=ClientServerConfig(server_command=COMMAND))
async def told(lsp_client: LanguageClient, project):
    lsp_client.editor = Editor(lsp_client, project, abilities("emacs"))
    yield
    await lsp_client.shutdown_session()


@pytest.fixture
def unasking(told):
    """One that is sent diagnostics unasked, still to be started."""
    return told.editor
