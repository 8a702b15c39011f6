// The libraries that Node needs on this machine.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { packageUrl, sha256 } from '../sbom/sbom.mjs';
/** @import { Part } from '../sbom/sbom.mjs' */

/** Older C libraries load these by name when a host name is looked up. Newer ones have them inside. */
const NAME_SERVICES = ['libnss_files.so.2', 'libnss_dns.so.2', 'libresolv.so.2'];

/** Their paths, as Node loads them. */
export function findLibraries() {
  const report = /** @type {{ sharedObjects: string[] }} */ (process.report?.getReport());
  // One is the kernel's own, and has no file.
  const loaded = report.sharedObjects.filter((path) => path.startsWith('/'));
  const folders = [...new Set(loaded.map((path) => dirname(path)))];
  const services = folders.flatMap((folder) => NAME_SERVICES.map((name) => join(folder, name)));
  return [...new Set([...loaded, ...services.filter((path) => existsSync(path))])];
}

/**
 * @param {string} path
 * @returns {Part}
 */
export function libraryComponent(path) {
  const name = basename(path);
  const found = findPackage(path);
  return {
    component: {
      type: 'library',
      'bom-ref': `file:${path}`,
      name,
      version: found?.version ?? versionInName(path),
      hashes: [sha256(readFileSync(path))],
      ...(found && { purl: found.purl }),
      properties: [{ name: 'wirecheck:path', value: path }],
    },
    needs: [],
  };
}

/**
 * The Debian package that a file belongs to. Undefined on other systems.
 * @param {string} path
 */
export function findPackage(path) {
  // A package may list its files under /lib although that is a link to /usr/lib, and the other way round.
  const real = realpathSync(path);
  const places = [path, real, `/usr${path}`, real.replace(/^\/usr(?=\/lib)/, '')];
  const owner = places.map((place) => query(['--search', place]).split(': ')[0] ?? '').find((name) => name !== '');
  if (owner === undefined) return undefined;
  const [name = '', version = '', arch = ''] = query([
    '--show',
    '--showformat=${Package} ${Version} ${Architecture}',
    owner,
  ]).split(' ');
  const [, distribution = 'debian'] = /^ID=["']?([a-z]+)/m.exec(readFileSync('/etc/os-release', 'utf8')) ?? [];
  return { name, version, purl: packageUrl('deb', `${distribution}/${name}`, version, `?arch=${arch}`) };
}

/** @param {readonly string[]} args */
function query(args) {
  const { status, stdout } = spawnSync('dpkg-query', args, { encoding: 'utf8' });
  return status === 0 ? stdout : '';
}

/**
 * Of `libstdc++.so.6.0.30`, to which `libstdc++.so.6` is a link, `6.0.30`.
 * @param {string} path
 */
function versionInName(path) {
  return /\d[\d.]*$/.exec(basename(realpathSync(path)).replace(/^.*\.so\.?/, ''))?.[0] ?? 'unknown';
}
