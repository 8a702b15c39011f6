// `npm run bundle [-- FOLDER]`: the whole program in one file, with its checksum and its SBOM.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { makeProgram } from './make-program.mjs';
import { ROOT } from '../root.mjs';
import { makeBundle } from './make-bundle.mjs';

const folder = process.argv[2] ?? join(ROOT, 'bundle');
mkdirSync(folder, { recursive: true });
console.log(makeBundle(folder, await makeProgram()));
