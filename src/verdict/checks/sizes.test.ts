import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../exchange/exchange.ts';
import { ANSWERED_CONTROL, checkInput, failure, plainExchange } from '../../../test/kit/exchanges.ts';
import { everyErrorBody, noServerError } from './errors.ts';
import { contextExceeded, largeBodyRefused } from './sizes.ts';

const LARGE = { filler: { kind: 'letters', count: 2_097_152 } } as const;
const large = (parts: Parameters<typeof plainExchange>[0]) =>
  plainExchange({ seeks: 'refusal', request: LARGE, ...parts });
const judge = (exchange: Exchange) => largeBodyRefused.execute(checkInput(exchange, { control: ANSWERED_CONTROL }));

describe('large-body-refused', () => {
  it.each([400, 413])('holds for a %i', (status) => {
    expect(judge(large({ status }))).toEqual({ kind: 'holds' });
  });

  it('is broken by a 200', () => {
    expect(judge(large({ json: { error: {} } }))).toMatchObject({ findings: [{ mismatch: 'error-in-success' }] });
  });

  it('leaves a 5xx to its own clause', () => {
    const lost = { ...large({ status: 500 }), controlAfter: 'answered' } as const;
    expect(judge(lost).kind).toBe('inconclusive');
    expect(noServerError.execute(checkInput(lost, { control: ANSWERED_CONTROL })).kind).toBe('broken');
  });

  it('observes a connection that is closed, which no other clause judges', () => {
    const closed = { ...large({ failure: failure('closed') }), controlAfter: 'answered' } as const;
    expect(judge(closed)).toMatchObject({ kind: 'observed', observations: [{ value: { kind: 'no-answer' } }] });
    expect(noServerError.execute(checkInput(closed)).kind).toBe('skipped');
    expect(everyErrorBody.execute(checkInput(closed)).kind).toBe('skipped');
  });

  it('is inconclusive without an answer in time', () => {
    expect(judge(large({ failure: failure('timeout') })).kind).toBe('inconclusive');
  });
});

describe('context-exceeded', () => {
  const observe = (exchange: Exchange) => {
    const input = checkInput(exchange);
    return contextExceeded.execute({
      ...input,
      run: { ...input.run, settings: { ...input.run.settings, contextTokens: 1000 } },
    });
  };
  const answered = (prompt: number) => plainExchange({ json: { choices: [], usage: { prompt_tokens: prompt } } });

  it('observes a refusal, and an answer', () => {
    expect(observe(plainExchange({ status: 400 }))).toMatchObject({ observations: [{ value: { kind: 'refused' } }] });
    expect(observe(answered(1000))).toMatchObject({ observations: [{ value: 'accepted' }] });
    expect(observe(plainExchange({ json: {} }))).toMatchObject({ observations: [{ value: 'accepted' }] });
  });

  it('is skipped with the number of tokens if the context was not reached', () => {
    expect(observe(answered(999))).toMatchObject({
      kind: 'skipped',
      reason: { kind: 'context-not-reached', tokens: 999, context: 1000 },
    });
  });
});
