import { expect, it } from 'vitest';
import { fingerprintOf } from './finding.ts';
import { modelsExchange, plainExchange, runView, streamExchange } from '../../test/kit/exchanges.ts';
import { quoteText } from '../text/quote.ts';
import type { Finding } from './verdict.ts';

const FINDING: Finding = {
  mismatch: 'type',
  exchange: 'a',
  attempt: 0,
  pointer: '/choices/0/index',
  expected: { kind: 'type', types: ['integer'] },
  actualType: 'string',
  actual: { kind: 'value', value: quoteText('0') },
  more: 0,
};

const run = runView({
  exchanges: [
    plainExchange({ id: 'a' }),
    plainExchange({ id: 'b', sent: { model: 'other' } }),
    streamExchange({ id: 'streamed' }),
    modelsExchange({ id: 'list' }),
  ],
});

const requestOf = (exchange: string) => run.traffic.exchanges.find(({ id }) => id === exchange)?.request;

const of = (changes: Partial<Finding> = {}, clause = 'choice.index-type', caseId = 'chat/every-completion') =>
  fingerprintOf(clause, caseId, { ...FINDING, ...changes }, requestOf({ ...FINDING, ...changes }.exchange));

it.each<[string, Partial<Finding>]>([
  ['value', { actual: { kind: 'value', value: quoteText('1') } }],
  ['index', { pointer: '/choices/7/index' }],
  ['exchange of the same kind, whatever its model', { exchange: 'b' }],
  ['attempt', { attempt: 2 }],
  ['count', { more: 9 }],
])('Another %s is the same finding', (_, changes) => {
  expect(of(changes)).toBe(of());
});

it.each<[string, Partial<Finding>]>([
  ['place', { pointer: '/choices/0/message' }],
  ['kind of mismatch', { mismatch: 'absent' }],
  ['type', { actualType: 'null' }],
  ['expected type', { expected: { kind: 'type', types: ['string'] } }],
  ['mode', { exchange: 'streamed' }],
  ['endpoint', { exchange: 'list' }],
  ['status of an error', { status: 401 }],
])('Another %s is another finding', (_, changes) => {
  expect(of(changes)).not.toBe(of());
});

it('Another field in the same list of a description is another finding, and so is another missing value', () => {
  const field = (name: string) => of({ actual: { kind: 'field-required', field: quoteText(name) } });
  expect(field('user')).not.toBe(field('name'));
  const missing = (...values: readonly string[]) =>
    of({ mismatch: 'value', expected: { kind: 'all-values', values: ['user', 'system'], missing: values } });
  expect(missing('user')).not.toBe(missing('user', 'system'));
});

it('Another clause or case is another finding', () => {
  expect(new Set([of(), of({}, 'choice.index-present'), of({}, undefined, 'chat/reply')]).size).toBe(3);
});

it('The expected value counts only if it is a type, since other text may contain numbers of the run', () => {
  const text = { mismatch: 'range' } as const;
  const limit = (tokens: number) => of({ ...text, expected: { kind: 'token-limit', tokens } });
  expect(limit(16)).toBe(limit(32));
});

it('A finding without a place differs from one at the root of the body', () => {
  const { pointer: _, ...nowhere } = FINDING;
  expect(fingerprintOf('c', 'x/y', nowhere, requestOf(nowhere.exchange))).toMatch(/^[0-9a-f]{16}$/);
});
