/** Ids that fingerprints and comparisons of runs are made of. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { NOTICES } from '../../test/kit/one-of-each.ts';
import { loadStockClients } from '../contract/stock-clients.ts';
import { SECRET_FORMS, SECRET_PLACES } from '../exchange/exchange.ts';
import { ACTUAL_TYPES } from './actual-type.ts';
import { MISMATCHES } from './mismatch.ts';
import {
  formatObservationName,
  formatObserved,
  OBSERVATION_NAMES,
  OBSERVATION_NAMES_OF,
  OBSERVED_WORDS,
} from './observation.ts';

const SOURCE = join(import.meta.dirname, '..');
/** Where findings and notices are made, and the kinds of answers and values that they are made of. */
const FOLDERS = ['json.ts', 'commands', 'contract', 'exchange', 'recording', 'gather', 'report', 'run', 'verdict'];
const DECLARATIONS = ['actual-type.ts', 'mismatch.ts', 'notice.ts', 'observation.ts'];

/** Made of parts, so that they are not spelled out. */
const MADE: readonly string[] = [
  ...SECRET_FORMS.flatMap((form) => SECRET_PLACES.map((place) => `${form}-in-${place}`)),
  ...['chat', 'models'].map((endpoint) => `${endpoint}-statuses`),
  ...['type', 'code'].map((word) => `error-${word}`),
  ...['plain', 'stream'].map((mode) => `${mode}-stall`),
  ...['call', 'stream'].map((kind) => `${kind}-left`),
];

const texts = FOLDERS.flatMap((folder) =>
  folder.endsWith('.ts')
    ? [folder]
    : readdirSync(join(SOURCE, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
)
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .filter((file) => !DECLARATIONS.some((name) => file.endsWith(name)))
  .map((file) => readFileSync(join(SOURCE, file), 'utf8'))
  .join('\n');

describe.each([
  ['mismatches', MISMATCHES],
  ['actual types', ACTUAL_TYPES],
  ['observations', [...OBSERVATION_NAMES, ...OBSERVATION_NAMES_OF]],
  ['observed words', OBSERVED_WORDS],
  ['notices', [...new Set(NOTICES.map(({ kind }) => kind))]],
])('the ids of %s', (_, ids) => {
  it('are in lower case, with hyphens, and each is there once', () => {
    expect(ids.filter((id) => !/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('are all in use', () => {
    const isSpelled = (id: string) => texts.includes(`'${id}'`) || new RegExp(`[{,] ${id}: `).test(texts);
    expect(ids.filter((id) => !MADE.includes(id) && !isSpelled(id))).toEqual([]);
  });
});

it('No two observations have the same sentence, and no two observed words', () => {
  const names = [
    ...OBSERVATION_NAMES.map((name) => formatObservationName({ name })),
    // Some say nothing but the thing itself, such as a field.
    ...OBSERVATION_NAMES_OF.map((name) => formatObservationName({ name, of: 'it' })).filter((text) => text !== 'it'),
  ];
  expect(new Set(names).size).toBe(names.length);
  expect(new Set(OBSERVED_WORDS.map(formatObserved)).size).toBe(OBSERVED_WORDS.length);
});

it('Stock clients were measured on mismatches that a finding can have', () => {
  const { mismatches } = loadStockClients();
  expect(mismatches.filter(({ mismatch }) => !MISMATCHES.some((id) => id === mismatch))).toEqual([]);
  expect(mismatches.filter(({ actual }) => !ACTUAL_TYPES.some((id) => id === actual))).toEqual([]);
});
