/** The clients of the self-test: faulty ones are caught for the right reason, odd ones are left alone. */
import { expect, it } from 'vitest';
import { loadScenarios } from '../../src/gather/client/scenario.ts';
import { breakableClauses } from '../../selftest/kill-matrix.ts';
import { runSelftest } from '../../selftest/run-selftest.ts';
import { listSubjects, type TestSubject } from '../../selftest/test-subjects.ts';
import { evenlySpread, judgesAny, onePerClause } from '../kit/sample-subjects.ts';
import { IS_THOROUGH } from '../kit/thoroughness.ts';

/** How many are tried: about a fifth of the clauses. The self-test tries every client. */
const TRIED = 8;
/** How many of the list that they are taken from break nothing. */
const RIGHT = 4;
/** Of the scenarios that say nothing about the clauses that a client breaks, one in so many is played. */
const STEP = 5;
const SUBJECTS = listSubjects('client');
const SCENARIOS = loadScenarios();

const casesFor = ({ breaks = [] }: TestSubject): readonly string[] =>
  SCENARIOS.filter((scenario, place) => judgesAny(scenario, breaks) || place % STEP === 0).map(({ id }) => id);

it('every must and should clause for clients is broken by a faulty client, and no other clause', () => {
  const broken = SUBJECTS.flatMap(({ breaks = [] }) => breaks);
  expect([...new Set(broken)].toSorted()).toEqual(breakableClauses('client').toSorted());
});

it.skipIf(IS_THOROUGH)(
  'faulty clients for many clauses are found to break exactly their clauses, and odd ones none',
  { timeout: 600_000 },
  async () => {
    const names = evenlySpread(onePerClause(SUBJECTS, RIGHT), TRIED);
    const results = await runSelftest({ names, casesFor });
    expect(results).toHaveLength(names.length);
    for (const { subject, problems } of results) expect.soft(problems, subject.id).toEqual([]);
  },
);
