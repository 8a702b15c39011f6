import { describe, expect, it } from 'vitest';
import type { Answer, BodyEnd } from '../exchange.ts';
import { streamEnd } from './event-stream.ts';

function answer(text: string, end: BodyEnd): Answer {
  const bytes = Buffer.from(text);
  return {
    status: 200,
    httpVersion: '1.1',
    headers: [],
    interim: 0,
    body: { bytes, reads: [{ at: 1, bytes: bytes.length }], end, maxDepth: 200 },
    headersAt: 0,
    endAt: 1,
    lateness: 0,
  };
}

const chunk = (index: number, finish: string | null) =>
  `data: {"choices":[{"index":${index},"delta":{"content":"x"},"finish_reason":${JSON.stringify(finish)}}]}\n\n`;
const COMPLETE: BodyEnd = { kind: 'complete' };
const IDLE: BodyEnd = { kind: 'limit', limit: 'idle-timeout' };

const ROLE_OF_SECOND = 'data: {"choices":[{"index":1,"delta":{"role":"assistant"}}]}\n\n';

describe('a stream', () => {
  it.each<[string, string, BodyEnd]>([
    ['closed after it', 'data: [DONE]\n\n', COMPLETE],
    ['left open after it', 'data: [DONE]\n\n', { kind: 'aborted', why: 'done' }],
    ['cut after it', 'data: [DONE]\n\n', { kind: 'cut', detail: 'reset' }],
    ['without its blank line', 'data: [DONE]\n', COMPLETE],
    ['without its line end', 'data:[DONE]', IDLE],
    ['named message', 'event: message\ndata: [DONE]\n\n', COMPLETE],
  ])('is done after [DONE], %s', (_name, text, end) => {
    expect(streamEnd(answer(chunk(0, 'stop') + text, end))).toBe('done');
  });

  it.each(['event: note\ndata: [DONE]\n\n', ': [DONE]\n\n', 'data: "[DONE]"\n\n', 'event: note\ndata: [DONE]'])(
    'is not done by %j',
    (text) => {
      expect(streamEnd(answer(text, COMPLETE))).toBe('closed');
    },
  );

  it('is closed if HTTP says that it is complete', () => {
    expect(streamEnd(answer(chunk(0, 'stop'), COMPLETE))).toBe('closed');
  });

  it('is cut if its body is incomplete or undecodable', () => {
    expect(streamEnd(answer(chunk(0, 'stop'), { kind: 'cut', detail: 'reset' }))).toBe('cut');
    expect(streamEnd(answer(chunk(0, 'stop'), { kind: 'undecodable', detail: 'bad' }))).toBe('cut');
  });

  it.each([
    ['before anything came', ''],
    ['before the only choice had a finish_reason', chunk(0, null)],
    ['while one of two choices was not finished', chunk(0, 'stop') + ROLE_OF_SECOND + chunk(1, null)],
    ['after an empty finish_reason', chunk(0, '')],
    ['after something that is not JSON', 'data: {"choices":[{"finish_reason":"stop"\n\n'],
  ])('is stalled if it went silent %s', (_name, text) => {
    expect(streamEnd(answer(text, IDLE))).toBe('stalled');
  });

  it('is held open if it went silent after the end of a single choice whose index counts tokens', () => {
    expect(streamEnd(answer(chunk(0, null) + chunk(1, null) + chunk(2, 'stop'), IDLE))).toBe('held-open');
  });

  it('is held open if it went silent after every choice was finished', () => {
    const text = chunk(0, null) + chunk(1, 'length') + chunk(0, 'stop') + 'data: {"choices":[],"usage":{}}\n\n';
    expect(streamEnd(answer(text, IDLE))).toBe('held-open');
  });

  it('is held open if only comments follow after it was finished', () => {
    const timeout: BodyEnd = { kind: 'limit', limit: 'timeout' };
    const text = chunk(0, 'stop') + ': ping\n\n';
    expect(streamEnd({ ...answer(text, timeout), endAt: 9_000 })).toBe('held-open');
    expect(streamEnd({ ...answer(chunk(0, null) + ': ping\n\n', timeout), endAt: 9_000 })).toBe('limit');
  });

  it.each(['max-stream', 'max-line', 'max-events', 'timeout'] as const)(
    'ended by a limit when %s stopped it',
    (limit) => {
      expect(streamEnd(answer(chunk(0, 'stop'), { kind: 'limit', limit }))).toBe('limit');
    },
  );

  it('is aborted if we stopped it for any other reason', () => {
    expect(streamEnd(answer(chunk(0, null), { kind: 'aborted', why: 'interrupted' }))).toBe('aborted');
  });
});
