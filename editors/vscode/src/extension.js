// Starts the language server of crdlift, and adds the commands of VS Code that the protocol has no words for.
'use strict';

const vscode = require('vscode');
const { Session } = require('./session');
const { commands } = require('./commands');

/** @type {Session | undefined} */
let session;

/** @param {vscode.ExtensionContext} context */
async function activate(context) {
  const running = (session = new Session());
  context.subscriptions.push(
    running,
    ...commands(running),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('crdlift.path')) {
        return running.restart();
      }
    }),
    // The setting of a workspace counts from then on.
    vscode.workspace.onDidGrantWorkspaceTrust(() => running.restart()),
  );
  await running.start();
}

function deactivate() {
  return session?.stop();
}

module.exports = { activate, deactivate };
