// One server process and the client that talks to it; starts and stops happen one after the other.

import { existsSync } from "node:fs";
import * as path from "node:path";
import { createInterface } from "node:readline";

import * as vscode from "vscode";
import {
  CloseAction,
  type ErrorHandler,
  LanguageClient,
  type LanguageClientOptions,
  RevealOutputChannelOn,
  State,
} from "vscode-languageclient/node";

import { ask } from "./asking";
import { type Found, type Problem, type Surroundings, findServer } from "./discovery";
import { selectedInterpreter } from "./environment";
import { firstFolder, isEnabled, serverSettings, startSettings } from "./settings";

export const DOCUMENTS = [
  { scheme: "file", language: "python" },
  { scheme: "file", language: "rust" },
];

/** What sets levers or writes about them: there is no finding in it, but hover, completion and navigation. */
const NAMING = [
  "dockercompose",
  "dockerfile",
  "dotenv",
  "ini",
  "makefile",
  "markdown",
  "properties",
  "restructuredtext",
  "shellscript",
  "toml",
  "yaml",
].map((language) => ({ scheme: "file", language }));

export type Condition = "off" | "starting" | "ended" | { running: Found } | { problem: Problem };

export class Server {
  private client: LanguageClient | undefined;
  private found: Found | undefined;
  private queue: Promise<void> = Promise.resolve();

  constructor(
    private readonly extensionFolder: string,
    private readonly output: vscode.LogOutputChannel,
    private readonly report: (condition: Condition) => void,
  ) {}

  /** The leverlint that is in use, if one is. */
  get leverlint(): Found | undefined {
    return this.found;
  }

  restart(): Promise<void> {
    if (this.client?.state === State.Starting) {
      // One that never answers would hold up all that is to come.
      this.client.serverProcess?.kill();
    }
    return this.enqueue(async () => {
      await this.stopNow();
      await this.startNow();
    });
  }

  /** Restarts if another leverlint is to be used by now. */
  reconsider(): Promise<void> {
    return this.enqueue(async () => {
      const found = isEnabled() ? await this.find() : undefined;
      if (JSON.stringify(found) !== JSON.stringify(this.found)) {
        await this.stopNow();
        await this.startNow(found);
      }
    });
  }

  stop(): Promise<void> {
    return this.enqueue(() => this.stopNow());
  }

  private enqueue(task: () => Promise<void>): Promise<void> {
    this.queue = this.queue.then(task).catch((error: unknown) => this.output.error(String(error)));
    return this.queue;
  }

  private async startNow(known?: Found | Problem): Promise<void> {
    if (!isEnabled()) {
      this.report("off");
      return;
    }
    this.report("starting");
    const found = known ?? (await this.find());
    if ("fault" in found) {
      this.report({ problem: found });
      return;
    }
    this.output.info(`leverlint ${found.version} of ${found.origin}: ${[found.command, ...found.args].join(" ")}`);
    this.found = found;
    const complaints: string[] = [];
    this.client = new QuietClient(found, this.options(complaints));
    try {
      await this.client.start();
    } catch (error) {
      this.report({ problem: startProblem(found, complaints, error) });
      return;
    }
    this.report({ running: found });
    this.client.onDidChangeState(({ newState }) => {
      if (newState === State.Running) {
        this.report({ running: found });
      } else if (newState === State.Stopped && this.found === found) {
        // The client starts it again, or tells that it no longer does.
        this.report("ended");
      }
    });
  }

  private async stopNow(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    this.found = undefined;
    if (client?.isRunning()) {
      await client.dispose();
    }
  }

  private async find(): Promise<Found | Problem> {
    const settings = startSettings();
    const trusted = vscode.workspace.isTrusted;
    // The Python extension takes its time: it is asked only where its answer counts.
    const isOpen = trusted && settings.path.length === 0 && settings.interpreter.length === 0;
    const bundle = path.join(this.extensionFolder, "bundled", "server.py");
    const around: Surroundings = {
      ...settings,
      trusted,
      folders: vscode.workspace.workspaceFolders?.map((folder) => folder.uri.fsPath) ?? [],
      selected: isOpen ? await selectedInterpreter(firstFolder()?.uri) : undefined,
      bundle: existsSync(bundle) ? bundle : undefined,
      searchPath: process.env["PATH"] ?? "",
      platform: process.platform,
    };
    return findServer(around, ask, (line) => this.output.info(line));
  }

  private options(complaints: string[]): LanguageClientOptions {
    return {
      documentSelector: [...DOCUMENTS, ...NAMING],
      outputChannel: this.output,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      initializationOptions: () => serverSettings(),
      initializationFailedHandler: () => false,
      synchronize: { configurationSection: "leverlint" },
      middleware: {
        workspace: {
          // The section holds more than the server is to know, and paths with variables.
          configuration: (request) =>
            request.items.map((item) =>
              item.section === "leverlint" ? serverSettings(item.scopeUri ? vscode.Uri.parse(item.scopeUri) : undefined) : null,
            ),
          didChangeConfiguration: async () => {
            const settings = { leverlint: serverSettings() };
            await this.client?.sendNotification("workspace/didChangeConfiguration", { settings });
          },
        },
      },
      stdioOptions: {
        stdout: () => {},
        stderr: (stream) => {
          createInterface({ input: stream }).on("line", (line) => {
            this.output.info(line);
            complaints.push(line);
            complaints.splice(0, complaints.length - MEMORY);
          });
        },
      },
    };
  }
}

/** How many lines of the server's stderr are kept to tell why it did not start. */
const MEMORY = 20;

/** A client that leaves it to the extension to tell why a server did not start. */
class QuietClient extends LanguageClient {
  constructor(found: Found, options: LanguageClientOptions) {
    const args = [...found.args, "server"];
    super("leverlint", "leverlint", { command: found.command, args }, options);
    const usual = this.createDefaultErrorHandler();
    const handler: ErrorHandler = {
      error: (...details) => usual.error(...details),
      closed: () => (this.state === State.Running ? usual.closed() : { action: CloseAction.DoNotRestart, handled: true }),
    };
    this.clientOptions.errorHandler = handler;
  }

  override error(message: string, data?: unknown, showNotification?: boolean | "force"): void {
    super.error(message, data, this.state === State.Running ? showNotification : false);
  }
}

function startProblem(found: Found, complaints: string[], error: unknown): Problem {
  const { origin, python } = found;
  const complaint = complaintIn(complaints) ?? String(error);
  const fault = complaint.includes("pygls") ? "no-server" : "stopped";
  return { fault, message: `leverlint of ${origin} does not serve: ${complaint}`, python };
}

/** What leverlint itself says is wrong, with its hint; else its last words. */
function complaintIn(lines: string[]): string | undefined {
  const prefix = "leverlint: error: ";
  const at = lines.findLastIndex((line) => line.startsWith(prefix));
  const message = lines[at]?.slice(prefix.length);
  const hint = lines[at + 1]?.trim();
  return message === undefined ? lines.at(-1) : hint?.startsWith("hint: ") ? `${message} (${hint})` : message;
}
