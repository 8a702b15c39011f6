/** The report on a gateway, from what it answered. */
import type { Contract } from '../contract/contract.ts';
import { loadContract } from '../contract/load-contract.ts';
import type { Attempt, Exchange } from '../exchange/exchange.ts';
import { wasAnswered } from '../exchange/reading/answered.ts';
import type { Traffic } from '../exchange/traffic.ts';
import { BARE_CONTROL_STEP, CONTROL_STEP, type Plan } from '../plan/plan.ts';
import type { Settings } from '../settings.ts';
import type { RepeatedRun } from '../settings/setting-flags.ts';
import type { AnyCase, Case } from '../suite/case.ts';
import type { ReportedChecks } from '../verdict/check.ts';
import { CHECKS } from '../verdict/checks/index.ts';
import type { Verdict } from '../verdict/verdict.ts';
import { groupBy } from './counts.ts';
import { describeSettings } from './describe-settings.ts';
import type { Excuses } from './excuses/apply-excuses.ts';
import { type CaseDetails, describeTarget, makeReport } from './make-report.ts';
import { checkOfLibrary, curlCommand, repeatByCase } from './repeat/repeat-command.ts';
import { describeShown, exchangesWithHeadPoint } from './repeat/shown-exchanges.ts';
import type { ReplacedAttempts, Report } from './report.ts';
import { surenessOf } from './sureness.ts';
import { timeSpent } from './time-spent.ts';

interface JudgedGateway {
  readonly plan: Plan;
  readonly traffic: Traffic;
  readonly verdicts: readonly Verdict[];
  readonly contract: Contract;
  readonly settings: Settings;
  readonly excuses?: Excuses;
  /** Present for a gateway with an upstream of ours behind it. */
  readonly behind?: UpstreamBehind;
}

interface UpstreamBehind {
  readonly url: string;
  /** What arrived at the upstream. */
  readonly calls: readonly Exchange[];
  /** Before any change. */
  readonly base: Contract;
  /** Those that compare both ends. */
  readonly cases: readonly AnyCase[];
  readonly checks: ReportedChecks;
}

export function reportOnGateway(judged: JudgedGateway): Report {
  const { plan, traffic, verdicts, contract, settings, excuses = {}, behind } = judged;
  const { exchanges, notices, used, bindings } = traffic;
  const { baseUrl, seed } = settings;
  const { model: _routed, ...rest } = settings;
  // With an upstream of ours, the model is one of those that the user routes to it.
  const described = describeSettings(behind ? rest : settings);
  const run: RepeatedRun = { baseUrl, settings: described, seed };
  const withHead = exchangesWithHeadPoint(verdicts);
  const report = makeReport<AnyCase & Pick<Case, 'ask'>>({
    ...(behind && { subject: 'relay' }),
    target: describeTarget(baseUrl, bindings.model, behind?.url),
    contract,
    base: behind?.base ?? loadContract(),
    cases: [...plan.cases, ...(behind?.cases ?? [])],
    partial: plan.partial,
    // Those without a request of their own judge the answers to all others.
    cutShort: wentWell(traffic) ? [] : plan.cases.filter(({ ask }) => !ask).map(({ id }) => id),
    verdicts,
    checks: { ...behind?.checks, ...CHECKS },
    detailsOf: ({ id, ask, expect }, own, shown) => {
      const answeredBy = ask ? own.find((verdict) => verdict.exchanges.length > 0)?.exchanges[0] : undefined;
      const exchange = answeredBy === undefined ? undefined : shown.get(answeredBy);
      const byCase = () => (checkOfLibrary(expect) === undefined ? repeatByCase(run, id) : undefined);
      const repeat = exchange && (curlCommand(exchange, run, withHead.has(exchange.id)) ?? byCase());
      return {
        ...(ask && { base: ask.base.name }),
        ...(ask?.control !== undefined && { control: ask.control }),
        edits: ask?.edits ?? [],
        ...(exchange && { exchange: exchange.id, ...(repeat !== undefined && { repeat }) }),
        ...bothEndsOf(id, own, behind),
      };
    },
    exchanges: [...exchanges, ...(behind?.calls ?? [])],
    settings,
    described,
    traffic,
    notices,
    cost: { used, least: plan.least, most: plan.most },
    retries: countReplaced(exchanges),
    time: timeSpent(traffic, settings),
    excuses,
    sureness: surenessOf(plan, verdicts, CHECKS),
  });
  return { ...report, exchanges: describeShown(report.exchanges, report.cases, plan.steps, run) };
}

/** It came to its end, and a control was answered: a gateway that answers none shows little of itself. */
function wentWell({ ending, exchanges }: Traffic): boolean {
  const controls = exchanges.filter(({ step }) => step === CONTROL_STEP || step === BARE_CONTROL_STEP);
  return ending.kind === 'complete' && (controls.length === 0 || controls.some(wasAnswered));
}

function bothEndsOf(
  id: string,
  verdicts: readonly Pick<Verdict, 'exchanges'>[],
  behind: UpstreamBehind | undefined,
): Pick<CaseDetails, 'exchange' | 'relay'> {
  const [front] = verdicts.flatMap(({ exchanges }) => exchanges);
  if (!behind?.cases.some((testCase) => testCase.id === id) || front === undefined) return {};
  const upstream = behind.calls.filter(({ cause }) => cause === front).map((call) => call.id);
  return { exchange: front, relay: { front: [front], upstream } };
}

/** Attempts that a retry replaced: how often, and why. A gateway that needs many retries works, but not well. */
function countReplaced(exchanges: readonly Exchange[]): ReplacedAttempts {
  const replaced = exchanges.flatMap((exchange) => exchange.attempts.slice(0, -1));
  const causes = [...groupBy(replaced, causeOf)].map(([cause, own]) => [cause, own.length] as const);
  const attempts = exchanges.reduce((sum, exchange) => sum + exchange.attempts.length, 0);
  return { attempts, replaced: replaced.length, causes: Object.fromEntries(causes) };
}

/** The status, or why there was no answer. A 200 that was replaced had broken off. */
function causeOf({ outcome }: Attempt): string {
  return outcome.kind === 'answer' ? String(outcome.answer.status) : outcome.failure.kind;
}
