// The quick loop: types, lint, format, and the unit tests that stand beside what changed or import it. `npm test` runs
// every test.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/**
 * Prints what a step says only if it fails.
 *
 * @param {string} name
 * @param {string} program of a package
 * @param {readonly string[]} args
 * @returns {Promise<boolean>}
 */
function runStep(name, program, args) {
  const began = performance.now();
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [`${ROOT}node_modules/.bin/${program}`, ...args], { cwd: ROOT });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (text += piece));
    child.on('close', (code) => {
      const seconds = ((performance.now() - began) / 1000).toFixed(1);
      process.stdout.write(code === 0 ? `${name}: ${seconds} s\n` : `${text}\n${name} FAILED: ${seconds} s\n`);
      resolve(code === 0);
    });
  });
}

const results = await Promise.all([
  runStep('types', 'tsc', ['--noEmit']),
  runStep('lint', 'oxlint', ['--type-aware', '--deny-warnings']),
  runStep('format', 'oxfmt', ['--check']),
]);
results.push(await runStep('tests', 'vitest', ['run', '--changed', '--passWithNoTests', '--exclude', 'test/**']));
process.exitCode = results.every(Boolean) ? 0 : 1;
