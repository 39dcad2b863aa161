// The extension: when the server runs, the commands, and what the user is told.

import * as vscode from "vscode";

import { showConfiguration } from "./configuration";
import type { Problem } from "./discovery";
import { onSelection } from "./environment";
import { type Condition, DOCUMENTS, Server } from "./server";
import { concernsStart } from "./settings";

let server: Server | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const output = vscode.window.createOutputChannel("leverlint", { log: true });
  const status = vscode.languages.createLanguageStatusItem("leverlint", DOCUMENTS);
  status.name = "leverlint";
  status.command = { title: "Show Output", command: "leverlint.showOutput" };

  const running = new Server(context.extensionPath, output, (condition) => {
    show(condition, status);
    if (typeof condition === "object" && "problem" in condition) {
      output.error(condition.problem.message);
      void tell(condition.problem);
    }
  });
  server = running;

  const { registerCommand } = vscode.commands;
  context.subscriptions.push(
    output,
    status,
    registerCommand("leverlint.restart", () => running.restart()),
    registerCommand("leverlint.showOutput", () => output.show()),
    registerCommand("leverlint.fixAll", fixAll),
    ...showConfiguration(() => running.leverlint),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (concernsStart(change)) {
        void running.reconsider();
      }
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => void running.reconsider()),
  );
  void onSelection(() => void running.reconsider()).then((selection) => context.subscriptions.push(selection));
  await running.restart();
}

export function deactivate(): Promise<void> | undefined {
  return server?.stop();
}

async function fixAll(): Promise<void> {
  const fix = { kind: "source.fixAll.leverlint", apply: "first" };
  await vscode.commands.executeCommand("editor.action.codeAction", fix);
}

function show(condition: Condition, status: vscode.LanguageStatusItem): void {
  status.busy = condition === "starting";
  status.severity = vscode.LanguageStatusSeverity.Information;
  if (typeof condition === "string") {
    status.text = condition === "starting" ? "leverlint" : `leverlint ${condition === "off" ? "is off" : "has ended"}`;
    status.detail = "";
  } else if ("running" in condition) {
    status.text = `leverlint ${condition.running.version}`;
    status.detail = condition.running.origin;
  } else {
    status.severity = vscode.LanguageStatusSeverity.Error;
    status.text = "leverlint";
    status.detail = condition.problem.message;
  }
}

const INSTALL = "Install…";
const SETTINGS = "Open Settings";
const OUTPUT = "Show Output";

async function tell(problem: Problem): Promise<void> {
  const helps = problem.fault !== "stopped" && problem.fault !== "unusable";
  const actions = helps ? [INSTALL, SETTINGS, OUTPUT] : [SETTINGS, OUTPUT];
  const choice = await vscode.window.showErrorMessage(problem.message, ...actions);
  if (choice === INSTALL) {
    install(problem.python);
  } else if (choice === SETTINGS) {
    await vscode.commands.executeCommand("workbench.action.openSettings", "@ext:leverlint.leverlint");
  } else if (choice === OUTPUT) {
    await vscode.commands.executeCommand("leverlint.showOutput");
  }
}

/** Writes the command into a terminal and leaves it to the user to run it. */
function install(python: string | undefined): void {
  const terminal = vscode.window.createTerminal("leverlint");
  terminal.show();
  const quoted = python === undefined ? "python3" : /[\s"']/.test(python) ? `"${python}"` : python;
  terminal.sendText(`${quoted} -m pip install --upgrade "leverlint[lsp]"`, false);
}
