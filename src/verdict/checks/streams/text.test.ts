import { expect, test } from 'vitest';
import type { Exchange } from '../../../exchange/exchange.ts';
import { failure, streamExchange } from '../../../../test/kit/exchanges.ts';
import { DONE, judge, ROLE, say, STOP, wire } from '../../../../test/kit/streams.ts';

const WORDS = say(...Array.from({ length: 12 }, (_, place) => `${place} `));

/** A stream whose words come `gap` milliseconds apart, the first of them after 300. */
function long(gap: number, id = 'first'): Exchange {
  const events = [ROLE, ...WORDS, STOP, DONE];
  return streamExchange({ id, reads: events.map((event, place) => ({ at: 300 + gap * place, text: wire([event]) })) });
}

test('two consecutive streams that arrive all at once are one finding', () => {
  expect(judge('stream.in-pieces', [long(0), long(0, 'second')])).toMatchObject({
    kind: 'broken',
    findings: [
      {
        mismatch: 'at-once',
        exchange: 'first',
        more: 1,
        actual: { kind: 'at-once', events: 12, within: 0, wait: 295 },
      },
    ],
  });
});

test('a stream that arrives in pieces holds, even if only on the second try', () => {
  expect(judge('stream.in-pieces', long(20)).kind).toBe('holds');
  expect(judge('stream.in-pieces', [long(0), long(20, 'second')]).kind).toBe('holds');
});

test('a single stream proves nothing', () => {
  expect(judge('stream.in-pieces', long(0))).toMatchObject({ kind: 'inconclusive' });
  const unanswered = streamExchange({ id: 'second', failure: failure('timeout') });
  expect(judge('stream.in-pieces', [long(0), unanswered])).toMatchObject({ kind: 'inconclusive' });
});

test('there is no verdict without a refusal to compare with', () => {
  expect(judge('stream.in-pieces', [long(0), long(0, 'second')], { refusalTimes: [] }).kind).toBe('skipped');
});

test('there is no verdict when the checker itself was late', () => {
  const [attempt] = long(0).attempts;
  const outcome = attempt?.outcome;
  if (outcome?.kind !== 'answer') throw new Error('the stream was answered');
  const late = { ...attempt!, outcome: { ...outcome, answer: { ...outcome.answer, lateness: 40 } } };
  expect(judge('stream.in-pieces', { ...long(0), attempts: [late] })).toEqual({
    kind: 'skipped',
    reason: { kind: 'checker-late', lateness: 40 },
  });
});
