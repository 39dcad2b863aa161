// Asks a candidate who it is, by running it.

import { execFile } from "node:child_process";
import { tmpdir } from "node:os";

import type { Answer, Candidate } from "./discovery";

const PATIENCE = 20_000;

// A Python tells in one go whether it has leverlint, which, and whether the server's library is there.
const QUESTION = `
import importlib.util, json
answer = {"failure": "leverlint is not installed there"}
if importlib.util.find_spec("leverlint"):
    import leverlint
    answer = {"version": leverlint.__version__, "hasServer": bool(importlib.util.find_spec("pygls"))}
print(json.dumps(answer))
`;

export async function ask(candidate: Candidate): Promise<Answer> {
  const module = candidate.args.indexOf("-m");
  if (candidate.python !== undefined && candidate.args[module + 1] === "leverlint") {
    const output = await run(candidate.command, [...candidate.args.slice(0, module), "-c", QUESTION]);
    return "failure" in output ? output : answerOf(output.stdout);
  }
  const output = await run(candidate.command, [...candidate.args, "--version"]);
  if ("failure" in output) {
    return output;
  }
  const version = /^leverlint (\S+)/.exec(output.stdout)?.[1];
  // Whether a command has its server shows when the server is started.
  return version === undefined ? { failure: "it is not leverlint" } : { version, hasServer: true };
}

function answerOf(json: string): Answer {
  try {
    return JSON.parse(json) as Answer;
  } catch {
    return { failure: "its answer is not understood" };
  }
}

function run(command: string, args: string[]): Promise<{ stdout: string } | { failure: string }> {
  const answer = new Promise<{ stdout: string } | { failure: string }>((resolve) => {
    // Away from the workspace, so that no module in it is taken for one of leverlint's.
    const options = { cwd: tmpdir(), timeout: PATIENCE, windowsHide: true };
    execFile(command, args, options, (error, stdout, stderr) => {
      if (error === null) {
        resolve({ stdout });
      } else if (error.code === "ENOENT") {
        resolve({ failure: `there is no ${command}` });
      } else if (stderr.includes("Unknown option: -P")) {
        resolve({ failure: "its Python is older than 3.11" });
      } else {
        resolve({ failure: stderr.trim().split("\n").at(-1) || error.message });
      }
    });
  });
  // Windows refuses to run some files before there is a process.
  return answer.catch((error: Error) => ({ failure: error.message }));
}
