// The life of the language server.
'use strict';

const os = require('node:os');
const vscode = require('vscode');
const { LanguageClient, State } = require('vscode-languageclient/node');
const { find, refusal } = require('./program');

const installing = 'https://crdlift.github.io/crdlift/docs/install';

/** Languages of manifests, and Go, of which crdlift has the markers: what Helm's templates are depends on other extensions. */
const selector = ['yaml', 'json', 'helm', 'go'].flatMap((language) => [
  { scheme: 'file', language },
  { scheme: 'untitled', language },
]);

/** What the server is told: `.crdlift.yaml` has the rest. */
function options() {
  const settings = vscode.workspace.getConfiguration('crdlift');
  return Object.fromEntries(['preset', 'minSeverity', 'kubernetesVersion', 'fields'].map((key) => [key, settings.get(key, '')]));
}

/** Tells the server that the client can ask for the reason of an ignore, and show a text that is in no file. */
const prompting = {
  /** @param {import('vscode-languageclient').ClientCapabilities} capabilities */
  fillClientCapabilities(capabilities) {
    capabilities.experimental = { ...capabilities.experimental, crdliftPrompt: true, crdliftShow: true };
  },
  initialize() {},
  getState: () => /** @type {const} */ ({ kind: 'static' }),
  clear() {},
};

class Session {
  constructor() {
    /** @type {LanguageClient | undefined} */
    this.client = undefined;
    this.stopping = false;
    // Only seen when something is wrong.
    this.status = vscode.window.createStatusBarItem('crdlift', vscode.StatusBarAlignment.Right);
    this.status.name = 'crdlift';
    this.status.text = '$(error) crdlift';
    this.status.command = 'crdlift.restart';
  }

  /** Starts the server, or says why it cannot be. */
  async start() {
    const program = find(vscode.workspace.getConfiguration('crdlift').get('path', 'crdlift'), {
      folder: vscode.workspace.workspaceFolders?.[0]?.uri.fsPath,
      env: process.env,
      platform: process.platform,
      home: os.homedir(),
    });
    const wrong = program === undefined ? this.missing() : await refusal(program);
    if (program === undefined || wrong) {
      await this.fail(wrong);
      return;
    }
    this.status.hide();
    this.stopping = false;
    const client = new LanguageClient(
      'crdlift',
      'crdlift',
      { command: program, args: ['lsp'] },
      { documentSelector: selector, initializationOptions: options(), synchronize: { configurationSection: 'crdlift' } },
    );
    client.registerFeature(prompting);
    client.onDidChangeState(({ newState }) => {
      if (newState === State.Running) {
        this.status.hide();
      } else if (newState === State.Stopped && !this.stopping) {
        this.show('The language server of crdlift has stopped. Click to start it again.');
      }
    });
    this.client = client;
    try {
      await client.start();
    } catch (error) {
      await this.fail(`The language server of crdlift does not start: ${error instanceof Error ? error.message : error}`);
    }
  }

  async stop() {
    this.stopping = true;
    const client = this.client;
    this.client = undefined;
    await client?.dispose().catch(() => {}); // one that has failed has nothing to stop
  }

  async restart() {
    await this.stop();
    await this.start();
  }

  dispose() {
    this.status.dispose();
  }

  missing() {
    const setting = vscode.workspace.getConfiguration('crdlift').get('path', 'crdlift');
    return `There is no program "${setting}". Install crdlift, or set crdlift.path to where it is.`;
  }

  /** @param {string} message */
  show(message) {
    this.status.tooltip = message;
    this.status.backgroundColor = new vscode.ThemeColor('statusBarItem.errorBackground');
    this.status.show();
  }

  /**
   * Says what is wrong, and leads to what helps. It does not wait for the answer.
   * @param {string} message
   */
  async fail(message) {
    this.show(message);
    const install = 'How to Install';
    const settings = 'Open Settings';
    vscode.window.showErrorMessage(message, install, settings).then((answer) => {
      if (answer === install) {
        vscode.env.openExternal(vscode.Uri.parse(installing));
      } else if (answer === settings) {
        vscode.commands.executeCommand('workbench.action.openSettings', 'crdlift.path');
      }
    });
  }
}

module.exports = { Session };
