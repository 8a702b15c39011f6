// Makes the image from this machine's Node and its libraries, without a container runtime and without a base image.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bundleText } from '../bundle/make-bundle.mjs';
import { describeFile } from '../sbom/describe-file.mjs';
import { nodeComponent } from '../sbom/node-component.mjs';
import { packageComponents } from '../sbom/package-components.mjs';
import { findLibraries, libraryComponent } from './libraries.mjs';
import { makeLayout } from './oci-layout.mjs';
import { nodeFiles, programFiles } from './root-files.mjs';
import { makeTar } from './tar.mjs';
/** @import { Program } from '../bundle/make-program.mjs' */

/** The folder of the layout. */
export const LAYOUT = 'oci';

/**
 * Writes the layout and a tar archive of it. Returns lines for people.
 * @param {string} folder
 * @param {string} name of the archive
 * @param {Program} program
 */
export function makeImage(folder, name, program) {
  if (process.platform !== 'linux') throw new Error('An image is made of the Node of this machine, so it needs Linux.');
  const libraries = findLibraries();
  const { files, digest } = makeLayout([nodeFiles(libraries), programFiles(bundleText(program))]);
  const layout = join(folder, LAYOUT);
  rmSync(layout, { recursive: true, force: true });
  for (const [path, bytes] of Object.entries(files)) {
    mkdirSync(join(layout, dirname(path)), { recursive: true });
    writeFileSync(join(layout, path), bytes);
  }
  writeFileSync(
    join(folder, name),
    makeTar(Object.entries(files).map(([path, content]) => ({ path, mode: 0o644, content }))),
  );
  const parts = [...packageComponents(program.packages), nodeComponent(), ...libraries.map(libraryComponent)];
  return `${describeFile(folder, name, parts, 'container')}\n${layout}: the image ${digest}`;
}
