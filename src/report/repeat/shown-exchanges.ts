/** The exchanges that findings show, each with a command that repeats it. */
import type { Step } from '../../plan/plan.ts';
import { STEPS } from '../../plan/known-steps.ts';
import { withoutUndefined } from '../../json.ts';
import type { CountedAnswers, Finding } from '../../verdict/verdict.ts';
import type { CaseReport, ExchangeReport, ExpectationReport, Report } from '../report.ts';
import { checkOfLibrary, curlCommand, repeatByCase } from './repeat-command.ts';
import type { RepeatedRun } from '../../settings/setting-flags.ts';
import { traitsOf } from '../subject-traits.ts';

/** Exchanges with a finding about a status, a header or a whole body, rather than about a place in the body. */
export function exchangesWithHeadPoint(verdicts: readonly { readonly findings: readonly Finding[] }[]) {
  const points = verdicts.flatMap(({ findings }) => findings.filter(({ pointer }) => pointer === undefined));
  return new Set(points.flatMap(exchangesBehind));
}

/** Adds a command to each exchange that a finding shows, and the edits of a request that no case of the report sent. */
export function describeShown(
  exchanges: readonly ExchangeReport[],
  cases: readonly CaseReport[],
  steps: readonly Step[],
  run: RepeatedRun,
): readonly ExchangeReport[] {
  const expectations = cases.flatMap((testCase) => testCase.expectations);
  const shown = new Set(expectations.flatMap(({ findings }) => findings.flatMap(exchangesBehind)));
  const sent = new Set(cases.flatMap(({ exchange }) => exchange ?? []));
  const withHead = exchangesWithHeadPoint(expectations);
  const repeated = new Set(steps.flatMap((step) => (step.repeat ? [step.id] : [])));
  return exchanges.map((exchange) => {
    const { id } = exchange;
    if (!shown.has(id)) return exchange;
    const edits = sent.has(id) ? undefined : steps.find((step) => step.id === exchange.step)?.edits;
    const curl = curlCommand(exchange, run, withHead.has(id));
    // A request that was sent until its answer changed, as with a key that has a rate limit.
    const often = repeated.has(exchange.step) ? exchange.number : undefined;
    const repeat = curl && (often === undefined ? curl : `for call in $(seq ${often}); do ${curl}; echo; done`);
    return { ...exchange, ...withoutUndefined({ edits, repeat }) };
  });
}

/** The exchanges that show a finding, in the order in which they were sent. */
export function exchangesBehind({ exchange, actual }: Pick<Finding, 'exchange' | 'actual'>): readonly string[] {
  const isOfTwo =
    actual.kind === 'repeated' ||
    actual.kind === 'cached-reply' ||
    (actual.kind === 'foreign-word' && actual.isEarlier === true);
  if (isOfTwo && actual.exchange !== undefined) return [actual.exchange, exchange];
  return actual.kind === 'bare-key-accepted' ? [exchange, STEPS.bareKey] : [exchange];
}

/** The command that shows a finding again. */
export function repeatOfFinding(
  report: Report,
  testCase: CaseReport,
  expectation: ExpectationReport,
  finding: Pick<Finding, 'exchange' | 'actual'> | undefined,
): string | undefined {
  const canSend = canSendAgain(report);
  if (canSend && finding?.actual.kind === 'foreign-word' && !finding.actual.isEarlier) return repeatInParallel(report);
  const sending = senderOf(report, testCase, expectation.check, finding);
  const hasCommand = canSend && checkOfLibrary(sending.expectations) === undefined;
  if (hasCommand && expectation.intermittent && expectation.answers) {
    return repeatUntilSeen(report, sending.id, expectation.answers, expectation.level === 'should');
  }
  const curl = finding && curlBehind(report, finding);
  if (curl !== undefined) return curl;
  if (!canSend || finding === undefined || finding.exchange === testCase.exchange) return testCase.repeat;
  return hasCommand ? repeatByCase(repeatedRun(report), sending.id) : undefined;
}

/** A foreign recording has no cases that could be sent again, and no case of a run sends what was drawn. */
function canSendAgain(report: Report): boolean {
  return traitsOf(report).isPlanned && report.cost.most.requests > 0 && report.explore === undefined;
}

function curlBehind({ exchanges }: Report, finding: Pick<Finding, 'exchange' | 'actual'>): string | undefined {
  const curls = exchangesBehind(finding).map((id) => exchanges.find((each) => each.id === id)?.repeat);
  return curls.every((curl) => curl !== undefined) ? curls.join('; echo; ') : undefined;
}

/** This check judges every run, so that the case which sent the request is enough to show what it found. */
const JUDGES_EVERY_RUN = 'every-error-body';

/** The case to send again: as little as shows the finding. */
function senderOf(
  report: Report,
  testCase: CaseReport,
  check: string,
  finding?: Pick<Finding, 'exchange'>,
): CaseReport {
  if (check !== JUDGES_EVERY_RUN || finding === undefined) return testCase;
  return report.cases.find(({ exchange, base }) => base !== undefined && exchange === finding.exchange) ?? testCase;
}

function repeatedRun({ target, provenance }: Report): RepeatedRun {
  return { ...target, ...provenance };
}

/** Enough requests at once for replies to be mixed up again. */
const MANY = 24;

function repeatInParallel(report: Report): string {
  const run = repeatedRun(report);
  const { parallel } = run.settings;
  const settings = { ...run.settings, parallel: Math.max(MANY, typeof parallel === 'number' ? parallel : 0) };
  return repeatByCase({ ...run, settings }, 'chat/parallel*');
}

/** Rarer faults are not worth the answers that it takes to see them. */
const MAX_ONE_IN = 100;

/**
 * For a fault that one more request may not show: asks until it shows, and at most as often as a fault half as rare again
 * would need.
 */
function repeatUntilSeen(report: Report, id: string, answers: CountedAnswers, isStrict: boolean): string {
  const run = repeatedRun(report);
  const detect = Math.min(MAX_ONE_IN, Math.max(2, Math.ceil((1.5 * answers.judged) / answers.broken)));
  const settings = { ...run.settings, detect, ...(isStrict && { strict: true }) };
  return `${repeatByCase({ ...run, settings }, id)} --bail`;
}
