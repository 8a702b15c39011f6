// Installs the stock clients into clients/, as pinned there. No install script runs and nothing is compiled but Go.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { FOLDER, LANGUAGES } from './stock.mjs';
/** @import { Language } from './stock.mjs' */

const PIP = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--only-binary', ':all:'];
const WINDOWS = process.platform === 'win32';

/**
 * @typedef {object} Installation
 * @property {string} pins the file with the versions
 * @property {string} made what the steps make
 * @property {readonly (readonly [string, ...string[]])[]} steps
 */

/** @type {Record<Language, Installation>} */
const INSTALL = {
  node: {
    pins: 'package-lock.json',
    made: 'node_modules',
    steps: [['npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund']],
  },
  python: {
    pins: 'requirements.txt',
    made: 'venv',
    steps: [
      [WINDOWS ? 'python' : 'python3', '-m', 'venv', 'venv'],
      [WINDOWS ? 'venv\\Scripts\\python.exe' : 'venv/bin/python', ...PIP, '-r', 'requirements.txt'],
    ],
  },
  go: { pins: 'go.sum', made: 'driver', steps: [['go', 'build', '-o', 'driver', '.']] },
};

/**
 * The languages whose clients cannot run here, with the reason.
 * @returns {Partial<Record<Language, string>>}
 */
export function installAll() {
  return Object.fromEntries(
    LANGUAGES.flatMap((language) => {
      const problem = install(language);
      return problem === undefined ? [] : [[language, problem]];
    }),
  );
}

/**
 * @param {Language} language
 * @returns {string | undefined} why it cannot be installed
 */
function install(language) {
  const { pins, made, steps } = INSTALL[language];
  const folder = FOLDER + language;
  const wanted = readFileSync(`${folder}/${pins}`, 'utf8');
  const stamp = `${folder}/.installed`;
  // Go has a cache of its own, and main.go may have changed.
  if (
    language !== 'go' &&
    existsSync(`${folder}/${made}`) &&
    existsSync(stamp) &&
    readFileSync(stamp, 'utf8') === wanted
  )
    return undefined;
  for (const [command, ...options] of steps) {
    console.log(`clients/${language}: ${[command, ...options].join(' ')}`);
    // The toolchain that is installed, and no download of another one.
    const env = { ...process.env, GOTOOLCHAIN: 'local' };
    const { error, status, stderr } = spawnSync(command, options, {
      cwd: folder,
      env,
      encoding: 'utf8',
      shell: WINDOWS,
    });
    if (error) {
      const { code } = /** @type {NodeJS.ErrnoException} */ (error);
      return `${command} cannot be started (${code})`;
    }
    if (status !== 0) return `${command} ${options[0]} failed: ${stderr.trim().split('\n').at(-1)}`;
  }
  writeFileSync(stamp, wanted);
  return undefined;
}
