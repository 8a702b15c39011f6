import { expect, test } from 'vitest';
import type { Answer, Exchange } from '../exchange.ts';
import { arrivalOf, concludeArrivals, median } from './looks-fake.ts';

const encoder = new TextEncoder();

interface StreamTimes {
  /** When each event with text came. */
  readonly at: readonly number[];
  readonly field?: string;
  readonly status?: number;
  readonly lateness?: number;
  readonly textLateness?: number;
}

function stream({ at, field = 'content', status = 200, lateness = 0, textLateness }: StreamTimes): Exchange {
  const event = encoder.encode(`data: {"choices":[{"index":0,"delta":{"${field}":"word "}}]}\n\n`);
  const role = encoder.encode('data: {"choices":[{"index":0,"delta":{"role":"assistant","content":""}}]}\n\n');
  const parts = [{ at: 1, bytes: role }, ...at.map((time) => ({ at: time, bytes: event }))];
  const answer: Answer = {
    status,
    httpVersion: '1.1',
    headers: [],
    interim: 0,
    body: {
      bytes: Buffer.concat(parts.map(({ bytes }) => bytes)),
      reads: parts.map(({ at: time, bytes }) => ({ at: time, bytes: bytes.length })),
      end: { kind: 'complete' },
      maxDepth: 200,
    },
    headersAt: 1,
    endAt: at.at(-1) ?? 1,
    lateness,
    ...(textLateness !== undefined && { textLateness }),
  };
  return {
    id: 'long',
    step: 'long',
    seeks: 'answer',
    request: { endpoint: 'chat', mode: 'stream', method: 'POST', path: '/chat/completions', headers: [], key: 'full' },
    attempts: [{ sentAt: 0, pause: 0, outcome: { kind: 'answer', answer }, secretsSeen: [] }],
  };
}

/** Times of `count` events, `step` milliseconds apart. */
function burst(from: number, count = 20, step = 0.2): readonly number[] {
  return Array.from({ length: count }, (_, place) => from + place * step);
}

const REFUSALS = [9, 10, 10, 11];

const looksFake = (exchange: Exchange, refusals: readonly number[]) => arrivalOf(exchange, refusals).kind === 'fake';

test('text that arrives at once after a long wait looks fake', () => {
  expect(looksFake(stream({ at: burst(400) }), REFUSALS)).toBe(true);
});

test('reasoning counts as text', () => {
  expect(looksFake(stream({ at: burst(400), field: 'reasoning_content' }), REFUSALS)).toBe(true);
});

test.each([
  ['text that comes in pieces', { at: burst(400, 20, 10) }],
  ['text further apart than 5 ms as a whole', { at: burst(400, 20, 0.3) }],
  ['fewer than ten events with text', { at: burst(400, 9) }],
  [
    'ten small events in one segment amidst a stream that comes over a second',
    { at: [100, ...burst(500, 12, 0), 1100] },
  ],
  ['text that comes as fast as a refusal', { at: burst(34) }],
  ['an answer with another status', { at: burst(400), status: 500 }],
  ['a checker that was late itself', { at: burst(400), lateness: 30 }],
  ['no text', { at: [] }],
])('%s does not look fake', (_, times) => {
  expect(looksFake(stream(times), REFUSALS)).toBe(false);
});

test('the wait has to be 25 ms longer than the median refusal, and ten times the spread of refusals', () => {
  const at = burst(60);
  expect(looksFake(stream({ at: burst(35) }), REFUSALS)).toBe(true);
  expect(looksFake(stream({ at }), [10, 10, 10])).toBe(true);
  // Median 10; the median distance from it is 6.
  expect(looksFake(stream({ at }), [2, 4, 10, 16, 18])).toBe(false);
  expect(looksFake(stream({ at: burst(70) }), [2, 4, 10, 16, 18])).toBe(true);
});

test('a single slow refusal changes neither median nor spread', () => {
  expect(looksFake(stream({ at: burst(60) }), [9, 10, 10, 11, 3000])).toBe(true);
});

test('without refusals, the wait cannot be compared', () => {
  expect(arrivalOf(stream({ at: burst(400) }), [])).toEqual({ kind: 'no-refusals' });
});

test('lateness matters only if it could have made a difference', () => {
  expect(arrivalOf(stream({ at: burst(400), lateness: 30 }), REFUSALS)).toEqual({ kind: 'late', lateness: 30 });
  expect(arrivalOf(stream({ at: burst(400, 20, 1), lateness: 30 }), REFUSALS).kind).toBe('late');
  expect(arrivalOf(stream({ at: burst(400, 20, 2), lateness: 30 }), REFUSALS).kind).toBe('in-pieces');
  expect(arrivalOf(stream({ at: burst(20), lateness: 30 }), REFUSALS).kind).toBe('in-pieces');
  expect(arrivalOf(stream({ at: burst(400), lateness: 8 }), REFUSALS).kind).toBe('fake');
});

test('the median of an even number of values is between the middle two', () => {
  expect(median([4, 1, 3, 2])).toBe(2.5);
  expect(median([9, 1, 5])).toBe(5);
});

const FAKE = stream({ at: burst(400) });
const LATE = stream({ at: burst(400), lateness: 40 });
const HONEST = stream({ at: burst(400, 20, 10) });

test.each<[string, readonly Exchange[], string]>([
  ['no stream', [], 'open'],
  ['a fake one', [FAKE], 'open'],
  ['two fake ones', [FAKE, FAKE], 'fake'],
  ['an honest one', [HONEST], 'not-fake'],
  ['an honest one after a fake one', [FAKE, HONEST], 'not-fake'],
  ['one that could not be timed', [LATE], 'open'],
  ['two fake ones, with others between them that could not be timed', [LATE, LATE, FAKE, LATE, FAKE], 'fake'],
  ['an honest one after some that could not be timed', [LATE, LATE, LATE, HONEST], 'not-fake'],
  ['four in a row that could not be timed', [LATE, LATE, LATE, LATE], 'late'],
  ['four in a row after a fake one that could not be timed', [LATE, FAKE, LATE, LATE, LATE, LATE], 'late'],
])('The conclusion from %s', (_, streams, kind) => {
  expect(concludeArrivals(streams, REFUSALS).kind).toBe(kind);
});

/** Text at once, but for one pause of the target in the middle. */
const interrupted = (from: number, pause: number) => [...burst(from, 25, 0.1), ...burst(from + pause, 20, 0.1)];

test('a busy target may pause while it sends what it has buffered, if that is short in comparison with the wait', () => {
  expect(looksFake(stream({ at: interrupted(700, 25) }), REFUSALS)).toBe(true);
  expect(looksFake(stream({ at: interrupted(700, 36) }), REFUSALS)).toBe(false);
  expect(looksFake(stream({ at: interrupted(5_000, 50) }), REFUSALS)).toBe(false);
  // Bursts of a few tokens, as of speculative decoding.
  const steps = Array.from({ length: 6 }, (_, place) => burst(700 + place * 5, 8, 0.1)).flat();
  expect(looksFake(stream({ at: steps }), REFUSALS)).toBe(false);
});

test('such a pause may be our own if the checker was late at any time', () => {
  const late = stream({ at: interrupted(700, 25), lateness: 40, textLateness: 0 });
  expect(arrivalOf(late, REFUSALS)).toEqual({ kind: 'late', lateness: 40 });
});

test('lateness matters at the first text only: later on, it makes the text look further apart', () => {
  expect(arrivalOf(stream({ at: burst(400), lateness: 40, textLateness: 2 }), REFUSALS).kind).toBe('fake');
  expect(arrivalOf(stream({ at: burst(400), lateness: 40, textLateness: 40 }), REFUSALS).kind).toBe('late');
});
