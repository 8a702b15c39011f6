import { expect, it } from 'vitest';
import { change, comparison } from '../../../test/kit/comparisons.ts';
import { checkFile } from '../../contract/file-schema.ts';
import type { Comparison } from '../../report/comparison/comparison.ts';
import { renderComparison } from './comparison.ts';

it('A comparison has its last line and its entries in the JSON, which lead to the changes', () => {
  const [first, second] = ['/a', '/b'].map((pointer) => change({ place: { ...change().place, pointer } }));
  const other = change({ kind: 'drift', what: 'time', place: { measure: 'reply' }, cause: '0'.repeat(16) });
  const result = comparison([first, second, other].flatMap((each) => each ?? []));
  const { line, entries } = JSON.parse(renderComparison(result, 'json')) as Comparison;
  expect(line).toBe('BREAKING CHANGES: 1 breaking, 0 warnings, 0 additive, 1 drift');
  expect(entries?.map(({ counted, changes }) => [counted, changes])).toEqual([
    ['breaking', [0, 1]],
    ['drift', [2]],
  ]);
  expect(() =>
    checkFile('comparison', { file: 'c.json', value: JSON.parse(renderComparison(result, 'json')) }),
  ).not.toThrow();
});
