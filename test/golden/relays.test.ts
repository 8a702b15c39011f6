/** The relays of the self-test: faulty ones are caught for the right reason, legal ones are left alone. */
import { expect, it } from 'vitest';
import { loadContract } from '../../src/contract/read-contract.ts';
import { loadRelayCases } from '../../src/gather/relay/read-relay-suite.ts';
import { breakableClauses } from '../../selftest/kill-matrix.ts';
import { runSelftest } from '../../selftest/run-selftest.ts';
import { listSubjects, type TestSubject } from '../../selftest/test-subjects.ts';
import { evenlySpread, judgesAny, onePerClause } from '../kit/sample-subjects.ts';
import { IS_THOROUGH } from '../kit/thoroughness.ts';

/** How many are tried: about a quarter of the clauses. The self-test tries every relay. */
const TRIED = 12;
/** How many of the list that they are taken from break nothing. */
const RIGHT = 4;
const SUBJECTS = listSubjects('relay');
const CASES = loadRelayCases();

/** With an ordinary reply and an ordinary stream, which some clauses are judged on. Legal relays are asked everything. */
const casesFor = ({ breaks }: TestSubject): readonly string[] =>
  breaks === undefined
    ? []
    : ['relay/plain', 'relay/stream', ...CASES.filter((each) => judgesAny(each, breaks)).map(({ id }) => id)];

it('every must and should clause for relays is broken by a faulty relay, and no other but those of a gateway', () => {
  const broken = SUBJECTS.flatMap(({ breaks = [] }) => breaks);
  const own = broken.filter((clause) => loadContract().clause(clause) === undefined);
  expect([...new Set(own)].toSorted()).toEqual(breakableClauses('relay').toSorted());
});

it.skipIf(IS_THOROUGH)(
  'faulty relays for many clauses are found to break exactly their clauses, and legal ones none',
  { timeout: 600_000 },
  async () => {
    const names = evenlySpread(onePerClause(SUBJECTS, RIGHT), TRIED);
    const results = await runSelftest({ names, casesFor });
    expect(results).toHaveLength(names.length);
    for (const { subject, problems } of results) expect.soft(problems, subject.id).toEqual([]);
  },
);
