// `npm run bundle [-- FOLDER]`: the whole program in one file, with its checksum and its SBOM.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../root.mjs';
import { describeFile } from '../sbom/describe-file.mjs';
import { packageComponents } from '../sbom/package-components.mjs';
import { BUNDLE, makeBundle } from './make-bundle.mjs';
import { makeProgram } from './make-program.mjs';

const folder = process.argv[2] ?? join(ROOT, 'bundle');
mkdirSync(folder, { recursive: true });
const program = await makeProgram();
makeBundle(folder, program);
console.log(describeFile(folder, BUNDLE, packageComponents(program.packages)));
