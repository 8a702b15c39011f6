import { describe, expect, it } from 'vitest';
import type { SoughtAnswer } from '../../plan/plan.ts';
import { answeredAttempt, streamExchange, type StreamParts } from '../../../test/kit/exchanges.ts';
import type { Attempt, BodyEnd } from '../exchange.ts';
import { next, answer, said } from '../../../test/kit/retries.ts';

describe('truncated bodies and streams', () => {
  const CUT: BodyEnd = { kind: 'cut', detail: 'x' };
  const chunk = { choices: [{ index: 0, delta: { content: 'a' } }] };
  const last = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };

  function afterStream(parts: StreamParts, seeks: SoughtAnswer = 'answer'): string {
    const attempt = streamExchange(parts).attempts[0];
    if (!attempt) throw new Error('no attempt');
    return next(attempt, seeks, { mode: 'stream' }).kind;
  }

  it('A truncated body is treated like a 5xx, whatever its status', () => {
    expect([200, 400].map((status) => said(next(answer(status, {}, CUT), 'answer')))).toEqual([1, 1]);
    expect(said(next(answer(200, {}, { kind: 'limit', limit: 'max-body' }), 'answer'))).toBe('-');
  });

  it('A body of which nothing decompresses is final, except with a 5xx; one that decompresses in part was cut off', () => {
    const end: BodyEnd = { kind: 'undecodable', detail: 'x' };
    const nothing = (status: number): Attempt => answeredAttempt({ status, text: '', end });
    for (const seeks of ['answer', 'refusal', 'unauthorized'] as const)
      for (const status of [200, 400]) expect(said(next(nothing(status), seeks))).toBe('-');
    expect([1, 2, 3].map((attempts) => said(next(nothing(503), 'answer', { attempts })))).toEqual([1, 4, '-']);
    expect(said(next(answeredAttempt({ text: '{"choices": [', end }), 'answer'))).toBe(1);
    expect(afterStream({ text: '', end })).toBe('final');
    expect(afterStream({ events: [chunk], end })).toBe('again');
    expect(afterStream({ events: [chunk, last, '[DONE]'], end })).toBe('final');
  });

  it.each<[string, StreamParts, string]>([
    ['whole', { events: [chunk, last, '[DONE]'] }, 'final'],
    ['closed without an end marker', { events: [chunk, last] }, 'final'],
    ['cut', { events: [chunk], end: CUT }, 'again'],
    ['cut behind its end marker', { events: [chunk, last, '[DONE]'], end: CUT }, 'final'],
    ['stalled', { events: [chunk], end: { kind: 'limit', limit: 'idle-timeout' } }, 'again'],
    ['held open', { events: [chunk, last], end: { kind: 'limit', limit: 'idle-timeout' } }, 'final'],
    ['stopped by a limit of ours', { events: [chunk], end: { kind: 'limit', limit: 'max-events' } }, 'final'],
    ['with an error in place of tokens', { events: [{ error: { message: 'x' } }, '[DONE]'] }, 'again'],
    ['with an error event', { text: 'event: error\ndata: {"message":"x"}\n\n' }, 'again'],
    [
      'with an error event after text',
      { text: `data: ${JSON.stringify(chunk)}\n\nevent: error\ndata: {"message":"x"}\n\n` },
      'final',
    ],
  ])('A stream %s: %s', (_, parts, kind) => {
    expect(afterStream(parts)).toBe(kind);
  });

  it('An edit that was answered with text counts as answered, even if its stream broke off', () => {
    const stalled: BodyEnd = { kind: 'limit', limit: 'idle-timeout' };
    const role = { choices: [{ index: 0, delta: { role: 'assistant', content: '' } }] };
    for (const end of [CUT, stalled]) {
      expect(afterStream({ events: [chunk], end }, 'refusal')).toBe('final');
      expect(afterStream({ events: [role], end }, 'refusal')).toBe('again');
    }
  });

  it('An error in a plain answer is not an error event', () => {
    expect(next(answeredAttempt({ json: { error: { message: 'x' } } }), 'answer').kind).toBe('final');
  });
});
