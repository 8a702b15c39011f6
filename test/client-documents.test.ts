/** The clients in the documents behave as the documents say. */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { packageRoot } from '../src/contract/package-root.ts';
import { runCommand } from './kit/command.ts';
import { temporaryFolder } from './kit/recording.ts';

const read = (file: string): string => readFileSync(join(packageRoot(), file), 'utf8');

/** The code blocks of a page that have the text. */
function blocksWith(page: string, text: string): readonly string[] {
  return page.split(/^```.*$/m).filter((block, index) => index % 2 === 1 && block.includes(text));
}

const GUIDE = read('docs/clients.md');
const [SCRIPT = ''] = blocksWith(GUIDE, 'no answer');
const [FIX = ''] = blocksWith(GUIDE, 'throw new Error');

function folderWith(script: string): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'client.mjs'), script);
  return folder;
}

it('The script of the guide fails as shown', async () => {
  const { exit, stdout } = await runCommand(
    ['client', '--only', 'client/plain-4*', '--', 'node', 'client.mjs'],
    folderWith(SCRIPT),
    { PATH: process.env['PATH'] ?? '' },
  );
  expect(exit).toBe(1);
  const [shown = ''] = blocksWith(GUIDE, '✗ client/plain-401');
  expect(stdout).toContain(shown.trim());
});

it('The script of the guide passes with its fix, as far as it can be judged', async () => {
  const fixed = SCRIPT.replace('\nconsole.log', `${FIX}console.log`);
  expect(fixed).not.toBe(SCRIPT);
  const chosen = ['plain-401', 'models', 'stream', 'request-*'].flatMap((id) => ['--only', `client/${id}`]);
  const { exit, stdout } = await runCommand(['client', ...chosen, '--', 'node', 'client.mjs'], folderWith(fixed), {
    PATH: process.env['PATH'] ?? '',
  });
  expect(stdout).toMatch(/CONFORMS IN PART: \d of 10 must clauses judged/);
  expect(exit).toBe(0);
});

it('The library checks a client as its page shows', async () => {
  const [example = ''] = blocksWith(read('docs/programs.md'), 'checkClient');
  const folder = folderWith(SCRIPT);
  const library = pathToFileURL(join(packageRoot(), 'dist/index.js')).href;
  const file = join(folder, 'check.mjs');
  writeFileSync(
    file,
    example.replace(`'@wirecheck/wirecheck'`, `'${library}'`).replace('client/plain*', 'client/plain-401'),
  );
  const { code, stdout } = await promisify(execFile)(process.execPath, [file], { cwd: folder }).then(
    ({ stdout }) => ({ code: 0, stdout }),
    (error: { readonly code: number; readonly stdout: string }) => error,
  );
  expect(stdout).toContain('DOES NOT CONFORM: 1 must clause broken');
  expect(code).toBe(1);
});
