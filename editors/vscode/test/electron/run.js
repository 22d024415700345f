// Runs suite.js within VS Code itself, which @vscode/test-electron downloads. The program is CRDLIFT.
'use strict';

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { runTests } = require('@vscode/test-electron');

async function main() {
  const extension = path.join(__dirname, '..', '..');
  const example = path.join(extension, '..', '..', 'examples', 'lint', 'backups.yaml');
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'crdlift-electron-'));
  try {
    fs.mkdirSync(path.join(folder, '.vscode'));
    fs.writeFileSync(path.join(folder, '.vscode', 'settings.json'), JSON.stringify({ 'crdlift.path': process.env.CRDLIFT }));
    fs.copyFileSync(example, path.join(folder, 'crd.yaml'));
    await runTests({
      extensionDevelopmentPath: extension,
      extensionTestsPath: path.join(__dirname, 'suite.js'),
      launchArgs: [folder, '--disable-extensions', '--disable-workspace-trust'],
    });
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
