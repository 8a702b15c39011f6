// `npm run executable [-- FOLDER]`: wirecheck for this platform, with its checksum and its SBOM.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { makeProgram } from '../bundle/make-program.mjs';
import { ROOT } from '../root.mjs';
import { makeExecutable } from './make-executable.mjs';

const folder = process.argv[2] ?? join(ROOT, 'executable');
mkdirSync(folder, { recursive: true });
console.log(makeExecutable(folder, 'wirecheck', await makeProgram()));
