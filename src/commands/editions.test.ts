import { expect, it } from 'vitest';
import { currentEdition } from '../contract/editions.ts';
import { describeEditions } from './editions.ts';
import { listCommand } from './list.ts';

async function shown(json = false): Promise<string> {
  let text = '';
  const screen = { write: (more: string) => void (text += more), colour: false, live: false, columns: undefined };
  const io = { cwd: '.', env: {}, stdout: screen, stderr: screen, onInterrupt: () => () => undefined };
  expect(await listCommand({ args: ['editions'], words: [], options: { json }, flags: {}, io })).toBeUndefined();
  return text;
}

it('lists the editions, the newest first, with digest and changes', async () => {
  const { edition, editionDigest } = currentEdition();
  expect(await shown()).toMatch(new RegExp(`^${edition}  .*\n  Digest +${editionDigest}\n`));
  expect(await shown()).toContain('This is the first edition.');
});

it('prints the same as JSON', async () => {
  const [first] = JSON.parse(await shown(true)) as readonly object[];
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
