import { describe, expect, it } from 'vitest';
import { readEvents } from './event-stream.ts';
import type { Body } from '../exchange.ts';

/** Read `n` of the body came at time `n * 10`. */
function bodyCut(bytes: Uint8Array, cuts: readonly number[]): Body {
  const ends = [...cuts, bytes.length];
  const reads = ends.map((end, index) => ({ at: index * 10, bytes: end - (ends[index - 1] ?? 0) }));
  return { bytes, reads, end: { kind: 'complete' }, maxDepth: 200 };
}

const whole = (text: string) => readEvents(bodyCut(Buffer.from(text), []));
const dataOf = (text: string) => whole(text).events.map(({ data }) => data);

describe('a body read as server-sent events', () => {
  it('gives each event the time of the read that completed it', () => {
    const bytes = Buffer.from('data: one\n\ndata: two\n\ndata: three\n\n');
    const { events } = readEvents(bodyCut(bytes, [4, 11, 21]));
    expect(events.map(({ data, at, read }) => [data, at, read])).toEqual([
      ['one', 10, 1],
      ['two', 30, 3],
      ['three', 30, 3],
    ]);
  });

  it('does not wait for the byte after a CR', () => {
    const bytes = Buffer.from('data: one\r\rdata: two\r\r');
    expect(readEvents(bodyCut(bytes, [11])).events.map(({ at }) => at)).toEqual([0, 10]);
  });

  it('dispatches an event for one empty data line, but none without a data line', () => {
    expect(dataOf('data:\n\nevent: x\n\nid: 1\n\n')).toEqual(['']);
  });

  it('keeps the data of an event without its blank line separate', () => {
    expect(whole('data: one\n\ndata: [DONE]')).toMatchObject({ events: [{ data: 'one' }], unterminated: '[DONE]' });
    expect(whole('data: one\n\n')).not.toHaveProperty('unterminated');
  });

  it('lists unknown fields once, in order of appearance', () => {
    expect(whole('foo: 1\nbar\nfoo: 2\ndata: x\n\n').unknownFields).toEqual(['foo', 'bar']);
  });

  it('lists the start of a few unknown fields for a text that is not an event stream', () => {
    const { unknownFields } = whole(
      Array.from({ length: 1000 }, (_, index) => `${index}${'x'.repeat(500)}\n`).join(''),
    );
    expect(unknownFields).toHaveLength(50);
    expect(Math.max(...unknownFields.map((name) => name.length))).toBe(80);
  });

  it('says whether it started with a byte order mark', () => {
    expect(whole('\uFEFFdata: x\n\n').byteOrderMark).toBe(true);
    expect(whole('data: \uFEFF\n\n').byteOrderMark).toBe(false);
  });

  it('is read in linear time, whatever its line endings', () => {
    const bytes = Buffer.from('data: x\r\r'.repeat(200_000));
    expect(readEvents(bodyCut(bytes, [])).events).toHaveLength(200_000);
  }, 10_000);

  it('is read once', () => {
    const body = bodyCut(Buffer.from('data: x\n\n'), []);
    expect(readEvents(body)).toBe(readEvents(body));
  });
});
