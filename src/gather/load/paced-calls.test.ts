/** Pieces under load: which calls the upstream pauses in, and what their times say. */
import { expect, it } from 'vitest';
import { streamExchange } from '../../../test/kit/exchanges.ts';
import { stage } from '../../../test/kit/load-reports.ts';
import { DONE, ROLE, say, STOP, wire } from '../../../test/kit/streams.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { lastAnswer } from '../../exchange/reading/answered.ts';
import { LoadJudge } from './load-judge.ts';
import { DEFAULT_SETTINGS } from '../../settings.ts';
import { PacedCalls } from './calls.ts';
import { judgePieces } from './judge-call.ts';
import type { StagePlan } from './plan-load.ts';

/** Two pieces of text, so many milliseconds apart. */
function stream(apart: number, headersAt = 10): Exchange {
  const exchange = streamExchange({
    reads: [
      { at: headersAt, text: wire([ROLE, ...say('a')]) },
      { at: headersAt + apart, text: wire([...say('b'), STOP, DONE]) },
    ],
  });
  const answer = lastAnswer(exchange);
  if (!answer) throw new Error('It has an answer.');
  const outcome = { kind: 'answer', answer: { ...answer, headersAt } } as const;
  return { ...exchange, attempts: exchange.attempts.map((attempt) => ({ ...attempt, outcome })) };
}

it.each([
  [1_500, false],
  [500, false],
  [499, true],
  [0, true],
])('Pieces that arrive %i ms apart, though the upstream paused for 1.5 s', (apart, isHeldBack) => {
  expect(judgePieces(stream(apart))?.parts !== undefined).toBe(isHeldBack);
});

it('A stream without text says nothing', () => {
  expect(judgePieces(streamExchange({ events: [ROLE, STOP, DONE] }))).toBeUndefined();
});

it.each([
  [{ phase: 'ramp', inFlight: 4, least: 1_000, most: 2_000 }, 3],
  [{ phase: 'halving', inFlight: 9, least: 2_500, most: 2_500 }, 3],
  [{ phase: 'ramp', inFlight: 1, least: 1_000, most: 2_000 }, 0],
  [{ phase: 'ramp', inFlight: 4, least: 900, most: 2_000 }, 0],
  [{ phase: 'burst', inFlight: 64, least: 3_000, most: 3_000 }, 0],
] satisfies readonly (readonly [StagePlan, number])[])('The stage %j has %i, one at a time', (plan, expected) => {
  const paced = new PacedCalls();
  paced.beginStage(plan);
  let taken = 0;
  for (let number = 1; number < 100; number++) {
    if (!paced.takes(number)) continue;
    taken += 1;
    expect(paced.takes(number + 1)).toBe(false);
    paced.end();
  }
  expect(taken).toBe(expected);
});

it.each([
  ['counts', true, 10, 2],
  ['does not count if the checker or the machine was busy', false, 10, 0],
  ['does not count if other answers were slow to begin as well', true, 600, 0],
])('A stage %s', (_title, areTimesSure, headersAt, expected) => {
  const settings = { ...DEFAULT_SETTINGS, baseUrl: 'http://127.0.0.1/v1' };
  const judge = new LoadJudge({ settings, salt: 1, startedAt: 0 }, [], {});
  judge.beginStage('ramp');
  const add = (id: string, profile: 'paced' | 'short') => {
    const known = judge.begin(id, profile);
    if (profile === 'paced') known.behind.wasPaced = true;
    const call = { kind: 'stream', stage: 0 } as const;
    const exchange = { ...stream(0, headersAt), id, stage: 0 };
    judge.add({ call, known, exchange, hasLeft: false, traits: [], room: { release: () => undefined } });
  };
  for (const id of ['a', 'b', 'c']) add(id, 'short');
  for (const id of ['d', 'e']) add(id, 'paced');
  const facts = stage(4);
  judge.endStage({ ...facts, generator: { ...facts.generator, isBusy: !areTimesSure } }, false);
  expect(judge.tallies.pieces.broken).toBe(expected);
});
