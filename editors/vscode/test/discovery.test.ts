import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { test } from "node:test";

import { type Answer, type Surroundings, candidates, findServer, isOlder } from "../src/discovery";

const folder = mkdtempSync(path.join(tmpdir(), "leverlint-discovery-"));
const bin = program("bin", "leverlint");
program("bin", "python3");
const ofVenv = program("project/.venv/bin", "python");

function program(where: string, name: string): string {
  const file = path.join(folder, where, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, "#!/bin/sh\n");
  chmodSync(file, 0o755);
  return file;
}

function around(changes: Partial<Surroundings> = {}): Surroundings {
  return {
    path: [],
    interpreter: [],
    importStrategy: "fromEnvironment",
    trusted: true,
    folders: [path.join(folder, "project")],
    selected: "/envs/selected/bin/python",
    bundle: undefined,
    searchPath: path.join(folder, "bin"),
    platform: "linux",
    ...changes,
  };
}

function shown(surroundings: Surroundings): string[] {
  return candidates(surroundings).map(({ command, args }) => [command, ...args].join(" "));
}

const module = (python: string) => `${python} -P -m leverlint`;
const bundled = (python: string) => `${python} -P /extension/bundled/server.py`;

test("the selected environment, then the folder's, then PATH", () => {
  assert.deepEqual(shown(around()), [module("/envs/selected/bin/python"), module(ofVenv), bin]);
});

test("a bundled leverlint comes last, and can be run by a Python of PATH", () => {
  const surroundings = around({ bundle: "/extension/bundled/server.py", selected: undefined });
  const python3 = path.join(folder, "bin", "python3");
  assert.deepEqual(shown(surroundings), [module(ofVenv), bin, bundled(ofVenv), bundled(python3)]);
});

test("useBundled puts it first", () => {
  const surroundings = around({ bundle: "/extension/bundled/server.py", importStrategy: "useBundled" });
  assert.equal(shown(surroundings)[0], bundled("/envs/selected/bin/python"));
});

test("an environment that is both selected and in the folder counts once", () => {
  assert.deepEqual(shown(around({ selected: ofVenv })), [module(ofVenv), bin]);
});

test("a command of the setting is the only candidate, with its arguments", () => {
  assert.deepEqual(shown(around({ path: ["/opt/python", "-m", "leverlint"] })), ["/opt/python -m leverlint"]);
});

test("a bare command of the setting is looked up on PATH, a relative one in the folder", () => {
  assert.deepEqual(shown(around({ path: ["leverlint"] })), [bin]);
  assert.deepEqual(shown(around({ path: ["tools/leverlint"] })), [path.join(folder, "project/tools/leverlint")]);
});

test("an interpreter of the setting has no substitute", () => {
  assert.deepEqual(shown(around({ interpreter: ["/opt/python"] })), [module("/opt/python")]);
});

test("nothing of an untrusted workspace is run", () => {
  assert.deepEqual(shown(around({ trusted: false })), [bin]);
});

test("folders of PATH that depend on the working directory are left out", () => {
  assert.deepEqual(shown(around({ trusted: false, searchPath: ".:bin:" })), []);
});

async function found(surroundings: Surroundings, answers: Record<string, Answer>) {
  const lines: string[] = [];
  const server = await findServer(
    surroundings,
    async ({ command }) => answers[command] ?? { failure: "leverlint is not installed there" },
    (line) => lines.push(line),
  );
  return { server, lines };
}

test("the first that can serve is taken, and why the others were not is logged", async () => {
  const { server, lines } = await found(around(), {
    "/envs/selected/bin/python": { version: "0.1.0", hasServer: false },
    [ofVenv]: { version: "0.2.0", hasServer: true },
  });
  assert.ok("version" in server);
  assert.equal(server.version, "0.2.0");
  assert.equal(server.origin, "project/.venv");
  assert.deepEqual(lines, [
    "leverlint 0.1.0 of the selected Python environment has no language server: pygls is not installed with it",
  ]);
});

test("one that cannot serve tells more than none", async () => {
  const { server } = await found(around(), { [bin]: { version: "0.0.9", hasServer: true } });
  assert.deepEqual(server, {
    fault: "too-old",
    message: "leverlint 0.0.9 of PATH is too old, 0.1.0 or newer is needed",
    python: undefined,
  });
});

test("where none is, the places that were looked at are named", async () => {
  const { server } = await found(around(), {});
  assert.deepEqual(server, {
    fault: "missing",
    message: "leverlint was not found in the selected Python environment, project/.venv, PATH",
    python: "/envs/selected/bin/python",
  });
});

test("a command of the setting that does not run is named", async () => {
  const { server } = await found(around({ path: ["/opt/leverlint"] }), {
    "/opt/leverlint": { failure: "there is no /opt/leverlint" },
  });
  assert.deepEqual(server, {
    fault: "unusable",
    message: "leverlint of `leverlint.path` does not run: there is no /opt/leverlint",
    python: undefined,
  });
});

test("versions", () => {
  assert.ok(isOlder("0.0.9", "0.1.0"));
  assert.ok(isOlder("0.9.0", "0.10.0"));
  assert.ok(!isOlder("0.1.0", "0.1.0"));
  assert.ok(!isOlder("1.0", "0.1.0"));
  assert.ok(!isOlder("0.1.0rc1", "0.1.0"));
});
