import { describe, expect, it } from 'vitest';
import type { Reply } from '../../gateway/answer.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { COMPLETION, checkInput, failure, plainExchange, streamExchange } from '../../../test/kit/exchanges.ts';
import { expectationOf, gatewayFor, quickRun } from '../../../test/kit/real-run.ts';
import { REFUSAL_CHECKS } from './refusals.ts';

const { 'refusal-in-form': refusalInForm } = REFUSAL_CHECKS;

const ANSWERED = plainExchange({ json: COMPLETION });
const judge = (exchange: Exchange, control = ANSWERED) => refusalInForm.execute(checkInput(exchange, { control }));

describe('refusal-in-form', () => {
  it('holds for a 4xx', () => {
    expect(judge(plainExchange({ status: 404 }))).toEqual({ kind: 'holds' });
  });

  it('is broken by a redirect', () => {
    expect(judge(plainExchange({ status: 302 }))).toMatchObject({ findings: [{ mismatch: 'redirect' }] });
  });

  it('is skipped if its control was not answered either', () => {
    const redirect = plainExchange({ status: 302 });
    expect(judge(redirect, redirect)).toMatchObject({ kind: 'skipped', reason: { kind: 'control-unanswered' } });
  });

  it('is broken by an error with a success status', () => {
    const dressed = plainExchange({ json: { error: { message: 'No.' } } });
    expect(judge(dressed)).toMatchObject({ findings: [{ mismatch: 'error-in-success' }] });
  });

  it.each([401, 402, 403, 429])('holds for any refusal of an exhausted or a limited key: %i', (status) => {
    for (const key of ['exhausted', 'limited'] as const) {
      expect(judge(plainExchange({ status, request: { key } }))).toEqual({ kind: 'holds' });
    }
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

it('A limited key that gets an error with status 200 fails its own case', async () => {
  const modifier = {
    title: 'a rate limit with status 200',
    answer: (answer: Reply) => (answer.status === 429 ? { ...answer, status: 200 } : answer),
  };
  const gateway = await gatewayFor({ modifiers: [modifier] });
  const report = await quickRun(gateway.baseUrl, { only: ['auth/limited-key'] }, gateway.keys);
  expect(expectationOf(report, 'auth/limited-key', 'errors.refusal-in-form')?.verdict).toBe('fail');
});
