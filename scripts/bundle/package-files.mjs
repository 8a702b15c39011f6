// In bundle and executable, this module stands in for src/contract/package-files.ts: the files are in the program itself.
import * as sea from 'node:sea';
import { fileURLToPath } from 'node:url';
import { FILES } from 'virtual:files';
/** @import * as packageFiles from '../../build/src/contract/package-files.js' */

/** The executable and the image have a command of this name. */
export const COMMAND = process.argv[1]?.endsWith('.mjs') ? 'node wirecheck.mjs' : 'wirecheck';

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

/**
 * The program has no documents beside it.
 * @type {typeof packageFiles.pathOfPage}
 */
export function pathOfPage(page) {
  return pathOfFile(`docs/${page}`);
}

/** @type {typeof packageFiles.pathOfFile} */
export function pathOfFile(file) {
  return `${file} in the repository`;
}

/** @type {typeof packageFiles.packageVersion} */
export function packageVersion() {
  return JSON.parse(readPackageFile('package.json')).version;
}

/** @type {typeof packageFiles.readSourceFile} */
export function readSourceFile(path) {
  return readPackageFile(`dist/${path}`);
}

/**
 * The entry starts the program that follows `--program`.
 * @type {typeof packageFiles.workerProgram}
 */
export function workerProgram(path) {
  const argv = ['--program', path];
  // A worker cannot load an executable as a module.
  if (sea.isSea()) return { program: sea.getAsset('program', 'latin1'), options: { eval: true, argv } };
  return { program: ownFile(), options: { argv } };
}

function ownFile() {
  return fileURLToPath(import.meta.url);
}
