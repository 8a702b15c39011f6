import { expect, it } from 'vitest';
import { describeSettings } from '../make-report.ts';
import { DEFAULT_SETTINGS } from '../../settings.ts';
import { compareMembers } from './compare-reports.ts';

const pointersOf = (reported: unknown, judged: unknown): readonly string[] =>
  [...compareMembers(reported, judged)].map(({ pointer }) => pointer);

it('Members that differ are named by their pointers, with both values', () => {
  const [first, ...others] = compareMembers({ a: [1, { b: 'x' }] }, { a: [1, { b: 'y' }], 'c/d': null });
  expect(first).toEqual({ kind: 'member', pointer: '/a/1/b', reported: '"x"', judged: '"y"' });
  expect(others).toEqual([{ kind: 'member', pointer: '/c~1d', judged: 'null' }]);
});

it('Lists of different lengths are compared as far as both go', () => {
  expect(pointersOf([1, 2, 3], [1, 4])).toEqual(['', '/1']);
});

it('A member that is absent equals one that is undefined, and __proto__ is a member like any other', () => {
  expect(pointersOf({ a: undefined }, {})).toEqual([]);
  const odd: unknown = JSON.parse('{"__proto__": {"a": 1}}');
  expect(pointersOf(odd, {})).toEqual(['/__proto__']);
});

it.each([
  ['the title', { title: 'a' }, {}],
  ['the name of a target', { target: { name: 'a' } }, { target: {} }],
  ['the machine', { provenance: { node: 'v20', platform: 'linux' } }, { provenance: { node: 'v22' } }],
  ['the path of a recording', { notices: [{ file: 'a' }] }, { notices: [{ file: 'b' }] }],
  ['the digests', { reportDigest: 'a' }, { recordingDigest: 'b' }],
])('%s may differ', (_what, reported, judged) => {
  expect(pointersOf(reported, judged)).toEqual([]);
});

it('The login of a proxy may be missing, but its address may not differ', () => {
  const provenance = (proxy: string) => ({
    provenance: { settings: describeSettings({ ...DEFAULT_SETTINGS, baseUrl: 'http://x/v1', proxy }) },
  });
  const live = provenance('http://ada:word@proxy.example:3128');
  expect(pointersOf(live, provenance('http://proxy.example:3128'))).toEqual([]);
  expect(pointersOf(live, provenance('http://other.example:3128'))).toEqual(['/provenance/settings/proxy']);
});
