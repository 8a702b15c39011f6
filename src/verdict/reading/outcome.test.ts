import { describe, expect, it } from 'vitest';
import { NO_ANSWER } from '../../exchange/exchange.ts';
import { isRefusal, answerOutcome, wasFlaky, wentAway, whyNoAnswer } from './outcome.ts';
import { answeredAttempt, failedAttempt, failure, plainExchange } from '../../../test/kit/exchanges.ts';

describe('the outcome of an exchange', () => {
  it.each([
    [200, 'answered'],
    [204, 'success-other'],
    [302, 'redirect'],
    [404, 'client-error'],
    [503, 'server-error'],
    [999, 'odd-status'],
    [101, 'odd-status'],
  ])('of status %i is %s', (status, kind) => {
    expect(answerOutcome(plainExchange({ status }))).toMatchObject({ kind, status });
  });

  it('is that of the last attempt', () => {
    const exchange = plainExchange({ status: 200, earlier: [answeredAttempt({ status: 500 })] });
    expect(answerOutcome(exchange).kind).toBe('answered');
  });

  it('gives a reason for every kind of failure', () => {
    const reasons = NO_ANSWER.map((kind) => {
      const outcome = answerOutcome(plainExchange({ failure: failure(kind) }));
      return 'failure' in outcome ? whyNoAnswer(outcome).failure : '';
    });
    expect(reasons).toEqual(NO_ANSWER);
  });

  it('names the setting that ended the wait', () => {
    const outcome = answerOutcome(plainExchange({ failure: failure('timeout', { limit: 'first-byte-timeout' }) }));
    expect('failure' in outcome && whyNoAnswer(outcome)).toMatchObject({ limit: 'first-byte-timeout' });
  });
});

describe('a refusal', () => {
  it.each([400, 403, 404, 409, 413, 415, 422])('is a %i', (status) => {
    expect(isRefusal(plainExchange({ status }))).toBe(true);
  });

  it.each([200, 302, 401, 402, 408, 429, 500])('is not a %i to a valid key', (status) => {
    expect(isRefusal(plainExchange({ status }))).toBe(false);
  });

  it('is a 401 if the key was the edit', () => {
    expect(isRefusal(plainExchange({ status: 401, request: { key: 'unknown' } }))).toBe(true);
  });
});

describe('an exchange is flaky', () => {
  it.each([
    ['a 5xx', answeredAttempt({ status: 502 })],
    ['a 200 that broke off', answeredAttempt({ end: { kind: 'cut', detail: '' } })],
    ['a closed connection', failedAttempt(failure('closed'))],
  ])('after %s', (_, attempt) => {
    expect(wasFlaky(plainExchange({ earlier: [attempt] }))).toBe(true);
  });

  it('but not after a 429, which only asks to wait', () => {
    expect(wasFlaky(plainExchange({ earlier: [answeredAttempt({ status: 429 })] }))).toBe(false);
    expect(wasFlaky(plainExchange())).toBe(false);
  });

  it.each([
    ['a 5xx', answeredAttempt({ status: 500 })],
    ['a 429', answeredAttempt({ status: 429 })],
    ['a 200 that broke off', answeredAttempt({ end: { kind: 'cut', detail: '' } })],
    ['no answer', failedAttempt(failure('timeout'))],
  ])('but not if the last attempt got %s, as the first did', (_, last) => {
    const earlier = [answeredAttempt({ status: 500 }), answeredAttempt({ end: { kind: 'cut', detail: '' } })];
    expect(wasFlaky({ ...plainExchange(), attempts: [...earlier, last] })).toBe(false);
  });

  it('but not if every stream stalled, or carried an error', () => {
    const chunk = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'a' } }] })}\n\n`;
    const stalled = answeredAttempt({ text: chunk, end: { kind: 'limit', limit: 'idle-timeout' } });
    const failing = answeredAttempt({ text: `data: {"error":"no"}\n\n` });
    const request = { mode: 'stream' } as const;
    for (const attempt of [stalled, failing]) {
      expect(wasFlaky({ ...plainExchange({ request }), attempts: [attempt, attempt] })).toBe(false);
    }
  });
});

describe('a 5xx went away', () => {
  const bad = answeredAttempt({ status: 503 });
  const wait = answeredAttempt({ status: 429 });

  it('if the last attempt got a proper answer', () => {
    expect(wentAway(plainExchange({ earlier: [bad, bad] }), 0)).toBe(true);
    expect(wentAway(plainExchange({ earlier: [bad, wait] }), 0)).toBe(true);
    expect(wentAway(plainExchange({ status: 400, earlier: [bad] }), 0)).toBe(true);
  });

  it('but not if it persisted, or if nothing answered after it', () => {
    expect(wentAway(plainExchange({ status: 503, earlier: [bad] }), 0)).toBe(false);
    expect(wentAway(plainExchange({ failure: failure('closed'), earlier: [bad] }), 0)).toBe(false);
  });

  it('but not if only a 408 or a 429 came after it', () => {
    expect(wentAway(plainExchange({ status: 500, earlier: [bad, wait] }), 0)).toBe(false);
    expect(wentAway(plainExchange({ status: 429, earlier: [bad] }), 0)).toBe(false);
    expect(wentAway(plainExchange({ status: 408, earlier: [bad] }), 0)).toBe(false);
  });

  it('but not if the last answer was cut off', () => {
    expect(wentAway(plainExchange({ end: { kind: 'cut', detail: '' }, earlier: [bad] }), 0)).toBe(false);
  });
});
