import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../exchange/exchange.ts';
import { ANSWERED_CONTROL, checkInput, failure, plainExchange, streamExchange } from '../../../test/kit/exchanges.ts';
import { holdsIn } from '../check-result.ts';
import { ERROR_CHECKS } from './errors.ts';
import { REFUSAL_CHECKS } from './refusals.ts';

const {
  'large-body-refused': largeBodyRefused,
  'body-sizes': bodySizes,
  'context-exceeded': contextExceeded,
} = REFUSAL_CHECKS;

const { 'every-error-body': everyErrorBody, 'no-server-error': noServerError } = ERROR_CHECKS;

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
    expect(judge(closed)).toMatchObject({
      kind: 'observed',
      observations: [{ of: 'a body of 2 MiB', value: { kind: 'no-answer' } }],
    });
    expect(noServerError.execute(checkInput(closed)).kind).toBe('skipped');
    expect(everyErrorBody.execute(checkInput(closed)).kind).toBe('skipped');
  });

  it('is inconclusive without an answer in time', () => {
    expect(judge(large({ failure: failure('timeout') })).kind).toBe('inconclusive');
  });
});

it('body-sizes records what happens to each size', () => {
  const larger = { request: { filler: { kind: 'letters', count: 8_388_608 } } } as const;
  const exchanges = [large({ status: 400 }), large({ failure: failure('closed'), ...larger })];
  const input = { ...checkInput(exchanges[0]!), exchanges };
  expect(bodySizes.execute(input)).toMatchObject({
    observations: [
      { of: 'a body of 2 MiB', value: { kind: 'refused', status: 400 } },
      { of: 'a body of 8 MiB', value: { kind: 'no-answer', failure: 'closed' } },
    ],
  });
  const result = largeBodyRefused.execute({ ...input, control: ANSWERED_CONTROL });
  expect(result).toEqual(holdsIn(exchanges.slice(0, 1)));
});

describe('context-exceeded', () => {
  const LONG = { request: { filler: { kind: 'words', count: 1250 } } } as const;
  const inputOf = (exchange: Exchange, control?: Exchange) => {
    const input = checkInput(exchange, control && { control });
    return { ...input, run: { ...input.run, settings: { ...input.run.settings, contextTokens: 1000 } } };
  };
  const observe = (exchange: Exchange, control?: Exchange) => contextExceeded.execute(inputOf(exchange, control));
  const answered = (prompt: number) =>
    plainExchange({ json: { choices: [], usage: { prompt_tokens: prompt } }, ...LONG });

  it('observes a refusal, and an answer', () => {
    expect(observe(plainExchange({ status: 400, ...LONG }))).toMatchObject({
      observations: [{ value: { kind: 'refused' } }],
    });
    expect(observe(answered(1000))).toMatchObject({ observations: [{ value: 'accepted' }] });
    expect(observe(plainExchange({ json: {} }))).toMatchObject({ observations: [{ value: 'accepted' }] });
  });

  it('is skipped with the number of tokens if the context was not reached', () => {
    expect(observe(answered(999))).toMatchObject({
      kind: 'skipped',
      reason: { kind: 'context-not-reached', tokens: 999, context: 1000 },
    });
    expect(noServerError.execute(inputOf(answered(999))).kind).toBe('skipped');
    expect(noServerError.execute(inputOf(answered(1000))).kind).toBe('holds');
  });

  it('is skipped for a stream by the count of the plain answer', () => {
    const stream = streamExchange({ events: ['[DONE]'], ...LONG });
    expect(observe(stream, answered(999))).toMatchObject({ kind: 'skipped', reason: { tokens: 999 } });
    expect(observe(stream, answered(1000)).kind).toBe('observed');
    expect(observe(plainExchange({ status: 400, ...LONG }), answered(999)).kind).toBe('observed');
  });
});
