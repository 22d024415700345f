// The commands of the palette, and those of the server's actions that need a person's answer.
'use strict';

const vscode = require('vscode');

/** The kinds of code actions that the server has; internal/lsp names them. */
const kinds = { fixAll: 'source.fixAll.crdlift', convert: 'refactor.rewrite.crdlift' };

/**
 * @param {import('./session').Session} session
 * @returns {vscode.Disposable[]}
 */
function commands(session) {
  return [
    vscode.commands.registerCommand('crdlift.fixAll', () =>
      vscode.commands.executeCommand('editor.action.sourceAction', { kind: kinds.fixAll, apply: 'first' }),
    ),
    vscode.commands.registerCommand('crdlift.convert', () =>
      vscode.commands.executeCommand('editor.action.codeAction', { kind: kinds.convert, apply: 'first' }),
    ),
    vscode.commands.registerCommand('crdlift.openRule', openRule),
    vscode.commands.registerCommand('crdlift.ignoreWithReason', ignoreWithReason),
    vscode.commands.registerCommand('crdlift.showStored', showStored),
    vscode.commands.registerCommand('crdlift.restart', () => session.restart()),
  ];
}

/**
 * Asks why a finding may be ignored, and has the server write that down. internal/lsp/ignore.go has both commands.
 * @param {{ uri: string, rule: string, position: unknown, kind: 'comment' | 'configuration' }} finding
 */
async function ignoreWithReason(finding) {
  const reason = await vscode.window.showInputBox({
    title: `Ignore ${finding.rule}`,
    prompt: `Why is this right here? The reason is written into ${finding.kind === 'comment' ? 'a comment' : '.crdlift.yaml'}.`,
    validateInput: (text) => (text.trim() === '' ? 'An ignore needs a reason.' : undefined),
  });
  if (reason?.trim()) {
    await vscode.commands.executeCommand('crdlift.ignore', { ...finding, reason: reason.trim() });
  }
}

/**
 * Shows what a server stores of a custom resource, in a document of its own. internal/lsp/object_action.go has both commands.
 * @param {{ uri: string, position: unknown }} place
 */
async function showStored(place) {
  const content = await vscode.commands.executeCommand('crdlift.stored', place);
  if (typeof content === 'string') {
    const document = await vscode.workspace.openTextDocument({ language: 'yaml', content });
    await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preview: true });
  }
}

/** Opens the page of the rule whose finding the cursor is in, or of one in its line. */
async function openRule() {
  const editor = vscode.window.activeTextEditor;
  if (!editor) {
    return;
  }
  const at = editor.selection.active;
  const pages = pagesOf(vscode.languages.getDiagnostics(editor.document.uri), at);
  if (pages.size === 0) {
    vscode.window.showInformationMessage('crdlift has found nothing in this line.');
    return;
  }
  const rule = pages.size === 1 ? [...pages.keys()][0] : await vscode.window.showQuickPick([...pages.keys()], { title: 'Rule' });
  const page = rule && pages.get(rule);
  if (page) {
    await vscode.env.openExternal(page);
  }
}

/**
 * The pages of rules by their names: of the findings around a position, or if there are none, of those in its line.
 * @param {readonly vscode.Diagnostic[]} diagnostics
 * @param {vscode.Position} at
 * @returns {Map<string, vscode.Uri>}
 */
function pagesOf(diagnostics, at) {
  const ours = diagnostics.filter((d) => d.source === 'crdlift');
  const around = ours.filter((d) => d.range.contains(at));
  const near = around.length > 0 ? around : ours.filter((d) => d.range.start.line <= at.line && at.line <= d.range.end.line);
  const pages = new Map();
  for (const { code } of near) {
    if (typeof code === 'object') {
      pages.set(String(code.value), code.target);
    }
  }
  return pages;
}

module.exports = { commands, kinds };
