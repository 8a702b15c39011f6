/** The vectors: made from the code, small, complete, and right. */
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isPlayable, loadScenarios } from '../src/gather/client/scenario.ts';
import { packageRoot } from '../src/contract/package-root.ts';
import { FAULTS, VARIANTS } from '../src/gateway/catalogue.ts';
import { call } from './kit/clients/careful-client.mjs';

interface Vector {
  readonly id: string;
  readonly mode: string;
  readonly needs?: string;
  readonly clause?: string;
  readonly level?: string;
  readonly breaks?: readonly string[];
  readonly step?: string;
  readonly answer: { readonly pieces: readonly (string | number)[]; readonly end: string };
  readonly expect: { readonly kind: string; readonly text?: string; readonly models?: readonly string[] };
}

interface ClauseText {
  readonly id: string;
  readonly level: string;
  readonly summary: string;
}

const FOLDER = join(packageRoot(), 'vectors');
const MAX_SIZE = 1.5e6;

const script = new URL('../scripts/vectors/make-vectors.mjs', import.meta.url).href;
type Showing = ReadonlyMap<string, ReadonlyMap<string, string>>;
const { makeVectors } = (await import(script)) as {
  readonly makeVectors: (showing: Showing) => Readonly<Record<string, string>>;
};

const parse = (text: string): readonly Vector[] =>
  text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Vector]));

/** Which request shows a fault is found by runs, so it is taken from the file. What it is answered is not. */
const showing: Showing = new Map(
  parse(readFileSync(join(FOLDER, 'gateway-faults.ndjson'), 'utf8')).map(({ id, step = '', clause = '' }) => [
    id.replace('fault/', ''),
    new Map([[step, clause]]),
  ]),
);
const made = makeVectors(showing);
const all = Object.keys(made).flatMap((file) => (file.endsWith('.ndjson') ? parse(made[file] ?? '') : []));
const { leftOut } = JSON.parse(made['manifest.json'] ?? '') as { readonly leftOut: readonly { readonly id: string }[] };

describe('vectors/', () => {
  it.each(Object.keys(made))('%s is made by `npm run vectors`', async (name) => {
    expect(readFileSync(join(FOLDER, name), 'utf8') === made[name]).toBe(true);
  });

  it('holds nothing else, and stays small', () => {
    const files = readdirSync(FOLDER);
    expect(files.toSorted()).toEqual([...Object.keys(made), 'README.md'].toSorted());
    const size = files.reduce((sum, file) => sum + statSync(join(FOLDER, file)).size, 0);
    expect(size).toBeLessThan(MAX_SIZE);
  });

  it('has the text of every clause that a vector names, and of no other', () => {
    const { clauses } = JSON.parse(made['clauses.json'] ?? '') as { readonly clauses: readonly ClauseText[] };
    const named = new Set(
      all.flatMap(({ clause, breaks = [] }) => [...(clause === undefined ? [] : [clause]), ...breaks]),
    );
    expect(clauses.map(({ id }) => id).toSorted()).toEqual([...named].toSorted());
    const levels = new Map(clauses.map(({ id, level }) => [id, level]));
    for (const { clause = '', level } of all) expect(levels.get(clause)).toBe(level);
    for (const { summary } of clauses) expect(summary).toMatch(/\.$/);
  });

  it('has every scenario, variant and fault once, or says why not', () => {
    const wanted = [
      ...loadScenarios().flatMap((scenario) => (isPlayable(scenario) ? [scenario.id] : [])),
      ...Object.keys(VARIANTS).map((name) => `variant/${name}`),
      ...Object.keys(FAULTS).map((name) => `fault/${name}`),
    ];
    expect([...all, ...leftOut].map(({ id }) => id).toSorted()).toEqual(wanted.toSorted());
    // Most of them show in one answer.
    expect(leftOut.length).toBeLessThan(wanted.length / 10);
  });
});

/** Plays a vector to whoever connects. */
async function serve({ answer }: Vector): Promise<{ readonly baseUrl: string; readonly close: () => void }> {
  const sockets = new Set<Socket>();
  const play = async (socket: Socket): Promise<void> => {
    for (const piece of answer.pieces) {
      if (typeof piece === 'string')
        await new Promise((resolve) => socket.write(Buffer.from(piece, 'base64'), resolve));
      else await new Promise((resolve) => setTimeout(resolve, piece));
    }
    if (answer.end === 'close') socket.end();
    if (answer.end === 'reset') socket.resetAndDestroy();
  };
  const server = createServer((socket) => {
    sockets.add(socket.setNoDelay(true).on('error', () => socket.destroy()));
    socket.once('data', () => void play(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    baseUrl: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/v1`,
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

const PROMPT = { apiKey: 'sk-service-example', model: 'sea-small', prompt: 'Which word is it?' };

async function playToCareful(vector: Vector): Promise<string> {
  const { baseUrl, close } = await serve(vector);
  const timeoutMs = vector.answer.end === 'held' ? 300 : 10_000;
  try {
    return await call({ ...PROMPT, baseUrl, mode: vector.mode, timeoutMs }).then(
      (text) => `text: ${vector.mode === 'models' ? text.split('\n').toSorted().join('\n') : text}`,
      () => 'error',
    );
  } finally {
    close();
  }
}

function expectedOf({ expect: { kind, text, models = [] } }: Vector): string {
  if (kind === 'error') return 'error';
  return `text: ${text ?? models.toSorted().join('\n')}`;
}

it('A careful client makes of each vector what it says', { timeout: 60_000 }, async () => {
  const judged = all.filter(({ expect: { kind } }) => kind !== 'nothing');
  expect(judged.length).toBeGreaterThan(200);
  const queue = [...judged];
  const wrong: object[] = [];
  const worker = async (): Promise<void> => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const got = await playToCareful(next);
      if (got !== expectedOf(next)) wrong.push({ id: next.id, got, expected: expectedOf(next) });
    }
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  expect(wrong).toEqual([]);
});
