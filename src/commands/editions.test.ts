import { expect, it } from 'vitest';
import { currentEdition } from '../contract/editions.ts';
import { describeEditions, editionsCommand } from './editions.ts';

function shown(options: { readonly json?: boolean } = {}): string {
  let text = '';
  const screen = { write: (more: string) => void (text += more), colour: false, live: false, columns: undefined };
  const io = { cwd: '.', env: {}, stdout: screen, stderr: screen, onInterrupt: () => () => undefined };
  expect(editionsCommand(options, io)).toBe(0);
  return text;
}

it('lists the editions, the newest first, with digest and changes', () => {
  const { edition, editionDigest } = currentEdition();
  expect(shown()).toMatch(new RegExp(`^${edition}  .*\n  Digest +${editionDigest}\n`));
  expect(shown()).toContain('This is the first edition.');
});

it('prints the same as JSON', () => {
  const [first] = JSON.parse(shown({ json: true })) as readonly object[];
  const { edition, editionDigest } = currentEdition();
  expect(first).toMatchObject({ edition, digest: editionDigest });
});

it('says which parts differ from the edition before', () => {
  const parts = { clauses: 'a', requests: 'b', cases: 'c', schemas: 'd', readings: 'e' };
  const editions = [
    { edition: '2027.2', changes: ['More cases.'] },
    { edition: '2027.1', cut: { date: '2027-02-01', digest: 'two', parts }, changes: ['Clearer words.'] },
    { edition: '2026.1', cut: { date: '2026-12-01', digest: 'two', parts }, changes: ['All of it.'] },
  ];
  expect(describeEditions(editions, { digest: 'three', parts: { ...parts, cases: 'x', readings: 'y' } })).toEqual([
    { edition: '2027.2-draft', digest: 'three', changed: ['cases', 'readings'], changes: ['More cases.'] },
    { edition: '2027.1', date: '2027-02-01', digest: 'two', changed: [], changes: ['Clearer words.'] },
    { edition: '2026.1', date: '2026-12-01', digest: 'two', changes: ['All of it.'] },
  ]);
});
