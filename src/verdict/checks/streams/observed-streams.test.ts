import { expect, test } from 'vitest';
import { checkInput, readObserved, streamExchange, type StreamParts } from '../../../../test/kit/exchanges.ts';
import { formatObservationName } from '../../observation.ts';
import {
  chunk,
  type CheckName,
  DONE,
  GOOD,
  ROLE,
  say,
  STOP,
  wire,
  STREAM_CHECKS,
} from '../../../../test/kit/streams.ts';

function observe(check: CheckName, ...streams: readonly StreamParts[]): Readonly<Record<string, unknown>> {
  const result = STREAM_CHECKS[check].execute(checkInput(streams.map((parts) => streamExchange(parts))));
  if (result.kind !== 'observed') throw new Error(`it said ${result.kind}`);
  return Object.fromEntries(result.observations.map((each) => [formatObservationName(each), readObserved(each.value)]));
}

const USAGE = { prompt_tokens: 1, completion_tokens: 3, total_tokens: 4 };

test('unknown fields of chunks are recorded with their place', () => {
  const odd = chunk({ delta: { mood: 'calm' }, choice: { logprobs: null }, chunk: { 'a/b': 1, created: 7 } });
  const events = [ROLE, odd, chunk({ chunk: { choices: [] } }), STOP, DONE];
  expect(observe('stream-shape', { events })).toEqual({
    'fields beyond the contract': ['chunk /a~1b', 'chunk /choices/*/logprobs', 'chunk /choices/*/delta/mood'],
    'chunks without choices': 1,
    choices: 1,
    'created changes': true,
  });
});

test('the end of a stream is recorded, including an end marker without its blank line', () => {
  expect(observe('stream-end-marker', { events: GOOD })).toEqual({ 'end of the stream': 'done', '[DONE]': 'complete' });
  expect(observe('stream-end-marker', { text: wire(GOOD).trimEnd() })).toMatchObject({
    '[DONE]': 'without its blank line',
  });
  const open = { events: [ROLE, STOP], end: { kind: 'limit', limit: 'idle-timeout' } } as const;
  expect(observe('stream-end-marker', open)).toEqual({ 'end of the stream': 'held open', '[DONE]': 'absent' });
});

test('the content type is recorded', () => {
  expect(observe('stream-content-type', { events: GOOD })).toEqual({ 'Content-Type': 'text/event-stream' });
});

test('several streams are combined under one name', () => {
  const other = { events: GOOD, headers: { 'content-type': 'text/plain' } };
  expect(observe('stream-content-type', { events: GOOD }, { events: GOOD })).toEqual({
    'Content-Type': 'text/event-stream',
  });
  expect(observe('stream-content-type', { events: GOOD }, other, { status: 500 })).toEqual({
    'Content-Type': ['text/event-stream', 'text/plain'],
  });
});

test.each([
  ['nowhere', GOOD],
  ['in a chunk without choices', [ROLE, STOP, chunk({ chunk: { choices: [], usage: USAGE } }), DONE]],
  ['in the last chunk with a choice', [ROLE, chunk({ finish: 'stop', chunk: { usage: USAGE } }), DONE]],
  ['in every chunk', [chunk({ chunk: { usage: USAGE } }), chunk({ chunk: { usage: USAGE } }), DONE]],
  ['after [DONE]', [...GOOD, chunk({ chunk: { choices: [], usage: USAGE } })]],
])('usage that arrived %s is recorded as such', (where, events) => {
  expect(observe('stream-usage', { events })).toEqual({ usage: where });
});

test('comments, named events and other fields are recorded', () => {
  const text = `: ping\n\nretry: 50\n\nevent: ping\ndata: {}\n\n${wire(GOOD).replaceAll('data: ', 'id: 7\ntrace: x\ndata: ')}`;
  expect(observe('stream-heartbeats', { text })).toEqual({
    comments: 1,
    'names of events': ['ping'],
    'events named message': 0,
    'retry fields': [50],
    'id fields': true,
    'unknown fields': ['trace'],
    'byte order mark': false,
  });
});

test('times are recorded relative to the request', () => {
  const reads = [ROLE, ...say('four', 'four'), STOP].map((event, place) => ({
    at: 100 + 10 * place ** 2,
    text: wire([event]),
  }));
  expect(observe('stream-timing', { reads })).toMatchObject({
    'time to the first event (ms)': 100,
    'time to the first text (ms)': 110,
    'median gap (ms)': 30,
    'largest gap (ms)': 50,
    'characters per event with text': 4,
    events: 4,
    'events with text': 2,
    'network reads': 4,
  });
});

test.each([
  ['a quick checker', 300, { lateness: 5 }, 300],
  ['one that was behind for less than half of it', 300, { lateness: 140 }, 300],
  ['one that was behind for most of it', 129.2, { lateness: 88.7 }, 'checker-late'],
  ['one that lost little of a short time', 4.6, { lateness: 3.1 }, 4.6],
  ['one that was late only after the first text', 9.2, { lateness: 57.1, textLateness: 0.4 }, 9.2],
  ['one that was late at the first text', 28.9, { lateness: 31.3, textLateness: 30.2 }, 'checker-late'],
] as const)(
  'the time to the first text is recorded unless the checker may have caused it: %s',
  (_who, at, late, value) => {
    const exchange = streamExchange({ reads: [{ at, text: wire([ROLE, ...say('four'), STOP]) }] });
    const [attempt] = exchange.attempts;
    if (attempt?.outcome.kind !== 'answer') throw new Error('The stream is answered.');
    const outcome = { ...attempt.outcome, answer: { ...attempt.outcome.answer, ...late } };
    const result = STREAM_CHECKS['stream-timing'].execute(
      checkInput({ ...exchange, attempts: [{ ...attempt, outcome }] }),
    );
    const behind = 'textLateness' in late ? late.textLateness : late.lateness;
    expect(result).toMatchObject({
      observations: expect.arrayContaining([
        { name: 'first-text-time', value },
        { name: 'first-text-lateness', value: behind },
      ]),
    });
  },
);

test('the times of headers and first text are recorded over all streams', () => {
  const streams = [100, 130, 160].map((at) =>
    streamExchange({ reads: [{ at, text: wire([ROLE, ...say('four'), STOP]) }] }),
  );
  const result = STREAM_CHECKS['stream-headers'].execute({ ...checkInput(streams[0]!), exchanges: streams });
  expect(result).toMatchObject({
    observations: [
      { name: 'headers-time', value: 10 },
      { name: 'headers-to-text', value: 120 },
    ],
  });
});

test('nothing is observed if no stream was answered', () => {
  expect(STREAM_CHECKS['stream-shape'].execute(checkInput(streamExchange({ status: 500 }))).kind).toBe('skipped');
});
