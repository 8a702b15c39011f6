import { describe, expect, it } from 'vitest';
import { loadContract } from '../../contract/load-contract.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import type { Json } from '../../json.ts';
import { ERROR_PARTS } from '../reading/error-body.ts';
import {
  type ExchangeParts,
  answeredAttempt,
  checkInput,
  failedAttempt,
  failure,
  plainExchange,
} from '../../../test/kit/exchanges.ts';
import { errorBody, everyErrorBody, passingServerErrorBody } from './errors.ts';

const contract = loadContract();
const GOOD = { error: { message: 'No.', type: 'invalid_request_error', code: 'bad_value' } };
const CLAUSES = ERROR_PARTS.map((part) => `errors.${part}`);

const judge = (clause: string, exchange: Exchange) =>
  errorBody.execute(checkInput(exchange, { options: { part: clause.replace('errors.', '') }, run: { contract } }));
const brokenBy = (json: Json) =>
  CLAUSES.filter((clause) => judge(clause, plainExchange({ status: 400, json })).kind === 'broken');

describe('error-body', () => {
  it('holds for the body of part 7, with any additional field', () => {
    expect(brokenBy(GOOD)).toEqual([]);
    expect(brokenBy({ error: { ...GOOD.error, param: null }, request_id: 'x' })).toEqual([]);
  });

  it.each<[string, Json, string[]]>([
    ['an array', [], ['errors.json']],
    ['a detail in place of error', { detail: 'No.' }, ['errors.object']],
    ['error as a string', { error: 'No.' }, ['errors.object']],
    ['error as null', { error: null }, ['errors.object']],
    ['a code that is an integer', { error: { ...GOOD.error, code: 401 } }, ['errors.code']],
    ['a code that is null', { error: { ...GOOD.error, code: null } }, ['errors.code']],
    ['no type', { error: { message: 'No.', code: 'x' } }, ['errors.type']],
    ['nothing in error', { error: {} }, ['errors.message', 'errors.type', 'errors.code']],
    ['an empty message', { error: { ...GOOD.error, message: '' } }, ['errors.message-not-empty']],
  ])('finds exactly what is wrong with %s', (_, json, clauses) => {
    expect(brokenBy(json)).toEqual(clauses);
  });

  it('reports the place and the problem', () => {
    expect(
      judge('errors.code', plainExchange({ status: 400, json: { error: { ...GOOD.error, code: 401 } } })),
    ).toMatchObject({
      findings: [
        {
          mismatch: 'type',
          pointer: '/error/code',
          expected: { kind: 'type', types: ['string'] },
          actualType: 'integer',
          actual: { kind: 'value', value: 401 },
        },
      ],
    });
  });

  it.each<[string, ExchangeParts, string]>([
    ['HTML', { text: '<html>502</html>' }, 'not-json'],
    ['nothing', { text: '' }, 'no-body'],
    ['a cut body', { json: GOOD, end: { kind: 'cut', detail: '' } }, 'cut'],
    ['bytes that are not UTF-8', { bytes: new Uint8Array([0xff, 0xfe]) }, 'not-json'],
  ])('does not accept %s as an error body', (_, parts, mismatch) => {
    const exchange = plainExchange({ status: 500, ...parts });
    expect(judge('errors.json', exchange)).toMatchObject({ findings: [{ mismatch }] });
    expect(judge('errors.code', exchange)).toMatchObject({
      kind: 'skipped',
      reason: { kind: 'see-clause', clause: 'errors.json' },
    });
  });

  it('names the setting if the size or depth of the body reached a limit', () => {
    const stopped = plainExchange({ status: 400, json: GOOD, end: { kind: 'limit', limit: 'max-body' } });
    expect(judge('errors.json', stopped)).toMatchObject({
      kind: 'inconclusive',
      reason: { kind: 'over-limit', what: 'body', limit: 'max-body' },
    });
    const deep = plainExchange({ status: 400, text: '['.repeat(300) + ']'.repeat(300) });
    expect(judge('errors.json', deep)).toMatchObject({
      kind: 'inconclusive',
      reason: { kind: 'over-limit', what: 'body', limit: 'max-depth' },
    });
  });

  it('skips answers that are not errors', () => {
    expect(judge('errors.json', plainExchange()).kind).toBe('skipped');
  });

  it('treats a connection that is always closed as an error without a body, while the control is answered', () => {
    const closed = { failure: failure('closed'), earlier: [failedAttempt(failure('closed'))] };
    const exchange = plainExchange({ ...closed, controlAfter: 'answered' });
    expect(judge('errors.json', exchange)).toMatchObject({ kind: 'broken', findings: [{ mismatch: 'no-body' }] });
    expect(judge('errors.code', exchange).kind).toBe('skipped');
    expect(judge('errors.json', plainExchange({ ...closed, controlAfter: 'unanswered' })).kind).toBe('inconclusive');
    const mixed = { ...closed, earlier: [answeredAttempt({ status: 500 })], controlAfter: 'answered' } as const;
    expect(judge('errors.json', plainExchange(mixed)).kind).toBe('inconclusive');
  });

  it('does not judge a base URL at which something else answers', () => {
    const run = { contract, traffic: { ending: { kind: 'not-this-api', status: 404 } } } as const;
    const input = checkInput(plainExchange({ status: 404, text: 'Not found' }), { options: { part: 'json' }, run });
    expect(errorBody.execute(input).kind).toBe('inconclusive');
  });
});

describe('every-error-body', () => {
  const judgeAll = (clause: string, exchanges: readonly Exchange[]) =>
    everyErrorBody.execute(
      checkInput(exchanges, { options: { part: clause.replace('errors.', '') }, run: { contract } }),
    );
  const bad = { status: 429, text: 'slow down' };

  it('judges errors that were retried, and folds them', () => {
    const exchanges = ['a', 'b', 'c'].map((id) => plainExchange({ id, earlier: [answeredAttempt(bad)] }));
    expect(judgeAll('errors.json', exchanges)).toMatchObject({ findings: [{ exchange: 'a', attempt: 0, more: 2 }] });
    expect(judgeAll('errors.code', exchanges).kind).toBe('skipped');
  });

  it('leaves expected errors to their own case, but not earlier attempts', () => {
    const asked = plainExchange({ seeks: 'refusal', status: 400, text: 'no' });
    expect(judgeAll('errors.json', [asked])).toEqual({
      kind: 'skipped',
      reason: { kind: 'no-occasion', of: 'unexpected-error' },
    });
    const afterAnother = plainExchange({ seeks: 'refusal', status: 400, text: 'no', earlier: [answeredAttempt(bad)] });
    expect(judgeAll('errors.json', [afterAnother])).toMatchObject({ findings: [{ attempt: 0, more: 0 }] });
  });

  it('ignores a 5xx that went away on retry, and other endpoints', () => {
    const passing = plainExchange({ earlier: [answeredAttempt({ status: 502, text: 'bad gateway' })] });
    const other = plainExchange({ ...bad, request: { endpoint: 'other' } });
    expect(judgeAll('errors.json', [passing, other]).kind).toBe('skipped');
  });

  it('holds if every error has an error body', () => {
    expect(judgeAll('errors.json', [plainExchange({ status: 403, json: GOOD })])).toEqual({ kind: 'holds' });
  });
});

describe('passing-server-error-body', () => {
  const judgePassing = (exchange: Exchange) =>
    passingServerErrorBody.execute(checkInput(exchange, { run: { contract } }));

  it('is broken by a passing 5xx with another body', () => {
    const exchange = plainExchange({
      earlier: [answeredAttempt({ status: 502, json: { error: { message: 'No.' } } })],
    });
    expect(judgePassing(exchange)).toMatchObject({
      findings: [{ pointer: '/error/type' }, { pointer: '/error/code' }],
    });
  });

  it('holds for a passing 5xx with the error body, and skips if there was none', () => {
    expect(judgePassing(plainExchange({ earlier: [answeredAttempt({ status: 502, json: GOOD })] })).kind).toBe('holds');
    expect(judgePassing(plainExchange({ status: 502 })).kind).toBe('skipped');
  });
});
