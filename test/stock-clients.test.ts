/** What `npm run clients` installs, and the claims that it makes of its results. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../src/contract/package-root.ts';
import type { Effect, MeasuredMismatch, MismatchKind } from '../src/contract/stock-clients.ts';
import { IS_POSIX } from './kit/platform.ts';
import { temporaryFolder } from './kit/recording.ts';

interface Trial {
  readonly id: string;
  readonly kind: string;
  readonly calls: readonly string[];
  readonly kinds: readonly MismatchKind[];
}
interface Result {
  readonly trial: string;
  readonly call: string;
  readonly client: string;
  readonly effect?: Effect | 'unsupported' | undefined;
}
interface Summarize {
  readonly summarize: (trials: readonly Trial[], results: readonly Result[]) => readonly MeasuredMismatch[];
  readonly isImplied: (clients: readonly object[], failing: readonly string[]) => boolean;
}

const { summarize, isImplied } = (await import(
  new URL('../scripts/clients/summarize.mjs', import.meta.url).href
)) as Summarize;

const KIND: MismatchKind = { clause: 'stream.line-ends', call: 'stream', mismatch: 'line-end', actual: 'lone-return' };
const trial = (id: string, ...kinds: readonly MismatchKind[]): Trial => ({
  id,
  kind: 'fault',
  calls: ['stream'],
  kinds,
});
const result = (id: string, client: string, effect?: Result['effect']): Result => ({
  trial: id,
  call: 'stream',
  client,
  effect,
});

describe('the claims about stock clients', () => {
  it('name who fails and who does not, and leave out who has no such call', () => {
    const results = [result('a', 'go', 'empty'), result('a', 'js'), result('a', 'other', 'unsupported')];
    expect(summarize([trial('a', KIND)], results)).toEqual([
      { ...KIND, faults: ['a'], affected: { go: 'empty' }, unaffected: ['js'] },
    ]);
  });

  it('name a client whose results differ apart', () => {
    const results = [
      ...[result('a', 'go', 'empty'), result('a', 'js', 'throws')],
      ...[result('b', 'go', 'throws'), result('b', 'js')],
    ];
    expect(summarize([trial('a', KIND), trial('b', KIND)], results)).toEqual([
      { ...KIND, faults: ['a', 'b'], affected: { go: 'empty' }, unaffected: [], depending: ['js'] },
    ]);
  });

  it('never say that nobody is affected where somebody was left out', () => {
    const results = [result('a', 'js', 'throws'), result('b', 'js'), result('a', 'go'), result('b', 'go')];
    expect(summarize([trial('a', KIND), trial('b', KIND)], results)).toEqual([]);
  });

  it('need a gateway with nothing else wrong in that call', () => {
    const other = { ...KIND, clause: 'request.stream-default' };
    expect(summarize([trial('a', KIND, other)], [result('a', 'go', 'empty')])).toEqual([]);
    expect(summarize([trial('a', KIND, { ...other, call: 'plain' })], [result('a', 'go', 'empty')])).toHaveLength(1);
  });
});

it('an official SDK, or two families of clients, make a should', () => {
  const clients = [
    { id: 'sdk', family: 'a', official: true },
    { id: 'b', family: 'b' },
    { id: 'b2', family: 'b' },
    { id: 'c', family: 'c' },
  ];
  expect([['sdk'], ['b', 'c'], ['b', 'b2'], ['c'], []].map((failing) => isImplied(clients, failing))).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});

it.runIf(IS_POSIX)('a language that the machine does not have is skipped with the reason', () => {
  const folder = temporaryFolder();
  cpSync(join(packageRoot(), 'scripts/clients'), join(folder, 'scripts/clients'), { recursive: true });
  // Without what an earlier run has installed.
  for (const language of ['node', 'python', 'go']) {
    const own = join(packageRoot(), 'clients', language);
    mkdirSync(join(folder, 'clients', language), { recursive: true });
    for (const { name } of readdirSync(own, { withFileTypes: true }).filter((entry) => entry.isFile())) {
      if (name !== '.installed') cpSync(join(own, name), join(folder, 'clients', language, name));
    }
  }
  const script = pathToFileURL(join(folder, 'scripts/clients/install.mjs')).href;
  const install = `const { installAll } = await import('${script}'); console.log(JSON.stringify(installAll()))`;
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', install], {
    env: { PATH: folder },
    encoding: 'utf8',
  });
  const skipped: unknown = JSON.parse(printed.trim().split('\n').at(-1) ?? '');
  expect(skipped).toEqual({
    node: 'npm cannot be started (ENOENT)',
    python: 'python3 cannot be started (ENOENT)',
    go: 'go cannot be started (ENOENT)',
  });
});
