import { expect, it } from 'vitest';
import type { BodyEnd, Exchange } from '../../../exchange/exchange.ts';
import { runView, streamExchange, type StreamParts } from '../../../../test/kit/exchanges.ts';
import { GOOD, judge } from '../../../../test/kit/streams.ts';
import { STREAM_END_CHECKS } from './endings.ts';

const { 'stream-closes': streamCloses } = STREAM_END_CHECKS;

const LEFT: BodyEnd = { kind: 'aborted', why: 'done' };
/** The kit's [DONE] comes at this time. */
const DONE_AT = 20 + 10 * (GOOD.length - 1);

let streams = 0;
const stream = (parts: StreamParts = {}): Exchange =>
  streamExchange({ step: 'chat-stream', id: `chat-stream#${(streams += 1)}`, events: GOOD, ...parts });
const closed = (): Exchange => stream();
const open = (parts: StreamParts = {}): Exchange => stream({ end: LEFT, endAt: DONE_AT + 1_049, ...parts });
/** The exchange as wirecheck recorded it before it waited for the end. */
const leftEarly = (): Exchange => stream({ end: LEFT, endAt: DONE_AT + 101 });
/** A HAR file has one time for the whole body. */
const foreign = (): Exchange => stream({ endAt: DONE_AT });
const unended = (): Exchange => stream({ events: GOOD.slice(0, -1) });

const kindOf = (...exchanges: readonly Exchange[]) => judge('stream.closes', exchanges).kind;

it('The clause holds if responses end after [DONE], also if one stayed open by accident', () => {
  expect(kindOf(closed(), closed())).toBe('holds');
  expect(kindOf(closed(), open(), closed())).toBe('holds');
  expect(kindOf(closed(), leftEarly(), unended())).toBe('holds');
});

it('The clause is broken by two responses that stay open, and counts them', () => {
  expect(judge('stream.closes', [open(), closed(), open(), open()])).toMatchObject({
    kind: 'broken',
    findings: [{ actual: { kind: 'open-after-done' }, more: 2 }],
    answers: { kept: { length: 1 }, broken: { length: 3 } },
  });
});

it('A response that a time limit ended long after [DONE] stayed open too', () => {
  const idle = { kind: 'limit', limit: 'idle-timeout' } as const;
  expect(kindOf(open({ end: idle }), open({ end: idle }))).toBe('broken');
  expect(kindOf(open({ end: idle, endAt: DONE_AT + 500 }))).toBe('skipped');
});

it('A single open response is inconclusive', () => {
  expect(judge('stream.closes', open())).toMatchObject({ reason: { kind: 'no-second-open-stream' } });
  expect(kindOf(open(), leftEarly())).toBe('inconclusive');
});

it('Recordings that do not show the end of the response are not judged', () => {
  expect(kindOf(leftEarly(), leftEarly(), foreign())).toBe('skipped');
});

it('Streams without [DONE] are left to stream.done', () => {
  expect(judge('stream.closes', unended())).toMatchObject({ kind: 'skipped', reason: { clause: 'stream.done' } });
});

it('Open responses add up over the parts of a long recording', () => {
  const run = { ...runView(), carried: new Map<string, unknown>() };
  const judgePart = (...exchanges: readonly Exchange[]) =>
    streamCloses.execute({ clause: 'stream.closes', options: {}, exchanges, run }).kind;
  expect([judgePart(open(), closed()), judgePart(closed()), judgePart(open(), closed()), judgePart(closed())]).toEqual([
    'holds',
    'holds',
    'broken',
    'holds',
  ]);
});
