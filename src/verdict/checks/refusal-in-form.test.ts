import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../exchange/exchange.ts';
import { COMPLETION, checkInput, failure, plainExchange, streamExchange } from '../../../test/kit/exchanges.ts';
import { refusalInForm } from './refusals.ts';

const judge = (exchange: Exchange) => refusalInForm.execute(checkInput(exchange));

describe('refusal-in-form', () => {
  it('holds for a 4xx', () => {
    expect(judge(plainExchange({ status: 404 }))).toEqual({ kind: 'holds' });
  });

  it('is broken by a redirect', () => {
    expect(judge(plainExchange({ status: 302 }))).toMatchObject({ findings: [{ mismatch: 'redirect' }] });
  });

  it('is broken by an error with a success status', () => {
    const dressed = plainExchange({ json: { error: { message: 'No.' } } });
    expect(judge(dressed)).toMatchObject({ findings: [{ mismatch: 'error-in-success' }] });
  });

  it.each([401, 402, 403, 429])('holds for any refusal of an exhausted key: %i', (status) => {
    expect(judge(plainExchange({ status, request: { key: 'exhausted' } }))).toEqual({ kind: 'holds' });
  });

  it('is broken by a stream with an error in place of text, but not by one that fails after some text', () => {
    const error = { error: { message: 'No.' } };
    const say = (content: string) => ({ choices: [{ index: 0, delta: { role: 'assistant', content } }] });
    expect(judge(streamExchange({ events: [say(''), error] }))).toMatchObject({
      findings: [{ mismatch: 'error-in-success' }],
    });
    expect(judge(streamExchange({ events: [say('Sea'), error] })).kind).toBe('skipped');
  });

  it('skips if the request was answered, or failed for another reason', () => {
    expect(judge(plainExchange({ json: COMPLETION })).kind).toBe('skipped');
    expect(judge(plainExchange({ status: 503 })).kind).toBe('skipped');
    expect(judge(plainExchange({ status: 429 })).kind).toBe('skipped');
    expect(judge(plainExchange({ failure: failure('closed') })).kind).toBe('skipped');
  });
});
