// `prepack` and `postpack` of npm: some files are packed differently, and are then as they were.
//
// - package.json has no script `prepare`. npm runs that script only in a clone, but asks everyone who installs the tarball to
//   approve it.
// - Documents have no links to files that are not packed.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packedDocuments, withoutDeadLinks } from './packed-links.mjs';

const MANIFEST = 'package.json';
/** The files as they were, while npm packs. In the same folder, so that each takes the other's place at once. */
const KEPT = '.packing';

/** @type {Readonly<Record<string, () => void>>} */
const STEPS = { change, restore };

function change() {
  // If packing was interrupted before, the files that are kept are the right ones.
  restore();
  const manifest = JSON.parse(readFileSync(MANIFEST, 'utf8'));
  const { prepare: _prepare, ...scripts } = manifest.scripts;
  replace(MANIFEST, `${JSON.stringify({ ...manifest, scripts }, undefined, 2)}\n`);
  for (const file of packedDocuments(manifest.files)) {
    replace(file, withoutDeadLinks(readFileSync(file, 'utf8'), file, manifest.files));
  }
}

/**
 * @param {string} file
 * @param {string} text
 */
function replace(file, text) {
  const before = readFileSync(file, 'utf8');
  if (text === before) return;
  const kept = join(KEPT, file);
  mkdirSync(dirname(kept), { recursive: true });
  writeFileSync(kept, before);
  const short = join(KEPT, 'next');
  writeFileSync(short, text);
  renameSync(short, file);
}

function restore() {
  if (!existsSync(KEPT)) return;
  for (const file of readdirSync(KEPT, { recursive: true, encoding: 'utf8' })) {
    const kept = join(KEPT, file);
    if (file !== 'next' && statSync(kept).isFile()) renameSync(kept, file);
  }
  rmSync(KEPT, { recursive: true });
}

const step = STEPS[process.argv[2] ?? ''];
if (!step) throw new Error('Give `change` or `restore`.');
step();
