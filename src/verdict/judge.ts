/** Turns check results into verdicts, by the level of the clause. No other module does. */
import type { Clause, Level, Contract } from '../contract/contract.ts';
import { wasAnswered } from '../exchange/reading/answered.ts';
import { isApiAbsent } from '../exchange/ending.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { Traffic } from '../exchange/traffic.ts';
import { MAY_BE_SELECTED } from '../plan/feeding.ts';
import { type Plan, BARE_CONTROL_STEP, CONTROL_STEP } from '../plan/plan.ts';
import type { Settings } from '../settings.ts';
import { type Case, type Expectation, isSelection } from '../suite/case.ts';
import { controlFrom, replacedOf, roundsOf, viewRun } from './reading/pick-exchanges.ts';
import { answeredBefore, whyNotSent } from './reading/why-not-sent.ts';
import { isBasisUnsteady } from './reading/unsteady-basis.ts';
import type { Check, Checks, RunView } from './check.ts';
import { addReplaced, describeAnswers, judgeRounds } from './judge-rounds.ts';
import { type Asked, fingerprintOf } from './fingerprint.ts';
import type { Answers, CheckResult, Verdict, VerdictName } from './verdict.ts';

/** Exchanges listed per verdict. Each finding names its own as well. */
const MAX_EXCHANGES = 3;

interface JudgingOptions {
  readonly contract: Contract;
  readonly settings: Settings;
  readonly checks: Checks;
  /** What checks keep from one part of a recording to the next. */
  readonly carried?: Map<string, unknown> | undefined;
}

/** The same for all expectations of a run. */
interface Judging {
  readonly plan: Plan;
  readonly run: RunView;
  readonly checks: Checks;
}

export function judgeCases(
  plan: Plan,
  traffic: Traffic,
  { contract, settings, checks, carried }: JudgingOptions,
): readonly Verdict[] {
  const run = viewRun(traffic, contract, settings, carried);
  const judging: Judging = { plan, run, checks };
  const omissions = new Map(plan.omissions.map((omission) => [omission.case, omission]));
  const verdicts = plan.cases.flatMap((testCase) => {
    const omission = omissions.get(testCase.id);
    return testCase.expect.map((expectation): Verdict => {
      const clause = contract.clause(expectation.clause);
      if (!clause || clause.level === 'none')
        throw new Error(`${testCase.id} judges ${expectation.clause}, which cannot be judged`);
      const level = settings.levels[clause.id] ?? clause.level;
      const frame = frameOf({ case: testCase.id, clause, level, check: expectation.check });
      if (omission) return { ...frame, verdict: 'skipped', reason: omission.reason };
      return judgeExpectation(testCase, expectation, frame, judging);
    });
  });
  return withoutCovers(verdicts, plan, checks);
}

const BROKEN: readonly VerdictName[] = ['fail', 'warn'];

/** Broken, or refused in any case, so that its refusal shows nothing new. */
function isRefusedAlone({ verdict, reason }: Verdict): boolean {
  return BROKEN.includes(verdict) || reason?.kind === 'basis-unanswered' || reason?.kind === 'basis-unsteady';
}

/** If one value is already refused alone, the refusal of a request that combines several adds nothing. */
function withoutCovers(verdicts: readonly Verdict[], plan: Plan, checks: Checks): readonly Verdict[] {
  const broken = new Set(verdicts.filter(isRefusedAlone).map((verdict) => verdict.case));
  const explained = new Set(
    plan.cases.flatMap(({ id, ask }) => (ask?.coveredBy !== undefined && broken.has(id) ? [ask.coveredBy] : [])),
  );
  return verdicts.map((verdict) => {
    const isExplained = explained.has(verdict.case) && checks[verdict.check]?.expectsAnswer;
    if (!isExplained || !BROKEN.includes(verdict.verdict)) return verdict;
    // Its answers are counted where they are explained.
    const { answers: _answers, intermittent: _intermittent, shared: _shared, ...rest } = verdict;
    return { ...rest, verdict: 'skipped', reason: { kind: 'no-occasion', of: 'combined-request' }, findings: [] };
  });
}

type Frame = Omit<Verdict, 'verdict'>;

/** What a verdict is about: a case, the clause that it judges and at which level, and the check that decides. */
export interface Judged {
  readonly case: string;
  readonly clause: Pick<Clause, 'id' | 'kind'>;
  readonly level: Level;
  readonly check: string;
}

interface VerdictOptions {
  /** Which request an exchange was, for fingerprints. */
  readonly asked: (exchange: string) => Asked | undefined;
  readonly strict: boolean;
}

/** The verdict on one expectation of a client or a relay. */
export function verdictOn(
  judged: Judged,
  result: CheckResult,
  exchanges: readonly string[],
  { asked, strict }: VerdictOptions,
): Verdict {
  const frame = frameOf(judged);
  return { ...frame, exchanges: exchanges.slice(0, MAX_EXCHANGES), ...meaningOf(result, frame, asked, strict) };
}

function frameOf({ case: id, clause, level, check }: Judged): Frame {
  return {
    case: id,
    clause: clause.id,
    kind: clause.kind,
    level,
    check,
    flaky: false,
    findings: [],
    observations: [],
    exchanges: [],
  };
}

function judgeExpectation(
  testCase: Case,
  expectation: Expectation,
  frame: Frame,
  { plan, run, checks }: Judging,
): Verdict {
  const check = checks[expectation.check];
  if (!check) throw new Error(`${testCase.id} asks for the check ${expectation.check}, which does not exist`);
  const rounds = roundsOf(testCase, plan, run);
  const [only = [], ...more] = rounds;
  const exchanges = more.length === 0 ? only : rounds.flat();
  if (isApiAbsent(run.traffic.ending) || (exchanges.length === 0 && !check.needsNoExchange)) {
    return withoutExchange(testCase, frame, plan, run);
  }
  const control = controlOf(testCase, exchanges, plan, run);
  if (frame.level === 'observe' && testCase.ask?.control !== undefined && !(control && wasAnswered(control))) {
    return { ...frame, verdict: 'inconclusive', reason: { kind: 'control-unanswered' } };
  }
  const isUnjudged = isBodyUnjudged(check, testCase, exchanges, { plan, checks });
  const execute = (some: readonly Exchange[]): CheckResult =>
    check.execute({
      clause: expectation.clause,
      options: expectation.options,
      exchanges: some,
      ...(control && { control }),
      ...(isUnjudged && { isBodyUnjudged: true }),
      run,
    });
  const isUnsteady = check.findsRefusals === true && isBasisUnsteady(testCase, plan, run, checks);
  const judged = judgeRounds(rounds, { blocked: run.blocked, isUnsteady }, execute);
  const replaced = check.ignoresCutAnswers ? [] : replacedOf(testCase, exchanges, run);
  const { result, answers } = addReplaced(judged, replaced, execute);
  const counted = describeAnswers(answers, more.length > 0);
  const shown = counted.intermittent ? inOrderOfShowing(answers) : exchanges;
  const ids = new Set(shown.slice(0, MAX_EXCHANGES).map(({ id }) => id));
  const asked = (id: string): Asked | undefined =>
    run.traffic.exchanges.find((exchange) => exchange.id === id)?.request;
  const meaning = meaningOf(result, frame, asked, run.settings.strict);
  return { ...frame, exchanges: [...ids], ...counted, ...meaning };
}

function withoutExchange(testCase: Case, frame: Frame, plan: Plan, run: RunView): Verdict {
  const before = answeredBefore(testCase, plan, run);
  if (before) return { ...frame, verdict: 'skipped', reason: before };
  return { ...frame, verdict: 'inconclusive', reason: whyNotSent(testCase, run) };
}

/** The finding that broke the clause comes first: a case shows that one. */
function inOrderOfShowing(answers: Answers | undefined): readonly Exchange[] {
  return [...(answers?.broken ?? []), ...(answers?.kept ?? [])];
}

/** The exchange that must be answered before this case proves anything: its control, its basis or the plain chat request. */
function controlOf({ ask }: Case, exchanges: readonly Exchange[], plan: Plan, run: RunView): Exchange | undefined {
  if (!ask) return undefined;
  const name = ask.control ?? ask.basis;
  // A control is either a base request, whose step has the same name, or a case, which has steps.
  if (name !== undefined) return controlFrom(plan.stepsOf[name] ?? [name], run);
  return ask.base.path === '/chat/completions' && !isControl(exchanges) ? run.exchange(CONTROL_STEP) : undefined;
}

/** Usually a case that looks over all answers does. With `--only`, it may not be part of the run. */
function isBodyUnjudged(
  { asksWhetherBodiesAreJudged }: Check,
  testCase: Case,
  [exchange]: readonly Exchange[],
  { plan: { cases }, checks }: Pick<Judging, 'plan' | 'checks'>,
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
  return exchange?.step === CONTROL_STEP || exchange?.step === BARE_CONTROL_STEP;
}

type Meaning = Pick<Verdict, 'verdict'> & Partial<Pick<Verdict, 'reason' | 'flaky' | 'findings' | 'observations'>>;

function meaningOf(
  result: CheckResult,
  { case: id, clause, level }: Frame,
  asked: (exchange: string) => Asked | undefined,
  strict: boolean,
): Meaning {
  switch (result.kind) {
    case 'holds':
      return { verdict: level === 'observe' ? 'observed' : 'pass', flaky: result.flaky ?? false };
    case 'broken': {
      const findings = result.findings.map((finding) => ({
        ...finding,
        fingerprint: fingerprintOf(clause, id, finding, asked(finding.exchange)),
      }));
      return { verdict: brokenAt(level, strict), findings };
    }
    case 'inconclusive':
    case 'skipped':
      return { verdict: result.kind, reason: result.reason };
    case 'observed':
      return { verdict: 'observed', observations: result.observations };
  }
}

function brokenAt(level: Level, strict: boolean): VerdictName {
  const verdicts: Record<Level, VerdictName> = { must: 'fail', should: strict ? 'fail' : 'warn', observe: 'observed' };
  return verdicts[level];
}
