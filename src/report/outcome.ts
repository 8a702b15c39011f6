/** The verdict of a run as a whole, and its exit code. */

import type { Clause } from '../contract/contract.ts';
import { type Ending, exitAfter } from '../exchange/ending.ts';
import { EXIT } from '../exit-codes.ts';
import type { ReportedChecks } from '../verdict/check.ts';
import { didNotApply } from '../verdict/reason.ts';
import type { Verdict, VerdictName } from '../verdict/verdict.ts';
import { countsAsFailed, groupBy, worstVerdict } from './counts.ts';
import type { ExcusedVerdict } from './excuses/apply-excuses.ts';
import type { LoadVerdict } from './load-report.ts';
import type { CaseReport, Outcome } from './report.ts';

interface OutcomeInput {
  readonly verdicts: readonly ExcusedVerdict[];
  readonly clauses: readonly Clause[];
  readonly ending: Ending;
  readonly strict: boolean;
  /** A waiver is unused, and the user asked to fail on that. */
  readonly staleWaiver: boolean;
}

export function runOutcome(input: OutcomeInput): Outcome {
  const { verdicts, ending, strict } = input;
  const failed = verdicts.some(countsAsFailed);
  const undecided = verdicts.some((verdict) => isUndecided(verdict, strict));
  const coverage = coverageOf(input);
  const exit = exitAfter(ending);
  const isInterrupted = exit === EXIT.interrupted;
  if (verdicts.some(({ reason }) => reason?.kind === 'check-threw'))
    return { name: failed ? 'does-not-conform' : 'not-judged', exit: EXIT.bug, ...coverage };
  if (failed) return { name: 'does-not-conform', exit: isInterrupted ? exit : EXIT.failed, ...coverage };
  if (isInterrupted) return { name: 'not-judged', exit, ...coverage };
  // Not the gateway's fault, so that neither a failure nor "conforms" would be right.
  if (input.staleWaiver) return { name: 'unused-waivers', exit: EXIT.failed, ...coverage };
  if (undecided || exit === EXIT.notJudged || !verdicts.some(hasRun))
    return { name: 'not-judged', exit: EXIT.notJudged, ...coverage };
  return { name: nameOfConforming(verdicts, coverage), exit: EXIT.passed, ...coverage };
}

/** A run may have been interrupted. Judging its recording was not, so that its exit code is that of the verdict. */
export function outcomeOfRecording(outcome: Outcome): Outcome {
  if (outcome.exit !== EXIT.interrupted) return outcome;
  return { ...outcome, exit: outcome.name === 'does-not-conform' ? EXIT.failed : EXIT.notJudged };
}

/** Exchanges that somebody else recorded may contain no clause that had to hold. Then nothing was judged. */
export function outcomeOfForeign(outcome: Outcome): Outcome {
  if (outcome.exit !== EXIT.passed || outcome.mustJudged > 0) return outcome;
  return { ...outcome, name: 'not-judged', exit: EXIT.notJudged };
}

/** Calls under load that got no answer do not keep the others from being judged: the stages tell what the run proves (rule 36). */
export function outcomeUnderLoad(outcome: Outcome, { kind }: Pick<LoadVerdict, 'kind'>): Outcome {
  if (outcome.exit === EXIT.interrupted || outcome.exit === EXIT.failed) return outcome;
  if (kind === 'not-judged') return { ...outcome, name: 'not-judged', exit: EXIT.notJudged };
  if (outcome.name !== 'not-judged') return outcome;
  const { undecided: _undecided, ...rest } = outcome;
  return { ...rest, name: 'conforms-in-part', exit: EXIT.passed };
}

/** Inconclusive, and its clause counts. */
export function isUndecided({ verdict, level }: Pick<ExcusedVerdict, 'verdict' | 'level'>, strict: boolean): boolean {
  return verdict === 'inconclusive' && (level === 'must' || (strict && level === 'should'));
}

/** A request that should have been answered and was not explains most. */
export function findRoot(
  cases: readonly CaseReport[],
  strict: boolean,
  checks: ReportedChecks,
): Pick<Outcome, 'undecided'> {
  const undecided = cases.flatMap(({ id, expectations }) =>
    expectations.filter((each) => isUndecided(each, strict)).map(({ check, clause }) => ({ case: id, check, clause })),
  );
  const root = undecided.find(({ check }) => checks[check]?.expectsAnswer) ?? undecided[0];
  return root ? { undecided: { case: root.case, clause: root.clause } } : {};
}

/** A case that looked and found no occasion for its clause, such as an error, has also run. */
function hasRun({ verdict, reason }: ExcusedVerdict): boolean {
  if (verdict === 'skipped') return reason?.kind === 'no-occasion';
  return verdict !== 'inconclusive';
}

/** Nothing that counts is broken; the name tells whether something was excused. */
function nameOfConforming(verdicts: readonly ExcusedVerdict[], coverage: Coverage): Outcome['name'] {
  const excuses = new Set(verdicts.filter(({ verdict }) => verdict === 'fail').map(({ excused }) => excused));
  if (excuses.has('known')) return 'no-new-violations';
  if (excuses.has('waived')) return 'conforms-but-waived';
  return coverage.mustJudged + coverage.mustIdle === coverage.mustClauses ? 'conforms' : 'conforms-in-part';
}

type Coverage = ReturnType<typeof coverageOf>;

function coverageOf({ verdicts, clauses }: OutcomeInput) {
  const must = clauses.filter(({ level, scope }) => level === 'must' && scope === 'run');
  const countIn = (ids: ReadonlySet<string>) => must.filter(({ id }) => ids.has(id)).length;
  const [mustJudged, mustIdle] = [countIn(judgedMusts(verdicts)), countIn(idleMusts(verdicts))];
  return { mustClauses: must.length, mustJudged, mustIdle };
}

// When a must clause was judged: the one meaning behind the name of the outcome and every number of judged clauses.

type Judgement = Pick<Verdict, 'clause' | 'level' | 'verdict' | 'reason'>;
type Judgements = readonly Judgement[];

/** Asked, with evidence that decides it or that the contract leaves open. */
const DECIDED: readonly (VerdictName | undefined)[] = ['pass', 'fail', 'observed'];

/**
 * The ids of clauses that were judged as a must: broken, or no case that asked for it was inconclusive, or lacks a recorded
 * request because the contract now asks for another. An expectation at a lower level neither judges a must nor leaves it open.
 */
export function judgedMusts(judgements: Judgements): ReadonlySet<string> {
  return mustsWhere(judgements, (own) => {
    const worst = worstVerdict(own.map(({ verdict }) => verdict));
    return DECIDED.includes(worst) && (worst === 'fail' || !own.some(isAskedOtherwise));
  });
}

/** The ids of must clauses that were asked for, and had no occasion in any answer. */
function idleMusts(judgements: Judgements): ReadonlySet<string> {
  const hadNoOccasion = ({ reason }: Judgement) => reason?.kind === 'no-occasion';
  return mustsWhere(judgements, (own) => own.every(isNotApplicable) && own.some(hadNoOccasion));
}

function mustsWhere(judgements: Judgements, holds: (own: Judgements) => boolean): ReadonlySet<string> {
  const must = judgements.filter(({ level }) => level === 'must');
  return new Set([...groupBy(must, ({ clause }) => clause)].flatMap(([clause, own]) => (holds(own) ? [clause] : [])));
}

/** There is nothing to do about it: the run gave no occasion, or another clause covers it. */
export function isNotApplicable({ verdict, reason }: Pick<Judgement, 'verdict' | 'reason'>): boolean {
  return verdict === 'skipped' && reason !== undefined && didNotApply(reason);
}

/** What the answers to other requests show is not what this contract asks for. */
export function isAskedOtherwise({ reason }: Pick<Judgement, 'reason'>): boolean {
  return reason?.kind === 'asked-otherwise';
}
