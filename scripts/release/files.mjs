// `npm run release:files -- FOLDER`: everything that a release ships, each with its checksum and its SBOM.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeBundle } from '../bundle/make-bundle.mjs';
import { makeProgram } from '../bundle/make-program.mjs';
import { makeExecutable } from '../executable/make-executable.mjs';
import { LAYOUT, makeImage } from '../image/make-image.mjs';
import { ROOT } from '../root.mjs';
import { describeFile } from '../sbom/describe-file.mjs';
import { installedPackages, packageComponents } from '../sbom/package-components.mjs';
import { runProgram } from './run-program.mjs';

const folder = process.argv[2] ?? join(ROOT, 'release');
/** Of the files that are not the same everywhere. */
const platform = `${process.platform}-${process.arch}`;
mkdirSync(folder, { recursive: true });
// It builds what the others are made of. The build prints to the same output as npm.
const tarball = runProgram('npm', ['pack', '--silent', '--pack-destination', folder], ROOT).split('\n').at(-1) ?? '';
console.log(describeFile(folder, tarball, packageComponents(installedPackages())));
const program = await makeProgram();
console.log(makeBundle(folder, program));
console.log(makeExecutable(folder, `wirecheck-${platform}`, program));
if (process.platform === 'linux') {
  console.log(makeImage(folder, `wirecheck-image-${platform}.tar`, program));
  // The archive has the same files.
  rmSync(join(folder, LAYOUT), { recursive: true });
} else {
  console.log('No image: it is made of the Node of this machine, so it needs Linux.');
}
