/** The relays of the self-test: faulty ones are caught for the right reason, legal ones are left alone. */
import { expect, it } from 'vitest';
import { loadContract } from '../../src/contract/load-contract.ts';
import { breakableClauses } from '../../src/selftest/kill-matrix.ts';
import { runSelftest } from '../../src/selftest/run-selftest.ts';
import { listSubjects } from '../../src/selftest/test-subjects.ts';
import { evenlySpread, onePerClause } from '../kit/sample-subjects.ts';

/** How many are tried: about a quarter of the clauses. The self-test tries every relay. */
const TRIED = 12;
/** How many of the list that they are taken from break nothing. */
const RIGHT = 4;
const SUBJECTS = listSubjects('relay');

it('every must and should clause for relays is broken by a faulty relay, and no other but those of a gateway', () => {
  const broken = SUBJECTS.flatMap(({ breaks = [] }) => breaks);
  const own = broken.filter((clause) => loadContract().clause(clause) === undefined);
  expect([...new Set(own)].toSorted()).toEqual(breakableClauses('relay').toSorted());
});

it(
  'faulty relays for many clauses are found to break exactly their clauses, and legal ones none',
  { timeout: 600_000 },
  async () => {
    const names = evenlySpread(onePerClause(SUBJECTS, RIGHT), TRIED);
    const results = await runSelftest({ names, isBrief: true });
    expect(results).toHaveLength(names.length);
    for (const { subject, problems } of results) expect.soft(problems, subject.id).toEqual([]);
  },
);
