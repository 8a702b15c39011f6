/** Builds a report. Each subject gives its target, its cost and the details of its cases; the rest is made alike. */
import type { Contract, Subject } from '../contract/contract.ts';
import { currentEdition } from '../contract/editions.ts';
import { packageVersion } from '../contract/package-files.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { Notice } from '../exchange/notice.ts';
import { withoutUndefined } from '../json.ts';
import type { Traffic } from '../exchange/traffic.ts';
import { formatDay } from '../text/layout.ts';
import { DEFAULT_SETTINGS, type Settings } from '../settings.ts';
import type { DescribedSettings } from '../settings/setting-flags.ts';
import type { AnyCase } from '../suite/case.ts';
import type { ReportedChecks } from '../verdict/check.ts';
import { isItemList } from '../verdict/observation.ts';
import type { Verdict } from '../verdict/verdict.ts';
import { affectedBy } from './affected.ts';
import { countVerdicts, groupBy, worstVerdict } from './counts.ts';
import { evidenceOf, EvidenceRoom } from './evidence.ts';
import type { ExchangeReport } from './exchange-report.ts';
import { applyExcuses, type ExcusedVerdict, type Excuses } from './excuses/apply-excuses.ts';
import { findRoot, runOutcome } from './outcome.ts';
import { reportProfile } from './profile-report.ts';
import type { CaseReport, ClauseReport, Report, Sureness } from './report.ts';
import { clausesShortOf } from './sureness.ts';

/** What a case of this subject has beyond its verdicts. */
export type CaseDetails = Omit<CaseReport, keyof AnyCase | 'verdict' | 'flaky' | 'partial' | 'expectations'>;

interface ReportInput<Of extends AnyCase> {
  /** Absent for a gateway's front. */
  readonly subject?: Subject;
  readonly target: Report['target'];
  readonly contract: Contract;
  /** Before any change. */
  readonly base: Contract;
  readonly cases: readonly Of[];
  /** Ids of the cases that judged only what the chosen ones sent. */
  readonly partial?: readonly string[];
  readonly cutShort?: readonly string[] | undefined;
  readonly verdicts: readonly Verdict[];
  readonly checks: ReportedChecks;
  readonly detailsOf: (
    testCase: Of,
    verdicts: readonly ExcusedVerdict[],
    exchanges: ReadonlyMap<string, ExchangeReport>,
  ) => CaseDetails;
  readonly exchanges: readonly Exchange[];
  readonly settings: Pick<Settings, 'strict' | 'levels' | 'profile'> & Partial<Pick<Settings, 'seed' | 'detect'>>;
  /** The settings for people. */
  readonly described: DescribedSettings;
  readonly traffic: Pick<Traffic, 'ending' | 'startedAt' | 'endedAt' | 'clockSkew'>;
  readonly notices: readonly Notice[];
  readonly cost: Report['cost'];
  readonly retries?: Report['retries'];
  readonly time?: Report['time'];
  readonly excuses: Excuses;
  readonly sureness?: ReadonlyMap<string, Sureness>;
}

export function makeReport<Of extends AnyCase>(input: ReportInput<Of>): Report {
  const { contract, base, checks, subject, time, retries, partial = [], cutShort, described } = input;
  const { strict, seed = DEFAULT_SETTINGS.seed, detect = 1 } = input.settings;
  const { ending, startedAt, endedAt, clockSkew } = input.traffic;
  const profile = reportProfile(input.settings, base);
  const judgedOn = {
    today: dayOf(input.excuses, input.traffic),
    contractHash: contract.hash,
    profile: profile?.digest,
    subject,
  };
  const excused = applyExcuses(input.verdicts, input.excuses, judgedOn, { partial, cutShort, settings: described });
  const { verdicts, waivers, baseline } = excused;
  const staleWaiver = waivers?.failOnUnused === true && waivers.entries.some(({ state }) => state === 'unused');
  const room = new EvidenceRoom();
  const exchanges = input.exchanges.map((exchange) => evidenceOf(exchange, room));
  const cases = casesOf(verdicts, exchanges, input);
  const clauses = clausesOf(verdicts, input);
  const affected = subject === undefined ? affectedBy(cases, exchanges) : undefined;
  return {
    format: 'wirecheck-report',
    version: 2,
    ...currentEdition(),
    ...(subject && { subject }),
    tool: { name: 'wirecheck', version: packageVersion() },
    provenance: {
      contractHash: contract.hash,
      node: process.version,
      platform: `${process.platform}-${process.arch}`,
      seed,
      startedAt: new Date(startedAt).toISOString(),
      endedAt: new Date(endedAt).toISOString(),
      settings: described,
      ...(clockSkew !== undefined && { clockSkew }),
    },
    target: input.target,
    ...(profile && { profile }),
    strict,
    ending,
    outcome: {
      ...runOutcome({ verdicts, clauses: contract.clauses, ending, strict, staleWaiver }),
      ...findRoot(cases, strict, checks),
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
    ...withoutUndefined({ retries, time }),
    tolerance: toleranceOf(verdicts, contract, checks),
    cases,
    clauses,
    observations: verdicts.flatMap(({ clause, case: id, observations }) =>
      observations.map((observation) => ({ clause, case: id, ...observation })),
    ),
    exchanges,
    ...withoutUndefined({ affected, waivers, baseline }),
  };
}

/** `upstream`: the address of ours, if the target has one. */
export function describeTarget(baseUrl: string, model: string | undefined, upstream?: string): Report['target'] {
  return { baseUrl, ...withoutUndefined({ model }), ...(upstream !== undefined && { upstream: { url: upstream } }) };
}

/** The day (UTC) that decides which waivers apply. */
export function dayOf({ today }: Excuses, { startedAt }: { readonly startedAt: number }): string {
  return today ?? formatDay(new Date(startedAt).toISOString());
}

function casesOf<Of extends AnyCase>(
  verdicts: readonly ExcusedVerdict[],
  exchanges: readonly ExchangeReport[],
  { cases, detailsOf, partial = [] }: ReportInput<Of>,
): readonly CaseReport[] {
  const byCase = groupBy(verdicts, (verdict) => verdict.case);
  const byId = new Map(exchanges.map((exchange) => [exchange.id, exchange]));
  return cases.map((testCase) => {
    const { id, suite, title, source } = testCase;
    const own = byCase.get(id) ?? [];
    return {
      id,
      suite,
      title,
      source,
      verdict: worstVerdict(own.map(({ verdict }) => verdict)) ?? 'skipped',
      flaky: own.some(({ flaky }) => flaky),
      ...detailsOf(testCase, own, byId),
      ...(partial.includes(id) && { partial: true }),
      expectations: own.map(({ case: _case, ...expectation }) => expectation),
    };
  });
}

function clausesOf(
  verdicts: readonly Verdict[],
  { contract, base, sureness }: Pick<ReportInput<AnyCase>, 'contract' | 'base' | 'sureness'>,
): readonly ClauseReport[] {
  const byClause = groupBy(verdicts, ({ clause }) => clause);
  return contract.clauses.map((read) => {
    const { tally: _tally, ...clause } = read;
    const own = byClause.get(clause.id) ?? [];
    const before = base.clause(clause.id)?.level;
    const verdict = worstVerdict(own.map((judgement) => judgement.verdict));
    const isBroken = own.some((judgement) => judgement.verdict === 'fail' || judgement.verdict === 'warn');
    const explanation = isBroken ? contract.explain(clause.id) : undefined;
    return {
      ...clause,
      ...(before !== undefined && before !== clause.level && { levelWas: before }),
      ...(verdict && { verdict }),
      cases: [...new Set(own.map((judgement) => judgement.case))],
      ...withoutUndefined({ explanation, sureness: sureness?.get(clause.id) }),
    };
  });
}

// What a target does with fields that the contract does not have.

/** Part 9.3, in both directions: unknown fields that the target ignores in requests, and those it adds to answers. */
export function toleranceOf(
  verdicts: readonly Verdict[],
  { clauses }: Pick<Contract, 'clauses'>,
  checks: ReportedChecks,
): Report['tolerance'] {
  const counted = new Set(clauses.filter(({ tally }) => tally === 'unknown-request-fields').map(({ id }) => id));
  const judged = verdicts.filter(({ verdict }) => verdict !== 'inconclusive' && verdict !== 'skipped');
  const asked = judged.filter(({ clause }) => counted.has(clause));
  const looked = judged.filter(({ check }) => checks[check]?.observesUnknownFields);
  const fields = looked.flatMap(({ observations }) =>
    observations.flatMap(({ value }) => (isItemList(value) ? value : [])),
  );
  return {
    unknownRequestFields: { asked: asked.length, ignored: asked.filter(({ verdict }) => verdict === 'pass').length },
    ...(looked.length > 0 && { unknownAnswerFields: fields }),
  };
}
