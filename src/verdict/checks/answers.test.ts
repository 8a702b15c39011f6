import { describe, expect, it } from 'vitest';
import { quoteText } from '../../text/quote.ts';
import {
  ANSWERED_CONTROL,
  COMPLETION,
  answeredAttempt,
  checkInput,
  failure,
  modelsExchange,
  plainExchange,
  streamExchange,
} from '../../../test/kit/exchanges.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { ANSWER_CHECKS } from './answers.ts';

const { answered } = ANSWER_CHECKS;

const error = (code: string) => ({ error: { message: 'No.', type: 'test', code } });

describe('answered', () => {
  it('holds for a 200', () => {
    expect(answered.execute(checkInput(plainExchange()))).toEqual({ kind: 'holds' });
  });

  it('is inconclusive for a login page in place of every answer, which answers no request', () => {
    const page = plainExchange({ headers: { 'content-type': 'text/html' }, text: '<html><title>Sign in</title>' });
    expect(answered.execute(checkInput(page, { control: page }))).toMatchObject({
      kind: 'inconclusive',
      reason: { kind: 'basis-unanswered' },
    });
    const mislabelled = plainExchange({ headers: { 'content-type': 'text/html' }, json: COMPLETION });
    expect(answered.execute(checkInput(mislabelled, { control: page })).kind).toBe('holds');
  });

  it('is flaky if a 5xx went away on retry', () => {
    const exchange = plainExchange({ earlier: [answeredAttempt({ status: 503 })] });
    expect(answered.execute(checkInput(exchange))).toEqual({ kind: 'holds', flaky: true });
  });

  it('is broken by a persistent status, and names it', () => {
    const result = answered.execute(checkInput(plainExchange({ status: 503, json: error('overloaded') })));
    expect(result).toMatchObject({
      kind: 'broken',
      findings: [
        {
          mismatch: 'status',
          expected: { kind: 'status', status: 200 },
          actualType: '5xx',
          actual: { kind: 'status', status: 503, code: quoteText('overloaded'), message: quoteText('No.') },
        },
      ],
    });
  });

  it.each([201, 204, 302, 400, 401, 403, 404])('is broken by %i', (status) => {
    expect(answered.execute(checkInput(plainExchange({ status }))).kind).toBe('broken');
  });

  it('is inconclusive for a persistent 429', () => {
    expect(answered.execute(checkInput(plainExchange({ status: 429 }))).kind).toBe('inconclusive');
  });

  it.each(['closed', 'refused', 'not-http', 'limit'] as const)('is inconclusive without an answer (%s)', (kind) => {
    expect(answered.execute(checkInput(plainExchange({ failure: failure(kind) }))).kind).toBe('inconclusive');
  });

  it('is inconclusive for a 200 after which nothing came', () => {
    const stalled = { kind: 'limit', limit: 'idle-timeout' } as const;
    const judge = (exchange: Exchange) => answered.execute(checkInput(exchange));
    const reason = { kind: 'over-limit', limit: 'idle-timeout' };
    expect(judge(streamExchange({ text: ': wait\n\n', end: stalled }))).toMatchObject({ reason });
    expect(judge(plainExchange({ text: '', end: stalled }))).toMatchObject({ reason });
    const aborted = { kind: 'aborted', why: 'w' } as const;
    expect(judge(streamExchange({ text: '', end: aborted }))).toMatchObject({ reason: { kind: 'not-read' } });
    const chunk = { choices: [{ index: 0, delta: { content: 'a' } }] };
    expect(judge(streamExchange({ events: [chunk], end: aborted })).kind).toBe('holds');
  });

  it('names the setting behind a timeout', () => {
    const exchange = plainExchange({ failure: failure('timeout', { limit: 'idle-timeout' }) });
    expect(answered.execute(checkInput(exchange))).toMatchObject({
      reason: { kind: 'no-answer', failure: 'timeout', limit: 'idle-timeout' },
    });
  });

  describe('for a restricted key', () => {
    const key = { request: { key: 'restricted' } } as const;
    const list = (status: number, times = 1) =>
      modelsExchange({
        step: 'auth/restricted-list',
        status,
        json: { data: [] },
        earlier: Array.from({ length: times - 1 }, () => answeredAttempt({ status })),
        ...key,
      });
    const call = (status: number) =>
      plainExchange({ step: 'auth/restricted-allowed', status, json: COMPLETION, ...key });
    const judgeIn = (exchange: Exchange, ...others: readonly Exchange[]) =>
      answered.execute(checkInput(exchange, { run: { exchanges: others } })).kind;

    it('is broken by two 403 to its list only if a plain call was answered', () => {
      expect(judgeIn(list(403, 2), call(200))).toBe('broken');
      expect(judgeIn(list(403, 1), call(200))).toBe('inconclusive');
      expect(judgeIn(list(403, 2), call(403))).toBe('inconclusive');
    });

    it('does not know which models it may call if its list was refused', () => {
      expect(judgeIn(call(404), list(403, 2))).toBe('inconclusive');
      expect(judgeIn(call(404), list(200))).toBe('broken');
    });
  });

  it('takes a 402 for an empty account only if the control is not answered either', () => {
    const exchange = plainExchange({ step: 'other', status: 402 });
    expect(answered.execute(checkInput(exchange)).kind).toBe('inconclusive');
    expect(answered.execute(checkInput(exchange, { run: { exchanges: [ANSWERED_CONTROL] } })).kind).toBe('broken');
  });

  it('is broken by an error with a success status, except in the control itself', () => {
    const exchange = plainExchange({ step: 'other', json: error('stumbled') });
    const judged = answered.execute(checkInput(exchange, { control: ANSWERED_CONTROL }));
    expect(judged).toMatchObject({ kind: 'broken', findings: [{ mismatch: 'error-in-success' }] });
    expect(answered.execute(checkInput(exchange)).kind).toBe('holds');
  });

  describe('a body that is cut off', () => {
    const end = { kind: 'cut', detail: 'reset' } as const;
    const chunk = { choices: [{ index: 0, delta: { content: 'a' } }] };
    const bodies = [
      ['a body', plainExchange({ step: 'other', text: '{"id":', end })],
      ['a stream', streamExchange({ step: 'other', events: [chunk], end })],
    ] as const;

    it.each(bodies)('breaks the clause if nothing else judges it: %s', (_, exchange) => {
      const parts = { control: ANSWERED_CONTROL, isBodyUnjudged: true };
      expect(answered.execute(checkInput(exchange, parts))).toMatchObject({ findings: [{ mismatch: 'cut' }] });
    });

    it.each(bodies)('proves nothing if the control is not answered either: %s', (_, exchange) => {
      const control = plainExchange({ text: '{"id":', end });
      const judged = answered.execute(checkInput(exchange, { control, isBodyUnjudged: true }));
      expect(judged).toEqual({ kind: 'inconclusive', reason: { kind: 'basis-unanswered', brokenOff: { end: 'cut' } } });
    });

    it.each(bodies)('is left to the expectation that judges it: %s', (_, exchange) => {
      expect(answered.execute(checkInput(exchange, { control: ANSWERED_CONTROL })).kind).toBe('holds');
    });
  });

  it('leaves a refused key and a wrong base URL to the ending of the run', () => {
    const run = { traffic: { ending: { kind: 'key-refused', status: 401 } } } as const;
    expect(answered.execute(checkInput(plainExchange({ status: 401 }), { run })).kind).toBe('inconclusive');
    expect(answered.execute(checkInput(plainExchange({ status: 403 }), { run })).kind).toBe('broken');
  });
});
