/** The report on a target under load, from what was counted while it ran. */
import { UNCHANGED } from '../contract/profile/apply-profile.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { areTimesSure, type LoadEnd, type LoadStart } from '../exchange/load-traffic.ts';
import { describeSettings } from '../report/describe-settings.ts';
import type { Excuses } from '../report/excuses/apply-excuses.ts';
import type { LoadBudget, LoadReport, LoadStage, LoadTime } from '../report/load-report.ts';
import { makeReport } from '../report/make-report.ts';
import { repeatLoad } from '../report/repeat/repeat-load.ts';
import type { Report } from '../report/report.ts';
import { isLoopback } from '../run/check-address.ts';
import { DEFAULT_SETTINGS, LOAD_CONCURRENCY, type Settings } from '../settings.ts';
import type { AnyCase, Case } from '../suite/case.ts';
import { CHECKS } from '../verdict/checks/index.ts';
import { judgeCases } from '../verdict/judge-cases.ts';
import { inconclusive } from '../verdict/finding.ts';
import type { Verdict } from '../verdict/verdict.ts';
import { judgeBudget } from './budgets.ts';
import { Histogram } from './histogram.ts';
import { LOAD_CHECKS } from './load-checks.ts';
import { countAll } from './load-counts.ts';
import type { LoadCaseEvidence, LoadCheck, LoadEvidence } from './load-evidence.ts';
import { hasFailed } from './during.ts';
import type { AnswerJudge } from './judge-answers.ts';
import type { LoadBook } from './load-book.ts';
import { type Budget, readLoadSettings } from './load-settings.ts';
import { loadContractUnder } from './load-suite.ts';
import { planLoad } from './plan-load.ts';
import { recoveryFinding } from './recovery.ts';
import { failedIn, judgeLoad, outcomeOf, sumAnswers } from './verdict.ts';

export interface CheckedLoad extends LoadStart, LoadEnd {
  readonly cases: LoadCases;
  readonly judge: AnswerJudge;
  readonly stages: readonly LoadStage[];
}

export interface LoadCases {
  readonly ordinary: readonly Case[];
  readonly own: readonly AnyCase[];
}

/** From what was counted, as it happened or from a recording. */
export function reportOnBook(
  { judge, stages }: LoadBook,
  known: Omit<CheckedLoad, 'judge' | 'stages'>,
  excuses?: Excuses,
): Report {
  const hasDoubt = known.during && hasFailed(known.during);
  const judged = stages.map((stage) =>
    hasDoubt && stage.phase === 'during' ? ({ ...stage, doubt: 'command-failed' } as const) : stage,
  );
  return reportOnLoad({ ...known, judge, stages: judged }, excuses);
}

function reportOnLoad(checked: CheckedLoad, excuses: Excuses = {}): Report {
  const { settings, cases, judge, stages, used, model, upstreamUrl, unrecovered } = checked;
  const { baseUrl, seed } = settings;
  const all: readonly AnyCase[] = [...cases.own, ...cases.ordinary];
  const evidence = evidenceOf(checked);
  const counts = countAll(judge, all, stages, evidence);
  const verdicts = [...judgeOwn(checked, evidence), ...judge.ordinary.judgements.map(({ verdict }) => verdict)];
  // The User-Agent of a load is its own, and nobody set it.
  const described = describeSettings(
    { ...settings, userAgent: DEFAULT_SETTINGS.userAgent },
    { ...DEFAULT_SETTINGS, concurrency: LOAD_CONCURRENCY[checked.during ? 'during' : 'ramp'] },
  );
  const exchanges = examplesOf(checked);
  const report = makeReport({
    subject: 'load',
    target: {
      baseUrl,
      ...(model !== undefined && { model }),
      ...(upstreamUrl !== undefined && { upstream: { url: upstreamUrl } }),
    },
    contract: loadContractUnder(settings, cases.ordinary),
    base: loadContractUnder(UNCHANGED, cases.ordinary),
    cases: all,
    verdicts: inOrder(verdicts, all),
    checks: { ...CHECKS, ...LOAD_CHECKS },
    detailsOf: ({ id }) => ({
      edits: [],
      ...repeatLoad(
        { baseUrl, settings: described, seed, isLocal: evidence.isLocal, during: checked.during?.command },
        counts.find((count) => count.case === id && count.broken > 0),
        stages,
      ),
    }),
    exchanges: unrecovered ? [...exchanges, unrecovered] : exchanges,
    settings,
    described,
    traffic: checked,
    notices: checked.notices,
    cost: { used, least: used, most: used },
    excuses,
  });
  const failed = failedIn(report.cases);
  const { recovery, isShutOut, ending, during } = checked;
  const plan = during ? undefined : planLoad(settings);
  const verdict = judgeLoad({ stages, counts, recovery, isShutOut, ending, failed, ...(plan && { plan }) });
  const load: LoadReport = {
    concurrency: plan?.ramp.at(-1)?.inFlight ?? settings.concurrency,
    ...mixOf(settings),
    ...(checked.refused !== undefined && { refused: checked.refused }),
    slowReaders: upstreamUrl === undefined ? 0 : settings.load.slowReaders,
    stages,
    answers: sumAnswers(stages),
    broken: stages.reduce((sum, { outcomes }) => sum + outcomes.broken + outcomes.failed, 0),
    counts,
    recovery,
    budgets: evidence.budgets,
    ...(during && { during }),
    verdict,
  };
  return { ...report, load, outcome: outcomeOf(report.outcome, verdict) };
}

function mixOf(settings: Settings): Pick<LoadReport, 'mix' | 'disconnects'> {
  const { mix, disconnects } = readLoadSettings(settings);
  return { mix, disconnects };
}

function evidenceOf(checked: CheckedLoad): LoadEvidence {
  const { judge, stages, settings, recovery, unrecovered, upstreamUrl } = checked;
  return {
    tallies: judge.tallies,
    stages,
    hasUpstream: upstreamUrl !== undefined,
    isLocal: isLoopback(new URL(settings.baseUrl).hostname),
    hasOtherKey: checked.hasOtherKey,
    areKeysBlocked: checked.areKeysBlocked,
    isShutOut: checked.isShutOut,
    recovery,
    ...(unrecovered && { recoveryFinding: recoveryFinding(unrecovered) }),
    budgets: readLoadSettings(settings).budgets.map((budget) => judgeOne(budget, checked)),
    rejections: judge.rejections,
    secondTries: judge.secondTries,
    anyExchange: examplesOf(checked)[0]?.id ?? '',
  };
}

/** Over the stages of the ramp, without those in which the checker or the machine was busy. */
function judgeOne(budget: Budget, { judge, stages }: CheckedLoad): LoadBudget {
  const times = new Histogram();
  for (const [place, { phase, inFlight, generator }] of stages.entries()) {
    const isMeant = phase === 'ramp' && (budget.inFlight === undefined || budget.inFlight === inFlight);
    const counts = judge.stages[place];
    if (isMeant && areTimesSure(generator) && counts) times.merge(counts.times[budget.time satisfies LoadTime]);
  }
  return judgeBudget(budget, times);
}

function judgeOwn({ cases, ending, stages, settings, judge }: CheckedLoad, run: LoadEvidence): readonly Verdict[] {
  const requests = new Map(allExamples(judge).map(({ id, request }) => [id, request]));
  const checks: Readonly<Record<string, LoadCheck>> = LOAD_CHECKS;
  return judgeCases<LoadCaseEvidence, LoadCheck>(
    cases.own.map((testCase) => ({ case: testCase, run })),
    {
      contract: loadContractUnder(settings, cases.ordinary),
      settings,
      checks,
      whyNot: () => (stages.length === 0 ? inconclusive({ kind: 'run-ended', ending }) : undefined),
      execute: (_evidence, check) => {
        const tally = check.tally && run.tallies[check.tally];
        return {
          result: check.execute(run),
          exchanges: tally?.examples.map(({ id }) => id) ?? [],
          ...(tally && tally.judged > 0 && { counted: { answers: { judged: tally.judged, broken: tally.broken } } }),
        };
      },
      requestOf: (exchange) => requests.get(exchange),
    },
  );
}

function allExamples(judge: CheckedLoad['judge']): readonly Exchange[] {
  return [...Object.values(judge.tallies).flatMap(({ examples }) => examples), ...judge.ordinary.examples];
}

function examplesOf({ judge }: CheckedLoad): readonly Exchange[] {
  return [...new Map(allExamples(judge).map((exchange) => [exchange.id, exchange])).values()];
}

/** Every case has a verdict on each of its expectations, also if nothing was sent. */
function inOrder(verdicts: readonly Verdict[], cases: readonly AnyCase[]): readonly Verdict[] {
  return cases.flatMap(({ id }) => verdicts.filter((verdict) => verdict.case === id));
}
