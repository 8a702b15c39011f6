/**
 * The gateways of the self-test: those with a fault are caught for the right reason, unusual ones are left alone. All in
 * one file, since it takes a third less CPU than in several workers that each have to be warm.
 */
import { it } from 'vitest';
import { listSubjects } from '../../src/selftest/test-subjects.ts';
import { expectGolden } from '../kit/golden.ts';
import { onePerClause } from '../kit/sample-subjects.ts';

/** How many that break nothing are tried. The self-test tries every gateway. */
const RIGHT = 15;

it('one fault for each clause, and unusual gateways, give their committed verdicts', { timeout: 900_000 }, () =>
  expectGolden(onePerClause(listSubjects('gateway'), RIGHT)),
);
