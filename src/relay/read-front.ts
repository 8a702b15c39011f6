/** The expectations of a gateway's own case, which also hold for its answers to the client of a relay. */
import { loadContract } from '../contract/load-contract.ts';
import type { SourcePlace } from '../suite/case.ts';
import { loadSuites } from '../suite/load-suites.ts';
import { UsageError } from '../usage-error.ts';
import type { ReadExpectation } from './relay-case.ts';

/** @title expectations of a gateway's case */
export interface FrontEntry {
  /** A case of the gateway's suites. Its clauses also hold for every answer to the client. */
  readonly front: string;
  /** Clauses that other cases for relays judge. */
  readonly except?: readonly string[];
}

/** Only what is judged: `wirecheck run` observes the rest. */
export function readFront({ front, except = [] }: FrontEntry, at: SourcePlace): readonly ReadExpectation[] {
  const contract = loadContract();
  const testCase = loadSuites([], contract)
    .flatMap(({ cases }) => cases)
    .find(({ id }) => id === front);
  if (!testCase) throw new UsageError(`unknown case "${front}".`, at);
  const other = except.find((clause) => !testCase.expect.some((expectation) => expectation.clause === clause));
  if (other !== undefined) throw new UsageError(`${front} does not judge "${other}".`, at);
  return testCase.expect
    .filter(({ clause }) => contract.clause(clause)?.level !== 'observe' && !except.includes(clause))
    .map((expectation) => ({
      clause: expectation.clause,
      check: 'front',
      options: {},
      front: { ...expectation, over: testCase.over },
    }));
}
