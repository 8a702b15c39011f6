/** Calls of `wirecheck init` in a folder of their own. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { OwnOptions, Screen, CommandIo } from '../../src/commands/command-row.ts';

/** `installed`: what package.json says of wirecheck. */
export function commandIo(answers?: readonly string[], installed?: string) {
  const cwd = mkdtempSync(join(tmpdir(), 'wirecheck-init-'));
  onTestFinished(() => rm(cwd, { recursive: true }));
  if (installed !== undefined) {
    writeFileSync(
      join(cwd, 'package.json'),
      JSON.stringify({ devDependencies: { '@wirecheck/wirecheck': installed } }),
    );
    writeFileSync(join(cwd, 'package-lock.json'), '{}');
  }
  let text = '';
  const questions: string[] = [];
  const left = [...(answers ?? [])];
  const screen: Screen = { write: (more) => void (text += more), colour: false, live: false, columns: undefined };
  const io: CommandIo = {
    cwd,
    env: {},
    stdout: screen,
    stderr: screen,
    onInterrupt: () => () => undefined,
    ...(answers && {
      ask: (question: string) => {
        questions.push(question);
        const answer = left.shift();
        return answer === undefined ? Promise.reject(new Error('asked too often')) : Promise.resolve(answer);
      },
    }),
  };
  const read = (path: string) => readFileSync(join(cwd, path), 'utf8');
  return { io, cwd, questions, read, said: () => text };
}

/** What `npm install --save-dev ./wirecheck.tgz` writes. */
export const TARBALL = 'file:wirecheck.tgz';

export const FLAGS: OwnOptions = { baseUrl: 'https://staging.example/v1/', keyEnv: 'STAGING_KEY', ci: 'none' };
