// The command that shows which configuration holds for a file, and from where.

import { execFile } from "node:child_process";
import * as path from "node:path";

import * as vscode from "vscode";

import type { Found } from "./discovery";
import { serverSettings } from "./settings";

const SCHEME = "leverlint-configuration";

/** Everything the command needs, to be disposed of with the extension. */
export function showConfiguration(leverlint: () => Found | undefined): vscode.Disposable[] {
  const provider: vscode.TextDocumentContentProvider = {
    provideTextDocumentContent: (uri) => shown(leverlint(), uri.query),
  };
  return [
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, provider),
    vscode.commands.registerCommand("leverlint.showConfiguration", async () => {
      const file = subject();
      if (file === undefined) {
        void vscode.window.showInformationMessage("Open a file or a folder to see the configuration of leverlint for it");
        return;
      }
      // Asked anew each time: a document is read once as long as its address is the same.
      const uri = vscode.Uri.from({ scheme: SCHEME, path: "leverlint.toml", query: file, fragment: String(Date.now()) });
      const document = await vscode.workspace.openTextDocument(uri);
      await vscode.languages.setTextDocumentLanguage(document, "toml").then(undefined, () => undefined);
      await vscode.window.showTextDocument(document, { preview: true });
    }),
  ];
}

function subject(): string | undefined {
  const document = vscode.window.activeTextEditor?.document.uri;
  const uri = document?.scheme === "file" ? document : vscode.workspace.workspaceFolders?.[0]?.uri;
  return uri?.fsPath;
}

function shown(leverlint: Found | undefined, file: string): Promise<string> {
  if (leverlint === undefined) {
    return Promise.resolve("# leverlint does not run, see its output\n");
  }
  const uri = vscode.Uri.file(file);
  const folder = vscode.workspace.getWorkspaceFolder(uri)?.uri.fsPath ?? path.dirname(file);
  const args = [...leverlint.args, "check", "--show-config", file, ...overrides(serverSettings(uri))];
  return new Promise((resolve) => {
    execFile(leverlint.command, args, { cwd: folder, windowsHide: true }, (error, stdout, stderr) => {
      resolve(error === null ? stdout : commented(stderr || error.message));
    });
  });
}

/** Settings of the editor as options of the command. */
function overrides(settings: Record<string, unknown>): string[] {
  const { configuration, prefixes, select, ignore } = settings;
  return [
    ...(typeof configuration === "string" ? ["--config", configuration] : []),
    ...list(prefixes).flatMap((prefix) => ["--prefix", prefix]),
    ...(select ? ["--select", list(select).join(",")] : []),
    ...(ignore ? ["--ignore", list(ignore).join(",")] : []),
  ];
}

function list(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function commented(text: string): string {
  return text.replace(/^/gm, "# ");
}
