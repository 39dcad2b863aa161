import assert from "node:assert/strict";
import { homedir } from "node:os";
import { test } from "node:test";

import { replaceVariables } from "../src/variables";

const variables = { folder: "/project", environment: { TOOLS: "/tools" } };

const cases: [string, string][] = [
  ["~/bin/leverlint", `${homedir()}/bin/leverlint`],
  ["~", homedir()],
  ["a~b", "a~b"],
  ["${userHome}/x", `${homedir()}/x`],
  ["${workspaceFolder}/.venv/bin/leverlint", "/project/.venv/bin/leverlint"],
  ["${env:TOOLS}/leverlint", "/tools/leverlint"],
  ["${env:UNSET}leverlint", "leverlint"],
  ["${other}", "${other}"],
];

for (const [text, expected] of cases) {
  test(text, () => assert.equal(replaceVariables(text, variables), expected));
}

test("without a folder its variable stays", () => {
  const text = "${workspaceFolder}/x";
  assert.equal(replaceVariables(text, { folder: undefined, environment: {} }), text);
});
