/** The vectors: made from the code, small, complete, and right. */
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isPlayable, loadScenarios } from '../src/gather/client/scenario.ts';
import { packageRoot } from '../src/contract/package-root.ts';
import { FAULTS, VARIANTS } from '../src/gateway/catalogue.ts';
import { call } from './kit/clients/careful-client.mjs';
import { judgedOf, listMistakes, parseVectors } from './kit/vectors/play.ts';

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

/** Which request shows a fault is found by runs, so it is taken from the file. What it is answered is not. */
const showing: Showing = new Map(
  parseVectors(readFileSync(join(FOLDER, 'gateway-faults.ndjson'), 'utf8')).map(({ id, step = '', clause = '' }) => [
    id.replace('fault/', ''),
    new Map([[step, clause]]),
  ]),
);
const made = makeVectors(showing);
const all = Object.keys(made).flatMap((file) => (file.endsWith('.ndjson') ? parseVectors(made[file] ?? '') : []));
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

it('A careful client makes of each vector what it says', { timeout: 60_000 }, async () => {
  const judged = judgedOf(all);
  expect(judged.length).toBeGreaterThan(200);
  const wrong = await listMistakes(judged, call);
  expect(wrong).toEqual([]);
});
