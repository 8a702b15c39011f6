import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../exchange/exchange.ts';
import type { Check } from '../check.ts';
import { formatObservationName } from '../observation.ts';
import {
  answeredAttempt,
  COMPLETION,
  type InputParts,
  checkInput,
  failure,
  modelsExchange,
  plainExchange,
  readObserved,
  streamExchange,
} from '../../../test/kit/exchanges.ts';
import { CHECKS } from './index.ts';

/** Observations by name. */
function observe(
  check: Check,
  exchanges: Exchange | readonly Exchange[],
  parts: InputParts = {},
): Record<string, unknown> {
  const result = check.execute(checkInput(exchanges, parts));
  if (result.kind !== 'observed') throw new Error(`${result.kind} in place of observed`);
  return Object.fromEntries(result.observations.map((each) => [formatObservationName(each), readObserved(each.value)]));
}

const ERROR = { error: { message: 'No.', type: 'invalid_request_error', code: 'bad_value' } };
const REFUSED = plainExchange({ status: 400, json: ERROR });

describe('checks that only observe', () => {
  it('record whether something is accepted', () => {
    const { acceptance } = CHECKS;
    expect(observe(acceptance, plainExchange(), { options: { what: 'null' } })).toEqual({ null: 'accepted' });
    expect(observe(acceptance, REFUSED)).toEqual({ outcome: 'refused with 400 (bad_value)' });
    expect(observe(acceptance, plainExchange({ failure: failure('closed') }))['outcome']).toBe(
      'the connection was closed without an answer (CLOSED)',
    );
  });

  it('record status, type and code of a refusal, and the number of calls before it', () => {
    const check = CHECKS['refusal-status'];
    expect(observe(check, REFUSED)).toEqual({
      status: 400,
      'error.type': 'invalid_request_error',
      'error.code': 'bad_value',
    });
    const calls = [plainExchange({ id: 'a', step: 'x' }), plainExchange({ id: 'b', step: 'x', status: 429 })];
    expect(observe(check, calls)).toEqual({ status: 429, calls: 2 });
    const notUsedUp = plainExchange({ request: { key: 'exhausted' } });
    expect(check.execute(checkInput(notUsedUp))).toEqual({ kind: 'skipped', reason: { kind: 'key-not-used-up' } });
  });

  it('tell a key that only streams from one that is not exhausted, and an error from an answer', () => {
    const check = CHECKS['refusal-status'];
    const request = { key: 'exhausted' } as const;
    const stream = streamExchange({ request, events: [{ choices: [{ index: 0, delta: { content: 'Sea' } }] }] });
    const judge = (plain: Exchange) => check.execute(checkInput(stream, { run: { exchanges: [plain] } }));
    expect(judge(plainExchange({ request, status: 402 }))).toMatchObject({ reason: { kind: 'exhausted-key-streams' } });
    expect(judge(plainExchange({ request }))).toMatchObject({ reason: { kind: 'key-not-used-up' } });
    const dressed = plainExchange({ request, json: { error: { message: 'No.', type: 'quota', code: 'used_up' } } });
    expect(observe(check, dressed)).toEqual({ status: 200, 'error.type': 'quota', 'error.code': 'used_up' });
  });

  it('record statuses outside the contract with their cases, types and codes', () => {
    const exchanges = [
      REFUSED,
      plainExchange({ step: 'b', status: 402 }),
      modelsExchange({ step: 'c', status: 403 }),
      modelsExchange({ status: 404, request: { endpoint: 'other' } }),
    ];
    expect(observe(CHECKS['statuses-seen'], exchanges)).toEqual({
      'chat statuses beyond the contract': [400],
      'models statuses beyond the contract': [403],
    });
    expect(observe(CHECKS['error-conditions'], exchanges)).toEqual({
      'requests behind 400': [REFUSED.step],
      'requests behind 402': ['b'],
      'requests behind 403': ['c'],
    });
    expect(observe(CHECKS['error-words'], exchanges)).toEqual({
      'error.type': ['invalid_request_error'],
      'error.code': ['bad_value'],
    });
  });

  it('have no occasion to record errors where no answer is one', () => {
    for (const name of ['error-conditions', 'error-words'] as const)
      expect(CHECKS[name].execute(checkInput([plainExchange({ step: 'a' })]))).toEqual({
        kind: 'skipped',
        reason: { kind: 'no-occasion', of: 'error' },
      });
  });

  it('record errors that no case provoked, earlier attempts included', () => {
    const check = CHECKS['unasked-errors'];
    const provoked = plainExchange({ step: 'a', seeks: 'refusal', status: 400 });
    expect(check.execute(checkInput([provoked]))).toEqual({
      kind: 'skipped',
      reason: { kind: 'no-occasion', of: 'unexpected-error' },
    });
    const retried = { ...provoked, attempts: [answeredAttempt({ status: 429 }), ...provoked.attempts] };
    expect(observe(check, [retried, modelsExchange({ step: 'b', status: 502 })])).toEqual({
      '429 unprovoked': ['a'],
      '502 unprovoked': ['b'],
    });
  });

  it('record how models are marked deprecated', () => {
    const data = [
      { id: 'a', deprecated: true },
      { id: 'b', deprecated: false, status: 'deprecated' },
      { id: 'c', deprecated: null, geolocation: 'x', status: 'ok' },
    ];
    const lists = ['a', 'b'].map((id) => modelsExchange({ id, json: { data } }));
    expect(observe(CHECKS['deprecation-marks'], lists)).toEqual({
      'models marked deprecated': 2,
      'fields that mark them': ['deprecated', 'status'],
    });
  });

  it.each([
    [1_735_689_600, 'seconds since 1970'],
    [1_735_689_600_123, 'milliseconds since 1970'],
    [0, 'no unit near the time of the run'],
  ])('read %i as %s', (created, unit) => {
    const exchange = plainExchange({ json: { ...COMPLETION, created } });
    expect(observe(CHECKS['created-unit'], exchange)).toEqual({ 'unit of created': [unit] });
  });

  it('record which fields are always there, and their types', () => {
    const { usage: _, ...withoutUsage } = COMPLETION;
    const exchanges = [COMPLETION, { ...withoutUsage, id: 7 }].map((json, place) =>
      plainExchange({ id: `${place}`, json }),
    );
    expect(observe(CHECKS['fields-present'], [...exchanges, REFUSED])).toMatchObject({
      'completion answers': 2,
      'completion /id': ['always', 'integer', 'string'],
      'completion /usage': ['sometimes', 'object'],
      'completion /choices/*/message/role': ['always', 'string'],
      'error answers': 1,
      'error /error/code': ['always', 'string'],
    });
  });

  it('record fields outside the contract, without descending into them', () => {
    const json = {
      ...COMPLETION,
      extra: { deep: 1 },
      choices: [{ ...COMPLETION.choices[0], logprobs: null, 'a/b': 1 }],
    };
    expect(observe(CHECKS['unknown-fields'], plainExchange({ json }))).toEqual({
      'fields beyond the contract': [
        'completion /extra',
        'completion /choices/*/a~1b',
        'completion /choices/*/logprobs',
      ],
    });
  });

  it('limit how much a target can add', () => {
    const json = Object.fromEntries(Array.from({ length: 5_000 }, (_, place) => [`field-${place}`, place]));
    const seen = observe(CHECKS['unknown-fields'], plainExchange({ json }))['fields beyond the contract'];
    expect(seen).toHaveLength(101);
    expect(seen).toContain('and 4900 more');
  });

  it('record finish reasons of replies and streams', () => {
    const chunks = [
      { index: 0, delta: { content: 'x' }, finish_reason: null },
      { index: 0, delta: {}, finish_reason: 'length' },
    ];
    const stream = streamExchange({ id: 's', events: [...chunks.map((choice) => ({ choices: [choice] })), '[DONE]'] });
    expect(observe(CHECKS['finish-reasons'], [plainExchange({ json: COMPLETION }), stream])).toEqual({
      finish_reason: ['length', 'stop'],
    });
  });

  it('record whether the reply names the requested model', () => {
    const asked = (model: string) => plainExchange({ json: COMPLETION, sent: { model } });
    expect(observe(CHECKS['model-echo'], [asked('alpha'), asked('latest')])).toEqual({
      'model of the reply': ['the requested model', 'another model: alpha'],
    });
  });

  it('record content types, compression, rate headers and oddities of JSON', () => {
    const headers = { 'Content-Encoding': 'br', 'Retry-After': '3', 'X-RateLimit-Remaining': '7', 'x-other': '1' };
    const exchange = plainExchange({ headers, text: '{"a":1,"a":1}' });
    expect(observe(CHECKS['content-types'], exchange)).toEqual({
      'chat plain 2xx': ['application/json'],
    });
    expect(observe(CHECKS['compression'], exchange)).toEqual({
      'Content-Encoding': ['br'],
      'HTTP version': ['1.1'],
    });
    expect(observe(CHECKS['rate-headers'], exchange)).toEqual({
      'rate-limit headers': ['retry-after: 3', 'x-ratelimit-remaining: 7'],
    });
    expect(observe(CHECKS['json-notes'], exchange)).toEqual({ 'oddities of JSON texts': ['duplicate member'] });
  });

  it('record redirects, trailing slashes and other endpoints', () => {
    const exchange = modelsExchange({
      status: 308,
      text: '',
      headers: { location: '/v1/models' },
      request: { path: '/models/' },
    });
    expect(observe(CHECKS['redirect-seen'], exchange)).toEqual({
      redirects: ['GET /models/: 308 to /v1/models'],
      'answer to GET /models/': 308,
    });
    expect(observe(CHECKS['other-endpoint'], exchange)).toEqual({
      'answer to GET /models/': '308 (empty body) to /v1/models',
    });
  });
});
