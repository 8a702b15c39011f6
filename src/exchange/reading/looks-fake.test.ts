import { describe, expect, it, test } from 'vitest';
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
  readonly headers?: Answer['headers'];
  /** Characters that each event has beside its text. */
  readonly padding?: number;
}

function stream({ at, field = 'content', status = 200, headers = [], ...others }: StreamTimes): Exchange {
  const { lateness = 0, textLateness, padding = 0 } = others;
  const event = encoder.encode(
    `data: {"x":"${'x'.repeat(padding)}","choices":[{"index":0,"delta":{"${field}":"word "}}]}\n\n`,
  );
  const role = encoder.encode('data: {"choices":[{"index":0,"delta":{"role":"assistant","content":""}}]}\n\n');
  const parts = [{ at: 1, bytes: role }, ...at.map((time) => ({ at: time, bytes: event }))];
  const answer: Answer = {
    status,
    httpVersion: '1.1',
    headers,
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

const looksFake = (exchange: Exchange, refusals: readonly number[]) => arrivalOf(exchange, refusals).kind === 'at-once';

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
  expect(arrivalOf(stream({ at: burst(20), lateness: 30 }), REFUSALS).kind).toBe('soon');
  expect(arrivalOf(stream({ at: burst(400), lateness: 8 }), REFUSALS).kind).toBe('at-once');
});

test('the median of an even number of values is between the middle two', () => {
  expect(median([4, 1, 3, 2])).toBe(2.5);
  expect(median([9, 1, 5])).toBe(5);
});

/** A stream of 64 events whose bytes arrive in groups, each at its time; what is left belongs to the last. */
function grouped(
  groups: readonly (readonly [at: number, bytes: number])[],
  parts: Partial<StreamTimes> = {},
): Exchange {
  const whole = stream({ at: burst(400, 64, 10), padding: 150, ...parts });
  const outcome = whole.attempts[0]!.outcome;
  if (outcome.kind !== 'answer') throw new Error('the stream was answered');
  const { body } = outcome.answer;
  const left = body.bytes.length - groups.reduce((sum, [, bytes]) => sum + bytes, 0);
  const reads = groups.map(([at, bytes], place) => ({ at, bytes: place === groups.length - 1 ? bytes + left : bytes }));
  const answer: Answer = { ...outcome.answer, body: { ...body, reads } };
  return { ...whole, attempts: [{ ...whole.attempts[0]!, outcome: { kind: 'answer', answer } }] };
}

const KIB = 1_024;
const BLOCKS = grouped([
  [500, 4 * KIB],
  [800, 4 * KIB],
  [1100, 4 * KIB],
  [1150, 0],
]);

test('text in blocks as large as a buffer is held back', () => {
  expect(arrivalOf(BLOCKS, REFUSALS)).toEqual({ kind: 'in-blocks', blocks: 3, bytes: 4_096 });
  // A block may arrive in several reads, and the last one soon after the one before.
  const cut = [
    [500, KIB],
    [502, 3 * KIB],
    [800, 4_000],
    [1100, 4_200],
    [1108, 0],
  ] as const;
  expect(arrivalOf(grouped(cut), REFUSALS)).toEqual({ kind: 'in-blocks', blocks: 3, bytes: 4_200 });
});

test('the head of the answer takes its place in the first block', () => {
  const headers = [['x-request-id', 'r'.repeat(500)]] as const;
  const short = [
    [500, 3_500],
    [800, 4 * KIB],
    [1100, 0],
  ] as const;
  expect(arrivalOf(grouped(short, { headers }), REFUSALS).kind).toBe('in-blocks');
  expect(arrivalOf(grouped(short), REFUSALS).kind).toBe('in-pieces');
  const later = [
    [500, 4 * KIB],
    [800, 3_500],
    [1100, 0],
  ] as const;
  expect(arrivalOf(grouped(later, { headers }), REFUSALS).kind).toBe('in-pieces');
});

test.each<[string, readonly (readonly [number, number])[], Partial<StreamTimes>, string]>([
  [
    'of other sizes',
    [
      [500, 5_000],
      [800, 5_000],
      [1100, 0],
    ],
    {},
    'in-pieces',
  ],
  ['of equal small sizes', Array.from({ length: 12 }, (_, at) => [500 + 40 * at, KIB] as const), {}, 'in-pieces'],
  [
    'of 4 KiB but for one',
    [
      [500, 4 * KIB],
      [800, 3 * KIB],
      [1100, 4 * KIB],
      [1400, 0],
    ],
    {},
    'in-pieces',
  ],
  [
    'of 4 KiB close together',
    [
      [500, 4 * KIB],
      [520, 4 * KIB],
      [540, 4 * KIB],
      [600, 0],
    ],
    {},
    'in-pieces',
  ],
  [
    'of 4 KiB that trickle in',
    [
      [500, 2 * KIB],
      [504, KIB],
      [508, KIB],
      [800, 4 * KIB],
      [1100, 0],
    ],
    {},
    'in-pieces',
  ],
  [
    'of the sizes of two buffers',
    [
      [500, 8 * KIB],
      [800, 4 * KIB],
      [1100, 0],
    ],
    {},
    'in-pieces',
  ],
  [
    'in a compressed body',
    [
      [500, 4 * KIB],
      [800, 4 * KIB],
      [1100, 0],
    ],
    { headers: [['content-encoding', 'gzip']] },
    'in-pieces',
  ],
  [
    'of 4 KiB, read by a checker that was late',
    [
      [500, 4 * KIB],
      [800, 4 * KIB],
      [1100, 0],
    ],
    { lateness: 40 },
    'late',
  ],
  [
    'of which only one is as large as a buffer',
    [
      [500, 8 * KIB],
      [800, 0],
    ],
    {},
    'few-pieces',
  ],
])('Groups %s', (_, groups, parts, kind) => {
  expect(arrivalOf(grouped(groups, parts), REFUSALS).kind).toBe(kind);
});

test('a stream that would look the same if it were held back shows nothing', () => {
  expect(arrivalOf(stream({ at: burst(400, 9, 50) }), REFUSALS)).toEqual({ kind: 'few-pieces' });
  expect(arrivalOf(stream({ at: burst(34) }), REFUSALS)).toEqual({ kind: 'soon' });
});

const FAKE = stream({ at: burst(400) });
const LATE = stream({ at: burst(400), lateness: 40 });
const HONEST = stream({ at: burst(400, 20, 10) });

test.each<[string, readonly Exchange[], string]>([
  ['no stream', [], 'open'],
  ['a fake one', [FAKE], 'open'],
  ['two fake ones', [FAKE, FAKE], 'held-back'],
  ['one in blocks', [BLOCKS], 'open'],
  ['two in blocks', [BLOCKS, BLOCKS], 'held-back'],
  ['a fake one and one in blocks', [FAKE, BLOCKS], 'not-held'],
  ['an honest one after one in blocks', [BLOCKS, HONEST], 'not-held'],
  ['an honest one', [HONEST], 'not-held'],
  ['an honest one after a fake one', [FAKE, HONEST], 'not-held'],
  ['one that could not be timed', [LATE], 'open'],
  ['two fake ones, with others between them that could not be timed', [LATE, LATE, FAKE, LATE, FAKE], 'held-back'],
  ['an honest one after some that could not be timed', [LATE, LATE, LATE, HONEST], 'not-held'],
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
  expect(arrivalOf(stream({ at: burst(400), lateness: 40, textLateness: 2 }), REFUSALS).kind).toBe('at-once');
  expect(arrivalOf(stream({ at: burst(400), lateness: 40, textLateness: 40 }), REFUSALS).kind).toBe('late');
});

describe('text that comes as soon as a refusal', () => {
  const heldUp = (pause: number) => [...burst(20, 25), ...burst(25 + pause, 10)];

  it.each([
    ['all at once', burst(20, 35), 0, 'soon'],
    ['all at once, but for a pause of a busy machine', heldUp(30), 0, 'soon'],
    ['with a pause as long as the checker was late', heldUp(90), 60, 'soon'],
    ['with a longer pause', heldUp(90), 0, 'in-pieces'],
    ['evenly', burst(20, 35, 1), 0, 'in-pieces'],
  ])('%s', (_, at, lateness, kind) => {
    expect(arrivalOf(stream({ at, lateness, textLateness: 0 }), REFUSALS).kind).toBe(kind);
  });
});

test('a pause of ours in text that comes at once does not make pieces of it, however late it comes', () => {
  const at = [...burst(100, 25), ...burst(200, 10)];
  expect(arrivalOf(stream({ at, lateness: 90, textLateness: 70 }), REFUSALS)).toEqual({ kind: 'late', lateness: 70 });
  expect(arrivalOf(stream({ at, lateness: 90, textLateness: 0 }), REFUSALS)).toEqual({ kind: 'late', lateness: 90 });
  expect(arrivalOf(stream({ at, lateness: 8 }), REFUSALS).kind).toBe('in-pieces');
});
