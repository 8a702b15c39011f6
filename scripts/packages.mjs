// How packages of a registry are installed into a folder of their own. No install script runs, and nothing is compiled.
/** @import { Command } from './relays/processes.mjs' */

const NPM = /** @type {const} */ (['npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund']);
const PIP = /** @type {const} */ (['install', '--quiet', '--disable-pip-version-check', '--only-binary', ':all:']);

/** With their versions, such as `openai@6.49.0` and `httpx==0.28.1`. */
/** @typedef {{ npm: readonly string[] } | { pypi: readonly string[] }} Packages */

/**
 * The last command makes a stamp, so that other versions are installed anew.
 * @param {string} folder
 * @param {Packages} packages
 * @returns {{ made: string, install: readonly Command[] }}
 */
export function installationOf(folder, packages) {
  const wanted = 'npm' in packages ? packages.npm : packages.pypi;
  const made = `${folder}/${wanted.join('_').replaceAll('/', '-')}.installed`;
  if ('npm' in packages)
    return {
      made,
      install: [
        [...NPM, '--prefix', folder, ...wanted],
        ['touch', made],
      ],
    };
  return {
    made,
    install: [
      ['python3', '-m', 'venv', folder],
      [`${folder}/bin/pip`, ...PIP, ...wanted],
      ['touch', made],
    ],
  };
}
