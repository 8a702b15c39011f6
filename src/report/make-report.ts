/** Builds a report. Each subject gives its target, its cost and the details of its cases; the rest is made alike. */
import type { Contract, Subject } from '../contract/contract.ts';
import { loadSentences } from '../contract/explanations.ts';
import { currentEdition } from '../contract/editions.ts';
import { packageVersion } from '../contract/package-files.ts';
import type { Attempt, Exchange } from '../exchange/exchange.ts';
import type { Notice } from '../exchange/notice.ts';
import { withoutUndefined } from '../json.ts';
import type { Traffic } from '../exchange/traffic.ts';
import { formatDay } from '../text/layout.ts';
import { DEFAULT_SETTINGS, type Settings } from '../settings.ts';
import type { DescribedHeader, DescribedSetting, DescribedSettings, RepeatedRun } from '../settings/setting-flags.ts';
import type { AnyCase, Case } from '../suite/case.ts';
import type { ReportedChecks } from '../verdict/check.ts';
import { isItemList } from '../verdict/observation.ts';
import { countConstant } from '../verdict/reading/replies.ts';
import type { Verdict } from '../verdict/verdict.ts';
import { affectedBy } from './affected.ts';
import { countReported, groupBy, isBroken, worstVerdict } from './counts.ts';
import { evidenceOf, EvidenceRoom, httpVersionsOf } from './evidence.ts';
import type {
  CaseReport,
  ClauseReport,
  ContractPart,
  ExchangeReport,
  ReplacedAttempts,
  Report,
  Sureness,
} from './report.ts';
import { applyExcuses, type ExcusedVerdict, type Excuses } from './excuses/apply-excuses.ts';
import { findRoot, runOutcome } from './outcome.ts';
import { reportProfile } from './profile-report.ts';
import { loadContract } from '../contract/read-contract.ts';
import { wasAnswered } from '../exchange/reading/answered.ts';
import { countAnswersNeeded, type Plan, smallestRate, type TraitsOfChecks } from '../plan/plan.ts';
import { STEPS } from '../plan/known-steps.ts';
import { CHECKS } from '../verdict/checks/index.ts';
import { checkOfLibrary, curlCommand, repeatByCase } from './repeat/repeat-command.ts';
import { describeShown, exchangesWithHeadPoint } from './repeat/shown-exchanges.ts';
import { timeSpent } from './time-spent.ts';
import { EVERY_ANSWER, makeEditNames } from '../plan/add-samples.ts';
import { nameAt, settingOf } from '../settings/setting-names.ts';

/** What a case of this subject has beyond its verdicts. */
export type CaseDetails = Omit<CaseReport, keyof AnyCase | 'verdict' | 'flaky' | 'partial' | 'expectations'>;

interface ReportInput<Of extends AnyCase> {
  /** Absent for a gateway's front. */
  readonly subject?: Subject;
  readonly target: Report['target'];
  readonly contract: Contract;
  /** The contract before any change. */
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
  const today = dayOf(input.excuses, input.traffic);
  const judgedOn = { today, contractHash: contract.hash, profile: profile?.digest, subject };
  const excused = applyExcuses(input.verdicts, input.excuses, judgedOn, { partial, cutShort, settings: described });
  const { verdicts, waivers, baseline } = excused;
  const staleWaiver = waivers?.failOnUnused === true && waivers.entries.some(({ state }) => state === 'unused');
  const room = new EvidenceRoom();
  const exchanges = input.exchanges.map((exchange) => evidenceOf(exchange, room));
  const cases = casesOf(verdicts, exchanges, input);
  const clauses = clausesOf(verdicts, input);
  const httpVersions = subject === 'client' ? [] : httpVersionsOf(input.exchanges);
  const affected = subject === undefined || subject === 'load' ? affectedBy(cases, exchanges) : undefined;
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
      ...(httpVersions.length > 0 && { httpVersions }),
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
    notices: [...input.notices, ...excused.notices, ...listChallenged(contract)],
    ...countReported(cases, clauses),
    cost: input.cost,
    ...withoutUndefined({ retries, time }),
    tolerance: toleranceOf(verdicts, contract, checks),
    cases,
    clauses,
    contract: listContract(clauses),
    observations: verdicts.flatMap(({ clause, case: id, observations }) =>
      observations.map((observation) => ({ clause, case: id, ...observation })),
    ),
    exchanges,
    ...withoutUndefined({ affected, waivers, baseline }),
  };
}

function listChallenged({ clauses }: Contract): readonly Notice[] {
  return clauses.flatMap(({ id, challenged }) =>
    challenged === undefined ? [] : [{ kind: 'challenged', clause: id, since: challenged }],
  );
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
      ...{ id, suite, title, source },
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
    const explanation = own.some(isBroken) ? contract.explain(clause.id) : undefined;
    return {
      ...clause,
      ...(before !== undefined && before !== clause.level && { levelWas: before }),
      ...(verdict && { verdict }),
      cases: [...new Set(own.map((judgement) => judgement.case))],
      ...withoutUndefined({ explanation, sureness: sureness?.get(clause.id) }),
    };
  });
}

/** The words of v1, as far as they lead to one of the clauses. */
function listContract(clauses: readonly ClauseReport[]): readonly ContractPart[] {
  const places = new Map(clauses.map(({ id }, at) => [id, at]));
  const all = loadSentences().map((each) => ({ ...each, clauses: each.clauses.flatMap((id) => places.get(id) ?? []) }));
  const told = all.filter((sentence) => sentence.clauses.length > 0);
  return [...groupBy(told, ({ part, table = '' }) => `${part} ${table}`).values()].flatMap(([first, ...others]) => {
    if (!first) return [];
    const { text: _text, clauses: _clauses, ...place } = first;
    return { ...place, sentences: [first, ...others].map(({ text, clauses: own }) => ({ text, clauses: own })) };
  });
}

// What a target does with fields that the contract does not have.

/** Part 9.3, in both directions: unknown fields that the target ignores in requests, and those it adds to answers. */
export function toleranceOf(verdicts: readonly Verdict[], contract: Pick<Contract, 'clauses'>, checks: ReportedChecks) {
  const counted = new Set(
    contract.clauses.filter(({ tally }) => tally === 'unknown-request-fields').map(({ id }) => id),
  );
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

// The report on a gateway, from what it answered.

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
  /** The contract before any change. */
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
  const constant = countConstant(exchanges);
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
    notices: constant ? [...notices, { kind: 'constant-text', ...constant }] : notices,
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
  const controls = exchanges.filter(({ step }) => step === STEPS.control || step === STEPS.bareControl);
  return ending.kind === 'complete' && (controls.length === 0 || controls.some(wasAnswered));
}

function bothEndsOf(id: string, verdicts: readonly ExcusedVerdict[], behind: UpstreamBehind | undefined) {
  const [front] = verdicts.flatMap(({ exchanges }) => exchanges);
  if (!behind?.cases.some((testCase) => testCase.id === id) || front === undefined) return {};
  const upstream = behind.calls.filter(({ cause }) => cause === front).map((call) => call.id);
  return { exchange: front, relay: { front: [front], upstream } };
}

/** Attempts that a retry replaced: how often, and why. A gateway that needs many retries works, but not well. */
function countReplaced(exchanges: readonly Exchange[]): ReplacedAttempts {
  const replaced = exchanges.flatMap((exchange) => exchange.attempts.slice(0, -1));
  // The status, or why there was no answer. A 200 that was replaced had broken off.
  const causeOf = ({ outcome }: Attempt): string =>
    outcome.kind === 'answer' ? String(outcome.answer.status) : outcome.failure.kind;
  const causes = [...groupBy(replaced, causeOf)].map(([cause, own]) => [cause, own.length] as const);
  const attempts = exchanges.reduce((sum, exchange) => sum + exchange.attempts.length, 0);
  return { attempts, replaced: replaced.length, causes: Object.fromEntries(causes) };
}

// How sure the verdict on each clause is: how many answers it rests on, and how rare a fault these would have shown.

/** Answers that a case got for its own request, and those that a case found among all answers. */
type Group = Record<'own' | 'looked', number>;

/** How sure each clause is, by its id. A clause about the run as a whole has no entry. */
function surenessOf(
  { cases }: Plan,
  verdicts: readonly Verdict[],
  checks: TraitsOfChecks,
): ReadonlyMap<string, Sureness> {
  const byId = new Map(cases.map((testCase) => [testCase.id, testCase]));
  const nameEdit = makeEditNames({ cases }, checks);
  const clauses = new Map<string, Map<string, Group>>();
  for (const { case: id, clause, answers } of verdicts) {
    const testCase = byId.get(id);
    const edit = testCase && nameEdit(testCase, clause);
    if (!testCase || edit === undefined || answers === undefined) continue;
    const groups = clauses.get(clause) ?? new Map<string, Group>();
    const group = groups.get(edit) ?? { own: 0, looked: 0 };
    group[edit === EVERY_ANSWER && testCase.over.length > 0 ? 'looked' : 'own'] += answers.judged;
    clauses.set(clause, groups.set(edit, group));
  }
  return new Map([...clauses].map(([clause, groups]) => [clause, measure([...groups.values()])]));
}

/** Answers that a case looked at are those of the others once more. */
function measure(groups: readonly Group[]): Sureness {
  const counts = groups.map(({ own, looked }) => Math.max(own, looked));
  const fewest = Math.min(...counts);
  return {
    answers: counts.reduce((sum, each) => sum + each, 0),
    edits: counts.length,
    fewest,
    rate: Math.round(smallestRate(fewest) * 1000) / 1000,
  };
}

/** The clauses that were kept, but with too few answers to see a fault in one of N. */
export function clausesShortOf(oneIn: number, clauses: readonly ClauseReport[], strict: boolean): readonly string[] {
  const needed = countAnswersNeeded(oneIn);
  return clauses
    .filter(({ level, verdict }) => verdict === 'pass' && (level === 'must' || (strict && level === 'should')))
    .filter(({ sureness }) => sureness !== undefined && sureness.fewest < needed)
    .map(({ id }) => id);
}

// The settings for the report: those that differ from their defaults, without secrets.

/** `defaults`: of the command, where they are others. */
export function describeSettings(settings: Settings, defaults = DEFAULT_SETTINGS): DescribedSettings {
  const { headers, profile, seed: _seed, baseUrl: _baseUrl, ...rest } = settings;
  return {
    ...flatten(rest, defaults, ''),
    ...describeProfileFile(profile),
    ...(headers.length > 0 && {
      headers: headers.map(({ name, value, secret, variable }): DescribedHeader =>
        secret ? { name, withheld: 'value', ...withoutUndefined({ variable }) } : { name, value },
      ),
    }),
  };
}

/** The changes themselves are in the report. */
export function describeProfileFile(profile: Settings['profile']): DescribedSettings {
  return profile?.file === undefined ? {} : { 'profile.file': profile.file };
}

function flatten(values: object, defaults: unknown, prefix: string): DescribedSettings {
  const described: Record<string, DescribedSetting> = {};
  for (const [name, value] of Object.entries(values) as [string, unknown][]) {
    const usual = (defaults as Record<string, unknown> | undefined)?.[name];
    const path = prefix + name;
    if (value === undefined || JSON.stringify(value) === JSON.stringify(usual)) continue;
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      Object.assign(described, flatten(value, usual, `${path}.`));
    } else {
      described[path] = Array.isArray(value) ? value.map(String) : describeValue(path, value);
    }
  }
  return described;
}

function describeValue(path: string, value: unknown): DescribedSetting {
  const name = nameAt(path);
  const mayHold = name && settingOf(name).mayHold;
  if (mayHold === 'login') return describeAddress(String(value));
  // Library callers may pass certificates and keys as text instead of a file name.
  if (mayHold === 'PEM text' && String(value).includes('-----BEGIN')) return { withheld: 'PEM text' };
  return value as string | number | boolean;
}

function describeAddress(address: string): DescribedSetting {
  if (!/^https?:/i.test(address) || !URL.canParse(address)) return { withheld: 'address' };
  const { protocol, host, username, password } = new URL(address);
  const shown = `${protocol}//${host}`;
  return username === '' && password === '' ? shown : { withheld: 'login', shown };
}
