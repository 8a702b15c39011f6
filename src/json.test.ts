import { expect, it } from 'vitest';
import { withoutUndefined } from './json.ts';

it('An object without undefined members keeps those that are null, false or empty', () => {
  expect(Object.entries(withoutUndefined({ a: undefined, b: null, c: false, d: '', e: 0 }))).toEqual([
    ['b', null],
    ['c', false],
    ['d', ''],
    ['e', 0],
  ]);
});
