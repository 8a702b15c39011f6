import { describe, expect, it } from 'vitest';
import type { Body, BodyEnd } from '../exchange.ts';
import { readOddLines } from './event-stream.ts';

function read(text: string | Uint8Array, end: BodyEnd = { kind: 'complete' }) {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  const body: Body = { bytes, reads: [{ at: 1, bytes: bytes.length }], end, maxDepth: 200 };
  const { loneReturns, withoutData, commentsAfterId } = readOddLines(body);
  return {
    returns: loneReturns.map(({ events }) => events),
    blocks: withoutData.map(({ field, line, events }) => `${field} ${events}: ${line.quote}`),
    comments: commentsAfterId.map(({ line, events }) => `${events}: ${line.quote}`),
  };
}

const NOTHING = { returns: [], blocks: [], comments: [] };
const DATA = 'data: {}\n\n';

describe('the lines of a stream', () => {
  it.each([
    ['nothing', ''],
    ['events', DATA + DATA],
    ['CR LF', 'data: {}\r\n\r\n: ping\r\n\r\ndata: {}\r\n\r\n'],
    ['a byte order mark', `\uFEFF${DATA}`],
    ['comments without an id', `: hi\n\n${DATA}:\n\n: ping\n\n`],
    ['fields beside data', `event: x\nid: 1\nretry: 5\n: ping\n${DATA}data\nid: 2\n\n`],
    ['fields beside data, with CR LF', 'event: x\r\nid: 1\r\nretry: 5\r\ndata: {}\r\n\r\n'],
    ['blank lines after an id', `id: 1\n${DATA}\n\n\n`],
    ['fields that are not in the grammar, beside data', `trace: 1\nid2\n{"id":1}\n${DATA}ID: 7\n retry: 1\n${DATA}`],
    ['data under a wrong name, which is odd by itself', `Data: {}\n\n\uFEFFdata: {}\n\n${DATA}`],
    ['a last block without its blank line', `${DATA}id: 7\n`],
    ['a last line without its end', `${DATA}event: x`],
  ])('are not odd: %s', (_, text) => {
    expect(read(text)).toEqual(NOTHING);
  });

  const BROKEN = Buffer.from(': caf\u00e9\n\n', 'latin1');

  it.each([
    ['Data: {}\n\n', { misspelt: 1 }],
    [' data: {}\n\n', { misspelt: 1 }],
    ['data = {}\n\n', { misspelt: 1 }],
    ['\uFEFFdata: {}\n\n', { marked: 1 }],
    [BROKEN, { undecodable: 1 }],
    [': café, data: no\n\ndatabase: 1\n\nmetadata=1\n\n\uFEFF: hi\n\n', {}],
  ])('are counted if no client knows or can decode them: %j', (line, counts) => {
    const bytes = Buffer.concat([DATA, line, DATA].map((part) => Buffer.from(part)));
    const body: Body = { bytes, reads: [{ at: 1, bytes: bytes.length }], end: { kind: 'complete' }, maxDepth: 200 };
    const { marked, misspelt, undecodable } = readOddLines(body);
    const found = { marked: marked.length, misspelt: misspelt.length, undecodable: undecodable.length };
    expect(found).toEqual({ marked: 0, misspelt: 0, undecodable: 0, ...counts });
  });

  it('are odd if CR alone ends them, also at the very end of a complete body', () => {
    expect(read('data: {}\r\rdata: {}\r\r')).toEqual({ ...NOTHING, returns: [0, 0, 1, 1] });
    expect(read('data: {}\r\r\n')).toEqual({ ...NOTHING, returns: [0] });
  });

  it('are not odd if the body stopped before the LF that may follow a CR', () => {
    for (const end of [
      { kind: 'cut', detail: '' },
      { kind: 'aborted', why: 'done' },
      { kind: 'limit', limit: 'timeout' },
    ] as const) {
      expect(read('data: {}\r\n\r', end)).toEqual(NOTHING);
    }
  });

  it.each([
    ['event: ping\n\n', 'event 1: event: ping'],
    ['event\n\n', 'event 1: event'],
    ['id: 7\n\n', 'id 1: id: 7'],
    ['retry:3000\r\n\r\n', 'retry 1: retry:3000'],
    [': hi\nid: 7\nretry: 1\n\n', 'id 1: id: 7'],
    ['trace: abc\n\n', 'unknown 1: trace: abc'],
    ['ID: 7\n\n', 'unknown 1: ID: 7'],
    ['{"id":"a"}\n\n', 'unknown 1: {"id":"a"}'],
  ])('are odd in a block without data: %j', (block, found) => {
    expect(read(DATA + block + DATA)).toEqual({ ...NOTHING, blocks: [found] });
  });

  it('are odd in a block of comments after an id', () => {
    expect(read(`: one\n\nid: 7\n${DATA}: two\n: three\n\n${DATA}:\n\n`)).toEqual({
      ...NOTHING,
      comments: ['1: : two', '2: :'],
    });
  });

  it('are kept only up to a limit', () => {
    const { returns, blocks, comments } = read('id: 7\n\n: ping\n\r'.repeat(1_000));
    expect([returns, blocks, comments].map(({ length }) => length)).toEqual([100, 100, 100]);
  });

  it('are read as bytes, so that text which is not UTF-8 does no harm', () => {
    expect(read(Uint8Array.of(0x69, 0x64, 0x3a, 0xff, 0x0a, 0x0a)).blocks).toEqual(['id 0: id:\uFFFD']);
  });
});
