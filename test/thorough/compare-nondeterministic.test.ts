import { describe, expect, it } from 'vitest';
import { all, drop, put } from '../../src/gateway/change.ts';
import type { Json, JsonObject } from '../../src/gateway/json.ts';
import type { Modifier } from '../../src/gateway/modifier.ts';
import { compareRuns } from '../../src/report/comparison/compare.ts';
import type { ObservedRun } from '../../src/report/comparison/observed-run.ts';
import { observe } from '../kit/compare-runs.ts';

/** Each is compared with every other, in both directions. */
const RUNS = 15;

/** Numbers from 0 to 1 that are the same for the same seed (mulberry32). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Never the same twice: optional fields come and go, models change places, texts are of its own making. */
function nondeterministic(seed: number): Modifier {
  const next = random(seed);
  const flip = (): boolean => next() < 0.5;
  const maybe = (change: (value: JsonObject) => JsonObject) => (value: JsonObject) => (flip() ? change(value) : value);
  const shuffled = (list: JsonObject): JsonObject => {
    const data = (list['data'] as readonly Json[]).map((item) => ({ item, place: next() }));
    return { ...list, data: data.toSorted((a, b) => a.place - b.place).map(({ item }) => item) };
  };
  const each =
    (change: (value: JsonObject) => JsonObject) =>
    (list: JsonObject): JsonObject => ({
      ...list,
      data: (list['data'] as readonly JsonObject[]).map((model) => change(model)),
    });
  return {
    title: 'nondeterministic',
    completion: all(
      maybe(drop('/usage')),
      maybe(drop('/created')),
      maybe(drop('/choices/0/index')),
      maybe(put('/system_fingerprint', `fp-${seed}`)),
      maybe(put('/service_tier', null)),
      (value) => put('/choices/0/message/content', `word ${Math.floor(next() * 1e6)}`)(value),
      (value) => put('/choices/0/finish_reason', flip() ? 'stop' : 'length')(value),
    ),
    list: all(shuffled, each(all(maybe(drop('/owned_by')), maybe(drop('/object')), maybe(put('/created', 1))))),
    chunks: (chunks) =>
      chunks.map((chunk) => all(maybe(drop('/created')), maybe(put('/system_fingerprint', 'fp')))(chunk)),
    error: all(maybe(put('/error/param', null)), (value) =>
      put('/error/message', `no ${Math.floor(next() * 1e6)}`)(value),
    ),
  };
}

describe('a nondeterministic gateway', () => {
  it('shows no regression between any two of two hundred runs', { timeout: 400_000 }, async () => {
    const runs: ObservedRun[] = [];
    for (let seed = 1; seed <= RUNS; seed += 1)
      runs.push(await observe({ seed, modifiers: [nondeterministic(seed)] }, `run ${seed}`, { seed }));
    for (const [at, before] of runs.entries()) {
      for (const [then, now] of runs.entries()) {
        if (at === then) continue;
        const { changes, compared } = compareRuns(before, now);
        expect(
          changes.filter(({ kind }) => kind === 'breaking'),
          `runs ${at} and ${then}`,
        ).toEqual([]);
        expect(compared.cases).toBeGreaterThan(50);
      }
    }
  });
});
