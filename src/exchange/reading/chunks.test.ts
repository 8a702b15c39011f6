import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ChunkReading, readChunks } from './chunks.ts';
import type { Answer, BodyEnd } from '../exchange.ts';

const DEPTH = 20;

function answer(
  body: string | Uint8Array,
  reads?: Answer['body']['reads'],
  end: BodyEnd = { kind: 'complete' },
): Answer {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  return {
    status: 200,
    httpVersion: '1.1',
    headers: [],
    interim: 0,
    body: { bytes, reads: reads ?? [{ at: 5, bytes: bytes.length }], end, maxDepth: DEPTH },
    headersAt: 1,
    endAt: 9,
    lateness: 0,
  };
}

function read(body: string): ChunkReading {
  return readChunks(answer(body));
}

function choice(index: unknown, delta: object, finish: unknown = null): string {
  return `data: ${JSON.stringify({ choices: [{ index, delta, finish_reason: finish }] })}\n\n`;
}

test('each unnamed event has a kind and its number among all events', () => {
  const deep = '['.repeat(DEPTH + 1) + ']'.repeat(DEPTH + 1);
  const { events, named } = read(
    `data: {}\n\nevent: ping\ndata: x\n\nevent: message\ndata: []\n\ndata: {"a\n\ndata:\n\ndata: ${deep}\n\ndata: [DONE]\n\n`,
  );
  expect(events.map(({ kind, index }) => [kind, index])).toEqual([
    ['chunk', 0],
    ['chunk', 2],
    ['not-json', 3],
    ['empty', 4],
    ['unread', 5],
    ['done', 6],
  ]);
  expect(named).toMatchObject([{ name: 'ping', index: 1, data: 'x' }]);
});

test('an error is an event named error, or a chunk with an error that is not null, before the end marker', () => {
  const body =
    'data: {"error":null}\n\ndata: {"error":{}}\n\nevent: error\ndata: x\n\ndata: [DONE]\n\ndata: {"error":1}\n\n';
  const { errors, chunks } = read(body);
  expect(errors.map(({ index }) => index)).toEqual([1, 2]);
  expect(chunks.map(({ index }) => index)).toEqual([0]);
});

test('the first end marker counts, even without its blank line', () => {
  expect(read('data: {}\n\ndata: [DONE]').done).toEqual({ index: 1, terminated: false });
  expect(read('data: [DONE]\n\ndata: [DONE]\n\n').done).toEqual({ index: 0, terminated: true });
  expect(read('data: {}\n\n').done).toBeUndefined();
});

test('text and reasoning are kept in pieces with their times, per choice', () => {
  const first = choice(0, { role: 'assistant', reasoning: 'hm', reasoning_content: 'hm' });
  const second = choice(0, { content: 'Yes' }, 'stop');
  const reads = [first, second].map((text, place) => ({ at: 10 * (place + 1), bytes: text.length }));
  expect(readChunks(answer(first + second, reads)).choices).toMatchObject([
    { index: 0, reasoning: [{ event: 0, at: 10, text: 'hm' }], text: [{ event: 1, at: 20, text: 'Yes' }] },
  ]);
});

test('a character split over two reads is decoded correctly', () => {
  const bytes = new TextEncoder().encode(choice(0, { content: '海🌊' }));
  const reads = [...bytes].map((_, at) => ({ at, bytes: 1 }));
  expect(readChunks(answer(bytes, reads)).choices[0]?.text[0]?.text).toBe('海🌊');
});

test('more choices are distinguished from an index that counts tokens', () => {
  const start = { role: 'assistant', content: 'a' };
  const two = choice(0, start) + choice(1, start) + choice(0, {}, 'stop') + choice(1, {}, 'stop');
  expect(read(two)).toMatchObject({ choices: [{ index: 0 }, { index: 1 }], misnumbered: [] });
  const unended =
    choice(0, start) + choice(1, start) + choice(0, { content: 'b' }, 'stop') + choice(1, { content: 'b' });
  expect(read(unended).choices).toHaveLength(2);
  const counted = choice(0, start) + choice(1, start) + choice(2, start) + choice(3, {}, 'stop');
  expect(read(counted).choices).toMatchObject([{ index: 0, text: [{}, {}, {}] }]);
  expect(read(counted).misnumbered.map(({ event }) => event)).toEqual([1, 2, 3]);
});

test('names of prototype members find nothing', () => {
  const { errors, choices } = read('data: {"__proto__":{"error":1,"choices":[{"delta":{"content":"x"}}]}}\n\n');
  expect(errors).toEqual([]);
  expect(choices).toEqual([]);
});

test('choices beyond the limit of a chunk are ignored', () => {
  const many = `data: {"choices":[${'{},'.repeat(10_000)}{}]}\n\n`;
  expect(read(many).chunks[0]?.choices).toBe(16);
});

test('an event with too many values is not parsed, but a long text is', () => {
  expect(read(`data: [${'0,'.repeat(300_000)}0]\n\n`).events[0]?.kind).toBe('unread');
  expect(read(`data: ["${'word '.repeat(200_000)}"]\n\n`).events[0]?.kind).toBe('chunk');
});

test('the same answer is read once', () => {
  const exchange = answer(choice(0, { content: 'a' }));
  expect(readChunks(exchange)).toBe(readChunks(exchange));
  expect(readChunks({ ...exchange, body: { ...exchange.body, maxDepth: 1 } }).events[0]?.kind).toBe('unread');
});

test('no bytes make it throw', () => {
  const hostile = fc.constantFrom(
    'data: ',
    '{"choices":[',
    '{"index":',
    'null',
    '"delta":{',
    '"error":',
    '[DONE]',
    '}',
    ']',
    '\n',
    '\r',
    ':',
    ',',
  );
  const text = fc.array(fc.oneof(hostile, fc.string(), fc.json()), { maxLength: 30 }).map((parts) => parts.join(''));
  const bytes = fc.oneof(
    text.map((line) => new TextEncoder().encode(line)),
    fc.uint8Array({ maxLength: 200 }),
  );
  fc.assert(fc.property(bytes, (body) => readChunks(answer(body)).events.length >= 0));
});

test('large bodies without events are read once, however many there are', () => {
  const answers = Array.from({ length: 3 }, () => answer(new Uint8Array(6 * 1024 * 1024)));
  const readings = answers.map(readChunks);
  for (const [place, body] of answers.entries()) expect(readChunks(body)).toBe(readings[place]);
});
