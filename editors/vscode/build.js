// Makes dist: the extension as one file, with what it imports, and the schema of .crdlift.yaml, which has one source.
'use strict';

const { copyFileSync } = require('node:fs');
const { join } = require('node:path');
const esbuild = require('esbuild');

const root = join(__dirname, '..', '..');

esbuild.buildSync({
  entryPoints: [join(__dirname, 'src', 'extension.js')],
  outfile: join(__dirname, 'dist', 'extension.js'),
  bundle: true,
  minify: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  external: ['vscode'],
  legalComments: 'eof',
});
copyFileSync(join(root, 'docs', 'schema', 'config.json'), join(__dirname, 'dist', 'config.json'));
copyFileSync(join(root, 'LICENSE'), join(__dirname, 'LICENSE'));
