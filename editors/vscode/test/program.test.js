'use strict';

const assert = require('node:assert/strict');
const path = require('node:path');
const { test } = require('node:test');
const { find, refusal } = require('../src/program');
const { folder } = require('./harness');

const script = '#!/bin/sh\n';

test('a name is looked up in the absolute folders of the PATH only', (t) => {
  const dir = folder(t, { crdlift: script });
  const place = { folder: dir, platform: process.platform, home: '/nowhere' };
  const PATH = ['.', '', '/nowhere', dir].join(path.delimiter);
  assert.equal(find('crdlift', { ...place, env: { PATH } }), path.join(dir, 'crdlift'));
  assert.equal(find('', { ...place, env: { PATH } }), path.join(dir, 'crdlift'));
  const before = process.cwd();
  process.chdir(dir);
  t.after(() => process.chdir(before));
  assert.equal(find('crdlift', { ...place, env: { PATH: ['.', ''].join(path.delimiter) } }), undefined);
  assert.equal(find('crdlift', { ...place, env: {} }), undefined);
});

test('a path is absolute, of the home folder, or of the workspace', (t) => {
  const dir = folder(t, { crdlift: script });
  const place = { folder: dir, platform: process.platform, home: dir, env: {} };
  assert.equal(find(path.join(dir, 'crdlift'), place), path.join(dir, 'crdlift'));
  assert.equal(find('~/crdlift', { ...place, folder: undefined }), path.join(dir, 'crdlift'));
  assert.equal(find('./crdlift', place), path.join(dir, 'crdlift'));
  assert.equal(find('./crdlift', { ...place, folder: undefined }), undefined);
  assert.equal(find('./other', place), undefined);
  assert.equal(find('../' + path.basename(dir), place), undefined); // a folder
});

test('on Windows, the program has .exe, whether the setting says so or not', (t) => {
  const dir = folder(t, { 'crdlift.exe': '', 'crdlift.cmd': '' });
  const place = { folder: dir, platform: /** @type {const} */ ('win32'), home: dir, env: { Path: dir } };
  for (const setting of ['crdlift', 'crdlift.exe', './crdlift']) {
    assert.equal(find(setting, place), path.join(dir, 'crdlift.exe'));
  }
  assert.equal(find('other', place), undefined);
});

test('a program says whether it has a language server', async (t) => {
  const dir = folder(t, {
    good: script + '[ "$1 $2" = "lsp --help" ]\n',
    old: script + 'echo \'crdlift: unknown command "lsp"\' >&2; exit 2\n',
    broken: script + 'echo no library >&2; exit 127\n',
  });
  assert.equal(await refusal(path.join(dir, 'good')), '');
  assert.match(await refusal(path.join(dir, 'old')), /has no language server\. Install a newer release/);
  assert.match(await refusal(path.join(dir, 'broken')), /does not run: no library/);
  assert.match(await refusal(path.join(dir, 'gone')), /does not run: .*ENOENT/);
});
