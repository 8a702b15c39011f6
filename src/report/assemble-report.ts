/** The part of a report that is made alike for gateways, clients and relays. */
import type { Contract, Level, Subject } from '../contract/contract.ts';
import { loadExplanation } from '../contract/explanations.ts';
import { packageVersion } from '../contract/package-files.ts';
import type { Ending } from '../exchange/ending.ts';
import type { Notice } from '../exchange/notice.ts';
import type { SourcePlace } from '../suite/case.ts';
import { isItemList } from '../verdict/observation.ts';
import type { Verdict } from '../verdict/verdict.ts';
import { affectedBy } from './affected.ts';
import { countVerdicts, groupBy, worstVerdict } from './counts.ts';
import { applyExcuses, type ExcusedVerdict, type Excuses } from './excuses/apply-excuses.ts';
import { runOutcome } from './outcome.ts';
import { clausesShortOf } from './sureness.ts';
import type {
  CaseReport,
  ClauseReport,
  DescribedSettings,
  ObservationReport,
  ReplacedAttempts,
  Report,
  Sureness,
  TimeReport,
  ToleranceReport,
} from './report.ts';
import type { ExchangeReport } from './exchange-report.ts';

/** A case as it was planned. */
export interface ReportedCase {
  readonly id: string;
  readonly suite: string;
  readonly title: string;
  readonly source: SourcePlace;
}

export interface AssemblyInput<Of extends ReportedCase> {
  /** Absent for a gateway's front. */
  readonly subject?: Subject;
  readonly target: Report['target'];
  readonly contract: Contract;
  readonly cases: readonly Of[];
  /** Ids of the cases that judged only what the chosen ones sent. */
  readonly partial?: readonly string[];
  readonly verdicts: readonly Verdict[];
  /** What a case of this side has beyond its verdicts. */
  readonly detailsOf: (
    testCase: Of,
    verdicts: readonly ExcusedVerdict[],
  ) => Omit<CaseReport, keyof ReportedCase | 'verdict' | 'flaky' | 'partial' | 'expectations'>;
  readonly exchanges: readonly ExchangeReport[];
  readonly strict: boolean;
  /** Levels that the user changed. */
  readonly levels: Readonly<Record<string, Level>>;
  readonly seed: number;
  readonly settings: DescribedSettings;
  readonly ending: Ending;
  readonly notices: readonly Notice[];
  /** Wall clock, milliseconds since 1970. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly clockSkew?: number;
  readonly cost: Report['cost'];
  readonly retries?: ReplacedAttempts;
  readonly time?: TimeReport;
  readonly excuses: Excuses;
  /** By clause. */
  readonly sureness?: ReadonlyMap<string, Sureness>;
  /** N of `--detect 1/N`. */
  readonly detect?: number;
}

export function assembleReport<Of extends ReportedCase>(input: AssemblyInput<Of>): Report {
  const { contract, strict, levels, ending, subject, time } = input;
  const { partial = [], settings } = input;
  const today = dayOf(input.excuses, input);
  const judgedOn = { today, contractHash: contract.hash };
  const excused = applyExcuses(input.verdicts, input.excuses, judgedOn, { partial, settings });
  const { verdicts, waivers, baseline } = excused;
  const byCase = groupBy(verdicts, (verdict) => verdict.case);
  const cases = input.cases.map((testCase) => caseOf(testCase, byCase.get(testCase.id) ?? [], input));
  const { sureness, detect = 1, retries } = input;
  const clauses = addSureness(clausesOf(verdicts, contract, levels), sureness);
  const affected = subject === undefined ? affectedBy(cases, input.exchanges) : undefined;
  return {
    format: 'wirecheck-report',
    version: 2,
    ...(subject && { subject }),
    tool: { name: 'wirecheck', version: packageVersion() },
    provenance: {
      contractHash: contract.hash,
      node: process.version,
      platform: `${process.platform}-${process.arch}`,
      seed: input.seed,
      startedAt: new Date(input.startedAt).toISOString(),
      endedAt: new Date(input.endedAt).toISOString(),
      settings: input.settings,
      ...(input.clockSkew !== undefined && { clockSkew: input.clockSkew }),
    },
    target: input.target,
    strict,
    ending,
    outcome: {
      ...runOutcome({ verdicts, clauses: contract.clauses, levels, ending, strict, staleWaiver: isStale(waivers) }),
      ...(detect > 1 && { detect: { oneIn: detect, short: clausesShortOf(detect, clauses, strict) } }),
    },
    notices: [...input.notices, ...excused.notices],
    counts: {
      cases: countVerdicts(cases.map(({ verdict }) => verdict)),
      clauses: countVerdicts(clauses.flatMap(({ verdict }) => verdict ?? [])),
      expectations: countVerdicts(verdicts.map(({ verdict }) => verdict)),
    },
    areas: [...groupBy(cases, ({ suite }) => suite)].map(([area, own]) => ({
      area,
      cases: countVerdicts(own.map(({ verdict }) => verdict)),
    })),
    cost: input.cost,
    ...(retries && { retries }),
    ...(time && { time }),
    tolerance: toleranceOf(verdicts),
    cases,
    clauses,
    observations: verdicts.flatMap(observationsOf),
    exchanges: input.exchanges,
    ...(affected && { affected }),
    ...(waivers && { waivers }),
    ...(baseline && { baseline }),
  };
}

/** The day (UTC) that decides which waivers apply. */
export function dayOf({ today }: Excuses, { startedAt }: { readonly startedAt: number }): string {
  return today ?? new Date(startedAt).toISOString().slice(0, 10);
}

function isStale(waivers: Report['waivers']): boolean {
  return waivers !== undefined && waivers.failOnUnused && waivers.entries.some(({ state }) => state === 'unused');
}

function caseOf<Of extends ReportedCase>(
  testCase: Of,
  verdicts: readonly ExcusedVerdict[],
  { detailsOf, partial = [] }: AssemblyInput<Of>,
): CaseReport {
  const { id, suite, title, source } = testCase;
  return {
    id,
    suite,
    title,
    source,
    verdict: worstVerdict(verdicts.map(({ verdict }) => verdict)) ?? 'skipped',
    flaky: verdicts.some(({ flaky }) => flaky),
    ...detailsOf(testCase, verdicts),
    ...(partial.includes(id) && { partial: true }),
    expectations: verdicts.map((verdict) => {
      const { case: _, ...expectation } = verdict;
      return expectation;
    }),
  };
}

function clausesOf(
  verdicts: readonly Verdict[],
  contract: Contract,
  levels: Readonly<Record<string, Level>>,
): readonly ClauseReport[] {
  const byClause = groupBy(verdicts, ({ clause }) => clause);
  return contract.clauses.map((clause) => {
    const own = byClause.get(clause.id) ?? [];
    const changed = levels[clause.id];
    const verdict = worstVerdict(own.map((judgement) => judgement.verdict));
    const isBroken = own.some((judgement) => judgement.verdict === 'fail' || judgement.verdict === 'warn');
    const explanation = isBroken ? loadExplanation(clause.id) : undefined;
    return {
      ...clause,
      ...(changed !== undefined && changed !== clause.level && { level: changed, levelWas: clause.level }),
      ...(verdict && { verdict }),
      cases: [...new Set(own.map((judgement) => judgement.case))],
      ...(explanation && { explanation }),
    };
  });
}

function addSureness(
  clauses: readonly ClauseReport[],
  sureness: ReadonlyMap<string, Sureness> | undefined,
): readonly ClauseReport[] {
  return clauses.map((clause) => {
    const sure = sureness?.get(clause.id);
    return sure ? { ...clause, sureness: sure } : clause;
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
