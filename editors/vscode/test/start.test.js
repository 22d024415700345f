'use strict';

const assert = require('node:assert/strict');
const path = require('node:path');
const { test } = require('node:test');
const { folder, start, until } = require('./harness');

const script = '#!/bin/sh\n';

test('without the program, a message leads to what helps', async (t) => {
  const editor = await start(t, { settings: { 'crdlift.path': '/nowhere/crdlift' } });
  const [{ kind, text, items }] = editor.messages;
  assert.equal(kind, 'error');
  assert.equal(text, 'There is no program "/nowhere/crdlift". Install crdlift, or set crdlift.path to where it is.');
  assert.deepEqual(items, ['How to Install', 'Open Settings']);
  assert.equal(editor.statuses[0].visible, true);
  assert.equal(editor.statuses[0].command, 'crdlift.restart');

  editor.answers['There is no program'] = 'How to Install';
  await editor.api.commands.executeCommand('crdlift.restart');
  await until('the page', () => editor.opened.includes('https://crdlift.github.io/crdlift/docs/install'));
  editor.answers['There is no program'] = 'Open Settings';
  await editor.api.commands.executeCommand('crdlift.restart');
  await until('the settings', () => editor.opened.includes('settings:crdlift.path'));
});

test('an old program is told from one that is missing', async (t) => {
  const dir = folder(t, { crdlift: script + 'echo \'crdlift: unknown command "lsp"\' >&2; exit 2\n' });
  const editor = await start(t, { folder: dir, settings: { 'crdlift.path': './crdlift' } });
  assert.match(editor.messages[0].text, /crdlift has no language server\. Install a newer release of crdlift\.$/);
  assert.equal(editor.statuses[0].visible, true);
});

test('a server that ends at once is not a failure in silence', async (t) => {
  const dir = folder(t, { crdlift: script + '[ "$2" = --help ] || exit 3\n' });
  const editor = await start(t, { settings: { 'crdlift.path': path.join(dir, 'crdlift') } });
  await until('the message', () => editor.messages.some(({ kind }) => kind === 'error'));
  assert.equal(editor.statuses[0].visible, true);
});

test('another program is tried when the setting changes, or the workspace is trusted', async (t) => {
  const editor = await start(t, { settings: { 'crdlift.path': '/nowhere/one' } });
  editor.configure({ 'crdlift.path': '/nowhere/two' });
  await until('the second message', () => editor.messages.some(({ text }) => text.includes('/nowhere/two')));
  const before = editor.messages.length;
  editor.configure({ 'editor.fontSize': 20 });
  editor.emitter('onDidGrantWorkspaceTrust').fire();
  await until('the third message', () => editor.messages.length === before + 1);
});

test('nothing to open without an editor or a finding', async (t) => {
  const editor = await start(t, { settings: { 'crdlift.path': '/nowhere/crdlift' } });
  await editor.api.commands.executeCommand('crdlift.openRule');
  assert.equal(editor.messages.length, 1);
  editor.open('/nowhere/a.yaml', 'yaml', 'a: b\n');
  await editor.api.commands.executeCommand('crdlift.openRule');
  assert.equal(editor.messages.at(-1)?.text, 'crdlift has found nothing in this line.');
});
