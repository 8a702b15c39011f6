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

/** A stream whose bytes come in three blocks of 4 KiB, and then the rest. */
function inBlocks(id = 'first'): Exchange {
  const bytes = wire([ROLE, ...say(...Array.from({ length: 80 }, (_, place) => `${place} `)), STOP, DONE]);
  const parts = [0, 1, 2, 3].map((at) => bytes.slice(at * 4_096, at === 3 ? undefined : (at + 1) * 4_096));
  return streamExchange({ id, reads: parts.map((text, place) => ({ at: 300 + 200 * place, text })) });
}

test('two consecutive streams in blocks as large as a buffer are one finding', () => {
  expect(judge('stream.in-pieces', [inBlocks(), inBlocks('second')])).toMatchObject({
    kind: 'broken',
    findings: [
      {
        mismatch: 'in-blocks',
        exchange: 'first',
        more: 1,
        actual: { kind: 'in-blocks', blocks: 3, bytes: 4_096 },
      },
    ],
  });
  expect(judge('stream.in-pieces', [inBlocks(), long(20, 'second')]).kind).toBe('holds');
  expect(judge('stream.in-pieces', [inBlocks(), long(0, 'second')])).toMatchObject({ kind: 'inconclusive' });
});

test('a stream of few events, or one that was there at once, gives no verdict', () => {
  const few = streamExchange({
    reads: [ROLE, ...say('1 ', '2 '), STOP, DONE].map((event, at) => ({ at: 300 + 50 * at, text: wire([event]) })),
  });
  expect(judge('stream.in-pieces', few)).toMatchObject({ kind: 'skipped', reason: { kind: 'few-pieces' } });
  expect(judge('stream.in-pieces', long(0), { refusalTimes: [300, 301] })).toMatchObject({
    kind: 'skipped',
    reason: { kind: 'no-occasion', of: 'awaited-text' },
  });
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
