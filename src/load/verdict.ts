/** The verdict of a run under load, and its exit code (rule 36). Pure. */
import { EXIT } from '../exit-codes.ts';
import type { Ending } from '../exchange/ending.ts';
import type {
  LoadCount,
  LoadGap,
  LoadRecovery,
  LoadStage,
  LoadVerdict,
  StageDoubt,
  TooFewAnswers,
} from '../report/load-report.ts';
import type { CaseReport, Outcome } from '../report/report.ts';
import type { LoadPlan } from './plan-load.ts';

const GAP_OF: Readonly<Record<StageDoubt, LoadGap>> = {
  unanswered: 'stage-inconclusive',
  interrupted: 'ended',
  'command-failed': 'command-failed',
};

export interface VerdictInput {
  readonly stages: readonly LoadStage[];
  readonly counts: readonly LoadCount[];
  readonly recovery: LoadRecovery;
  /** Valid calls were refused since calls with unknown keys were. */
  readonly isShutOut: boolean;
  readonly ending: Ending;
  /** Absent while a command ran: it has no ramp. */
  readonly plan?: Pick<LoadPlan, 'ramp' | 'limitedBy'>;
  /** Expectations that count and are broken. */
  readonly failed: readonly { readonly case: string; readonly clause: string }[];
}

export function judgeLoad(input: VerdictInput): LoadVerdict {
  const { failed, counts, recovery, isShutOut } = input;
  const stages = input.stages.filter(({ phase }) => phase !== 'halving');
  const answers = sumAnswers(input.stages);
  if (failed.length > 0) {
    const shown = counts.filter((count) =>
      failed.some((each) => each.case === count.case && each.clause === count.clause),
    );
    const from = shown.flatMap(({ firstAt }) => firstAt ?? []);
    const [most] = shown.toSorted((a, b) => b.broken - a.broken);
    const clauses = failed.map(({ clause }) => clause);
    return {
      kind: 'broken',
      // A target that does not recover broke at the highest stage.
      from: from.length > 0 ? Math.min(...from) : highestOf(stages),
      // As the finding says that most answers show. Findings overlap, so that they have no sum.
      answers: most?.judged ?? answers,
      broken: most?.broken ?? 0,
      clauses: [...new Set(most ? [most.clause, ...clauses] : clauses)],
    };
  }
  if (isShutOut) return { kind: 'not-judged', why: 'keys-blocked' };
  const [alone] = stages;
  if (!alone || alone.outcomes.answered === 0) return { kind: 'not-judged', why: 'alone-unanswered' };
  const unclear = stages.find(({ doubt }) => doubt !== undefined);
  if (unclear) {
    const why = GAP_OF[unclear.doubt ?? 'unanswered'];
    return { kind: 'not-judged', why, inFlight: unclear.inFlight };
  }
  if (recovery.kind === 'not-asked') return { kind: 'not-judged', why: 'ended' };
  if (recovery.kind === 'rejecting') return { kind: 'not-judged', why: 'recovery-inconclusive' };
  return held(stages, answers, input);
}

/** Up to the highest stage in which some kind of call was reached. */
function held(stages: readonly LoadStage[], answers: number, input: VerdictInput): LoadVerdict {
  const reached = stages.filter(
    ({ kinds, outcomes, calls }) => kinds.some(({ isReached }) => isReached) && outcomes.rejected <= calls / 2,
  );
  const upTo = highestOf(reached);
  const rejecting = stages.find(({ outcomes, calls, inFlight }) => inFlight > upTo && outcomes.rejected > calls / 2);
  if (rejecting) {
    const { inFlight, outcomes, calls } = rejecting;
    return { kind: 'held', upTo, answers, rejected: { inFlight, share: outcomes.rejected / Math.max(1, calls) } };
  }
  const tooFew = findTooFew(stages, upTo, input);
  return { kind: 'held', upTo, answers, ...(tooFew && { tooFew }) };
}

/** Stages of the plan that had too few answers, or did not begin, and the setting to blame. */
function findTooFew(
  stages: readonly LoadStage[],
  upTo: number,
  { plan, ending }: VerdictInput,
): TooFewAnswers | undefined {
  const missed = plan?.ramp.filter(({ inFlight }) => inFlight > upTo) ?? [];
  const [first] = missed;
  if (!first) return undefined;
  const wasCutShort = missed.some(({ inFlight, least }) =>
    stages.some((stage) => stage.phase === 'ramp' && stage.inFlight === inFlight && stage.duration < least),
  );
  const byBudget = ending.kind === 'budget' && ending.setting !== 'max-time' ? ending.setting : undefined;
  const raise = byBudget ?? (wasCutShort ? plan?.limitedBy : undefined) ?? 'duration';
  return { from: first.inFlight, to: missed.at(-1)?.inFlight ?? first.inFlight, raise };
}

function highestOf(stages: readonly LoadStage[]): number {
  return Math.max(1, ...stages.map(({ inFlight }) => inFlight));
}

/** Answers that were judged: those that were neither left, nor ended at a limit, nor missing. */
export function sumAnswers(stages: readonly LoadStage[]): number {
  return stages.reduce(
    (sum, { outcomes: { answered, rejected, failed, broken } }) => sum + answered + rejected + failed + broken,
    0,
  );
}

/** Expectations that count and are broken. */
export function failedIn(cases: readonly CaseReport[]): VerdictInput['failed'] {
  return cases.flatMap(({ id, expectations }) =>
    expectations
      .filter(({ verdict, excused }) => verdict === 'fail' && excused === undefined)
      .map(({ clause }) => ({ case: id, clause })),
  );
}

/** The outcome of the report, where rule 36 differs from that of other subjects. */
export function outcomeOf(outcome: Outcome, { kind }: LoadVerdict): Outcome {
  if (outcome.exit === EXIT.interrupted || outcome.exit === EXIT.failed) return outcome;
  if (kind === 'not-judged') return { ...outcome, name: 'not-judged', exit: EXIT.notJudged };
  if (outcome.name !== 'not-judged') return outcome;
  const { undecided: _undecided, ...rest } = outcome;
  return { ...rest, name: 'conforms-in-part', exit: EXIT.passed };
}
