// Starts `probity lsp` and shows what it finds out. All that is known of scripts is the server's.

"use strict";

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

const LANGUAGES = ["lsl", "promela", "smv", "tscript", "tvm"];

let client;

function settings() {
  const own = vscode.workspace.getConfiguration("probity");
  return {
    check: own.get("check", "change"),
    arguments: own.get("arguments", []),
    showsRuns: true,
  };
}

async function start() {
  const own = vscode.workspace.getConfiguration("probity");
  const languages = LANGUAGES.concat(own.get("moreLanguages", []));
  const selector = languages.flatMap((language) => [
    { scheme: "file", language },
    { scheme: "untitled", language },
  ]);
  const server = { command: own.get("path", "probity"), args: ["lsp"] };
  client = new LanguageClient("probity", "Probity", server, {
    documentSelector: selector,
    initializationOptions: settings(),
  });
  try {
    await client.start();
  } catch (error) {
    vscode.window.showErrorMessage(
      `Probity: ${error.message || error}. Is the program installed? The setting probity.path says where it is.`
    );
  }
}

async function stop() {
  const old = client;
  client = undefined;
  if (old) {
    try {
      await old.stop();
    } catch {
      // It has ended by itself.
    }
  }
}

// Shows the run of a property that fails, as a page to step through.
async function showRun(uri, property) {
  if (!client) {
    return;
  }
  const ask = { command: "probity.run", arguments: [uri, property, "html"] };
  const page = await client.sendRequest("workspace/executeCommand", ask);
  if (!page) {
    vscode.window.showInformationMessage(`Probity: nothing is known of ${property} just now.`);
    return;
  }
  const panel = vscode.window.createWebviewPanel(
    "probityRun",
    `${property}: the run`,
    vscode.ViewColumn.Beside,
    { enableScripts: true, retainContextWhenHidden: true }
  );
  panel.webview.html = page;
}

async function checkNow() {
  const editor = vscode.window.activeTextEditor;
  if (client && editor) {
    const uri = client.code2ProtocolConverter.asUri(editor.document.uri);
    const ask = { command: "probity.check", arguments: [uri] };
    await client.sendRequest("workspace/executeCommand", ask);
  }
}

async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand("probity.showRun", showRun),
    vscode.commands.registerCommand("probity.checkNow", checkNow),
    vscode.commands.registerCommand("probity.restart", async () => {
      await stop();
      await start();
    }),
    vscode.workspace.onDidChangeConfiguration(async (event) => {
      if (event.affectsConfiguration("probity.path") || event.affectsConfiguration("probity.moreLanguages")) {
        await stop();
        await start();
      } else if (event.affectsConfiguration("probity") && client) {
        await client.sendNotification("workspace/didChangeConfiguration", {
          settings: { probity: settings() },
        });
      }
    })
  );
  await start();
}

module.exports = { activate, deactivate: stop };
