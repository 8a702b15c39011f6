import { describe, expect, it } from 'vitest';
import type { Answer } from '../exchange.ts';
import { readChunks, textPattern } from './chunks.ts';

describe('a text pattern', () => {
  it('finds the text of data that differs in nothing else', () => {
    const pattern = textPattern('{"id":"a","content":"one"}', 'one');
    expect(pattern?.('{"id":"a","content":"another"}')).toBe('another');
    expect(pattern?.('{"id":"a","content":"o"}')).toBe('o');
  });

  it.each([
    ['another id', '{"id":"b","content":"one"}'],
    ['no text', '{"id":"a","content":""}'],
    ['an end of the string', '{"id":"a","content":"x","role":"y"}'],
    ['an escape', '{"id":"a","content":"x\\n"}'],
    ['a control character, which JSON does not allow', '{"id":"a","content":"x\ty"}'],
    ['something after it', '{"id":"a","content":"one"} '],
    ['less than the pattern', '{"id":"a"}'],
  ])('does not match data with %s', (_what, data) => {
    expect(textPattern('{"id":"a","content":"one"}', 'one')?.(data)).toBeUndefined();
  });

  it.each([
    ['the text stands twice', '{"id":"one","content":"one"}', 'one'],
    ['there is an escape', '{"id":"one","content":"\\u006fne"}', 'one'],
    ['the text is empty', '{"content":""}', ''],
    ['the data is long', `{"content":"${'x'.repeat(9_000)}"}`, 'x'.repeat(9_000)],
  ])('is not made if %s', (_what, data, text) => {
    expect(textPattern(data, text)).toBeUndefined();
  });
});

/** Chunks that a reader of patterns might mix up. */
const CHUNKS = [
  { id: 'a', choices: [{ index: 0, delta: { role: 'assistant', content: '' } }] },
  { id: 'a', choices: [{ index: 0, delta: { content: 'one' } }] },
  { id: 'a', choices: [{ index: 0, delta: { content: 'two' } }] },
  { id: 'a', choices: [{ index: 0, delta: { content: 'a' } }] },
  { id: 'a', choices: [{ index: 0, delta: { content: 'b' } }] },
  { id: 'b', choices: [{ index: 0, delta: { content: 'b' } }] },
  { id: 'b', choices: [{ index: 0, delta: { content: 'c' } }] },
  { id: 'c', choices: [{ index: 0, delta: { content: [{ text: 'c' }] } }] },
  { id: 'd', choices: [{ index: 0, delta: { content: [{ text: 'c' }] } }] },
  { id: 'd', choices: [{ index: 0, delta: { refusal: 'no' } }] },
  { id: 'd', choices: [{ index: 0, delta: { refusal: 'never' } }] },
  { id: 'd', choices: [{ index: 0, delta: { content: 'x', refusal: 'never' } }] },
  { id: 'd', choices: [{ index: 0, delta: { content: '', refusal: 'never' } }] },
  {
    id: 'd',
    choices: [
      { index: 0, delta: { content: 'x' } },
      { index: 1, delta: { content: 'y' } },
    ],
  },
  {
    id: 'd',
    choices: [
      { index: 0, delta: { content: 'z' } },
      { index: 1, delta: { content: 'y' } },
    ],
  },
  { id: 'd', error: { message: 'x' }, choices: [{ index: 0, delta: { content: 'q' } }] },
  { id: 'd', error: { message: 'x' }, choices: [{ index: 0, delta: { content: 'r' } }] },
  { id: 'd', choices: [{ index: 0, delta: { content: 'line\n' } }] },
  { id: 'd', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage: { total_tokens: 3 } },
].map((chunk) => JSON.stringify(chunk));

describe('chunks that are alike', () => {
  it('are read as each of them alone', () => {
    const [together, alone] = [readChunks(answerOf(CHUNKS)), CHUNKS.map((data) => readChunks(answerOf([data])))];
    const described = together.events.map(({ index: _index, ...event }) => ({ ...event, isAlike: undefined }));
    const expected = alone.flatMap(({ events }) =>
      events.map(({ index: _index, ...event }) => ({ ...event, isAlike: undefined })),
    );
    expect(described).toEqual(expected);
    const textOf = ({ choices }: ReturnType<typeof readChunks>) =>
      choices.map(({ parts }) => parts.map(({ text }) => text));
    const single = CHUNKS.slice(0, 7);
    expect(textOf(readChunks(answerOf(single))).flat()).toEqual(
      single.flatMap((data) => textOf(readChunks(answerOf([data]))).flat()),
    );
  });

  it('are marked, so that a schema is not asked again', () => {
    const { chunks } = readChunks(answerOf(CHUNKS.slice(0, 4)));
    expect(chunks.map(({ isAlike }) => isAlike ?? false)).toEqual([false, false, true, true]);
  });
});

function answerOf(data: readonly string[]): Answer {
  const bytes = Buffer.from(data.map((each) => `data: ${each}\n\n`).join(''));
  const body = { bytes, reads: [{ at: 1, bytes: bytes.length }], end: { kind: 'complete' }, maxDepth: 200 } as const;
  return { status: 200, httpVersion: '1.1', headers: [], headersAt: 0, interim: 0, endAt: 1, lateness: 0, body };
}
