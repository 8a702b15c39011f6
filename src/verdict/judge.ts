/** Judges what a gateway answered: picks the exchanges of each case, and counts its answers over rounds and retries. */

import type { Contract } from '../contract/contract.ts';
import { isApiAbsent } from '../exchange/ending.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { wasAnswered } from '../exchange/reading/answered.ts';
import { isReadableByPage } from '../exchange/reading/cross-origin.ts';
import { withoutPages } from '../exchange/reading/blocked-keys.ts';
import type { Traffic } from '../exchange/traffic.ts';
import { MAY_BE_SELECTED } from '../plan/make-steps.ts';
import type { Plan } from '../plan/plan.ts';
import { STEPS } from '../plan/known-steps.ts';
import type { Settings } from '../settings.ts';
import { type Case, type Expectation, isSelection } from '../suite/case.ts';
import type { Check, Checks, RunView } from './check.ts';
import { inconclusive, skipped } from './check-result.ts';
import { type Executed, judgeCases, MAX_LISTED } from './judge-cases.ts';
import { addReplaced, describeAnswers, judgeRounds } from './judge-rounds.ts';
import { noBasis, noControl } from './reading/control.ts';
import { answerTo, controlFrom, isBasisUnsteady, replacedOf, roundsOf, viewRun } from './reading/pick-exchanges.ts';
import type { Reason } from './reason.ts';
import type { CheckResult, NotJudged, Verdict } from './verdict.ts';

export interface JudgingOptions {
  readonly contract: Contract;
  readonly settings: Settings;
  readonly checks: Checks;
  /** What checks keep from one part of a recording to the next. */
  readonly carried?: Map<string, unknown> | undefined;
}

/** The same for all expectations of a run. */
interface JudgedRun {
  readonly plan: Plan;
  readonly run: RunView;
  readonly checks: Checks;
}

/** A case, and what came of its requests. */
interface AnsweredCase {
  readonly case: Case;
  /** Why nothing was to be sent for it. */
  readonly omission?: Reason;
  readonly rounds: readonly (readonly Exchange[])[];
  /** Those of all rounds. */
  readonly exchanges: readonly Exchange[];
}

export function judgeGateway(
  plan: Plan,
  received: Traffic,
  { contract, settings, checks, carried }: JudgingOptions,
): readonly Verdict[] {
  const traffic = withoutPages(received);
  const run = viewRun(traffic, contract, settings, carried);
  const judged: JudgedRun = { plan, run, checks };
  const verdicts = judgeCases(answeredCases(judged), {
    contract,
    settings,
    checks,
    whyNot: (evidence, check, level) => whyNotJudged(evidence, check, level === 'observe', judged),
    execute: (evidence, check, expectation) => execute(evidence, check, expectation, judged),
    requestOf: (id) => traffic.exchanges.find((exchange) => exchange.id === id)?.request,
  });
  return withoutCovers(verdicts, plan, checks);
}

function answeredCases({ plan, run }: JudgedRun): readonly AnsweredCase[] {
  const omissions = new Map(plan.omissions.map((omission) => [omission.case, omission]));
  return plan.cases.map((testCase) => {
    const omission = omissions.get(testCase.id)?.reason;
    if (omission) return { case: testCase, omission, rounds: [], exchanges: [] };
    const rounds = roundsOf(testCase, plan, run);
    const [only = [], ...more] = rounds;
    return { case: testCase, rounds, exchanges: more.length === 0 ? only : rounds.flat() };
  });
}

/** Broken at whatever level, or refused in any case, so that its refusal shows nothing new. */
function isRefusedAlone({ findings, reason }: Verdict): boolean {
  return findings.length > 0 || reason?.kind === 'basis-unanswered' || reason?.kind === 'basis-unsteady';
}

/** If one value is already refused alone, the refusal of a request that combines several adds nothing. */
function withoutCovers(verdicts: readonly Verdict[], plan: Plan, checks: Checks): readonly Verdict[] {
  const broken = new Set(verdicts.filter(isRefusedAlone).map((verdict) => verdict.case));
  const explained = new Set(
    plan.cases.flatMap(({ id, ask }) => (ask?.coveredBy !== undefined && broken.has(id) ? [ask.coveredBy] : [])),
  );
  return verdicts.map((verdict) => {
    const isExplained = explained.has(verdict.case) && checks[verdict.check]?.expectsAnswer;
    if (!isExplained || verdict.findings.length === 0) return verdict;
    // Its answers are counted where they are explained.
    const { answers: _answers, intermittent: _intermittent, shared: _shared, ...rest } = verdict;
    return { ...rest, verdict: 'skipped', reason: { kind: 'no-occasion', of: 'combined-request' }, findings: [] };
  });
}

function whyNotJudged(
  { case: testCase, omission, exchanges }: AnsweredCase,
  { needsNoExchange }: Check,
  isObserved: boolean,
  { plan, run }: JudgedRun,
): NotJudged | undefined {
  if (omission) return skipped(omission);
  const control = controlOf(testCase, exchanges, plan, run);
  if (isApiAbsent(run.traffic.ending) || (exchanges.length === 0 && !needsNoExchange)) {
    const before = answeredBefore(testCase, plan, run);
    return before ? skipped(before) : inconclusive(whyNotSent(testCase, run, control));
  }
  if (!isObserved || testCase.ask?.control === undefined) return undefined;
  return control && wasAnswered(control) ? undefined : inconclusive(noControl(control));
}

/** Why a case that depends on the answers of other ones was not to be sent. */
function answeredBefore({ ask }: Case, plan: Plan, run: RunView): Reason | undefined {
  if (ask?.ifReadable && run.traffic.ending.kind === 'complete' && !run.traffic.exchanges.some(isReadableByPage))
    return { kind: 'no-occasion', of: 'allowed-origin' };
  const other = plan.cases.find(({ id }) => id === ask?.unlessAnswered);
  const answer = other && answerTo(plan.stepsOf[other.id] ?? [], run);
  const clause = other?.expect[0]?.clause;
  if (clause === undefined || !answer || !wasAnswered(answer)) return undefined;
  return { kind: 'see-clause', because: 'answered-before', clause };
}

/** Why a case was not sent. */
function whyNotSent(testCase: Case, { traffic: { ending } }: RunView, control: Exchange | undefined): Reason {
  if (ending.kind !== 'complete') return { kind: 'run-ended', ending };
  return testCase.over.length > 0 ? { kind: 'nothing-to-judge' } : noBasis(control);
}

function execute(
  { case: testCase, rounds, exchanges }: AnsweredCase,
  check: Check,
  { clause, options }: Expectation,
  judged: JudgedRun,
): Executed {
  const { plan, run, checks } = judged;
  const control = controlOf(testCase, exchanges, plan, run);
  const isUnjudged = isBodyUnjudged(check, testCase, exchanges, judged);
  const input = { clause, options, run, ...(control && { control }), ...(isUnjudged && { isBodyUnjudged: true }) };
  const judge = (some: readonly Exchange[]): CheckResult => check.execute({ ...input, exchanges: some });
  const isUnsteady = check.findsRefusals === true && isBasisUnsteady(testCase, plan, run, checks);
  const inRounds = judgeRounds(rounds, { blocked: run.blocked, isUnsteady }, judge);
  const replaced = check.ignoresCutAnswers ? [] : replacedOf(testCase, exchanges, run);
  const { result, answers } = addReplaced(inRounds, replaced, judge);
  const findings = result.kind === 'broken' ? result.findings : [];
  const counted = describeAnswers(answers, rounds.length > 1, findings);
  // The finding that broke the clause comes first: a case shows that one.
  const shown = counted.intermittent ? [...(answers?.broken ?? []), ...(answers?.kept ?? [])] : exchanges;
  return { result, exchanges: [...new Set(shown.slice(0, MAX_LISTED).map(({ id }) => id))], counted };
}

/**
 * The exchange that must be answered before this case proves anything: its control, its basis or the plain chat request. A
 * basis may not have been sent because the plain one was refused.
 */
function controlOf({ ask }: Case, exchanges: readonly Exchange[], plan: Plan, run: RunView): Exchange | undefined {
  if (!ask) return undefined;
  // A control is either a base request, whose step has the same name, or a case, which has steps.
  const named = (name: string): Exchange | undefined => controlFrom(plan.stepsOf[name] ?? [name], run);
  if (ask.control !== undefined) return named(ask.control);
  const basis = ask.basis === undefined ? undefined : named(ask.basis);
  if (basis) return basis;
  return ask.base.path === '/chat/completions' && !isControl(exchanges) ? run.exchange(STEPS.control) : undefined;
}

/** Usually a case that looks over all answers does. With `--only`, it may not be part of the run. */
function isBodyUnjudged(
  { asksWhetherBodiesAreJudged }: Check,
  testCase: Case,
  [exchange]: readonly Exchange[],
  { plan: { cases }, checks }: JudgedRun,
): boolean {
  // To look through all cases takes time, and few checks ask.
  if (!asksWhetherBodiesAreJudged || !exchange) return false;
  const { request, seeks } = exchange;
  const looksAt = (name: string): boolean => isSelection(name) && MAY_BE_SELECTED[name](request, seeks);
  return !cases.some(
    (other) =>
      (other === testCase || other.over.some(looksAt)) &&
      other.expect.some(({ check }) => checks[check]?.judgesWholeBodies === request.mode),
  );
}

function isControl([exchange]: readonly Exchange[]): boolean {
  return exchange?.step === STEPS.control || exchange?.step === STEPS.bareControl;
}
