import { expect, it } from 'vitest';
import { checkInput, failure, modelsExchange, plainExchange } from '../../../test/kit/exchanges.ts';
import { formatExpected } from '../expected.ts';
import { ANSWER_CHECKS } from './answers.ts';

const { 'header-present': headerPresent } = ANSWER_CHECKS;

const OPTIONS = { options: { name: 'X-Request-Id' } };
const judge = (...exchanges: Parameters<typeof checkInput>[0] & readonly unknown[]) =>
  headerPresent.execute(checkInput(exchanges, OPTIONS));

const GOOD = plainExchange({ id: 'good', headers: { 'x-request-id': '7' } });

it('holds if every answer has the header', () => {
  expect(judge(GOOD, modelsExchange({ headers: { 'X-Request-ID': '8' } }))).toEqual({ kind: 'holds' });
});

it('is broken by an answer without it, and by an empty one', () => {
  expect(judge(GOOD, modelsExchange({}))).toMatchObject({
    kind: 'broken',
    findings: [{ mismatch: 'absent', status: 200, expected: { kind: 'header-named', name: 'X-Request-Id' } }],
  });
  expect(judge(plainExchange({ headers: { 'x-request-id': ' ' } })).kind).toBe('broken');
});

it('is inconclusive without any answer', () => {
  expect(judge(plainExchange({ failure: failure('closed') })).kind).toBe('inconclusive');
});

it('leaves out answers to other paths and methods', () => {
  const other = plainExchange({ request: { endpoint: 'other' } });
  expect(judge(GOOD, other)).toEqual({ kind: 'holds' });
  expect(judge(other).kind).toBe('inconclusive');
  expect(formatExpected({ kind: 'header-named', name: 'x-request-id' })).toBe('the header x-request-id, not empty');
});
