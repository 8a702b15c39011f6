import { describe, expect, it } from 'vitest';
import { failedAttempt, failure, modelsExchange } from '../../../test/kit/exchanges.ts';
import { endWithoutUpstream, findUnreachable, modelsToTry } from './first-contact.ts';

const LISTED = modelsExchange({ json: { object: 'list', data: ['a', 'b', 'c', 'd'].map((id) => ({ id })) } });
const UNREADABLE = modelsExchange({ status: 404 });
const REFUSED = { ...LISTED, attempts: [failedAttempt(failure('refused'))] };

describe('The models to try', () => {
  it.each([
    ['that of the user', { given: 'own', unlisted: 'ours' }, LISTED, ['own']],
    ['the first of the list', { unlisted: 'ours' }, LISTED, ['a', 'b', 'c']],
    ['that of our upstream if the target lists none', { unlisted: 'ours' }, UNREADABLE, ['ours']],
    ['none without any of them', {}, UNREADABLE, []],
  ] as const)('are %s', (_which, known, list, models) => {
    expect(modelsToTry(list, known)).toEqual(models);
  });
});

it('Only a target that gave no whole answer to its list is unreachable', () => {
  expect([LISTED, UNREADABLE].map(findUnreachable)).toEqual([undefined, undefined]);
  expect(findUnreachable(REFUSED)).toMatchObject({ kind: 'unreachable', failure: { kind: 'refused' } });
});

it('A target that called no upstream is told with its answer, if there is one', () => {
  const known = { upstream: 'http://127.0.0.1:9/v1', model: 'm', others: [] };
  expect(endWithoutUpstream(UNREADABLE, known)).toMatchObject({ ...known, answer: { status: 404 } });
  expect(endWithoutUpstream(REFUSED, known)).toEqual({ kind: 'no-upstream-call', ...known });
});
