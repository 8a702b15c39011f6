// In the bundle, this module stands in for src/contract/package-files.ts: the files are in the program itself.
import { fileURLToPath } from 'node:url';
import { FILES, VERSION } from 'wirecheck:files';
/** @import * as packageFiles from '../../build/contract/package-files.js' */

export const COMMAND = 'node wirecheck.mjs';

/** @type {typeof packageFiles.findPackageFile} */
export function findPackageFile(path) {
  return FILES[path];
}

/** @type {typeof packageFiles.readPackageFile} */
export function readPackageFile(path) {
  const text = findPackageFile(path);
  if (text === undefined) throw new Error(`The bundle has no file ${path}.`);
  return text;
}

/** @type {typeof packageFiles.listPackageFiles} */
export function listPackageFiles(folder) {
  return Object.keys(FILES).filter((path) => path.startsWith(`${folder}/`));
}

/** @type {typeof packageFiles.packageVersion} */
export function packageVersion() {
  return VERSION;
}

/** @type {typeof packageFiles.readSourceFile} */
export function readSourceFile(path) {
  return readPackageFile(`dist/${path}`);
}

/**
 * The bundle's entry starts the program that follows this argument.
 * @type {typeof packageFiles.programArguments}
 */
export function programArguments(path) {
  return [fileURLToPath(import.meta.url), '--program', path];
}
