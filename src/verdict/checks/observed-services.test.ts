import { describe, expect, it } from 'vitest';
import {
  answeredAttempt,
  checkInput,
  modelsExchange,
  plainExchange,
  readObserved,
  runView,
} from '../../../test/kit/exchanges.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { formatObservationName } from '../observation.ts';
import { SEEN_SERVICE_CHECKS } from './observed-services.ts';

const observe = (check: keyof typeof SEEN_SERVICE_CHECKS, exchanges: readonly Exchange[], run = runView()) => {
  const result = SEEN_SERVICE_CHECKS[check].execute(checkInput(exchanges, { run }));
  if (result.kind !== 'observed') return result.kind;
  return result.observations.map((each) => [formatObservationName(each), readObserved(each.value)]);
};

describe('request-ids', () => {
  it('tells which answers have one, and equal ones', () => {
    const [a, b, c] = ['1', '2', '2'].map((id) => plainExchange({ id: `e${id}`, headers: { 'X-Request-Id': id } }));
    if (!a || !b || !c) throw new Error('three');
    expect(observe('request-ids', [a, b])).toEqual([
      ['answers with x-request-id', 'always'],
      ['two answers with the same x-request-id', false],
    ]);
    expect(observe('request-ids', [b, c, plainExchange()])).toEqual([
      ['answers with x-request-id', 'sometimes'],
      ['two answers with the same x-request-id', true],
    ]);
    expect(observe('request-ids', [plainExchange()])).toBe('skipped');
  });
});

describe('after-wait', () => {
  const limited = answeredAttempt({ status: 429, headers: { 'retry-after': '1' } });
  it('has the status of the attempt after the whole wait', () => {
    const attempts = [limited, { ...answeredAttempt({ status: 200 }), pause: 1_000 }];
    expect(observe('after-wait', [{ ...plainExchange(), attempts }])).toEqual([
      ['statuses after the wait that Retry-After asked for', [200]],
    ]);
    const early = [limited, { ...answeredAttempt({ status: 429 }), pause: 10 }];
    expect(observe('after-wait', [{ ...plainExchange(), attempts: early }])).toBe('skipped');
  });
});

describe('codes-apart', () => {
  const refused = (code: string, status: number, parts: Parameters<typeof plainExchange>[0] = {}) =>
    plainExchange({ status, seeks: 'refusal', json: { error: { message: 'm', type: 't', code } }, ...parts });
  const badKey = (code: string) => refused(code, 401, { seeks: 'unauthorized', request: { key: 'unknown' } });
  const badModel = (code: string) => refused(code, 404, { request: { body: '{"model":"wirecheck-no-such-model-x"}' } });
  const badValue = (code: string) => refused(code, 400, { request: { body: '{"model":"m","temperature":9}' } });

  it('tells whether each kind of error has a code of its own', () => {
    expect(observe('codes-apart', [badKey('key'), badModel('model'), badValue('value')])).toEqual([
      ['error.code for a bad key', ['key']],
      ['error.code for an unknown model', ['model']],
      ['error.code for a bad value', ['value']],
      ['a code of its own for each of them', true],
    ]);
    expect(observe('codes-apart', [badKey('x'), badValue('x')])).toContainEqual([
      'a code of its own for each of them',
      false,
    ]);
    expect(observe('codes-apart', [plainExchange()])).toBe('skipped');
  });
});

describe('stated-context', () => {
  const run = (contextTokens?: number) => {
    const view = runView();
    const settings = { ...view.settings, ...(contextTokens !== undefined && { contextTokens }) };
    return { ...view, settings, traffic: { ...view.traffic, bindings: { ...view.traffic.bindings, model: 'm' } } };
  };
  const list = (entry: object) => modelsExchange({ json: { object: 'list', data: [{ id: 'm', ...entry }] } });

  it('is that of the called model', () => {
    expect(observe('stated-context', [list({ max_model_len: 4096 })], run())).toEqual([
      ['context length in the list', 4096],
    ]);
    expect(observe('stated-context', [list({ context_length: 4096 })], run(8192))).toContainEqual([
      'the same as --context-tokens',
      false,
    ]);
    expect(observe('stated-context', [list({})], run())).toBe('skipped');
  });
});
