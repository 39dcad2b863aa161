// Where a leverlint may be, and which one to take. Knows nothing of VS Code: what it may look at is given.

import { existsSync } from "node:fs";
import * as path from "node:path";

export const OLDEST_SERVER = "0.1.0";

export type ImportStrategy = "fromEnvironment" | "useBundled";

/** What the settings, the editor and the machine say. */
export interface Surroundings {
  /** The setting `leverlint.path`: a command and its arguments. */
  path: string[];
  /** The setting `leverlint.interpreter`, likewise. */
  interpreter: string[];
  importStrategy: ImportStrategy;
  /** Whether programs that the workspace holds may run. */
  trusted: boolean;
  /** Folders of the workspace. */
  folders: string[];
  /** The interpreter of the environment that is selected in the Python extension. */
  selected: string | undefined;
  /** The script that starts the bundled leverlint, if this build of the extension has one. */
  bundle: string | undefined;
  /** The environment variable PATH. */
  searchPath: string;
  platform: NodeJS.Platform;
}

/** A command that may be leverlint: its own arguments (`server`, `--version`) are still to be appended. */
export interface Candidate {
  command: string;
  args: string[];
  /** Where it comes from, to be read after "leverlint of". */
  origin: string;
  /** The Python that runs it, where that is known. */
  python: string | undefined;
}

/** What a candidate answers when it is asked who it is. */
export type Answer = { version: string; hasServer: boolean } | { failure: string };

export interface Found extends Candidate {
  version: string;
}

export interface Problem {
  /** `unusable` is what a setting names and `stopped` what was started: installing leverlint would not help. */
  fault: "missing" | "too-old" | "no-server" | "unusable" | "stopped";
  message: string;
  /** The Python to install leverlint with, where that is known. */
  python: string | undefined;
}

/** All candidates, best first. What a setting names has no substitute. */
export function candidates(around: Surroundings): Candidate[] {
  if (around.path.length > 0) {
    return [fromCommand(around.path, "`leverlint.path`", around)];
  }
  const pythons = interpreters(around);
  const environment = pythons.map((python) => withArguments(python, ["-P", "-m", "leverlint"], python.origin));
  if (around.interpreter.length === 0) {
    const script = onSearchPath("leverlint", around);
    environment.push(...(script === undefined ? [] : [{ command: script, args: [], origin: "PATH", python: undefined }]));
  }
  const bundle = around.bundle;
  const bundled =
    bundle === undefined
      ? []
      : [...pythons, ...pythonsOnSearchPath(around)].map((python) =>
          withArguments(python, ["-P", bundle], `the extension, run by ${python.origin}`),
        );
  return around.importStrategy === "useBundled" ? [...bundled, ...environment] : [...environment, ...bundled];
}

/** The first candidate that can serve, else the most telling reason why there is none. */
export async function findServer(
  around: Surroundings,
  ask: (candidate: Candidate) => Promise<Answer>,
  log: (line: string) => void,
): Promise<Found | Problem> {
  const tried = candidates(around);
  const problems: Problem[] = [];
  for (const candidate of tried) {
    const answer = await ask(candidate);
    const problem = judge(candidate, answer);
    if (problem === undefined && "version" in answer) {
      return { ...candidate, version: answer.version };
    }
    if (problem !== undefined) {
      log(problem.message);
      problems.push(problem);
    }
  }
  // One that is there but cannot serve tells more than one that is not there.
  const telling = problems.find((problem) => problem.fault !== "missing");
  if (telling !== undefined) {
    return telling;
  }
  if (around.path.length > 0 && problems[0] !== undefined) {
    return { ...problems[0], fault: "unusable" };
  }
  const places = new Set(tried.map((candidate) => candidate.origin));
  if (around.interpreter.length === 0) {
    places.add("PATH");
  }
  const python = tried.find((candidate) => candidate.python !== undefined)?.python;
  return { fault: "missing", message: `leverlint was not found in ${[...places].join(", ")}`, python };
}

/** Why a candidate cannot serve, if it cannot. */
function judge(candidate: Candidate, answer: Answer): Problem | undefined {
  const { origin, python } = candidate;
  if ("failure" in answer) {
    return { fault: "missing", message: `leverlint of ${origin} does not run: ${answer.failure}`, python };
  }
  if (isOlder(answer.version, OLDEST_SERVER)) {
    const message = `leverlint ${answer.version} of ${origin} is too old, ${OLDEST_SERVER} or newer is needed`;
    return { fault: "too-old", message, python };
  }
  if (!answer.hasServer) {
    const message = `leverlint ${answer.version} of ${origin} has no language server: pygls is not installed with it`;
    return { fault: "no-server", message, python };
  }
  return undefined;
}

/** Whether a version is before another; what follows the three numbers (`rc1`, `.dev2`) does not count. */
export function isOlder(version: string, than: string): boolean {
  const numbers = (text: string) => text.split(".", 3).map((part) => Number.parseInt(part, 10) || 0);
  const [left, right] = [numbers(version), numbers(than)];
  for (let place = 0; place < 3; place++) {
    const difference = (left[place] ?? 0) - (right[place] ?? 0);
    if (difference !== 0) {
      return difference < 0;
    }
  }
  return false;
}

/** Pythons to look into, best first: the one of the setting alone, else of the editor and the workspace. */
function interpreters(around: Surroundings): Candidate[] {
  if (around.interpreter.length > 0) {
    return [ofPython(fromCommand(around.interpreter, "`leverlint.interpreter`", around))];
  }
  if (!around.trusted) {
    return [];
  }
  const found: Candidate[] = [];
  if (around.selected !== undefined) {
    found.push(fromCommand([around.selected], "the selected Python environment", around));
  }
  const inEnvironment = around.platform === "win32" ? ["Scripts", "python.exe"] : ["bin", "python"];
  for (const folder of around.folders) {
    for (const name of [".venv", "venv"]) {
      const python = path.join(folder, name, ...inEnvironment);
      if (existsSync(python)) {
        found.push(fromCommand([python], path.join(path.basename(folder), name), around));
      }
    }
  }
  const commands = found.map((python) => python.command);
  return found.filter((python, at) => commands.indexOf(python.command) === at).map(ofPython);
}

/** Pythons that may run a bundled leverlint where no environment is known. */
function pythonsOnSearchPath(around: Surroundings): Candidate[] {
  if (around.interpreter.length > 0) {
    return [];
  }
  return ["python3", "python"]
    .map((name) => onSearchPath(name, around))
    .filter((command) => command !== undefined)
    .map((command) => ofPython({ command, args: [], origin: "PATH", python: undefined }));
}

function fromCommand(words: string[], origin: string, around: Surroundings): Candidate {
  const [first = "", ...args] = words;
  return { command: located(first, around), args, origin, python: undefined };
}

function ofPython(python: Candidate): Candidate {
  return { ...python, python: python.command };
}

function withArguments(python: Candidate, args: string[], origin: string): Candidate {
  return { ...python, args: [...python.args, ...args], origin };
}

/** A command as an absolute path, where there is such a file: relative paths start at the first folder. */
function located(command: string, around: Surroundings): string {
  if (path.isAbsolute(command)) {
    return command;
  }
  if (/[\\/]/.test(command)) {
    return path.resolve(around.folders[0] ?? ".", command);
  }
  return onSearchPath(command, around) ?? command;
}

/**
 * A program on PATH. Asking the system for a bare name would, on Windows, also look into the working
 * directory, which is the workspace.
 */
export function onSearchPath(name: string, around: Pick<Surroundings, "searchPath" | "platform">): string | undefined {
  const windows = around.platform === "win32";
  const file = windows && !/\.exe$/i.test(name) ? `${name}.exe` : name;
  return around.searchPath
    .split(windows ? ";" : ":")
    .filter((folder) => path.isAbsolute(folder))
    .map((folder) => path.join(folder, file))
    .find((program) => existsSync(program));
}
