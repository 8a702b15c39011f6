import { expect, it } from 'vitest';
import type { Attempt, Exchange } from '../../exchange/exchange.ts';
import { findSilenceAlone } from './alone-calls.ts';

type Outcome = Attempt['outcome'];

const answer = (status: number) => ({ kind: 'answer', answer: { status } }) as Outcome;
const failure = (kind: string) => ({ kind: 'none', failure: { kind } }) as Outcome;

/** What controls in a row say that get these. */
async function silenceOf(...outcomes: readonly Outcome[]) {
  const left = [...outcomes];
  const ask = () => Promise.resolve({ attempts: [{ outcome: left.shift() ?? answer(200) }] } as unknown as Exchange);
  return findSilenceAlone({ ask });
}

it.each([
  ['time out', failure('timeout'), 'silent'],
  ['get a 5xx', answer(502), 'silent'],
  ['find the connection closed', failure('closed'), 'failed'],
  ['find nobody there', failure('refused'), 'failed'],
  ['are rejected properly', answer(503), undefined],
  ['are refused', answer(429), undefined],
] as const)('Three controls that %s', async (_what, outcome, expected) => {
  expect(await silenceOf(outcome, outcome, outcome)).toBe(expected);
});

it('One control of three that is answered is enough', async () => {
  expect(await silenceOf(answer(500), failure('timeout'), answer(200))).toBeUndefined();
});
