// `prepack` and `postpack` of npm: package.json is packed without its script `prepare`, and is then as it was. npm runs that
// script only in a clone, but asks everyone who installs the tarball to approve it.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

const MANIFEST = 'package.json';
/** The whole manifest, while npm packs. In the same folder, so that it takes the other's place at once. */
const KEPT = '.package.json.kept';
const SHORT = '.package.json.short';

/** @type {Readonly<Record<string, () => void>>} */
const STEPS = { remove, restore };

function remove() {
  const text = readFileSync(MANIFEST, 'utf8');
  const manifest = JSON.parse(text);
  const { prepare, ...scripts } = manifest.scripts;
  // If packing was interrupted before, the manifest that is kept is the right one.
  if (prepare === undefined) return;
  writeFileSync(KEPT, text);
  writeFileSync(SHORT, `${JSON.stringify({ ...manifest, scripts }, undefined, 2)}\n`);
  renameSync(SHORT, MANIFEST);
}

function restore() {
  if (existsSync(KEPT)) renameSync(KEPT, MANIFEST);
}

const step = STEPS[process.argv[2] ?? ''];
if (!step) throw new Error('Give `remove` or `restore`.');
step();
