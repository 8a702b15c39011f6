import { expect, it } from 'vitest';
import type { OnlyWith } from '../report/load-report.ts';
import { SharedTraits } from './shared-traits.ts';

interface Answers {
  readonly stage: number;
  readonly count: number;
  readonly traits?: readonly OnlyWith[];
  /** Every so many of them are broken. Default: none. */
  readonly brokenIn?: number;
}

function sharedBy(...answers: readonly Answers[]): SharedTraits {
  const traits = new SharedTraits();
  for (const { stage, count, traits: own = [], brokenIn = 0 } of answers)
    for (let at = 0; at < count; at++) traits.add(stage, brokenIn > 0 && at % brokenIn === 0, own);
  return traits;
}

const LEFT: readonly OnlyWith[] = ['after-disconnect'];

it('A fault that comes with more in flight is not blamed on what every call of its stages shares', () => {
  const traits = ['after-disconnect', 'open-stream', 'slow-reader'] as const;
  const all = sharedBy(
    { stage: 0, count: 200 },
    { stage: 0, count: 600, traits: LEFT },
    { stage: 1, count: 900, traits, brokenIn: 2 },
  );
  expect(all.shared).toEqual([]);
  expect(all.isOnAllBroken('slow-reader')).toBe(true);
});

it('A fault that comes with more in flight is not blamed on what only the first calls of its stage lack', () => {
  const open = ['open-stream'] as const;
  const all = sharedBy(
    { stage: 3, count: 3 },
    { stage: 3, count: 751, traits: open },
    { stage: 3, count: 4_411, traits: open, brokenIn: 1 },
  );
  expect(all.shared).toEqual([]);
});

it('A fault of all answers since the first disconnect is told', () => {
  const after = { stage: 0, count: 700, traits: LEFT, brokenIn: 1 };
  expect(sharedBy({ stage: 0, count: 20 }, after).shared).toEqual(LEFT);
  const later = { stage: 1, count: 900, traits: LEFT, brokenIn: 1 };
  expect(sharedBy({ stage: 0, count: 20 }, after, later).shared).toEqual(LEFT);
});

it('One right answer with the trait is enough not to tell it', () => {
  const after = { stage: 0, count: 700, traits: LEFT, brokenIn: 1 };
  expect(sharedBy({ stage: 0, count: 20 }, after, { stage: 0, count: 1, traits: LEFT }).shared).toEqual([]);
});

it('A fault that begins in a short stage may have begun with the first disconnect by chance', () => {
  const all = sharedBy({ stage: 0, count: 20 }, { stage: 0, count: 60, traits: LEFT, brokenIn: 1 });
  expect(all.shared).toEqual([]);
});

it('A fault that begins long after the first disconnect may be a leak', () => {
  const all = sharedBy(
    { stage: 0, count: 20 },
    { stage: 0, count: 300, traits: LEFT },
    { stage: 0, count: 400, traits: LEFT, brokenIn: 1 },
  );
  expect(all.shared).toEqual([]);
});

it('What comes and goes is compared within the stages that show the fault', () => {
  const slow = { stage: 2, count: 100, traits: ['slow-reader'] as const, brokenIn: 1 };
  const right = { stage: 2, count: 100 };
  expect(sharedBy(right, slow).shared).toEqual(['slow-reader']);
  expect(sharedBy(right, slow, { ...slow, stage: 1, brokenIn: 0 }).shared).toEqual(['slow-reader']);
  expect(sharedBy({ stage: 1, count: 100 }, slow).shared).toEqual([]);
  expect(sharedBy({ ...right, brokenIn: 50 }, slow).shared).toEqual([]);
});

it('Fewer than three answers of a kind are no evidence', () => {
  const idle = { stage: 2, count: 2, traits: ['after-idle'] as const, brokenIn: 1 };
  expect(sharedBy({ stage: 2, count: 200 }, idle).shared).toEqual([]);
  expect(sharedBy({ stage: 2, count: 2 }, { ...idle, count: 200 }).shared).toEqual([]);
  expect(sharedBy({ stage: 2, count: 200 }, { ...idle, count: 3 }).shared).toEqual(['after-idle']);
});

it('Without a broken answer, nothing is shared', () => {
  expect(sharedBy({ stage: 0, count: 9, traits: LEFT }).shared).toEqual([]);
});
