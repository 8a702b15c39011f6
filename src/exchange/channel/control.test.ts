import { expect, it } from 'vitest';
import { type UntilEnough, askUntil } from './control.ts';

/** Asks for numbers from 1 on; each is the answer. */
function counting(asking: Partial<UntilEnough<number>> = {}) {
  let asked = 0;
  const pauses: number[] = [];
  const ask = ({ pause }: { readonly pause: number }): Promise<number> => {
    pauses.push(pause);
    return Promise.resolve((asked += 1));
  };
  const { signal } = new AbortController();
  return { pauses, found: askUntil<number>({ ask, isEnough: (answer) => answer === 3, signal, ...asking }) };
}

it('A control is asked until its answer is enough, with the pauses that were asked for', async () => {
  const { found, pauses } = counting({ pauseAfter: (times) => times });
  expect(await found).toEqual({ isEnough: true, last: 3, after: expect.any(Number) });
  expect(pauses).toEqual([0, 1, 2]);
});

it.each([
  ['so often at most', { most: 2 }, 2],
  ['no longer than the time allows', { longest: 0 }, 1],
  ['no more where there is no point in it', { pauseAfter: () => undefined }, 1],
  ['no more when the run has ended', { signal: AbortSignal.abort() }, 1],
] as const)('A control is asked %s', async (_when, asking, last) => {
  expect(await counting(asking).found).toMatchObject({ isEnough: false, last });
});

it('Without an answer there is nothing to tell', async () => {
  expect(await counting({ ask: () => Promise.resolve(undefined) }).found).toEqual({
    isEnough: false,
    after: expect.any(Number),
  });
});
