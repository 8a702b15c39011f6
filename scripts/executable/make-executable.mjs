// Makes one file that runs without Node: a copy of the Node that runs this, with the program in it.
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { joinLicences } from '../bundle/make-bundle.mjs';
import { describeFile } from '../sbom/describe-file.mjs';
import { nodeComponent } from '../sbom/node-component.mjs';
import { packageComponents } from '../sbom/package-components.mjs';
import { nodeLicence } from './node-licence.mjs';
/** @import { Program } from '../bundle/make-program.mjs' */

const MAIN = 'wirecheck.cjs';
const BLOB = 'wirecheck.blob';
/** Node looks for this text to know whether it has a program in it. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';
/** The cache of compiled code would differ from build to build by V8's random numbers. */
const SAME_BYTES = '--random-seed=1';

/**
 * Returns a line for people.
 * @param {string} folder
 * @param {string} name
 * @param {Program} program
 */
export function makeExecutable(folder, name, program) {
  const file = resolve(folder, process.platform === 'win32' ? `${name}.exe` : name);
  const scratch = mkdtempSync(join(tmpdir(), 'wirecheck-executable-'));
  try {
    writeFileSync(join(scratch, MAIN), `${program.text}\nmodule.exports.start();\n`);
    writeFileSync(join(scratch, 'licences.txt'), joinLicences(program.packages) + nodeLicence());
    if (canBuildAlone()) buildAlone(scratch, file);
    else inject(scratch, file);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  return describeFile(folder, basename(file), [...packageComponents(program.packages), nodeComponent()]);
}

/** Whether this Node makes an executable by itself. */
function canBuildAlone() {
  return run(process.execPath, ['--help'], '.').includes('--build-sea');
}

/**
 * @param {string} scratch
 * @param {string} file
 */
function buildAlone(scratch, file) {
  writeConfig(scratch, file);
  run(process.execPath, [SAME_BYTES, '--build-sea', 'config.json'], scratch);
}

/**
 * @param {string} scratch
 * @param {string} file
 */
function inject(scratch, file) {
  writeConfig(scratch, BLOB);
  run(process.execPath, [SAME_BYTES, '--experimental-sea-config', 'config.json'], scratch);
  copyFileSync(realpathSync(process.execPath), file);
  chmodSync(file, 0o755);
  if (!readFileSync(file).includes(FUSE)) {
    throw new Error(
      `${process.execPath} cannot hold a program, as its code is in a library. Use a Node from nodejs.org.`,
    );
  }
  const isMac = process.platform === 'darwin';
  if (isMac) run('codesign', ['--remove-signature', file], scratch);
  // As a process, since it warns of sections of Node that it does not know.
  const postject = fileURLToPath(import.meta.resolve('postject/dist/cli.js'));
  const segment = isMac ? ['--macho-segment-name', 'NODE_SEA'] : [];
  run(process.execPath, [postject, file, 'NODE_SEA_BLOB', BLOB, '--sentinel-fuse', FUSE, ...segment], scratch);
  if (isMac) run('codesign', ['--sign', '-', file], scratch);
}

/**
 * @param {string} scratch
 * @param {string} output
 */
function writeConfig(scratch, output) {
  // Paths from the folder: Node keeps the first of them in the executable.
  const config = {
    main: MAIN,
    output,
    disableExperimentalSEAWarning: true,
    useCodeCache: true,
    // Once more as text, for worker threads.
    assets: { program: MAIN, licences: 'licences.txt' },
  };
  writeFileSync(join(scratch, 'config.json'), JSON.stringify(config));
}

/**
 * What the program printed.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {string} cwd
 */
function run(program, args, cwd) {
  const { error, status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8' });
  if (error) throw error;
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed:\n${stdout}${stderr}`);
  return stdout;
}
