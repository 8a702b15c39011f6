import { describe, expect, it } from 'vitest';
import { readEvents, streamEnd } from '../reading/event-stream.ts';
import { LiveStream, looksLikeDocument } from './body-intake.ts';
import { randomNumbers } from '../../random.ts';

const NO_LIMITS = { line: 1_000_000, events: 1_000_000 };

function watch(text: string, limits = NO_LIMITS, pieces = 1): { done: boolean; limit: string | undefined } {
  const live = new LiveStream(limits);
  const bytes = Buffer.from(text);
  const size = Math.max(1, Math.ceil(bytes.length / pieces));
  for (let at = 0; at < bytes.length; at += size) {
    const limit = live.look(bytes.subarray(at, at + size));
    if (limit !== undefined) return { done: live.done, limit };
  }
  return { done: live.done, limit: undefined };
}

describe('a stream watched as it arrives', () => {
  it.each([
    'data: [DONE]\n\n',
    'data: [DONE]\n',
    'data: [DONE]',
    'data:[DONE]\r\r',
    'data: {}\r\n\r\ndata: [DONE]\r\n\r\n',
  ])('is done as soon as %j has arrived', (text) => {
    expect(watch(text).done).toBe(true);
    expect(watch(text, NO_LIMITS, text.length).done).toBe(true);
  });

  it.each(['', 'data: [DON', 'data: [DONE]x', 'data: "[DONE]"\n\n', ': [DONE]\n\n', 'event: x\ndata: [DONE]\n\n'])(
    'is not done by %j',
    (text) => {
      expect(watch(text).done).toBe(false);
    },
  );

  it('ends where a reading of the whole body says, wherever it is split', () => {
    const random = randomNumbers(99);
    const words = [
      'data:',
      ' [DONE]',
      '\n',
      '\r',
      '\r\n',
      'event: x',
      'x',
      ':',
      '\n\n',
      'data: [DONE]',
      'data: [DONE]\n\n',
    ];
    for (let round = 0; round < 2_000; round++) {
      const text = Array.from(
        { length: 1 + Math.floor(random() * 8) },
        () => words[Math.floor(random() * words.length)],
      ).join('');
      const bytes = Buffer.from(text);
      const body = {
        bytes,
        reads: [{ at: 0, bytes: bytes.length }],
        end: { kind: 'complete' },
        maxDepth: 200,
      } as const;
      const isDone = streamEnd({
        status: 200,
        httpVersion: '1.1',
        headers: [],
        interim: 0,
        body,
        headersAt: 0,
        endAt: 0,
        lateness: 0,
      });
      const live = watch(text, NO_LIMITS, 1 + Math.floor(random() * 5));
      // Seen live, an end marker stays seen; in the whole, a later data line may have become part of its event.
      if (isDone === 'done') expect(live.done, JSON.stringify(text)).toBe(true);
    }
  });

  it('counts events like a reading of the whole body', () => {
    const random = randomNumbers(7);
    const words = ['data: x', 'data', '\n', '\r', '\r\n', 'event: x', ':', '\n\n'];
    for (let round = 0; round < 1_000; round++) {
      const text = Array.from(
        { length: 1 + Math.floor(random() * 12) },
        () => words[Math.floor(random() * words.length)],
      ).join('');
      const bytes = Buffer.from(text);
      const { events } = readEvents({
        bytes,
        reads: [{ at: 0, bytes: bytes.length }],
        end: { kind: 'complete' },
        maxDepth: 200,
      });
      const limits = (most: number) => ({ line: 1000, events: most });
      expect(watch(text, limits(events.length)).limit, JSON.stringify(text)).toBeUndefined();
      if (events.length > 0)
        expect(watch(text, limits(events.length - 1)).limit, JSON.stringify(text)).toBe('max-events');
    }
  });

  it('is stopped by a line that is too long, however it is split', () => {
    const limits = { line: 20, events: 10 };
    expect(watch(`data: ${'x'.repeat(14)}\n`, limits, 7).limit).toBeUndefined();
    expect(watch(`data: ${'x'.repeat(15)}\n`, limits, 7).limit).toBe('max-line');
    expect(watch('x'.repeat(21), limits).limit).toBe('max-line');
  });
});

describe('a body that is clearly not an event stream', () => {
  it.each(['{"error":{}}', ' \r\n[1]', '<html>', '\uFEFF{"a":1}'])('is recognised: %j', (text) => {
    expect(looksLikeDocument(Buffer.from(text))).toBe(true);
  });

  it.each(['data: {}', ': {', '\uFEFFdata: x', '\n\nevent: x', 'retry: 1', ''])('is not assumed for %j', (text) => {
    expect(looksLikeDocument(Buffer.from(text))).toBe(false);
  });
});
