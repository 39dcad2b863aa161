// Starts VS Code in a browser with the built extension and the probe, and takes the pictures that it asks for.
// Needs what install_tools.sh installs, in $CHECK_TOOLS, and Chromium.

import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const { CHECK_PICTURES: pictures, CHECK_PROJECT: project, CHECK_REPORT: report } = process.env;
const { CHECK_TOOLS: tools, CHECK_VSIX: vsix } = process.env;
const folder = dirname(report);
const extension = join(here, "..", "..", "vscode");
const codeServer = join(tools, "code-server", "out", "node", "entry.js");
const places = ["--user-data-dir", join(folder, "data"), "--extensions-dir", join(folder, "extensions")];

const { default: puppeteer } = await import(
  join(tools, "driver/node_modules/puppeteer-core/lib/esm/puppeteer/puppeteer-core.js")
);

function install() {
  const probe = join(folder, "probe.vsix");
  const vsce = join(extension, "node_modules/.bin/vsce");
  const options = ["--no-dependencies", "--allow-missing-repository", "--skip-license", "--out", probe];
  execFileSync(vsce, ["package", ...options], { cwd: here, stdio: "ignore" });
  for (const file of [vsix, probe]) {
    execFileSync("node", [codeServer, ...places, "--install-extension", file], { stdio: "ignore" });
  }
  const settings = {
    "editor.inlayHints.enabled": "on",
    "security.workspace.trust.enabled": false,
    "telemetry.telemetryLevel": "off",
    "workbench.startupEditor": "none",
    "workbench.tips.enabled": false,
  };
  mkdirSync(join(folder, "data", "User"), { recursive: true });
  writeFileSync(join(folder, "data", "User", "settings.json"), JSON.stringify(settings));
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

async function reachable(address) {
  for (let tries = 0; tries < 100; tries++) {
    if (await fetch(address).then((response) => response.ok, () => false)) {
      return;
    }
    await pause(200);
  }
  throw new Error("code-server does not answer");
}

function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Serves the probe's wishes until it is done. */
async function serve(page) {
  let served = 0;
  for (const end = Date.now() + 180_000; Date.now() < end; await pause(200)) {
    const lines = existsSync(report) ? readFileSync(report, "utf8").split("\n").filter(Boolean) : [];
    for (const { step, value } of lines.slice(served).map((line) => JSON.parse(line))) {
      if (step === "picture") {
        await page.screenshot({ path: join(pictures, `${value}.png`) });
      } else if (step === "end") {
        return;
      }
    }
    served = lines.length;
  }
}

mkdirSync(pictures, { recursive: true });
install();
const port = await freePort();
const address = `http://127.0.0.1:${port}`;
const options = ["--auth", "none", "--bind-addr", `127.0.0.1:${port}`, "--disable-telemetry", "--disable-update-check"];
// As if started from a terminal: else PATH would be that of a login shell.
const environment = { ...process.env, VSCODE_CLI: "1" };
const command = [codeServer, ...places, ...options, project];
const server = spawn("node", command, { stdio: "ignore", env: environment, detached: true });
let browser;
try {
  await reachable(address);
  const viewport = { width: 1400, height: 900 };
  browser = await puppeteer.launch({
    executablePath: "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu"],
    defaultViewport: viewport,
  });
  const page = await browser.newPage();
  await page.goto(`${address}/?folder=${project}`, { waitUntil: "domcontentloaded", timeout: 60_000 });
  await serve(page);
} finally {
  await browser?.close();
  // With the extension hosts, which it would leave to themselves.
  process.kill(-server.pid);
}
