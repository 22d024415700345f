// Runs the extension as it is packaged, in the stand-in for VS Code.
'use strict';

const fs = require('node:fs');
const Module = require('node:module');
const os = require('node:os');
const path = require('node:path');
const { Editor } = require('./vscode');

const root = path.join(__dirname, '..', '..', '..');
const bundle = path.join(__dirname, '..', 'dist', 'extension.js');

/** The program with the language server; make vscode builds it. */
const program = process.env.CRDLIFT;

/** @type {Editor} */
let current;

const load = Reflect.get(Module, '_load');
Reflect.set(Module, '_load', (/** @type {string} */ name, /** @type {any[]} */ ...rest) =>
  name === 'vscode' ? current.api : Reflect.apply(load, Module, [name, ...rest]));

/**
 * A folder for a test, which ends with it.
 * @param {import('node:test').TestContext} t
 * @param {Record<string, string>} [files]
 */
function folder(t, files = {}) {
  const dir = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'crdlift-vscode-')));
  t.after(() => fs.rmSync(dir, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    fs.writeFileSync(path.join(dir, name), text, { mode: 0o755 });
  }
  return dir;
}

/**
 * Starts the extension. It is stopped at the end of the test.
 * @param {import('node:test').TestContext} t
 * @param {{ settings?: Record<string, unknown>, folder?: string }} [given]
 */
async function start(t, given) {
  current = new Editor(given);
  delete require.cache[bundle];
  const extension = require(bundle);
  /** @type {{ dispose(): void }[]} */
  const subscriptions = [];
  await extension.activate({ subscriptions });
  t.after(async () => {
    await extension.deactivate();
    subscriptions.forEach((s) => s.dispose());
  });
  return current;
}

/**
 * Waits until something holds, and returns it.
 * @template T
 * @param {string} what
 * @param {() => T | Promise<T>} probe
 * @returns {Promise<NonNullable<T>>}
 */
async function until(what, probe) {
  for (let tries = 0; tries < 3000; tries++) {
    const result = await probe();
    if (result) {
      return result;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`waited for ${what} in vain; the log:\n${current.log.join('\n')}\nmessages: ${JSON.stringify(current.messages)}`);
}

/** @param {string[]} names */
function example(...names) {
  return fs.readFileSync(path.join(root, 'examples', ...names), 'utf8');
}

module.exports = { start, folder, until, example, program, root };
