import { describe, expect, it } from 'vitest';
import { loadContract } from '../../contract/read-contract.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import type { Json } from '../../json.ts';
import { ERROR_CHECKS, ERROR_PARTS } from './errors.ts';
import {
  type ExchangeParts,
  answeredAttempt,
  checkInput,
  failedAttempt,
  failure,
  modelsExchange,
  plainExchange,
} from '../../../test/kit/exchanges.ts';
import { holdsIn } from '../check-result.ts';

const { 'every-error-body': everyErrorBody, 'passing-server-error-body': passingServerErrorBody } = ERROR_CHECKS;

const contract = loadContract();
const GOOD = { error: { message: 'No.', type: 'invalid_request_error', code: 'bad_value' } };
const CLAUSES = ERROR_PARTS.map((part) => `errors.${part}`);

const judgeAll = (clause: string, exchanges: Exchange | readonly Exchange[]) =>
  everyErrorBody.execute(
    checkInput(exchanges, { options: { part: clause.replace('errors.', '') }, run: { contract } }),
  );
const judge: (clause: string, exchange: Exchange) => ReturnType<typeof judgeAll> = judgeAll;
const brokenBy = (json: Json) =>
  CLAUSES.filter((clause) => judge(clause, plainExchange({ status: 400, json })).kind === 'broken');

describe('every-error-body', () => {
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
    expect(judge('errors.code', exchange)).toMatchObject({ reason: { clause: 'errors.json' } });
    expect(judge('errors.json', plainExchange({ ...closed, controlAfter: 'unanswered' })).kind).toBe('skipped');
    const mixed = {
      ...closed,
      earlier: [answeredAttempt({ status: 500, json: GOOD })],
      controlAfter: 'answered',
    } as const;
    expect(judge('errors.json', plainExchange(mixed)).kind).toBe('holds');
  });

  it('does not judge a base URL at which something else answers', () => {
    const run = { contract, traffic: { ending: { kind: 'not-this-api', status: 404 } } } as const;
    const input = checkInput(plainExchange({ status: 404, text: 'Not found' }), { options: { part: 'json' }, run });
    expect(everyErrorBody.execute(input).kind).toBe('inconclusive');
  });

  it('is inconclusive if the run ended before any error came', () => {
    const run = { contract, traffic: { ending: { kind: 'interrupted' } } } as const;
    const input = checkInput(plainExchange(), { options: { part: 'json' }, run });
    expect(everyErrorBody.execute(input)).toEqual({
      kind: 'inconclusive',
      reason: { kind: 'run-ended', ending: { kind: 'interrupted' } },
    });
  });

  it('is inconclusive if one body could not be read whole, whatever the others hold', () => {
    const stopped = plainExchange({ id: 'a', status: 400, json: GOOD, end: { kind: 'limit', limit: 'max-body' } });
    const whole = plainExchange({ id: 'b', status: 400, json: GOOD });
    expect(judgeAll('errors.json', [stopped, whole]).kind).toBe('inconclusive');
  });
});

describe('every-error-body, over several answers', () => {
  const bad = { status: 429, text: 'slow down' };

  it('judges errors that were retried, and folds them', () => {
    const exchanges = ['a', 'b', 'c'].map((id) => plainExchange({ id, earlier: [answeredAttempt(bad)] }));
    expect(judgeAll('errors.json', exchanges)).toMatchObject({
      findings: [{ exchange: 'a', attempt: 0, status: 429, more: 2, moreAnswers: 2 }],
    });
    expect(judgeAll('errors.code', exchanges).kind).toBe('skipped');
  });

  it('judges errors that a case provoked, and earlier attempts', () => {
    const asked = plainExchange({ seeks: 'refusal', status: 429, text: 'no', earlier: [answeredAttempt(bad)] });
    expect(judgeAll('errors.json', [asked])).toMatchObject({ findings: [{ attempt: 0, more: 1, moreAnswers: 1 }] });
  });

  it('splits findings by endpoint, mode and status', () => {
    const json = { error: { ...GOOD.error, code: 401 } };
    const exchanges = [
      plainExchange({ id: 'a', status: 400, json }),
      plainExchange({ id: 'b', status: 401, json }),
      plainExchange({ id: 'c', status: 401, json }),
      plainExchange({ id: 'd', status: 401, json, request: { mode: 'stream' } }),
      modelsExchange({ id: 'e', status: 401, json }),
    ];
    const result = judgeAll('errors.code', exchanges);
    const findings = result.kind === 'broken' ? result.findings : [];
    expect(findings.map(({ exchange, status, more }) => [exchange, status, more])).toEqual(
      expect.arrayContaining([
        ['a', 400, 0],
        ['b', 401, 1],
        ['d', 401, 0],
        ['e', 401, 0],
      ]),
    );
    expect(findings).toHaveLength(4);
  });

  it('splits findings by the type of the error, which stands for its cause', () => {
    const of = (id: string, type: string) =>
      plainExchange({ id, status: 400, json: { error: { message: 'No.', type, code: 400 } } });
    expect(judgeAll('errors.code', [of('a', 'Bad Request'), of('b', 'context'), of('c', 'context')])).toMatchObject({
      findings: [
        { exchange: 'a', more: 0 },
        { exchange: 'b', more: 1 },
      ],
    });
  });

  it('shows the plainest request of each kind', () => {
    const json = { error: { ...GOOD.error, code: 400 } };
    const of = (id: string, type: string, body: string) =>
      plainExchange({ id, status: 400, json, request: { headers: [['content-type', type]], body } });
    const unlabelled = of('a', 'text/plain', '{}');
    const cut = of('b', 'application/json', '{"model":');
    const plain = of('c', 'application/json', '{"model": "a", "messages": []}');
    expect(judgeAll('errors.code', [unlabelled, cut, plain])).toMatchObject({ findings: [{ exchange: 'c', more: 2 }] });
  });

  it('ignores a 5xx that went away on retry, and other endpoints', () => {
    const passing = plainExchange({ earlier: [answeredAttempt({ status: 502, text: 'bad gateway' })] });
    const other = plainExchange({ ...bad, request: { endpoint: 'other' } });
    expect(judgeAll('errors.json', [passing, other]).kind).toBe('skipped');
  });

  it('holds if every error has an error body', () => {
    const refused = plainExchange({ status: 403, json: GOOD });
    expect(judgeAll('errors.json', [refused])).toEqual(holdsIn([refused]));
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
      findings: ['/error/type', '/error/code'].map((pointer) => ({ pointer, answer: { status: 502 } })),
    });
  });

  it('holds for a passing 5xx with the error body, and skips if there was none', () => {
    expect(judgePassing(plainExchange({ earlier: [answeredAttempt({ status: 502, json: GOOD })] })).kind).toBe('holds');
    expect(judgePassing(plainExchange({ status: 502 })).kind).toBe('skipped');
  });
});
