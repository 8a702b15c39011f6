/** Ids that fingerprints are made of. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadStockClients } from '../contract/stock-clients.ts';
import { SECRET_FORMS } from '../exchange/exchange.ts';
import { ACTUAL_TYPES } from './actual-type.ts';
import { MISMATCHES } from './mismatch.ts';

const SOURCE = join(import.meta.dirname, '..');
/** Where findings are made, and the kinds of answers and values that they are made of. */
const FOLDERS = ['json.ts', 'client', 'contract', 'exchange', 'relay', 'verdict'];
const DECLARATIONS = ['actual-type.ts', 'mismatch.ts'];

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
])('the ids of %s', (_, ids) => {
  it('are in lower case, with hyphens, and each is there once', () => {
    expect(ids.filter((id) => !/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('are all in use', () => {
    // Made of a form and a place, so that none is spelled out.
    const isSecret = (id: string) => SECRET_FORMS.some((form) => id.startsWith(`${form}-in-`));
    expect(ids.filter((id) => !isSecret(id) && !texts.includes(`'${id}'`))).toEqual([]);
  });
});

it('Stock clients were measured on mismatches that a finding can have', () => {
  const { mismatches } = loadStockClients();
  expect(mismatches.filter(({ mismatch }) => !MISMATCHES.some((id) => id === mismatch))).toEqual([]);
  expect(mismatches.filter(({ actual }) => !ACTUAL_TYPES.some((id) => id === actual))).toEqual([]);
});
