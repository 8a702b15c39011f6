import { expect, it } from 'vitest';
import type { OnlyWith } from '../../report/load-report.ts';
import { plainExchange } from '../../../test/kit/exchanges.ts';
import { PARTS } from '../../../test/kit/load-reports.ts';
import { Tally } from './tally.ts';

interface Answers {
  readonly stage: number;
  readonly count: number;
  readonly traits?: readonly OnlyWith[];
  /** Every so many of them are broken. Default: none. */
  readonly brokenIn?: number;
}

const EXCHANGE = plainExchange();

function sharedBy(...answers: readonly Answers[]): Tally {
  const tally = new Tally();
  for (const { stage, count, traits = [], brokenIn = 0 } of answers)
    for (let at = 0; at < count; at++)
      tally.add({ exchange: { ...EXCHANGE, stage }, traits }, brokenIn > 0 && at % brokenIn === 0 ? PARTS : undefined);
  return tally;
}

const LEFT: readonly OnlyWith[] = ['after-disconnect'];

it('A fault that comes with more in flight is not blamed on what every call of its stages shares', () => {
  const traits = ['after-disconnect', 'open-stream', 'slow-reader'] as const;
  const all = sharedBy(
    { stage: 0, count: 200 },
    { stage: 0, count: 600, traits: LEFT },
    { stage: 1, count: 900, traits, brokenIn: 2 },
  );
  expect(all.onlyWith).toEqual([]);
  expect(all.mayNeedSlowReader).toBe(true);
});

it('A fault that comes with more in flight is not blamed on what only the first calls of its stage lack', () => {
  const open = ['open-stream'] as const;
  const all = sharedBy(
    { stage: 3, count: 3 },
    { stage: 3, count: 751, traits: open },
    { stage: 3, count: 4_411, traits: open, brokenIn: 1 },
  );
  expect(all.onlyWith).toEqual([]);
  const real = sharedBy({ stage: 3, count: 751 }, { stage: 3, count: 4_411, traits: open, brokenIn: 1 });
  expect(real.onlyWith).toEqual(open);
});

it('A fault that begins with the first disconnect is told', () => {
  const all = sharedBy({ stage: 0, count: 20 }, { stage: 0, count: 700, traits: LEFT, brokenIn: 3 });
  expect(all.onlyWith).toEqual(LEFT);
});

it('A rare fault may be late by chance, however often it comes', () => {
  const before = { stage: 0, count: 20 };
  const all = sharedBy(before, { stage: 0, count: 700, traits: LEFT, brokenIn: 20 });
  expect(all.onlyWith).toEqual([]);
  const more = sharedBy(
    before,
    { stage: 0, count: 700, traits: LEFT, brokenIn: 20 },
    { stage: 1, count: 9_000, traits: LEFT, brokenIn: 20 },
  );
  expect(more.onlyWith).toEqual([]);
});

it('A fault that begins long after the first disconnect may be a leak', () => {
  const all = sharedBy(
    { stage: 0, count: 20 },
    { stage: 0, count: 300, traits: LEFT },
    { stage: 0, count: 400, traits: LEFT, brokenIn: 1 },
  );
  expect(all.onlyWith).toEqual([]);
});

it('What comes and goes is compared within each stage', () => {
  const slow = { stage: 2, count: 100, traits: ['slow-reader'] as const, brokenIn: 4 };
  expect(sharedBy({ stage: 2, count: 100 }, slow).onlyWith).toEqual(['slow-reader']);
  expect(sharedBy({ stage: 1, count: 100 }, slow).onlyWith).toEqual([]);
  expect(sharedBy({ stage: 2, count: 100, brokenIn: 50 }, slow).onlyWith).toEqual([]);
});

it('Without a broken answer, nothing is shared', () => {
  expect(sharedBy({ stage: 0, count: 9, traits: LEFT }).onlyWith).toEqual([]);
});
