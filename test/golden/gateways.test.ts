/**
 * The gateways of the self-test: those with a fault are caught for the right reason, unusual ones are left alone. All in
 * one file, since it takes a third less CPU than in several workers that each have to be warm.
 */
import { it } from 'vitest';
import { listSubjects } from '../../selftest/test-subjects.ts';
import { expectGolden } from '../kit/golden.ts';
import { evenlySpread, onePerClause } from '../kit/sample-subjects.ts';
import { IS_THOROUGH } from '../kit/thoroughness.ts';

/** How many are tried: one for every twelfth clause. The self-test tries every gateway. */
const TRIED = 14;
/** How many of the list that they are taken from break nothing. */
const RIGHT = 15;

it.skipIf(IS_THOROUGH)(
  'faulty gateways for many clauses, and unusual ones, give their committed verdicts',
  { timeout: 900_000 },
  () => expectGolden(evenlySpread(onePerClause(listSubjects('gateway'), RIGHT), TRIED)),
);
