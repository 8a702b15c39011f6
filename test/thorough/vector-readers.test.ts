/** The readers in vectors/README.md, as a newcomer copies them. */
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/contract/package-root.ts';
import { runProgram } from '../kit/run-program.ts';

const FOLDER = join(packageRoot(), 'vectors');
const README = readFileSync(join(FOLDER, 'README.md'), 'utf8');
const cwd = mkdtempSync(join(tmpdir(), 'wirecheck-vectors-'));
afterAll(() => rmSync(cwd, { recursive: true }));

const isMissing = (program: string, ...args: readonly string[]): boolean => spawnSync(program, args).status !== 0;

function prepare(language: 'python' | 'go', extension: 'py' | 'go'): void {
  const [, code = ''] = new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(README) ?? [];
  expect(code.split('\n').length).toBeLessThan(52);
  writeFileSync(join(cwd, `reader.${extension}`), code);
  const client = `client.${extension}`;
  copyFileSync(join(packageRoot(), 'test/kit/vectors', client), join(cwd, client));
}

const FILES = readdirSync(FOLDER).flatMap((name) =>
  /^(client|gateway-variants).*ndjson$/.test(name) ? [join(FOLDER, name)] : [],
);

describe('a reader of the page', () => {
  it.skipIf(isMissing('python3', '--version'))(
    'in Python plays every vector to a right client',
    { timeout: 120_000 },
    async () => {
      prepare('python', 'py');
      const { exit, text } = await runProgram(['python3', 'reader.py', ...FILES], cwd, {
        PATH: process.env['PATH'] ?? '',
      });
      expect([exit, text]).toEqual([0, 'failed: 0\n']);
    },
  );

  it.skipIf(isMissing('go', 'version'))(
    'in Go plays every vector to a right client',
    { timeout: 600_000 },
    async () => {
      prepare('go', 'go');
      const { PATH = '', HOME = '' } = process.env;
      const { exit, text } = await runProgram(['go', 'run', 'reader.go', 'client.go', ...FILES], cwd, { PATH, HOME });
      expect([exit, text]).toEqual([0, 'failed: 0\n']);
    },
  );
});
