import { describe, expect, it } from 'vitest';
import type { Bound, SoughtAnswer } from '../../plan/plan.ts';
import { failedAttempt, failure } from '../../../test/kit/exchanges.ts';
import type { NoAnswer } from '../exchange.ts';
import { nextTry, retryAfter } from './retry.ts';
import { settings, next, answer, said } from '../../../test/kit/retries.ts';

const VALID = { seeks: 'answer', key: 'full', mode: 'plain', bound: 'max-tokens' } as const;

describe('a status, by what the step seeks', () => {
  const SEEKS = ['answer', 'refusal', 'unauthorized', 'any'] as const;
  it.each<[number, ...(string | number)[]]>([
    // status, then answer, refusal, unauthorized, any
    [200, '-', '-', '-', '-'],
    [201, '-', '-', '-', '-'],
    [302, '-', '-', '-', '-'],
    [400, '-', '-', '-', '-'],
    [401, '-', 1, '-', '-'],
    [402, '-', 1, '-', '-'],
    [403, '-', '-', '-', '-'],
    [404, '-', '-', '-', '-'],
    [408, 1, 1, 1, '-'],
    [429, 1, 1, 1, '-'],
    [500, 1, 1, 1, '-'],
    [503, 1, 1, 1, '-'],
    [599, 1, 1, 1, '-'],
  ])('%d', (status, ...pauses) => {
    expect(
      SEEKS.map((seeks) => said(next(answer(status), seeks, { key: seeks === 'unauthorized' ? 'unknown' : 'full' }))),
    ).toEqual(pauses);
  });

  it.each<[number, ...(string | number)[]]>([
    [200, '-', '-', '-', '-'],
    [302, 7, '-', '-', '-'],
    [400, 7, '-', '-', '-'],
    [401, 7, 7, '-', '-'],
    [402, 7, 7, '-', '-'],
    [403, 7, 7, 7, '-'],
    [429, 7, 7, 7, '-'],
    [503, 7, 7, 7, '-'],
  ])('%d with Retry-After: 7', (status, ...pauses) => {
    const attempt = answer(status, { 'retry-after': '7' });
    expect(
      SEEKS.map((seeks) => said(next(attempt, seeks, { key: seeks === 'unauthorized' ? 'unknown' : 'full' }))),
    ).toEqual(pauses);
  });

  it('A step that accepts either answer is retried like one that must be refused', () => {
    for (const status of [200, 400, 401, 402, 403, 408, 429, 503]) {
      expect(next(answer(status), 'either')).toEqual(next(answer(status), 'refusal'));
    }
    expect(next(failedAttempt(failure('timeout')), 'either').kind).toBe('final');
  });

  it.each(['answer', 'refusal', 'either'] as const)('401 on a used connection is tried on a new one: %s', (seeks) => {
    const again = { kind: 'again', pause: 0, fresh: true };
    expect(next(answer(401), seeks, { isReused: true })).toEqual(again);
    expect(next(answer(401), seeks, { isReused: true, attempts: 3 }).kind).toBe('final');
    expect(next(answer(403), seeks, { isReused: true }).kind).toBe('final');
    expect(next(answer(401), 'unauthorized', { isReused: true, key: 'unknown' }).kind).toBe('final');
  });

  it('401 to an invalid key is a refusal, even if the edit concerns something else', () => {
    expect(next(answer(401), 'refusal', { key: 'query' }).kind).toBe('final');
    expect(next(answer(401), 'refusal', { key: 'restricted' }).kind).toBe('again');
  });

  it('A step with an extra key accepts any answer except a 5xx or a broken connection', () => {
    expect([402, 403, 429].map((status) => next(answer(status), 'any', { key: 'exhausted' }).kind)).toEqual([
      'final',
      'final',
      'final',
    ]);
    expect(said(next(answer(503), 'any', { key: 'limited' }))).toBe(1);
    expect(next(failedAttempt(failure('closed')), 'any', { key: 'limited' }).kind).toBe('again');
    expect(next(failedAttempt(failure('closed')), 'any').kind).toBe('final');
    // A server may stop reading a large body.
    expect(next(failedAttempt(failure('closed')), 'refusal', { filler: { kind: 'letters', count: 1 } }).kind).toBe(
      'final',
    );
  });
});

describe('attempts and pauses', () => {
  it('There are three attempts, with a longer pause before the third', () => {
    expect([1, 2, 3].map((attempts) => said(next(answer(503), 'answer', { attempts })))).toEqual([1, 4, '-']);
  });

  it('With more retries than pauses, the last pause repeats', () => {
    const tried = { ...VALID, attempts: 4, attempt: answer(503) };
    expect(said(nextTry(tried, { ...settings, retries: 5 }))).toBe(4);
    expect(nextTry({ ...tried, attempts: 1 }, { ...settings, retries: 0 }).kind).toBe('final');
  });

  it('A requested wait above the limit is not waited for', () => {
    expect(said(next(answer(429, { 'retry-after': '30' }), 'answer'))).toBe(30);
    expect(said(next(answer(429, { 'retry-after': '31' }), 'answer'))).toBe('-');
    expect(said(next(answer(503, { 'retry-after': '9'.repeat(400) }), 'answer'))).toBe('-');
  });

  it('The limit applies to waits that the target asks for, not to our own pauses', () => {
    const tried = { ...VALID, attempts: 1, attempt: answer(503) };
    expect(said(nextTry(tried, { ...settings, maxRetryWait: 10 }))).toBe(1);
  });

  it('A 429 pauses the whole run, a 503 only if it asks for a wait, a 500 never', () => {
    expect(next(answer(429, { 'retry-after': '1' }), 'answer')).toMatchObject({ pause: 1_000, easing: 'hold' });
    expect(next(answer(503, { 'retry-after': '1' }), 'answer')).toMatchObject({ pause: 1_000, easing: 'hold' });
    expect(next(answer(503), 'answer')).toMatchObject({ easing: 'narrow' });
    expect(next(answer(500), 'answer')).not.toHaveProperty('easing');
  });
});

describe('no answer', () => {
  it.each<[NoAnswer, SoughtAnswer, readonly string[]]>([
    ['closed', 'answer', ['again', 'again', 'final']],
    ['closed', 'refusal', ['again', 'again', 'final']],
    ['refused', 'answer', ['again', 'again', 'final']],
    ['not-http', 'answer', ['again', 'again', 'final']],
    ['timeout', 'answer', ['again', 'final', 'final']],
    ['timeout', 'refusal', ['final', 'final', 'final']],
    ['timeout', 'unauthorized', ['final', 'final', 'final']],
    ['unresolved', 'answer', ['final', 'final', 'final']],
    ['tls', 'answer', ['final', 'final', 'final']],
    ['limit', 'answer', ['final', 'final', 'final']],
    ['aborted', 'answer', ['final', 'final', 'final']],
  ])('%s, seeking %s', (kind, seeks, outcomes) => {
    expect([1, 2, 3].map((attempts) => next(failedAttempt(failure(kind)), seeks, { attempts }).kind)).toEqual(outcomes);
  });

  it('A timeout of a request whose reply nothing limits is final, since the target may still be generating', () => {
    const afterTimeout = (bound: Bound) => next(failedAttempt(failure('timeout')), 'answer', { bound }).kind;
    expect([afterTimeout('max-tokens'), afterTimeout('nothing')]).toEqual(['again', 'final']);
    expect(next(answer(503), 'answer', { bound: 'nothing' }).kind).toBe('again');
  });

  it('A broken connection is retried at once on a new one, with lower concurrency', () => {
    expect(next(failedAttempt(failure('closed')), 'answer')).toEqual({
      kind: 'again',
      pause: 0,
      fresh: true,
      easing: 'narrow',
    });
  });
});

describe('Retry-After', () => {
  const of = (value: string, date?: string) =>
    retryAfter({ headers: [['Retry-After', value], ...(date ? [['date', date] as const] : [])] });

  it('is read in seconds, including fractions', () => {
    expect([of('0'), of(' 7 '), of('1.5')]).toEqual([0, 7000, 1500]);
  });

  it('is read as a date, relative to the clock of the target', () => {
    expect(of('Wed, 21 Oct 2015 07:28:05 GMT', 'Wed, 21 Oct 2015 07:28:00 GMT')).toBe(5000);
    expect(of('Wed, 21 Oct 2015 07:27:00 GMT', 'Wed, 21 Oct 2015 07:28:00 GMT')).toBe(0);
    const soon = new Date(Date.now() + 60_000).toUTCString();
    expect(of(soon)).toBeGreaterThan(50_000);
    expect(of(soon, 'not a date')).toBeGreaterThan(50_000);
  });

  it.each(['', 'soon', '-1', '1, 2', '0x10'])('%j is ignored', (value) => {
    expect(of(value)).toBeUndefined();
  });
});
