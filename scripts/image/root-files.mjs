// The files of the image, in two layers: Node changes less often than wirecheck.
import { existsSync, readFileSync } from 'node:fs';
import { nodeLicence } from '../executable/node-licence.mjs';
import { findPackage } from './libraries.mjs';
/** @import { Entry } from './tar.mjs' */

/** The user that runs wirecheck. Kubernetes wants a number to know that it is not root. */
export const USER = 65_532;
export const REPORTS = '/reports';
const NODE = '/usr/local/bin/node';
const PROGRAM = '/usr/local/lib/wirecheck/wirecheck.mjs';

const PASSWD = `root:x:0:0:root:/:/sbin/nologin\nwirecheck:x:${USER}:${USER}:wirecheck:${REPORTS}:/sbin/nologin\n`;
const GROUP = `root:x:0:\nwirecheck:x:${USER}:\n`;

/**
 * @param {readonly string[]} libraries
 * @returns {Entry[]}
 */
export function nodeFiles(libraries) {
  const owners = new Set(libraries.flatMap((path) => findPackage(path)?.name ?? []));
  const licences = [...owners].map((name) => `/usr/share/doc/${name}/copyright`).filter((path) => existsSync(path));
  return withFolders([
    ...libraries.map((path) => ({ path, mode: 0o755, content: readFileSync(path) })),
    ...licences.map((path) => ({ path, mode: 0o644, content: readFileSync(path) })),
    { path: NODE, mode: 0o755, content: readFileSync(process.execPath) },
    { path: '/usr/share/doc/nodejs/LICENSE', mode: 0o644, content: nodeLicence() },
    { path: '/etc/passwd', mode: 0o644, content: PASSWD },
    { path: '/etc/group', mode: 0o644, content: GROUP },
    { path: '/etc/nsswitch.conf', mode: 0o644, content: 'passwd: files\ngroup: files\nhosts: files dns\n' },
    { path: '/tmp/', mode: 0o1777 },
    // Mounted over by every runtime; one that mounts the root read-only cannot make them.
    ...['/dev/', '/proc/', '/sys/'].map((path) => ({ path, mode: 0o755 })),
  ]);
}

/**
 * @param {string} bundle Its text.
 * @returns {Entry[]}
 */
export function programFiles(bundle) {
  return withFolders([
    // The image has no `env` to look for Node.
    { path: PROGRAM, mode: 0o755, content: bundle.replace(/^#!.*/, `#!${NODE}`) },
    { path: '/usr/local/bin/wirecheck', mode: 0o777, link: PROGRAM },
    // Some clusters run an image as any user of the group of root.
    { path: `${REPORTS}/`, mode: 0o775, owner: { uid: USER, gid: 0 } },
  ]);
}

/**
 * Sorted, with the folders above each.
 * @param {readonly Entry[]} entries
 * @returns {Entry[]}
 */
function withFolders(entries) {
  const named = new Set(entries.map(({ path }) => path));
  const folders = new Set(entries.flatMap(({ path }) => foldersAbove(path)).filter((path) => !named.has(path)));
  return [...entries, ...[...folders].map((path) => ({ path, mode: 0o755 }))]
    .map((entry) => ({ ...entry, path: entry.path.slice(1) }))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** @param {string} path */
function foldersAbove(path) {
  const parts = path.replace(/\/$/, '').split('/').slice(1, -1);
  return parts.map((_part, at) => `/${parts.slice(0, at + 1).join('/')}/`);
}
