// `npm run executable [-- FOLDER]`: wirecheck for this platform, with its checksum and its SBOM.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { makeProgram } from '../bundle/make-program.mjs';
import { describeFile } from '../sbom/describe-file.mjs';
import { nodeComponent } from '../sbom/node-component.mjs';
import { packageComponents } from '../sbom/package-components.mjs';
import { ROOT } from '../root.mjs';
import { makeExecutable } from './make-executable.mjs';

const folder = process.argv[2] ?? join(ROOT, 'executable');
const name = process.platform === 'win32' ? 'wirecheck.exe' : 'wirecheck';
mkdirSync(folder, { recursive: true });
const program = await makeProgram();
makeExecutable(join(folder, name), program);
console.log(describeFile(folder, name, [...packageComponents(program.packages), nodeComponent()]));
