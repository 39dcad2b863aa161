"""Shows that a real rust-analyzer takes what leverlint prints; run by hand.

    pip install -e '.[dev]' && python editors/rust-analyzer/check.py

It wants `rust-analyzer` (Debian: `apt-get install rust-web-analyzer`; another one is named by
`--server`) and `cargo`. For each of the ways to set it up it starts the server on a new crate,
waits for the diagnostics of leverlint and of rustc, takes the quick fix if the finding has one,
and saves a file with the read taken away, upon which the diagnostic must go.
"""

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from lsprotocol import types
from pygls.lsp.client import LanguageClient

FILES = {
    "Cargo.toml": '[package]\nname = "demo"\nversion = "0.1.0"\nedition = "2021"\n',
    "src/levers.rs": """\
use std::sync::OnceLock;

pub struct ModelLevers {
    pub fused: bool,
}

impl ModelLevers {
    fn resolve() -> Self {
        Self { fused: std::env::var("ATLAS_FUSED").as_deref() == Ok("1") }
    }

    pub fn get() -> &'static Self {
        static LEVERS: OnceLock<ModelLevers> = OnceLock::new();
        LEVERS.get_or_init(Self::resolve)
    }
}
""",
    "src/lib.rs": """\
pub mod levers;

pub fn fused() -> (&'static str, bool) {
    let unused = 1;
    ("\U0001f980", std::env::var("ATLAS_FUSED").as_deref() == Ok("1"))
}
""",
}
READ = 'std::env::var("ATLAS_FUSED").as_deref() == Ok("1")'
CARGO = ["cargo", "check", "--workspace", "--message-format=json", "--all-targets"]
WAYS = {
    "overrideCommand": {"overrideCommand": ["leverlint", "flycheck", "--", *CARGO]},
    "overrideCommand without cargo": {"overrideCommand": ["leverlint", "flycheck"]},
    "command": {"command": "leverlint"},
    "command --with=none": {"command": "leverlint", "extraArgs": ["--with=none"]},
}
WITHOUT_RUSTC = ("overrideCommand without cargo", "command --with=none")
PATIENCE = 60.0


class Editor:
    """As much of an editor as rust-analyzer wants to see."""

    def __init__(self, root: Path, check: dict[str, object]) -> None:
        self.root = root
        self.check = check
        self.shown: dict[str, list[types.Diagnostic]] = {}
        self.client = LanguageClient("leverlint-check", "1")

        @self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def show(published: types.PublishDiagnosticsParams) -> None:
            self.shown[published.uri] = list(published.diagnostics)

        @self.client.feature(types.WINDOW_SHOW_MESSAGE)
        def say(said: types.ShowMessageParams) -> None:
            print("  rust-analyzer says:", said.message)

        for asked in (
            types.WINDOW_WORK_DONE_PROGRESS_CREATE,
            types.CLIENT_REGISTER_CAPABILITY,
            types.PROGRESS,
        ):
            self.client.feature(asked)(lambda _: None)

    async def open(self, server: str, path: str) -> None:
        await self.client.start_io(server)
        document = types.TextDocumentClientCapabilities(
            publish_diagnostics=types.PublishDiagnosticsClientCapabilities(related_information=True),
            synchronization=types.TextDocumentSyncClientCapabilities(did_save=True),
            code_action=types.CodeActionClientCapabilities(
                code_action_literal_support=types.ClientCodeActionLiteralOptions(
                    types.ClientCodeActionKindOptions([types.CodeActionKind.QuickFix])
                )
            ),
        )
        folder = types.WorkspaceFolder(self.root.as_uri(), "demo")
        await self.client.initialize_async(
            types.InitializeParams(
                types.ClientCapabilities(text_document=document),
                root_uri=self.root.as_uri(),
                workspace_folders=[folder],
                initialization_options={
                    "check": self.check,
                    "checkOnSave": True,
                    "procMacro": {"enable": False},
                },
            )
        )
        self.client.initialized(types.InitializedParams())
        text = (self.root / path).read_text("utf-8")
        item = types.TextDocumentItem(self.uri(path), "rust", 1, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))

    async def close(self) -> None:
        await self.client.shutdown_async(None)
        self.client.exit(None)
        await asyncio.wait_for(self.client.stop(), 10)

    def uri(self, path: str) -> str:
        return (self.root / path).as_uri()

    def of(self, path: str, source: str) -> list[types.Diagnostic]:
        return [one for one in self.shown.get(self.uri(path), []) if one.source == source and one.code]

    async def until(self, what: str, holds) -> None:
        for _ in range(int(PATIENCE / 0.1)):
            if holds():
                return
            await asyncio.sleep(0.1)
        sys.exit(f"FAILED: {what}; shown: {self.shown}")

    async def quick_fix(self, path: str, diagnostic: types.Diagnostic) -> types.CodeAction | None:
        document = types.TextDocumentIdentifier(self.uri(path))
        context = types.CodeActionContext([diagnostic], only=[types.CodeActionKind.QuickFix])
        offered = await self.client.text_document_code_action_async(
            types.CodeActionParams(document, diagnostic.range, context)
        )
        fixes = [one for one in offered or [] if isinstance(one, types.CodeAction) and one.edit]
        return next((one for one in fixes if "ModelLevers" in one.title), None)

    def save(self, path: str, text: str) -> None:
        (self.root / path).write_text(text, "utf-8")
        document = types.VersionedTextDocumentIdentifier(2, self.uri(path))
        change = types.TextDocumentContentChangeWholeDocument(text)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, [change]))
        saved = types.DidSaveTextDocumentParams(types.TextDocumentIdentifier(self.uri(path)))
        self.client.text_document_did_save(saved)


def applied(text: str, action: types.CodeAction, uri: str) -> str:
    """Apply the edits of one file, whose positions count UTF-16."""
    edits = list((action.edit.changes or {}).get(uri, []))
    for change in action.edit.document_changes or []:
        if isinstance(change, types.TextDocumentEdit) and change.text_document.uri == uri:
            edits += change.edits
    lines = [line.encode("utf-16-le") for line in text.splitlines(keepends=True)]
    for edit in sorted(
        edits, key=lambda one: (one.range.start.line, one.range.start.character), reverse=True
    ):
        start, end = edit.range.start, edit.range.end
        head, tail = lines[start.line][: start.character * 2], lines[end.line][end.character * 2 :]
        lines[start.line : end.line + 1] = [head + edit.new_text.encode("utf-16-le") + tail]
    return b"".join(lines).decode("utf-16-le")


def has_fix(root: Path) -> bool:
    """Ask leverlint itself whether the finding has a fix."""
    done = subprocess.run(
        ["leverlint", "check", "--no-cache", "--output-format", "cargo"],
        cwd=root,
        capture_output=True,
        text=True,
    )
    children = [child for line in done.stdout.splitlines() for child in json.loads(line)["children"]]
    return any(span["suggested_replacement"] for child in children for span in child["spans"])


async def try_way(name: str, server: str) -> None:
    print(f"== {name}: {json.dumps(WAYS[name])}")
    with tempfile.TemporaryDirectory() as directory:
        root = Path(directory).resolve()
        for path, text in FILES.items():
            (root / path).parent.mkdir(exist_ok=True)
            (root / path).write_text(text, "utf-8")
        editor = Editor(root, WAYS[name])
        await editor.open(server, "src/lib.rs")
        await editor.until("no finding", lambda: editor.of("src/lib.rs", "leverlint"))
        if name not in WITHOUT_RUSTC:
            await editor.until("nothing from rustc", lambda: editor.of("src/lib.rs", "rustc"))
        for source in ("leverlint", "rustc"):
            for one in editor.of("src/lib.rs", source):
                first, _, rest = one.message.partition("\n")
                print(f"  {one.source} {one.code} {one.severity.name} at {one.range}: {first}")
                print("".join(f"      {line}\n" for line in rest.splitlines()), end="")
        found = editor.of("src/lib.rs", "leverlint")
        # Where a suggestion would change something is shown as a hint of its own.
        [finding] = [one for one in found if one.severity != types.DiagnosticSeverity.Hint]
        line = FILES["src/lib.rs"].splitlines()[finding.range.start.line]
        # The crab before the read takes two units of UTF-16.
        assert finding.range.start.character == line.index("std::env::var") + 1, "not where the read is"
        text = FILES["src/lib.rs"].replace(READ, "levers::ModelLevers::get().fused")
        if has_fix(root):
            action = await editor.quick_fix("src/lib.rs", finding)
            assert action is not None, "no quick fix"
            text = applied(FILES["src/lib.rs"], action, editor.uri("src/lib.rs"))
            made = [line for line in text.splitlines() if line not in FILES["src/lib.rs"].splitlines()]
            print(f"  quick fix {action.title!r} makes", *made, sep="\n      ")
        else:
            print("  leverlint has no fix for it: quick fix not tried")
        editor.save("src/lib.rs", text)
        await editor.until("the finding stays", lambda: not editor.of("src/lib.rs", "leverlint"))
        print("  saved: the finding has gone")
        await editor.close()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--server", default="/usr/bin/rust-analyzer", help="(default: %(default)s)")
    parser.add_argument("ways", nargs="*", metavar="WAY", help=f"(default: all) of {', '.join(WAYS)}")
    arguments = parser.parse_args()
    os.environ.pop("RUSTUP_TOOLCHAIN", None)
    for name in arguments.ways or WAYS:
        asyncio.run(try_way(name, arguments.server))


if __name__ == "__main__":
    main()
