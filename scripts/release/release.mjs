// `npm run release -- VERSION [--dry-run]`: makes the commit, the tag and the files of a release. It never pushes and never
// publishes. RELEASING.md has the steps.
import { cpSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { makeRelease, RELEASE_FOLDER } from './make-release.mjs';
import { findPlaceholders, findRefusals } from './refusals.mjs';
import { ReleaseError } from './release-error.mjs';
import { runProgram } from './run-program.mjs';
import { readVersion } from './version.mjs';

/** @param {string} line */
const say = (line) => console.log(line);

/**
 * @param {string} root
 * @param {string | undefined} text The version.
 * @param {boolean} isDryRun
 */
function release(root, text, isDryRun) {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const version = readVersion(text, manifest.version);
  const refusals = findRefusals(root);
  if (refusals.length > 0 && !isDryRun) throw new ReleaseError(refusals.join('\n'));
  for (const refusal of refusals) say(`A release would be refused: ${refusal}`);
  const date = new Date().toISOString().slice(0, 10);
  const tarball = makeRelease({ root, version, date, say }, (clone) => {
    if (!isDryRun) takeOver(root, clone, version);
  });
  say(isDryRun ? '\nDry run: nothing was changed. After a release, you would run:' : '\nNow run:');
  say('  git push origin main');
  say(`  git push origin v${version}`);
  say(`  npm publish --access public ./${RELEASE_FOLDER}/${tarball}   # if the scope is yours: see RELEASING.md`);
  const missing = findPlaceholders(root, manifest);
  if (missing.length === 0) return;
  say('\nThe files name these placeholders. Before you publish, set them, delete the tag and release again:');
  for (const each of missing) say(`  ${each}`);
}

/**
 * @param {string} root
 * @param {string} clone
 * @param {string} version
 */
function takeOver(root, clone, version) {
  runProgram('git', ['fetch', '--quiet', clone, `refs/tags/v${version}:refs/tags/v${version}`], root);
  runProgram('git', ['merge', '--quiet', '--ff-only', `v${version}^{commit}`], root);
  rmSync(join(root, RELEASE_FOLDER), { recursive: true, force: true });
  cpSync(join(clone, RELEASE_FOLDER), join(root, RELEASE_FOLDER), { recursive: true });
}

const USAGE = `Usage: npm run release -- VERSION [--dry-run]

Makes the commit, the tag and the files of a release; pushes and publishes nothing. RELEASING.md has the steps.`;

function readArguments() {
  try {
    return parseArgs({
      options: { 'dry-run': { type: 'boolean' }, help: { type: 'boolean' } },
      allowPositionals: true,
    });
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    const [problem] = message.split('. ');
    throw new ReleaseError(`${problem}.\n\n${USAGE}`);
  }
}

try {
  const { values, positionals } = readArguments();
  if (values.help) say(USAGE);
  else release(process.cwd(), positionals[0], values['dry-run'] ?? false);
} catch (error) {
  if (!(error instanceof ReleaseError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
