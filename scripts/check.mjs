// The quick loop: types, lint, format, and the unit tests that import what changed since the last commit. It says what it
// leaves to `npm test` and `.ci/run`.
import { execFileSync, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** More would not be quick. Most of these files take less than a second. */
const MAX_TESTS = 20;

/** @param {readonly string[]} args */
const git = (...args) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).split('\n').filter(Boolean);

const changed = [...git('diff', '--name-only', 'HEAD'), ...git('ls-files', '--others', '--exclude-standard')];

/**
 * The file of a program that a package brings.
 *
 * @param {string} name
 * @param {string} [program]
 */
function programOf(name, program = name) {
  const { bin } = JSON.parse(readFileSync(join(ROOT, 'node_modules', name, 'package.json'), 'utf8'));
  return join(ROOT, 'node_modules', name, typeof bin === 'string' ? bin : bin[program]);
}

/**
 * Prints what a step says only if it fails.
 *
 * @param {string} name
 * @param {string} program
 * @param {readonly string[]} args
 * @returns {Promise<boolean>}
 */
function runStep(name, program, args) {
  const began = performance.now();
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [program, ...args], { cwd: ROOT });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (text += piece));
    child.on('close', (code) => {
      const seconds = ((performance.now() - began) / 1000).toFixed(1);
      process.stdout.write(code === 0 ? `${name}: ${seconds} s\n` : `${text}\n${name} FAILED: ${seconds} s\n`);
      resolve(code === 0);
    });
  });
}

/** Unit tests that need no browser. @returns {readonly string[]} */
function listTests() {
  return ['src', 'selftest']
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((path) =>
        posix.join(folder, path.replaceAll('\\', '/')),
      ),
    )
    .filter((path) => path.endsWith('.test.ts') && !path.endsWith('-in-browser.test.ts'));
}

/** Whether a test imports a module itself. @param {string} test @param {string} module */
function importsModule(test, module) {
  const name = `/${basename(module)}'`;
  const text = readFileSync(join(ROOT, test), 'utf8');
  const imports = text.match(/(?<=from ')\.[^']+'/g) ?? [];
  return imports.some((path) => path.endsWith(name) && posix.join(dirname(test), path.slice(0, -1)) === module);
}

const tests = listTests();
const testsOf = new Map(
  changed.map((file) => [file, tests.filter((test) => test === file || importsModule(test, file))]),
);
const wanted = [...new Set([...testsOf.values()].flat())];
const tried = wanted.slice(0, MAX_TESTS);

const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const [, ...lintFlags] = scripts.lint.split(' ');
const tsc = programOf('typescript', 'tsc');
const results = await Promise.all([
  runStep('types', tsc, ['--noEmit']),
  runStep('types of the pages', tsc, ['-p', 'tsconfig.pages.json']),
  // Against the types of the last build.
  runStep('types of the scripts', tsc, ['-p', 'tsconfig.scripts.json']),
  runStep('lint', programOf('oxlint'), lintFlags),
  runStep('format', programOf('oxfmt'), ['--check']),
]);
if (results.every(Boolean) && tried.length > 0) {
  results.push(await runStep(`tests (files: ${tried.length})`, programOf('vitest'), ['run', ...tried]));
}

const untested = [...testsOf].filter(([, own]) => own.length === 0).map(([file]) => file);
if (results.every(Boolean) && changed.length > 0) {
  const left = wanted.length - tried.length;
  if (left > 0) console.log(`Left to npm test: ${left} more test files that import what changed.`);
  if (untested.length > 0)
    console.log(`Left to npm test and .ci/run, without a unit test here: ${untested.join(', ')}`);
}
process.exitCode = results.every(Boolean) ? 0 : 1;
