// Which program serves, and whether it can.
'use strict';

const { execFile } = require('node:child_process');
const { accessSync, constants, statSync } = require('node:fs');
const path = require('node:path');

/** How long a program may take to say that it has a language server, in milliseconds. */
const patience = 30_000;

/**
 * @typedef {object} Place
 * @property {string} [folder] the first folder of the workspace
 * @property {NodeJS.ProcessEnv} env
 * @property {NodeJS.Platform} platform
 * @property {string} home
 */

/**
 * Finds the program that the setting crdlift.path names: a name on the PATH, or a path. The result is absolute, so that
 * nothing is looked up again when it is started: Windows would try the working directory first, which is the workspace.
 * @param {string} setting
 * @param {Place} place
 * @returns {string | undefined} undefined if there is no such program
 */
function find(setting, place) {
  const named = setting.trim() || 'crdlift';
  if (!/[\\/]/.test(named)) {
    const listed = (place.env.PATH ?? place.env.Path ?? '').split(path.delimiter);
    return listed.filter((dir) => path.isAbsolute(dir)).map((dir) => executable(path.join(dir, named), place)).find(Boolean);
  }
  const at = named.replace(/^~(?=[\\/])/, () => place.home);
  if (path.isAbsolute(at)) {
    return executable(at, place);
  }
  return place.folder && executable(path.resolve(place.folder, at), place);
}

/**
 * @param {string} at
 * @param {Place} place
 * @returns {string | undefined} the path if it is a program; on Windows, with .exe where that is missing
 */
function executable(at, place) {
  const windows = place.platform === 'win32';
  const candidates = windows && path.extname(at).toLowerCase() !== '.exe' ? [at + '.exe'] : [at];
  return candidates.find((candidate) => {
    try {
      accessSync(candidate, windows ? constants.F_OK : constants.X_OK);
      return statSync(candidate).isFile();
    } catch {
      return false;
    }
  });
}

/**
 * Asks a program whether it has a language server.
 * @param {string} program
 * @returns {Promise<string>} why it cannot serve; empty if it can
 */
function refusal(program) {
  return new Promise((resolve) => {
    execFile(program, ['lsp', '--help'], { timeout: patience, windowsHide: true }, (error, _stdout, stderr) => {
      if (!error) {
        resolve('');
      } else if (error.code === 2 && stderr.includes('unknown command')) {
        resolve(`${program} has no language server. Install a newer release of crdlift.`);
      } else {
        resolve(`${program} does not run: ${(stderr || error.message).trim().split('\n')[0]}`);
      }
    });
  });
}

module.exports = { find, refusal };
