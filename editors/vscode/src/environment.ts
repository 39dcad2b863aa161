// The Python environment that is selected in Microsoft's Python extension, where that is installed.

import * as vscode from "vscode";

const EXTENSION = "ms-python.python";

/** The part of that extension's interface that is used here. */
interface PythonExtension {
  environments?: {
    getActiveEnvironmentPath(resource?: vscode.Uri): { path: string };
    resolveEnvironment(environment: { path: string }): Promise<{ executable: { uri?: vscode.Uri } } | undefined>;
    onDidChangeActiveEnvironmentPath: vscode.Event<unknown>;
  };
}

export async function selectedInterpreter(folder: vscode.Uri | undefined): Promise<string | undefined> {
  const environments = (await extension())?.environments;
  if (environments === undefined) {
    return undefined;
  }
  const environment = await environments.resolveEnvironment(environments.getActiveEnvironmentPath(folder));
  return environment?.executable.uri?.fsPath;
}

/** Calls back whenever another environment is selected. */
export async function onSelection(callback: () => void): Promise<vscode.Disposable> {
  const environments = (await extension())?.environments;
  return environments?.onDidChangeActiveEnvironmentPath(callback) ?? new vscode.Disposable(() => {});
}

async function extension(): Promise<PythonExtension | undefined> {
  try {
    return await vscode.extensions.getExtension<PythonExtension>(EXTENSION)?.activate();
  } catch {
    return undefined;
  }
}
