import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/contract/package-root.ts';
import type { Report } from '../../src/report/report.ts';
import { type Gateway, startGateway } from '../../src/gateway/index.ts';
import { commandsOf, tryEveryCommand } from '../kit/every-command.ts';

const MADE = mkdtempSync(join(tmpdir(), 'wirecheck-bundle-'));
/** Nothing but the bundle is there. */
const EMPTY = mkdtempSync(join(tmpdir(), 'wirecheck-empty-'));
const BUNDLE = join(EMPTY, 'wirecheck.mjs');

let gateway: Gateway;

beforeAll(async () => {
  execFileSync(process.execPath, [join(packageRoot(), 'scripts/bundle/bundle.mjs'), MADE]);
  cpSync(join(MADE, 'wirecheck.mjs'), BUNDLE);
  gateway = await startGateway({ faults: ['error-code-integer'] });
}, 120_000);

afterAll(async () => {
  await gateway.close();
  for (const folder of [MADE, EMPTY]) rmSync(folder, { recursive: true, force: true });
});

/** A page is larger than what Node keeps by default. */
const MAX_OUTPUT = 64 * 1024 * 1024;

async function wirecheck(file: string, ...args: readonly string[]): Promise<{ exit: number; stdout: string }> {
  const env = { PATH: process.env['PATH'], WIRECHECK_API_KEY: gateway.keys.full };
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [file, ...args], {
      cwd: EMPTY,
      env,
      maxBuffer: MAX_OUTPUT,
    });
    return { exit: 0, stdout };
  } catch (error) {
    const { code, stdout } = error as { readonly code: number; readonly stdout: string };
    return { exit: code, stdout };
  }
}

/** Each names the command that started it, and paths of its own, so that lines are wrapped at other words. */
const sameCommand = ({ exit, stdout }: { exit: number; stdout: string }) => ({
  exit,
  stdout: stdout
    .replaceAll('<span class="whole">--no-install</span>', '--no-install')
    .replaceAll('node wirecheck.mjs', 'npx --no-install wirecheck')
    .replaceAll(/\s+/g, ' ')
    // The package has the pages and the suites.
    .replaceAll(/(docs|suites)\/(\S+) in the repository/g, join(packageRoot(), '$1/$2')),
});

const bundled = (...args: readonly string[]) => wirecheck(BUNDLE, ...args);
const packaged = (...args: readonly string[]) => wirecheck(join(packageRoot(), 'dist/cli.js'), ...args);

describe('the bundle, alone in a folder', { timeout: 300_000 }, () => {
  it('has a checksum beside it, and the licences of what it contains', () => {
    const text = readFileSync(BUNDLE);
    const [checksum] = readFileSync(join(MADE, 'wirecheck.mjs.sha256'), 'utf8').split('  ');
    expect(checksum).toBe(createHash('sha256').update(text).digest('hex'));
    const licences = text.toString().matchAll(/^\/\/(\S+) \d+\.\d+\.\d+ \((?:MIT|ISC)\)$/gm);
    const packages = ['@wirecheck/wirecheck', 'ajv', 'commander', 'eventsource-parser', 'undici', 'yaml'];
    expect([...licences].map(([, name]) => name)).toEqual(expect.arrayContaining(packages));
  });

  it.each([
    ['--version'],
    ['--help'],
    ['run', '--help'],
    ['explain', 'errors.code'],
    ['explain', 'auth/unknown-key[models]'],
    ['list', 'clauses'],
    ['schema', 'files/report'],
  ])('prints what the package prints for %s %s', async (...args) => {
    expect(sameCommand(await bundled(...args))).toEqual(sameCommand(await packaged(...args)));
  });

  it('checks its own gateway', async () => {
    const { exit, stdout } = await bundled('demo', '--out', 'none');
    expect(stdout).toContain('\nCONFORMS');
    expect(exit).toBe(0);
  });

  it('checks a target, judges the recording and makes the same page as the package', async () => {
    const run = await bundled('run', gateway.baseUrl, '--record', 'run.ndjson', '--reporter', 'json=run.json');
    expect(run.exit).toBe(1);
    expect((await bundled('judge', 'run.ndjson', '--quiet')).exit).toBe(1);
    const page = await bundled('render', 'run.json', '--reporter', 'html');
    expect(page.stdout).toContain('errors.code');
    expect(sameCommand(page)).toEqual(sameCommand(await packaged('render', 'run.json', '--reporter', 'html')));
    const board = await bundled('board', 'run.json', '--reporter', 'html');
    expect(board.stdout).toContain('errors.code');
    expect(sameCommand(board)).toEqual(sameCommand(await packaged('board', 'run.json', '--reporter', 'html')));
  });

  it('reads a YAML description of the target, which a worker parses', async () => {
    cpSync(join(packageRoot(), 'schemas/v1/openapi.yaml'), join(EMPTY, 'openapi.yaml'));
    const { stdout } = await bundled(
      'run',
      gateway.baseUrl,
      '--openapi',
      'openapi.yaml',
      '--only',
      'versioning/*',
      '--reporter',
      'json',
    );
    const { cases } = JSON.parse(stdout) as Pick<Report, 'cases'>;
    expect(cases.find(({ id }) => id === 'versioning/openapi-description')?.verdict).toBe('pass');
  });

  it('runs every command', async () => {
    const cwd = mkdtempSync(join(EMPTY, 'commands-'));
    const shipped = { program: [process.execPath, BUNDLE], cwd };
    const tried = await tryEveryCommand(shipped, gateway);
    expect(tried.filter(({ exit, expected }) => exit !== expected)).toEqual([]);
    expect([...new Set(tried.map(({ command }) => command))].toSorted()).toEqual(
      (await commandsOf(shipped)).toSorted(),
    );
  });
});
