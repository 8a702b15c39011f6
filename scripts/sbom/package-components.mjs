// The packages of npm in an SBOM.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../root.mjs';
import { packageUrl } from './sbom.mjs';
/** @import { Part } from './sbom.mjs' */

/**
 * What we read of a package in package-lock.json.
 * @typedef {{ version: string, integrity: string, license: string, dev?: boolean,
 *   dependencies?: Record<string, string> }} Locked
 */

/** @returns {Readonly<Record<string, Locked>>} by the folder of the package; the root is `''` */
function readLock() {
  return JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')).packages;
}

/** The folders of the packages that npm installs with wirecheck. */
export function installedPackages() {
  return Object.entries(readLock()).flatMap(([folder, { dev }]) => (folder === '' || dev ? [] : [folder]));
}

/**
 * @param {readonly string[]} folders Such as `node_modules/ajv`.
 * @returns {Part[]}
 */
export function packageComponents(folders) {
  const lock = readLock();
  return folders.map((folder) => {
    const { version, integrity, license, dependencies = {} } = find(lock, folder);
    const name = nameOf(folder);
    const ref = packageUrl('npm', name, version);
    const [, hash = ''] = integrity.split('sha512-');
    return {
      component: {
        type: 'library',
        'bom-ref': ref,
        name,
        version,
        hashes: [{ alg: 'SHA-512', content: Buffer.from(hash, 'base64').toString('hex') }],
        licenses: [{ license: { id: license } }],
        purl: ref,
      },
      // A package may name one that it loads only where nobody goes, and which is not in it then.
      needs: Object.keys(dependencies)
        .map((each) => `node_modules/${each}`)
        .filter((each) => folders.includes(each))
        .map((each) => packageUrl('npm', nameOf(each), find(lock, each).version)),
    };
  });
}

/** @param {string} folder */
function nameOf(folder) {
  return folder.replace(/^.*node_modules\//, '');
}

/**
 * @param {Readonly<Record<string, Locked>>} lock
 * @param {string} folder
 */
function find(lock, folder) {
  const locked = lock[folder];
  if (!locked) throw new Error(`package-lock.json has no ${folder}, so it cannot be in an SBOM. Run npm ci.`);
  return locked;
}
