/** The clients of the self-test: faulty ones are caught for the right reason, odd ones are left alone. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { breakableClauses } from '../../src/selftest/clause-matrix.ts';
import { clientKillMatrix } from '../../src/selftest/clients/client-matrix.ts';
import { listClientSubjects, tryClients } from '../../src/selftest/clients/try-clients.ts';
import { listSubjects } from '../../src/selftest/run-selftest.ts';
import { onePerClause } from '../kit/sample-subjects.ts';

/** How many that break nothing are tried. The self-test tries every client. */
const RIGHT = 2;
const SUBJECTS = listClientSubjects();

it('every must and should clause for clients is broken by a faulty client, and no other clause', () => {
  const broken = SUBJECTS.flatMap((subject) => (subject.kind === 'faulty client' ? subject.breaks : []));
  expect([...new Set(broken)].toSorted()).toEqual(breakableClauses('client').toSorted());
});

it('no client has the name of a fault or a variant', () => {
  const names = [...listSubjects(), ...SUBJECTS].map(({ id }) => id);
  expect(new Set(names).size).toBe(names.length);
});

it('the kill matrix has every client', () => {
  const results = SUBJECTS.map((subject) => ({
    subject,
    problems: [],
    foundBy: subject.kind === 'faulty client' ? { all: subject.breaks } : {},
  }));
  const matrix = readFileSync(new URL('../../reports/kill-matrix.md', import.meta.url), 'utf8');
  expect(matrix.slice(matrix.indexOf('\n## Clients'), matrix.indexOf('\n## Relays'))).toBe(clientKillMatrix(results));
});

it(
  'one faulty client for each clause is found to break exactly its clauses, and odd ones none',
  { timeout: 600_000 },
  async () => {
    const names = onePerClause(SUBJECTS, RIGHT);
    const results = await tryClients({ names });
    expect(results).toHaveLength(names.length);
    for (const { subject, problems } of results) expect.soft(problems, subject.id).toEqual([]);
  },
);
