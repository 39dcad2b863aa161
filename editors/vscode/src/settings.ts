// The section `leverlint` of the settings: what the server is told, and what starts it.

import * as vscode from "vscode";

import type { ImportStrategy } from "./discovery";
import { replaceVariables } from "./variables";

const SECTION = "leverlint";

/** What the server is told. The rest of the section is the extension's own. */
const SERVER_SETTINGS = [
  "enable",
  "configuration",
  "prefixes",
  "select",
  "ignore",
  "inlayHints",
  "rust",
  "baseline",
] as const;

/** Changes of these call for another server process. */
const START_SETTINGS = ["enable", "path", "interpreter", "importStrategy"];

/** The settings that hold for a file or folder, as the server expects them. */
export function serverSettings(scope?: vscode.Uri): Record<string, unknown> {
  const section = vscode.workspace.getConfiguration(SECTION, scope ?? firstFolder()?.uri);
  const settings: Record<string, unknown> = {};
  for (const key of SERVER_SETTINGS) {
    const value = section.get<unknown>(key);
    settings[key] = typeof value === "string" ? replaced(value, scope) : value;
  }
  return settings;
}

export interface StartSettings {
  path: string[];
  interpreter: string[];
  importStrategy: ImportStrategy;
}

export function startSettings(): StartSettings {
  const section = vscode.workspace.getConfiguration(SECTION, firstFolder()?.uri);
  return {
    path: words(section.get("path")),
    interpreter: words(section.get("interpreter")),
    importStrategy: section.get<ImportStrategy>("importStrategy") ?? "fromEnvironment",
  };
}

/** Whether any folder wants findings. */
export function isEnabled(): boolean {
  const scopes = vscode.workspace.workspaceFolders?.map((folder) => folder.uri) ?? [undefined];
  return scopes.some((scope) => vscode.workspace.getConfiguration(SECTION, scope).get("enable") !== false);
}

export function concernsStart(change: vscode.ConfigurationChangeEvent): boolean {
  return START_SETTINGS.some((key) => change.affectsConfiguration(`${SECTION}.${key}`));
}

export function firstFolder(): vscode.WorkspaceFolder | undefined {
  return vscode.workspace.workspaceFolders?.[0];
}

function words(value: unknown): string[] {
  const given = typeof value === "string" ? [value] : Array.isArray(value) ? value.map(String) : [];
  return given.filter((word) => word !== "").map((word) => replaced(word));
}

function replaced(text: string, scope?: vscode.Uri): string {
  const folder = (scope && vscode.workspace.getWorkspaceFolder(scope)) ?? firstFolder();
  return replaceVariables(text, { folder: folder?.uri.fsPath, environment: process.env });
}
