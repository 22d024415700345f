// What the stand-in for VS Code is trusted with otherwise: findings are shown, and fixed by a command.
'use strict';

const assert = require('node:assert/strict');
const path = require('node:path');
const vscode = require('vscode');

/**
 * @template T
 * @param {string} what
 * @param {() => T} probe
 * @returns {Promise<T>}
 */
async function until(what, probe) {
  for (let tries = 0; tries < 600; tries++) {
    const result = probe();
    if (result) {
      return result;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`waited for ${what} in vain`);
}

async function run() {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  const document = await vscode.workspace.openTextDocument(path.join(folder.uri.fsPath, 'crd.yaml'));
  await vscode.window.showTextDocument(document);
  const rules = () => vscode.languages.getDiagnostics(document.uri).map(({ code }) => (typeof code === 'object' ? code.value : code));
  await until('findings', () => rules().includes('scope-invalid'));
  await vscode.commands.executeCommand('crdlift.fixAll');
  await until('the fix', () => document.lineAt(10).text.endsWith('scope: Namespaced'));
  await until('the finding to be gone', () => !rules().includes('scope-invalid'));
  assert.ok(rules().includes('default-invalid'));
}

module.exports = { run };
