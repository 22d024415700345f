// Makes dist/extension.js, the extension with what it imports, and copies the licence, which has one source.
'use strict';

const { copyFileSync } = require('node:fs');
const { join } = require('node:path');
const esbuild = require('esbuild');

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
copyFileSync(join(__dirname, '..', '..', 'LICENSE'), join(__dirname, 'LICENSE'));
