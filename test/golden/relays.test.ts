/** The relays of the self-test: faulty ones are caught for the right reason, legal ones are left alone. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { loadContract } from '../../src/contract/load-contract.ts';
import { breakableClauses } from '../../src/selftest/clause-matrix.ts';
import { listClientSubjects } from '../../src/selftest/clients/try-clients.ts';
import { relayKillMatrix } from '../../src/selftest/relays/relay-matrix.ts';
import { listRelaySubjects, tryRelays } from '../../src/selftest/relays/try-relays.ts';
import { listSubjects } from '../../src/selftest/run-selftest.ts';
import { onePerClause } from '../kit/sample-subjects.ts';

/** How many that break nothing are tried. The self-test tries every relay. */
const RIGHT = 2;
const SUBJECTS = listRelaySubjects();

it('every must and should clause for relays is broken by a faulty relay, and no other but those of a gateway', () => {
  const broken = SUBJECTS.flatMap((subject) => (subject.kind === 'faulty relay' ? subject.breaks : []));
  const own = broken.filter((clause) => loadContract().clause(clause) === undefined);
  expect([...new Set(own)].toSorted()).toEqual(breakableClauses('relay').toSorted());
});

it('no relay has the name of a fault, a variant or a client', () => {
  const names = [...listSubjects(), ...listClientSubjects(), ...SUBJECTS].map(({ id }) => id);
  expect(new Set(names).size).toBe(names.length);
});

it('the kill matrix has every relay', () => {
  const results = SUBJECTS.map((subject) => ({
    subject,
    problems: [],
    foundBy: subject.kind === 'faulty relay' ? { all: subject.breaks } : {},
  }));
  const matrix = readFileSync(new URL('../../reports/kill-matrix.md', import.meta.url), 'utf8');
  expect(matrix.slice(matrix.indexOf('\n## Relays'))).toBe(relayKillMatrix(results));
});

it(
  'one faulty relay for each clause is found to break exactly its clauses, and legal ones none',
  { timeout: 600_000 },
  async () => {
    const names = onePerClause(SUBJECTS, RIGHT);
    const results = await tryRelays({ names });
    expect(results).toHaveLength(names.length);
    for (const { subject, problems } of results) expect.soft(problems, subject.id).toEqual([]);
  },
);
