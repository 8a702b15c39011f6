import { describe, expect, it } from 'vitest';
import { readEvents, type StreamReading } from './event-stream.ts';
import type { Body } from '../exchange.ts';
import { randomNumbers } from '../../random.ts';

/** Read `n` of the body came at time `n * 10`. */
function bodyCut(bytes: Uint8Array, cuts: readonly number[]): Body {
  const ends = [...cuts, bytes.length];
  const reads = ends.map((end, index) => ({ at: index * 10, bytes: end - (ends[index - 1] ?? 0) }));
  return { bytes, reads, end: { kind: 'complete' }, maxDepth: 200 };
}

/** The WHATWG grammar (HTML, "Interpreting an event stream"), read plainly and all at once, to compare with. */
function plainReading(bytes: Uint8Array): Pick<StreamReading, 'retries' | 'unterminated'> & {
  events: { event?: string; data: string; id?: string }[];
  comments: string[];
} {
  const text = new TextDecoder('utf-8').decode(bytes);
  const events: { event?: string; data: string; id?: string }[] = [];
  const comments: string[] = [];
  const retries: number[] = [];
  let data = '';
  let type = '';
  let id: string | undefined;
  const lines = text.split(/\r\n|\n|\r/);
  const rest = lines.pop() ?? '';
  const field = (line: string) => {
    const colon = line.indexOf(':');
    const name = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === '' && colon === 0) comments.push(value);
    else if (name === 'event') type = value;
    else if (name === 'data') data += `${value}\n`;
    else if (name === 'id' && !value.includes('\0')) id = value;
    else if (name === 'retry' && /^[0-9]+$/.test(value)) retries.push(Number.parseInt(value, 10));
  };
  const dispatch = () => {
    if (data !== '') {
      events.push({ data: data.slice(0, -1), ...(type && { event: type }), ...(id !== undefined && { id }) });
    }
    data = '';
    type = '';
    id = undefined;
  };
  for (const line of lines) {
    if (line === '') dispatch();
    else field(line);
  }
  const counts = [comments.length, retries.length] as const;
  if (rest !== '') field(rest);
  const unterminated = data !== '' && type === '' ? data.slice(0, -1) : undefined;
  comments.length = counts[0];
  retries.length = counts[1];
  return { events, comments, retries, ...(unterminated !== undefined && { unterminated }) };
}

function comparable(reading: StreamReading): ReturnType<typeof plainReading> {
  return {
    events: reading.events.map(({ event, data, id }) => ({
      data,
      ...(event !== undefined && { event }),
      ...(id !== undefined && { id }),
    })),
    comments: reading.comments.map(({ text }) => text),
    retries: reading.retries,
    ...(reading.unterminated !== undefined && { unterminated: reading.unterminated }),
  };
}

const FIXTURES: Readonly<Record<string, string | Uint8Array>> = {
  nothing: '',
  'LF ends lines': 'data: one\n\ndata: two\n\n',
  'CR LF ends lines': 'data: one\r\n\r\ndata: two\r\n\r\n',
  'CR ends lines': 'data: one\r\rdata: two\r\r',
  'line ends are mixed': 'data: one\r\n\ndata: two\n\rdata: three\r\r\ndata: four\n\r\n\r\r',
  'a byte order mark': '\uFEFFdata: one\n\n',
  'a second byte order mark': '\uFEFF\uFEFFdata: one\n\ndata: two\n\n',
  'a byte order mark in mid-stream': 'data: one\n\n\uFEFFdata: two\n\ndata: \uFEFFthree\n\n',
  'the letters that a byte order mark looks like in Latin-1': 'ï»¿data: one\n\ndata: two\n\n',
  comments: ': hello\n:no space\n:\n\ndata: one\n: between\ndata: two\n\n',
  'several data lines': 'data: one\ndata:\ndata: three\n\n',
  'no space after the colon': 'data:one\n\ndata:  two\n\ndata:\tthree\n\n',
  'empty data': 'data:\n\ndata\n\ndata: \n\nevent: x\n\n',
  'two empty data lines': 'data\ndata\n\n',
  names:
    'event: error\ndata: one\n\nevent:message\ndata: two\n\nevent:\ndata: three\n\nevent: a\nevent: b\ndata: four\n\n',
  'a name without data': 'event: lost\n\ndata: one\n\n',
  ids: 'id: 7\ndata: one\n\nid\ndata: two\n\nid: a\0b\ndata: three\n\nid: x\n\ndata: four\n\n',
  retry: 'retry: 3000\n\nretry: 1.5\nretry: -1\nretry:\nretry: 0x10\nretry:250\ndata: one\n\n',
  'unknown fields': 'foo: bar\nDATA: no\n data: no\ndata : no\n{"a":1}\ndata: one\n\n',
  'an event that is not completed': 'data: one\n\ndata: two\n',
  'a line that is not completed': 'data: one\n\ndata: [DONE]',
  'a comment that is not completed': 'data: one\n\n: tail',
  'a name that is not completed': 'event: x\ndata: two',
  'line separators of Unicode': 'data: a\u2028b\u2029c\u0085d\u000Be\u000Cf\n\n',
  'characters of two, three and four bytes': 'data: ä€😀\n\nevent: ü\ndata: 漢字\n\n',
  'bytes that are not UTF-8': Uint8Array.of(
    ...Buffer.from('data: '),
    0xff,
    0xe2,
    0x82,
    0x41,
    0xf0,
    0x9f,
    0x98,
    ...Buffer.from('\n\ndata: '),
    0xc3,
    ...Buffer.from('\n\n'),
  ),
  'a character that breaks off at the end': Uint8Array.of(...Buffer.from('data: one\n\ndata: x'), 0xe2, 0x82),
  'blank lines only': '\n\r\n\r\r\n\n',
  'CR at the very end': 'data: one\n\r',
  'chat chunks': 'data: {"choices":[{"delta":{"content":"Hé"}}]}\r\n\r\n: ping\r\n\r\ndata: [DONE]\r\n\r\n',
};

describe('a body read as server-sent events', () => {
  describe.each(Object.entries(FIXTURES))('with %s', (_name, content) => {
    const bytes = Buffer.from(content as Uint8Array);
    const expected = plainReading(bytes);

    it('follows the grammar', () => {
      expect(comparable(readEvents(bodyCut(bytes, [])))).toEqual(expected);
    });

    it('is read the same wherever it is split', () => {
      for (let cut = 0; cut <= bytes.length; cut++) {
        expect(comparable(readEvents(bodyCut(bytes, [cut]))), `cut at ${cut}`).toEqual(expected);
      }
    });

    it('is read the same byte by byte', () => {
      const cuts = Array.from({ length: bytes.length }, (_, index) => index);
      expect(comparable(readEvents(bodyCut(bytes, cuts)))).toEqual(expected);
    });
  });

  it('follows the grammar for any text, split anywhere', () => {
    const random = randomNumbers(20_251);
    const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)]!;
    const words = [
      'data',
      'event',
      'id',
      'retry',
      ':',
      ': ',
      ' ',
      '\n',
      '\n\n',
      '\r',
      '\r\n',
      '\r\r',
      '\uFEFF',
      'x',
      '12',
      '€',
      '[DONE]',
      '\0',
    ];
    for (let round = 0; round < 2_000; round++) {
      const bytes = Buffer.from(Array.from({ length: 1 + Math.floor(random() * 30) }, () => pick(words)).join(''));
      const cuts = Array.from({ length: Math.floor(random() * 12) }, () => Math.floor(random() * (bytes.length + 1)));
      cuts.sort((a, b) => a - b);
      expect(comparable(readEvents(bodyCut(bytes, cuts))), JSON.stringify([bytes.toString(), cuts])).toEqual(
        plainReading(bytes),
      );
    }
  });
});
