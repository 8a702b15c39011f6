/** The report on a gateway, from what it answered. */
import type { Contract } from '../contract/contract.ts';
import { loadContract } from '../contract/load-contract.ts';
import type { Traffic } from '../exchange/traffic.ts';
import type { Plan } from '../plan/plan.ts';
import type { Settings } from '../settings.ts';
import { CHECKS } from '../verdict/checks/index.ts';
import type { Verdict } from '../verdict/verdict.ts';
import { describeSettings } from './describe-settings.ts';
import type { Excuses } from './excuses/apply-excuses.ts';
import { makeReport } from './make-report.ts';
import { curlCommand, repeatByCase } from './repeat/repeat-command.ts';
import type { RepeatedRun } from './repeat/repeat-settings.ts';
import { describeShown, exchangesWithHeadPoint } from './repeat/shown-exchanges.ts';
import type { Report } from './report.ts';
import { countReplaced } from './replaced-attempts.ts';
import { surenessOf } from './sureness.ts';
import { timeSpent } from './time-spent.ts';

export interface JudgedGateway {
  readonly plan: Plan;
  readonly traffic: Traffic;
  readonly verdicts: readonly Verdict[];
  readonly contract: Contract;
  readonly settings: Settings;
  readonly excuses?: Excuses;
}

export function reportOnGateway(judged: JudgedGateway): Report {
  const { plan, traffic, verdicts, contract, settings, excuses = {} } = judged;
  const { exchanges, notices, used, bindings } = traffic;
  const { baseUrl, seed } = settings;
  const described = describeSettings(settings);
  const run: RepeatedRun = { baseUrl, settings: described, seed };
  const withHead = exchangesWithHeadPoint(verdicts);
  const report = makeReport({
    target: { baseUrl, ...(bindings.model !== undefined && { model: bindings.model }) },
    contract,
    base: loadContract(),
    cases: plan.cases,
    partial: plan.partial,
    verdicts,
    checks: CHECKS,
    detailsOf: ({ id, ask }, own, shown) => {
      const answeredBy = ask ? own.find((verdict) => verdict.exchanges.length > 0)?.exchanges[0] : undefined;
      const exchange = answeredBy === undefined ? undefined : shown.get(answeredBy);
      const curl = exchange && curlCommand(exchange, run, withHead.has(exchange.id));
      return {
        ...(ask && { base: ask.base.name }),
        ...(ask?.control !== undefined && { control: ask.control }),
        edits: ask?.edits ?? [],
        ...(exchange && { exchange: exchange.id, repeat: curl ?? repeatByCase(run, id) }),
      };
    },
    exchanges,
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
