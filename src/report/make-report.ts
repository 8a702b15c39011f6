/** Builds the report of a run. */
import type { Contract } from '../contract/contract.ts';
import { packageVersion } from '../contract/package-root.ts';
import type { Traffic } from '../exchange/traffic.ts';
import type { Plan } from '../plan/plan.ts';
import type { Settings } from '../settings.ts';
import type { Case } from '../suite/case.ts';
import { isItemList } from '../verdict/observation.ts';
import type { Verdict } from '../verdict/verdict.ts';
import { countVerdicts, groupBy, worstVerdict } from './counts.ts';
import { describeSettings } from './describe-settings.ts';
import { EvidenceRoom, evidenceOf } from './evidence.ts';
import { applyExemptions, type ExcusedVerdict, type Excuses } from './exemptions/apply-exemptions.ts';
import { outcomeOf } from './outcome.ts';
import { repeatCommand } from './repeat/repeat-command.ts';
import type { RepeatedRun } from './repeat/repeat-settings.ts';
import type { CaseReport, ClauseReport, ExchangeReport, ObservationReport, Report, ToleranceReport } from './report.ts';
import { timeSpent } from './time-spent.ts';

export interface ReportInput {
  readonly plan: Plan;
  readonly traffic: Traffic;
  readonly verdicts: readonly Verdict[];
  readonly contract: Contract;
  readonly settings: Settings;
  readonly excuses?: Excuses;
}

export function makeReport({ plan, traffic, verdicts: judged, contract, settings, excuses = {} }: ReportInput): Report {
  const excused = applyExemptions(judged, excuses, dayOf(excuses, traffic), contract.hash);
  const { verdicts, waivers, baseline } = excused;
  const room = new EvidenceRoom();
  const exchanges = traffic.exchanges.map((exchange) => evidenceOf(exchange, room));
  const byExchange = new Map(exchanges.map((exchange) => [exchange.id, exchange]));
  const byCase = groupBy(verdicts, (verdict) => verdict.case);
  const run = { baseUrl: settings.baseUrl, settings: describeSettings(settings), seed: settings.seed };
  const cases = plan.cases.map((testCase) => caseOf(testCase, byCase.get(testCase.id) ?? [], byExchange, run));
  const clauses = clausesOf(verdicts, contract, settings);
  const { strict, levels } = settings;
  const { ending, bindings, notices } = traffic;
  const model = bindings.model;
  const time = timeSpent(traffic, settings);
  return {
    format: 'wirecheck-report',
    version: 1,
    tool: { name: 'wirecheck', version: packageVersion() },
    provenance: {
      contractHash: contract.hash,
      node: process.version,
      platform: `${process.platform}-${process.arch}`,
      seed: settings.seed,
      startedAt: new Date(traffic.startedAt).toISOString(),
      endedAt: new Date(traffic.endedAt).toISOString(),
      settings: run.settings,
      ...(traffic.clockSkew !== undefined && { clockSkew: traffic.clockSkew }),
    },
    target: { baseUrl: settings.baseUrl, ...(model !== undefined && { model }) },
    strict,
    ending,
    outcome: outcomeOf({ verdicts, clauses: contract.clauses, levels, ending, strict, staleWaiver: isStale(waivers) }),
    notices: [...notices, ...excused.notices],
    counts: {
      cases: countVerdicts(cases.map(({ verdict }) => verdict)),
      clauses: countVerdicts(clauses.flatMap(({ verdict }) => verdict ?? [])),
      expectations: countVerdicts(verdicts.map(({ verdict }) => verdict)),
    },
    areas: [...groupBy(cases, ({ suite }) => suite)].map(([area, own]) => ({
      area,
      cases: countVerdicts(own.map(({ verdict }) => verdict)),
    })),
    cost: { used: traffic.used, least: plan.least, most: plan.most },
    ...(time && { time }),
    tolerance: toleranceOf(verdicts),
    cases,
    clauses,
    observations: verdicts.flatMap(observationsOf),
    exchanges,
    ...(waivers && { waivers }),
    ...(baseline && { baseline }),
  };
}

/** The day (UTC) that decides which waivers apply. */
export function dayOf({ today }: Excuses, { startedAt }: Pick<Traffic, 'startedAt'>): string {
  return today ?? new Date(startedAt).toISOString().slice(0, 10);
}

function isStale(waivers: Report['waivers']): boolean {
  return waivers !== undefined && waivers.failOnUnused && waivers.entries.some(({ state }) => state === 'unused');
}

function caseOf(
  testCase: Case,
  verdicts: readonly ExcusedVerdict[],
  exchanges: ReadonlyMap<string, ExchangeReport>,
  run: RepeatedRun,
): CaseReport {
  const { id, suite, title, source, ask } = testCase;
  const answeredBy = ask ? verdicts.find((verdict) => verdict.exchanges.length > 0)?.exchanges[0] : undefined;
  const exchange = answeredBy === undefined ? undefined : exchanges.get(answeredBy);
  return {
    id,
    suite,
    title,
    source,
    verdict: worstVerdict(verdicts.map(({ verdict }) => verdict)) ?? 'skipped',
    flaky: verdicts.some(({ flaky }) => flaky),
    ...(ask && { base: ask.base.name }),
    ...(ask?.control !== undefined && { control: ask.control }),
    edits: ask?.edits ?? [],
    ...(exchange && { exchange: exchange.id, repeat: repeatCommand(exchange, run, id) }),
    expectations: verdicts.map((verdict) => {
      const { case: _, ...expectation } = verdict;
      return expectation;
    }),
  };
}

function clausesOf(verdicts: readonly Verdict[], contract: Contract, settings: Settings): readonly ClauseReport[] {
  const byClause = groupBy(verdicts, ({ clause }) => clause);
  return contract.clauses.map((clause) => {
    const own = byClause.get(clause.id) ?? [];
    const changed = settings.levels[clause.id];
    const verdict = worstVerdict(own.map((judgement) => judgement.verdict));
    return {
      ...clause,
      ...(changed !== undefined && changed !== clause.level && { level: changed, levelWas: clause.level }),
      ...(verdict && { verdict }),
      cases: [...new Set(own.map((judgement) => judgement.case))],
    };
  });
}

function observationsOf(verdict: Verdict): readonly ObservationReport[] {
  return verdict.observations.map((observation) => ({ clause: verdict.clause, case: verdict.case, ...observation }));
}

const REQUEST_CLAUSES = ['tolerance.unknown-request-field', 'tolerance.unknown-message-field'];

/** Part 9.3, in both directions: unknown fields that the target ignores in requests, and those it adds to answers. */
export function toleranceOf(verdicts: readonly Verdict[]): ToleranceReport {
  const asked = verdicts.filter(({ clause, verdict }) => {
    return REQUEST_CLAUSES.includes(clause) && verdict !== 'inconclusive' && verdict !== 'skipped';
  });
  const fields = verdicts
    .filter(({ check }) => check === 'unknown-fields')
    .flatMap(({ observations }) => observations.flatMap(({ value }) => (isItemList(value) ? value : [])));
  return {
    unknownRequestFields: { asked: asked.length, ignored: asked.filter(({ verdict }) => verdict === 'pass').length },
    unknownAnswerFields: fields,
  };
}
