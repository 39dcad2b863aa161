// Works on the project in $CHECK_PROJECT as a user would, and writes what it sees to $CHECK_REPORT.

const fs = require("node:fs");
const path = require("node:path");
const vscode = require("vscode");

const project = process.env.CHECK_PROJECT;
const { executeCommand } = vscode.commands;

function report(step, value) {
  fs.appendFileSync(process.env.CHECK_REPORT, `${JSON.stringify({ step, value: value ?? null })}\n`);
}

/** Asks whoever drives the browser for a picture, and waits until it is taken. */
async function picture(name) {
  const taken = path.join(process.env.CHECK_PICTURES, `${name}.png`);
  fs.rmSync(taken, { force: true });
  report("picture", name);
  await until(() => fs.existsSync(taken));
}

async function until(condition, patience = 15000) {
  const end = Date.now() + patience;
  while (Date.now() < end) {
    if (await condition()) {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function open(name) {
  const document = await vscode.workspace.openTextDocument(path.join(project, name));
  return vscode.window.showTextDocument(document, { preview: false });
}

function diagnostics(document) {
  const found = vscode.languages.getDiagnostics(document.uri).filter((one) => one.source === "leverlint");
  return found.sort((a, b) => a.range.start.compareTo(b.range.start));
}

function findings(document) {
  return diagnostics(document).map((one) => [one.code?.value ?? one.code, document.getText(one.range)]);
}

async function findingsWhen(document, count) {
  await until(() => diagnostics(document).length === count);
  return findings(document);
}

function at(document, text) {
  return document.positionAt(document.getText().indexOf(text));
}

function place(location) {
  const uri = location.uri ?? location.targetUri;
  const range = location.range ?? location.targetSelectionRange;
  return `${path.relative(project, uri.fsPath)}:${range.start.line + 1}`;
}

/** Applies the action that is offered at some text and has `wanted` in its title; gives all titles. */
async function act(document, text, wanted) {
  const range = new vscode.Range(at(document, text), at(document, text).translate(0, text.length));
  const actions = await executeCommand("vscode.executeCodeActionProvider", document.uri, range, undefined, 20);
  const chosen = actions.find((action) => wanted.test(action.title));
  if (chosen?.edit) {
    await vscode.workspace.applyEdit(chosen.edit);
  }
  return actions.map((action) => action.title);
}

async function check() {
  const settings = () => vscode.workspace.getConfiguration("leverlint");
  const update = (key, value) => settings().update(key, value, vscode.ConfigurationTarget.Workspace);
  report("editor", `${vscode.env.appName} ${vscode.version}`);

  const editor = await open("engine/decode.py");
  const { document } = editor;
  report("findings", await findingsWhen(document, 2));
  const poison = at(document, "DEMO_POISON");
  const hovers = await executeCommand("vscode.executeHoverProvider", document.uri, poison);
  report("hover", hovers.flatMap((hover) => hover.contents.map((content) => content.value)).join("\n\n"));
  const definitions = await executeCommand("vscode.executeDefinitionProvider", document.uri, poison);
  report("definition", definitions.map(place));
  const references = await executeCommand("vscode.executeReferenceProvider", document.uri, poison);
  report("references", references.map(place));
  const everything = new vscode.Range(0, 0, document.lineCount, 0);
  const hints = await executeCommand("vscode.executeInlayHintProvider", document.uri, everything);
  report("hints", hints.map((hint) => (typeof hint.label === "string" ? hint.label : hint.label.map((part) => part.value).join(""))));

  editor.selection = new vscode.Selection(poison, poison);
  await executeCommand("workbench.actions.view.problems");
  await executeCommand("workbench.action.focusActiveEditorGroup");
  await executeCommand("editor.action.showHover");
  await new Promise((resolve) => setTimeout(resolve, 1500));
  await picture("hover");

  await editor.edit((edit) => edit.insert(new vscode.Position(7, 0), '    trace = "😀é"; trace = flag("DEMO_TRACE")\n'));
  report("typed", await findingsWhen(document, 3));
  await editor.edit((edit) => edit.delete(new vscode.Range(7, 0, 8, 0)));
  report("typed and removed", await findingsWhen(document, 2));

  const flags = await open("engine/flags.py");
  const read = 'os.environ.get(name) == "1"';
  const start = at(flags.document, read);
  const rest = () => new vscode.Range(start, flags.document.lineAt(start).range.end);
  await flags.edit((edit) => edit.replace(rest(), "False"));
  report("wrapper edited", await findingsWhen(document, 1));
  await flags.edit((edit) => edit.replace(rest(), read));
  await findingsWhen(document, 2);

  await open("engine/decode.py");
  report("actions", await act(document, "os.environ.get", /suppress/i));
  report("suppressed", document.getText());
  report("left", await findingsWhen(document, 1));
  await executeCommand("leverlint.fixAll");
  await until(() => !document.getText().includes("DEMO_POISON"), 5000);
  report("fixed", document.getText());
  report("clean", await findingsWhen(document, 0));
  await picture("fixed");

  const rust = (await open("kernel/src/lib.rs")).document;
  report("rust", await findingsWhen(rust, 1));
  await update("ignore", ["raw-read"]);
  report("settings", await findingsWhen(rust, 0));
  await update("ignore", undefined);
  await findingsWhen(rust, 1);

  await executeCommand("leverlint.restart");
  report("restarted", await findingsWhen(rust, 1));
  await executeCommand("leverlint.showConfiguration");
  await until(() => vscode.window.activeTextEditor?.document.uri.scheme === "leverlint-configuration");
  report("configuration", vscode.window.activeTextEditor?.document.getText());
  await picture("configuration");

  await update("path", ["/nowhere/leverlint"]);
  report("without leverlint", await findingsWhen(rust, 0));
  await open("kernel/src/lib.rs");
  await new Promise((resolve) => setTimeout(resolve, 1500));
  await picture("without-leverlint");
  await update("path", undefined);
  report("found again", await findingsWhen(rust, 1));
}

exports.activate = async () => {
  await check().catch((error) => report("error", String(error?.stack ?? error)));
  report("end", null);
};
