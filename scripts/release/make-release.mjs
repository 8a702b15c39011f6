// Makes a release in a temporary clone, so that a step that fails leaves the repository as it was.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cutChangelog } from './changelog.mjs';
import { CHECKSUM_FILE, writeChecksums } from './checksums.mjs';
import { ReleaseError } from './release-error.mjs';
import { runProgram } from './run-program.mjs';
import { setLockedVersion, setVersion } from './version.mjs';

/** Where a release is put, in the clone and in the repository. */
export const RELEASE_FOLDER = 'release';

/**
 * @typedef {object} Plan
 * @property {string} root
 * @property {string} version
 * @property {string} date Such as `2026-11-16`.
 * @property {(line: string) => void} say
 */

/**
 * Calls `use` with the folder of the clone, which has the commit, the tag and the files of the release. Returns the name
 * of the tarball.
 *
 * @param {Plan} plan
 * @param {(clone: string) => void} use
 */
export function makeRelease(plan, use) {
  const { root, version } = plan;
  if (runProgram('git', ['tag', '--list', `v${version}`], root) !== '') {
    throw new ReleaseError(`The tag v${version} already exists. Choose another version.`);
  }
  const clone = mkdtempSync(join(tmpdir(), 'wirecheck-release-'));
  try {
    runProgram('git', ['clone', '--quiet', '--shared', '--no-checkout', root, clone], root);
    // By its commit: the clone of a linked worktree would have the branch of another one.
    runProgram('git', ['checkout', '--quiet', '--detach', runProgram('git', ['rev-parse', 'HEAD'], root)], clone);
    // A junction needs no privilege on Windows; elsewhere it is a plain link.
    symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'), 'junction');
    editFiles(plan, clone);
    cutEdition(plan, clone);
    takePictures(plan, clone);
    const tarball = buildFiles(plan, clone);
    commit(plan, clone);
    use(clone);
    return tarball;
  } finally {
    rmSync(clone, { recursive: true, force: true });
  }
}

/**
 * @param {Plan} plan
 * @param {string} clone
 */
function editFiles({ version, date, say }, clone) {
  /** @type {Record<string, (text: string) => string>} */
  const edits = {
    'CHANGELOG.md': (text) => cutChangelog(text, version, date),
    'package.json': (text) => setVersion(text, version),
    'package-lock.json': (text) => setLockedVersion(text, version),
  };
  for (const [file, change] of Object.entries(edits)) {
    const path = join(clone, file);
    writeFileSync(path, change(readFileSync(path, 'utf8')));
    say(`${file}: version ${version}`);
  }
}

/**
 * A draft becomes an edition; one that was cut before stays, and has to be unchanged.
 *
 * @param {Plan} plan
 * @param {string} clone
 */
function cutEdition({ date, say }, clone) {
  runProgram('npm', ['run', 'edition:cut', '--', date], clone);
  say('schemas/editions.yaml: the newest edition is cut');
}

/**
 * They name the version.
 *
 * @param {Plan} plan
 * @param {string} clone
 */
function takePictures({ version, say }, clone) {
  runProgram('npm', ['run', 'screenshot'], clone);
  say(`docs/report-light.png, docs/report-dark.png: the report of ${version}`);
}

/**
 * @param {Plan} plan
 * @param {string} clone
 */
function buildFiles({ say }, clone) {
  const folder = join(clone, RELEASE_FOLDER);
  mkdirSync(folder);
  runProgram('npm', ['run', 'release:files', '--', folder], clone);
  writeChecksums(folder);
  const checksums = readFileSync(join(folder, CHECKSUM_FILE), 'utf8').trim();
  for (const line of checksums.split('\n')) say(`${RELEASE_FOLDER}: ${line}`);
  const tarball = readdirSync(folder).find((file) => file.endsWith('.tgz'));
  if (tarball === undefined) throw new ReleaseError('`npm run release:files` made no tarball.');
  return tarball;
}

/**
 * @param {Plan} plan
 * @param {string} clone
 */
function commit({ root, version, say }, clone) {
  // A clone does not take over who commits in this repository.
  for (const name of ['user.name', 'user.email']) {
    const value = runProgram('git', ['config', '--default', '', name], root);
    if (value !== '') runProgram('git', ['config', name, value], clone);
  }
  const message = `Release ${version}`;
  runProgram('git', ['commit', '--quiet', '--all', '--message', message], clone);
  runProgram('git', ['tag', '--annotate', `v${version}`, '--message', message], clone);
  say(`commit and tag: v${version}`);
}
