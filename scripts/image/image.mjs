// `npm run image [-- FOLDER]`: an OCI image layout, a tar archive of it, its checksum and its SBOM.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { makeProgram } from '../bundle/make-program.mjs';
import { ROOT } from '../root.mjs';
import { makeImage } from './make-image.mjs';

const folder = process.argv[2] ?? join(ROOT, 'image');
mkdirSync(folder, { recursive: true });
console.log(makeImage(folder, 'wirecheck-image.tar', await makeProgram()));
