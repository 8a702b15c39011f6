import { expect, it } from 'vitest';
import type { ProfileChange } from '../../contract/profile/profile.ts';
import type { Report } from '../report.ts';
import { redefinedClauses } from './pair-cases.ts';

type Judged = Pick<Report, 'profile'>;

const by = (...changes: readonly ProfileChange[]): Judged => ({
  profile: { basedOn: 'v1', digest: 'x', safetyChanges: 0, changes: changes.map((change) => ({ change })) },
});
const V1: Judged = {};
const OWN = { kind: 'clause', clause: 'own.id', level: 'must', summary: 'It has an id.' } as const;
const WARM = { kind: 'limit', field: 'temperature', max: 1 } as const;

it.each<[string, Judged, Judged, readonly string[]]>([
  ['the types of a field', V1, by({ kind: 'field', field: 'model.id', types: ['string', 'null'] }), ['model.id']],
  [
    'a limit',
    by(WARM),
    by({ ...WARM, max: 3 }),
    ['limits.temperature', 'limits.temperature-in-range', 'client.request-limits'],
  ],
  [
    'a required field',
    by({ kind: 'required', field: 'max_tokens' }),
    V1,
    ['request.max-tokens-required', 'request.optional-fields', 'client.request-fields'],
  ],
  ['a clause of their own', by(OWN), by({ ...OWN, summary: 'It has a number.' }), ['own.id']],
  [
    'reasons, levels and order alone',
    by(WARM, OWN),
    by({ ...OWN, level: 'should', hurts: 'x' }, { ...WARM, why: 'x' }),
    [],
  ],
  ['what is sent along', V1, by({ kind: 'add', fields: { '/metadata': {} } }), []],
])('Contracts that differ in %s', (_, older, newer, clauses) => {
  expect([...redefinedClauses(older, newer).clauses]).toEqual(clauses);
  expect([...redefinedClauses(newer, older).clauses].toSorted()).toEqual(clauses.toSorted());
});
