'use strict';

const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { test } = require('node:test');
const manifest = require('../package.json');
const { root } = require('./harness');

const here = path.join(__dirname, '..');

test('the package has what it needs and nothing else', () => {
  const listed = execFileSync(path.join(here, 'node_modules', '.bin', 'vsce'), ['ls', '--no-dependencies'], { cwd: here, encoding: 'utf8' });
  assert.deepEqual(listed.trim().split('\n').sort(), [
    'CHANGELOG.md', 'LICENSE', 'README.md', 'dist/extension.js', 'icon.png', 'package.json',
  ]);
});

test('the presets are those of .crdlift.yaml', () => {
  const schema = JSON.parse(fs.readFileSync(path.join(root, 'docs', 'schema', 'config.json'), 'utf8'));
  const settings = manifest.contributes.configuration.properties;
  assert.deepEqual(settings['crdlift.preset'].enum.filter(Boolean), schema.definitions.preset.enum);
});

test('a folder that is not trusted does not say which program runs', () => {
  const { untrustedWorkspaces } = manifest.capabilities;
  assert.equal(untrustedWorkspaces.supported, 'limited');
  assert.deepEqual(untrustedWorkspaces.restrictedConfigurations, ['crdlift.path']);
});

test('the README lists the settings and commands that there are', () => {
  const readme = fs.readFileSync(path.join(here, 'README.md'), 'utf8');
  for (const name of Object.keys(manifest.contributes.configuration.properties)) {
    assert.ok(readme.includes(`| \`${name}\` |`), name);
  }
  for (const { category, title } of manifest.contributes.commands.filter(({ command }) => command !== 'crdlift.restart')) {
    assert.ok(readme.replaceAll(/\s+/g, ' ').includes(`*${category}: ${title}*`), title);
  }
});
