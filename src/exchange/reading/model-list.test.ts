import { describe, expect, it } from 'vitest';
import type { Json } from '../../json.ts';
import { modelsExchange } from '../../../test/kit/exchanges.ts';
import { pickCandidates, type ListedModel, readModelList, sampleModels } from './model-list.ts';

const list = (json: Json, status = 200) => readModelList(modelsExchange({ json, status }));
const models = (...ids: readonly string[]): ListedModel[] => ids.map((id) => ({ id, deprecated: false }));

describe('reading a list', () => {
  it('Entries with an id count, whatever else is wrong with them', () => {
    expect(
      list({ data: [{ id: 'a' }, { id: '' }, { id: 5 }, null, 'b', { name: 'c' }, { id: 'd', object: 5 }] }),
    ).toEqual({
      kind: 'list',
      models: [
        { id: 'a', deprecated: false },
        { id: 'd', deprecated: false },
      ],
    });
    expect(list({ data: [] })).toEqual({ kind: 'list', models: [] });
  });

  it('skips a model whose id contained a secret, since the redacted id names no model', () => {
    expect(list({ data: [{ id: 'm-********' }, { id: 'a' }] })).toEqual({
      kind: 'list',
      models: [{ id: 'a', deprecated: false }],
    });
  });

  it.each<[string, Json, number?]>([
    ['a refusal', { data: [] }, 401],
    ['another success', { data: [] }, 201],
    ['an array', [{ id: 'a' }]],
    ['no data', { models: [{ id: 'a' }] }],
    ['data that is an object', { data: { a: { id: 'a' } } }],
    ['a text', 'hello'],
  ])('%s is not a list', (_, json, status) => {
    expect(list(json, status)).toEqual({ kind: 'unreadable' });
  });

  it.each<[Json, boolean]>([
    [{ deprecated: true }, true],
    [{ deprecated: false }, false],
    [{ deprecation_date: '2030-01-01' }, true],
    [{ deprecation_date: null }, false],
    [{ retired_at: '' }, false],
    [{ status: 'deprecated' }, true],
    [{ lifecycle: 'Sunset' }, true],
    [{ status: 'active' }, false],
    [{ description: 'not deprecated' }, false],
  ])('%j: deprecated %s', (mark, deprecated) => {
    expect(list({ data: [{ id: 'a', ...(mark as object) }] })).toMatchObject({ models: [{ deprecated }] });
  });
});

describe('choosing', () => {
  it('takes the first three of the list that are not deprecated', () => {
    expect(pickCandidates([{ id: 'old', deprecated: true }, ...models('a', 'b', 'c', 'd')])).toEqual(['a', 'b', 'c']);
  });

  it('takes deprecated models only if there are no others', () => {
    expect(pickCandidates([{ id: 'old', deprecated: true }])).toEqual(['old']);
    expect(pickCandidates([])).toEqual([]);
  });

  it('samples by the hash of the id, so neither order nor repetition matters', () => {
    const chosen = sampleModels(models('a', 'b', 'c', 'd', 'e', 'a'), 3);
    expect(sampleModels(models('e', 'd', 'c', 'b', 'a'), 3)).toEqual(chosen);
    expect(new Set(chosen).size).toBe(3);
    expect(sampleModels(models('a'), 3)).toEqual(['a']);
    expect(sampleModels(models('a', 'b'), 0)).toEqual([]);
  });
});
