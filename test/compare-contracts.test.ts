/** Runs by different contracts: what only the contract changed is not the gateway's doing. */
import { describe, expect, it } from 'vitest';
import { digestOf } from '../src/contract/digest.ts';
import type { ProfileChange } from '../src/contract/profile/profile.ts';
import { refuseIf } from '../src/gateway/change-answer.ts';
import { isChat } from '../src/gateway/call-tests.ts';
import { compareRuns } from '../src/report/comparison/compare.ts';
import type { Comparison } from '../src/report/comparison/comparison.ts';
import type { Settings } from '../src/settings.ts';
import { modifier, observe, said } from './kit/compare-runs.ts';

const ERRORS = ['errors/*', 'auth/missing-key*'];
const REQUESTS = ['chat/only-required-fields', 'parameters/temperature-*', 'required/*'];

const by = (only: readonly string[], ...changes: readonly ProfileChange[]): Partial<Settings> => ({
  only,
  profile: { name: 'own', version: '1', changes, digest: digestOf({ changes }) },
});

const clausesIn = ({ notices }: Comparison, kind: 'fixed' | 'redefined' | 'other-limits') =>
  notices.flatMap((notice) => (notice.kind === kind ? notice.clauses : []));

const summaryOf = (found: Comparison) => ({
  said: said(found),
  fixed: clausesIn(found, 'fixed'),
  redefined: clausesIn(found, 'redefined'),
});

const INTEGER = { fault: 'error-code-integer' } as const;
const CODES: ProfileChange = { kind: 'field', field: 'error.code', types: ['string', 'integer'] };

describe('a clause that the contracts define differently', { timeout: 60_000 }, () => {
  it('is neither fixed nor newly broken by the types of its field', async () => {
    const [v1, own] = [
      await observe(INTEGER, 'v1', { only: ERRORS }),
      await observe(INTEGER, 'own', by(ERRORS, CODES)),
    ];
    const nothing = { said: [], fixed: [], redefined: ['errors.code'] };
    expect(summaryOf(compareRuns(v1, own))).toEqual(nothing);
    expect(summaryOf(compareRuns(own, v1))).toEqual(nothing);
    const other = await observe(INTEGER, 'other', by(ERRORS, { ...CODES, types: ['integer', 'string'], why: 'known' }));
    expect(clausesIn(compareRuns(own, other), 'redefined')).toEqual([]);
  });

  it('does not hide a type that changed, in either direction', async () => {
    const [v1, own] = [await observe({}, 'v1', { only: ERRORS }), await observe(INTEGER, 'own', by(ERRORS, CODES))];
    expect(compareRuns(v1, own).exit).toBe(1);
    expect(said(compareRuns(v1, own))).toContain('breaking field-type /error/code');
    const [broken, mended] = [
      await observe(INTEGER, 'v1', { only: ERRORS }),
      await observe({}, 'own', by(ERRORS, CODES)),
    ];
    expect(said(compareRuns(broken, mended))).toEqual(['warning field-type /error/code']);
  });

  it('is not blamed on the gateway if the contract requires a field', async () => {
    const needy = modifier({ only: isChat, refuse: refuseIf(({ body }) => body['max_tokens'] === undefined) });
    const own = await observe(needy, 'own', by(REQUESTS, { kind: 'required', field: 'max_tokens' }));
    const v1 = await observe(needy, 'v1', { only: REQUESTS });
    expect(v1.report.clauses.find(({ id }) => id === 'request.optional-fields')?.verdict).toBe('fail');
    const nothing = { said: [], fixed: [], redefined: ['request.optional-fields'] };
    expect(summaryOf(compareRuns(v1, own))).toEqual(nothing);
    expect(summaryOf(compareRuns(own, v1))).toEqual(nothing);
  });

  it('is compared by requests that both contracts ask to answer', async () => {
    const cold = modifier({ only: isChat, refuse: refuseIf(({ body }) => body['temperature'] === 0) });
    const v1 = await observe({}, 'v1', { only: REQUESTS });
    const own = await observe(cold, 'own', by(REQUESTS, { kind: 'limit', field: 'temperature', max: 1 }));
    expect(summaryOf(compareRuns(v1, own))).toMatchObject({
      said: ['breaking answer-lost'],
      redefined: [],
    });
    const limits = ['limits.temperature-in-range', 'limits.temperature'];
    expect(clausesIn(compareRuns(v1, own), 'other-limits')).toEqual(limits);
    expect(clausesIn(compareRuns(own, v1), 'other-limits')).toEqual(limits);
    expect(clausesIn(compareRuns(v1, v1), 'other-limits')).toEqual([]);
    expect(clausesIn(compareRuns(own, v1), 'fixed')).toEqual(['limits.temperature-in-range']);
  });
});

it('A clause at another level is compared, unless one run only observes it', async () => {
  const at = (level: 'should' | 'observe') => ({ only: ERRORS, levels: { 'errors.code': level } });
  const v1 = await observe({}, 'v1', { only: ERRORS });
  const should = await observe(INTEGER, 'should', at('should'));
  const observed = await observe(INTEGER, 'observed', at('observe'));
  expect(clausesIn(compareRuns(should, v1), 'fixed')).toEqual(['errors.code']);
  expect(clausesIn(compareRuns(should, v1), 'redefined')).toEqual([]);
  expect(summaryOf(compareRuns(observed, v1))).toMatchObject({ fixed: [], redefined: ['errors.code'] });
  expect(summaryOf(compareRuns(observed, should))).toMatchObject({ said: [], redefined: ['errors.code'] });
}, 60_000);
