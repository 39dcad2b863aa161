// Runs real programs; a Python with leverlint is taken from the environment variable TEST_PYTHON.

import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { test } from "node:test";

import { ask } from "../src/asking";

const folder = mkdtempSync(path.join(tmpdir(), "leverlint-asking-"));

function script(name: string, text: string): string {
  const file = path.join(folder, name);
  writeFileSync(file, `#!/bin/sh\n${text}\n`);
  chmodSync(file, 0o755);
  return file;
}

function command(file: string) {
  return ask({ command: file, args: [], origin: "a test", python: undefined });
}

function python(file: string) {
  return ask({ command: file, args: ["-P", "-m", "leverlint"], origin: "a test", python: file });
}

test("a command tells its version", async () => {
  assert.deepEqual(await command(script("good", "echo leverlint 1.2.3")), { version: "1.2.3", hasServer: true });
});

test("another program is told apart", async () => {
  assert.deepEqual(await command(script("other", "echo ruff 1.2.3")), { failure: "it is not leverlint" });
});

test("a program that fails gives the last line of what it says", async () => {
  const file = script("bad", "echo Traceback >&2; echo no such module >&2; exit 1");
  assert.deepEqual(await command(file), { failure: "no such module" });
});

test("a program that is not there", async () => {
  assert.deepEqual(await command("/nowhere/leverlint"), { failure: "there is no /nowhere/leverlint" });
});

test("an old Python", async () => {
  const file = script("python3.10", "echo 'Unknown option: -P' >&2; exit 2");
  assert.deepEqual(await python(file), { failure: "its Python is older than 3.11" });
});

const real = process.env["TEST_PYTHON"];

test("a Python with leverlint and its server", { skip: real === undefined }, async () => {
  const answer = await python(real ?? "");
  assert.ok("version" in answer);
  assert.match(answer.version, /^\d+\.\d+/);
  assert.equal(answer.hasServer, true);
});
