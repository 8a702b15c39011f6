import { expect, it } from 'vitest';
import { failure, plainExchange } from '../../../test/kit/exchanges.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { findSilenceAlone } from './alone-calls.ts';

const answer = (status: number) => plainExchange({ status });
const failed = (kind: Parameters<typeof failure>[0]) =>
  plainExchange({ failure: failure(kind, { limit: 'first-byte-timeout' }) });

/** What controls in a row say that get these. */
async function silenceOf(...controls: readonly Exchange[]) {
  const left = [...controls];
  const ask = () => Promise.resolve(left.shift() ?? answer(200));
  return (await findSilenceAlone({ ask }, 60_000))?.kind;
}

it.each([
  ['time out', failed('timeout'), 'silent'],
  ['are given up', failed('aborted'), 'silent'],
  ['get headers and nothing else', plainExchange({ end: { kind: 'aborted', why: 'interrupted' } }), 'silent'],
  ['get a 5xx', answer(502), 'silent'],
  ['find the connection closed', failed('closed'), 'failed'],
  ['find nobody there', failed('refused'), 'failed'],
  ['are rejected properly', answer(503), undefined],
  ['are refused', answer(429), undefined],
] as const)('Three controls that %s', async (_what, control, expected) => {
  expect(await silenceOf(control, control, control)).toBe(expected);
});

it('One control of three that is answered is enough', async () => {
  expect(await silenceOf(answer(500), failed('timeout'), answer(200))).toBeUndefined();
});
