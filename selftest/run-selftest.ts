/** Tests the checker on all that has known faults, and on all that is unusual but conforms. */
import { SUBJECT_NAMES, type SubjectName } from '../src/subjects/subjects.ts';
import { CLIENT_TRIALS } from './clients/try-client.ts';
import { compareSubject } from './compare.ts';
import { LOAD_TRIALS } from './load/try-load.ts';
import { RELAY_TRIALS } from './relays/try-relay.ts';
import { listSubjects } from './test-subjects.ts';
import { type TestSide, type TrialOptions, type TrialResult, trySubjects } from './trial.ts';
import { GATEWAY_TRIALS } from './try-gateway.ts';

export interface SelftestOptions extends TrialOptions {
  /** Names of subjects; all by default. */
  readonly names?: readonly string[];
  readonly onResult?: (result: TrialResult) => void;
  /** A result that is not accepted is tried again, alone and with longer timeouts, since a busy machine causes timeouts. */
  readonly accepts?: (result: TrialResult) => boolean;
}

const TEST_SIDES: Readonly<Record<SubjectName, TestSide>> = {
  gateway: GATEWAY_TRIALS,
  client: CLIENT_TRIALS,
  relay: RELAY_TRIALS,
  load: LOAD_TRIALS,
};

export async function runSelftest(options: SelftestOptions = {}): Promise<readonly TrialResult[]> {
  const { names, onResult, accepts = ({ problems }) => problems.length === 0 } = options;
  const results: TrialResult[] = [];
  // One side after the other: all are judged by what they do in time.
  for (const side of SUBJECT_NAMES) {
    const trials = TEST_SIDES[side];
    const own = listSubjects(side).filter(({ id }) => names?.includes(id) ?? true);
    // Those that break nothing are asked everything, so they take longest.
    const queue = [...own.filter(({ breaks }) => !breaks), ...own.filter(({ breaks }) => breaks)];
    const tried = await trySubjects(queue, {
      parallel: trials.parallel,
      needsQuiet: (subject) => trials.needsQuiet?.(subject) ?? false,
      tryOut: async (subject, patience) => compareSubject(subject, await trials.tryOut(subject, patience, options)),
      accepts,
      onResult,
    });
    results.push(...tried);
  }
  return results;
}
