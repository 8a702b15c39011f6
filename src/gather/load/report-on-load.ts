/** The report on a target under load, from what was counted while it ran, and the verdict in its last line (rule 36). */

import { UNCHANGED } from '../../contract/profile/apply-profile.ts';
import { areTimesSure, type LoadEnd, type LoadStart } from '../../exchange/load-traffic.ts';
import type { Notice } from '../../exchange/notice.ts';
import { describeSettings, describeTarget, makeReport } from '../../report/make-report.ts';
import type { Excuses } from '../../report/excuses/apply-excuses.ts';
import type { LoadOutcome, LoadReport, LoadStage, LoadVerdict, TooFewAnswers } from '../../report/load-report.ts';
import { repeatLoad } from '../../report/repeat/repeat-load.ts';
import { outcomeUnderLoad } from '../../report/outcome.ts';
import type { Report } from '../../report/report.ts';
import type { Contract } from '../../contract/contract.ts';
import { withoutUndefined } from '../../json.ts';
import { isLoopback } from '../../run/check-address.ts';
import { DEFAULT_SETTINGS, LOAD_CONCURRENCY } from '../../settings.ts';
import type { AnyCase } from '../../suite/case.ts';
import { CHECKS } from '../../verdict/checks/index.ts';
import { inconclusive } from '../../verdict/check-result.ts';
import { judgeCases } from '../../verdict/judge-cases.ts';
import type { Verdict } from '../../verdict/verdict.ts';
import { recoveryFinding } from './alone-calls.ts';
import type { LoadJudge } from './load-judge.ts';
import { countAll, LOAD_CHECKS, type LoadCheck, type LoadEvidence } from './load-checks.ts';
import { judgedByLoad, type LoadCases, loadContractUnder, planLoad, readLoadSettings } from './plan-load.ts';
import { Histogram, judgeBudget } from './tally.ts';

interface CheckedLoad extends LoadStart, LoadEnd {
  readonly cases: LoadCases;
  readonly judge: LoadJudge;
}

/** Makes the report of what was counted, as it happened or from a recording. */
export function reportOnLoad(checked: CheckedLoad, excuses: Excuses = {}): Report {
  const { settings, cases, judge, used, model, upstreamUrl, unrecovered, during } = checked;
  const { baseUrl, seed } = settings;
  const all: readonly AnyCase[] = [...cases.own, ...cases.ordinary];
  const contract = loadContractUnder(settings, all);
  const evidence = evidenceOf(checked);
  const { stages } = evidence;
  const counts = countAll(judge, judgedByLoad(cases), evidence);
  const verdicts = [...judgeOwn(checked, evidence, contract), ...judge.ordinary.map(({ verdict }) => verdict)];
  // The User-Agent of a load is its own, and nobody set it.
  const described = describeSettings(
    { ...settings, userAgent: DEFAULT_SETTINGS.userAgent },
    { ...DEFAULT_SETTINGS, concurrency: LOAD_CONCURRENCY[during ? 'during' : 'ramp'] },
  );
  const repeated = { baseUrl, settings: described, seed, isLocal: evidence.isLocal, during: during?.command };
  const report = makeReport({
    subject: 'load',
    target: describeTarget(baseUrl, model, upstreamUrl),
    contract,
    base: loadContractUnder(UNCHANGED, all),
    cases: all,
    // Every case has a verdict on each of its expectations, also if nothing was sent.
    verdicts: all.flatMap(({ id }) => verdicts.filter((verdict) => verdict.case === id)),
    checks: { ...CHECKS, ...LOAD_CHECKS },
    detailsOf: ({ id }) => {
      const shown = counts.find((count) => count.case === id && count.broken > 0);
      return { edits: [], ...repeatLoad(repeated, shown, stages) };
    },
    exchanges: unrecovered ? [...judge.examples, unrecovered] : judge.examples,
    settings,
    described,
    traffic: checked,
    notices: [...checked.notices, ...fallbackNotice(evidence)],
    cost: { used, least: used, most: used },
    excuses,
  });
  const plan = during ? undefined : planLoad(settings);
  const failed = report.cases.flatMap(({ id, expectations }) =>
    expectations
      .filter(({ verdict, excused }) => verdict === 'fail' && excused === undefined)
      .map(({ clause }) => ({ case: id, clause })),
  );
  const verdict = judgeLoad({ ...checked, stages, counts, failed, plan });
  const { mix, disconnects } = readLoadSettings(settings);
  const load: LoadReport = {
    concurrency: plan?.ramp.at(-1)?.inFlight ?? settings.concurrency,
    mix,
    disconnects,
    ...withoutUndefined({ refused: checked.refused, during }),
    slowReaders: upstreamUrl === undefined ? 0 : settings.load.slowReaders,
    stages,
    answers: sumOutcomes(stages, JUDGED),
    broken: sumOutcomes(stages, ['broken']),
    counts,
    recovery: checked.recovery,
    budgets: evidence.budgets,
    verdict,
  };
  return { ...report, load, outcome: outcomeUnderLoad(report.outcome, verdict) };
}

function fallbackNotice({ stages, hasFallback }: LoadEvidence): readonly Notice[] {
  return stages.some(({ failing }) => failing) && !hasFallback ? [{ kind: 'no-fallback' }] : [];
}

function evidenceOf(checked: CheckedLoad): LoadEvidence {
  const { judge, settings, recovery, unrecovered, upstreamUrl, during } = checked;
  const { tallies, rejections, secondTries, examples } = judge;
  const end = during?.end;
  // A command that failed proves nothing about the target.
  const doubt = end && (end.kind !== 'exited' || end.code !== 0) && ({ doubt: 'command-failed' } as const);
  return {
    ...checked,
    ...{ tallies, rejections, secondTries },
    stages: judge.stages.map((stage) => (stage.phase === 'during' ? { ...stage, ...doubt } : stage)),
    hasUpstream: upstreamUrl !== undefined,
    hasFallback: judge.upstreams.size > 1,
    isLocal: isLoopback(new URL(settings.baseUrl).hostname),
    ...(unrecovered &&
      recovery.kind === 'not-recovered' && { recoveryFinding: recoveryFinding(unrecovered, recovery.after) }),
    budgets: readLoadSettings(settings).budgets.map((budget) => judgeBudget(budget, timesFor(budget, judge))),
    anyExchange: examples[0]?.id ?? '',
  };
}

/** Over the stages of the ramp, without those in which the checker or the machine was busy. */
function timesFor(
  { time, inFlight }: Pick<LoadReport['budgets'][number], 'time' | 'inFlight'>,
  { counts }: LoadJudge,
): Histogram {
  const sum = new Histogram();
  for (const { report, times } of counts) {
    const isMeant = report?.phase === 'ramp' && (inFlight === undefined || inFlight === report.inFlight);
    if (isMeant && areTimesSure(report.generator)) sum.merge(times[time]);
  }
  return sum;
}

function judgeOwn(checked: CheckedLoad, run: LoadEvidence, contract: Contract): readonly Verdict[] {
  const { cases, ending, settings, judge } = checked;
  const requests = new Map(judge.examples.map(({ id, request }) => [id, request]));
  return judgeCases<{ readonly case: AnyCase }, LoadCheck>(
    judgedByLoad(cases).map((testCase) => ({ case: testCase })),
    {
      contract,
      settings,
      checks: LOAD_CHECKS,
      whyNot: () => (run.stages.length === 0 ? inconclusive({ kind: 'run-ended', ending }) : undefined),
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

const GAP_OF = { unanswered: 'stage-inconclusive', interrupted: 'ended', 'command-failed': 'command-failed' } as const;

interface VerdictInput extends Pick<LoadEnd, 'recovery' | 'isShutOut' | 'ending'> {
  readonly stages: readonly LoadStage[];
  readonly counts: LoadReport['counts'];
  /** Absent while a command ran: it has no ramp. */
  readonly plan?: Pick<ReturnType<typeof planLoad>, 'ramp' | 'limitedBy'> | undefined;
  /** Expectations that count and are broken. */
  readonly failed: readonly { readonly case: string; readonly clause: string }[];
}

/** Whether the target held up. */
export function judgeLoad(input: VerdictInput): LoadVerdict {
  const { failed, counts, recovery, isShutOut } = input;
  const stages = input.stages.filter(({ phase }) => phase !== 'halving');
  const answers = sumOutcomes(input.stages, JUDGED);
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
  for (const { doubt, inFlight } of stages) if (doubt) return { kind: 'not-judged', why: GAP_OF[doubt], inFlight };
  if (recovery.kind === 'not-asked') return { kind: 'not-judged', why: 'ended' };
  if (recovery.kind === 'rejecting') return { kind: 'not-judged', why: 'recovery-inconclusive' };
  return held(stages, answers, input);
}

/** The target held up to the highest stage in which some kind of call was reached. */
function held(stages: readonly LoadStage[], answers: number, input: VerdictInput): LoadVerdict {
  const isRejecting = ({ outcomes, calls }: LoadStage): boolean => outcomes.rejected > calls / 2;
  const reached = stages.filter((stage) => stage.kinds.some(({ isReached }) => isReached) && !isRejecting(stage));
  const upTo = highestOf(reached);
  const broken = sumOutcomes(input.stages, ['broken']);
  const few = broken > 0 && { broken };
  const rejecting = stages.find((stage) => stage.inFlight > upTo && isRejecting(stage));
  if (!rejecting)
    return { kind: 'held', upTo, answers, ...few, ...withoutUndefined({ tooFew: findTooFew(stages, upTo, input) }) };
  const { inFlight, outcomes, calls } = rejecting;
  return { kind: 'held', upTo, answers, ...few, rejected: { inFlight, share: outcomes.rejected / Math.max(1, calls) } };
}

/** Stages of the plan that had too few answers, or did not begin, and the setting to blame. */
function findTooFew(stages: readonly LoadStage[], upTo: number, input: VerdictInput): TooFewAnswers | undefined {
  const { plan, ending } = input;
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
const JUDGED: readonly LoadOutcome[] = ['answered', 'rejected', 'failed', 'broken'];

function sumOutcomes(stages: readonly LoadStage[], names: readonly LoadOutcome[]): number {
  return stages.flatMap(({ outcomes }) => names.map((name) => outcomes[name])).reduce((sum, each) => sum + each, 0);
}
