/** Builds the report of a run. */
import type { Contract } from '../contract/contract.ts';
import type { Traffic } from '../exchange/traffic.ts';
import type { Plan } from '../plan/plan.ts';
import type { Settings } from '../settings.ts';
import type { Case } from '../suite/case.ts';
import { CHECKS } from '../verdict/checks/index.ts';
import type { Verdict } from '../verdict/verdict.ts';
import { assembleReport } from './assemble-report.ts';
import { describeSettings } from './describe-settings.ts';
import { EvidenceRoom, evidenceOf } from './evidence.ts';
import type { ExcusedVerdict, Excuses } from './excuses/apply-excuses.ts';
import { curlCommand, repeatByCase } from './repeat/repeat-command.ts';
import type { RepeatedRun } from './repeat/repeat-settings.ts';
import { describeShown, exchangesWithHeadPoint } from './repeat/shown-exchanges.ts';
import type { CaseReport, Report } from './report.ts';
import type { ExchangeReport } from './exchange-report.ts';
import { countReplaced } from './replaced-attempts.ts';
import { surenessOf } from './sureness.ts';
import { timeSpent } from './time-spent.ts';

export interface ReportInput {
  readonly plan: Plan;
  readonly traffic: Traffic;
  readonly verdicts: readonly Verdict[];
  readonly contract: Contract;
  readonly settings: Settings;
  readonly excuses?: Excuses;
}

export function makeReport({ plan, traffic, verdicts, contract, settings, excuses = {} }: ReportInput): Report {
  const room = new EvidenceRoom();
  const exchanges = traffic.exchanges.map((exchange) => evidenceOf(exchange, room));
  const byExchange = new Map(exchanges.map((exchange) => [exchange.id, exchange]));
  const run: RepeatedRun = { baseUrl: settings.baseUrl, settings: describeSettings(settings), seed: settings.seed };
  const withHead = exchangesWithHeadPoint(verdicts);
  const repeat = (exchange: ExchangeReport, caseId: string): string =>
    curlCommand(exchange, run, withHead.has(exchange.id)) ?? repeatByCase(run, caseId);
  const { strict, levels, seed } = settings;
  const { ending, bindings, notices, startedAt, endedAt, clockSkew } = traffic;
  const model = bindings.model;
  const time = timeSpent(traffic, settings);
  const report = assembleReport({
    target: { baseUrl: settings.baseUrl, ...(model !== undefined && { model }) },
    contract,
    cases: plan.cases,
    partial: plan.partial,
    verdicts,
    checks: CHECKS,
    detailsOf: (testCase, own) => detailsOf(testCase, own, byExchange, repeat),
    exchanges,
    strict,
    levels,
    seed,
    settings: run.settings,
    ending,
    notices,
    startedAt,
    endedAt,
    ...(clockSkew !== undefined && { clockSkew }),
    cost: { used: traffic.used, least: plan.least, most: plan.most },
    retries: countReplaced(traffic.exchanges),
    ...(time && { time }),
    excuses,
    sureness: surenessOf(plan, verdicts, CHECKS),
    detect: settings.detect,
  });
  return { ...report, exchanges: describeShown(exchanges, report.cases, plan.steps, run) };
}

type Details = Pick<CaseReport, 'base' | 'control' | 'edits' | 'exchange' | 'repeat'>;

function detailsOf(
  { id, ask }: Case,
  verdicts: readonly ExcusedVerdict[],
  exchanges: ReadonlyMap<string, ExchangeReport>,
  repeat: (exchange: ExchangeReport, caseId: string) => string,
): Details {
  const answeredBy = ask ? verdicts.find((verdict) => verdict.exchanges.length > 0)?.exchanges[0] : undefined;
  const exchange = answeredBy === undefined ? undefined : exchanges.get(answeredBy);
  return {
    ...(ask && { base: ask.base.name }),
    ...(ask?.control !== undefined && { control: ask.control }),
    edits: ask?.edits ?? [],
    ...(exchange && { exchange: exchange.id, repeat: repeat(exchange, id) }),
  };
}
