/**
 * One root cause, one entry. Display only: verdicts and exit code come from the unfolded findings. In counts, a `cause`
 * is an entry and a `finding` is one of the findings behind it.
 */
import { sortByPlainness } from '../exchange/reading/plainness.ts';
import { memberOf, parseJson } from '../json.ts';
import type { CaseReport, Counts, Report } from '../report/report.ts';
import type { ExchangeReport } from '../report/exchange-report.ts';
import { traitsOf } from '../report/subject-traits.ts';
import type { Excuse } from '../report/excuses/excuse-report.ts';
import { nameField } from '../verdict/actual.ts';
import type { CountedAnswers } from '../verdict/verdict.ts';
import { excuseOf } from './excused.ts';

export type VerdictName = keyof Counts;
export type ExpectationReport = CaseReport['expectations'][number];
export type FindingReport = ExpectationReport['findings'][number];

export interface Entry {
  readonly verdict: 'fail' | 'warn';
  /** Why it does not count. */
  readonly excused?: Excuse;
  readonly expectation: ExpectationReport;
  /** The one with the plainest request; absent only for an expectation without findings. */
  readonly finding?: FindingReport;
  /** The case of this finding. */
  readonly case: CaseReport;
  readonly cases: readonly string[];
  /** Each as its case and, if it has one, its fingerprint. */
  readonly findings: readonly string[];
  readonly fingerprints: readonly string[];
  /** Answers that show it, the first one included. */
  readonly answers: number;
  /** For bodies of errors: the statuses of these answers. */
  readonly statuses: readonly number[];
  /** Places in these answers, the first one included. */
  readonly places: number;
  /** If the same request sometimes kept the clause: how many answers broke it, of how many. */
  readonly intermittent?: CountedAnswers;
}

/** For clients: the scenario decides how a client is answered, so answers do not tell causes apart. */
const NO_EXCHANGES: ReadonlyMap<string, ExchangeReport> = new Map();

/** A finding with its case and its expectation. */
type Member = Pick<Entry, 'verdict' | 'case' | 'expectation' | 'finding'>;

/**
 * Failures first, then warnings; within them by level, then what harms users, such as an answer without a valid key, then
 * completions that should have been refused, then by the number of answers or cases that show it.
 */
export function foldFindings(report: Report): readonly Entry[] {
  const exchanges = new Map(report.exchanges.map((exchange) => [exchange.id, exchange]));
  const groups = new Map<string, Member[]>();
  const explored = new Set(report.explore?.findings.map(({ exchange }) => exchange));
  for (const member of report.cases.flatMap(membersOf)) {
    const front = exchanges.get(member.finding?.exchange ?? '')?.cause ?? member.finding?.exchange ?? '';
    // An exploration has told apart what leads to each of its findings.
    const own = explored.has(front) ? front : '';
    const key = `${rootCause(member, traitsOf(report).isCaller ? NO_EXCHANGES : exchanges)}${own}`;
    const group = groups.get(key);
    if (group) group.push(member);
    else groups.set(key, [member]);
  }
  const harmful = new Set(report.clauses.flatMap(({ id, safety }) => (safety ? [id] : [])));
  return [...groups.values()]
    .map((group) => entryOf(group, exchanges))
    .toSorted((left, right) => compareEntries(left, right, harmful));
}

function membersOf(testCase: CaseReport): readonly Member[] {
  return testCase.expectations.flatMap((expectation): readonly Member[] => {
    const { verdict, findings } = expectation;
    if (verdict !== 'fail' && verdict !== 'warn') return [];
    const member = { verdict, case: testCase, expectation };
    return findings.length === 0 ? [member] : findings.map((finding) => ({ ...member, finding }));
  });
}

function entryOf(group: readonly Member[], exchanges: ReadonlyMap<string, ExchangeReport>): Entry {
  // If some answers keep the clause, with a command that repeats the request until one breaks it; otherwise with one that sends it once.
  const unsteady = group.filter(({ expectation }) => expectation.intermittent);
  const members = unsteady.length > 0 ? unsteady : group;
  const preferred = members.filter(({ finding }) => exchanges.get(finding?.exchange ?? '')?.repeat !== undefined);
  const [shown] = sortByPlainness(preferred.length > 0 ? preferred : members, ({ finding }) =>
    finding ? exchanges.get(finding.exchange) : undefined,
  );
  if (!shown) throw new Error('A group has at least one member.');
  const findings = group.flatMap(({ finding }) => finding ?? []);
  const counted = withoutTwice(group);
  const excused = excuseOf(shown);
  return {
    ...shown,
    ...(excused && { excused }),
    cases: [...new Set(group.map((member) => member.case.id))],
    findings: [...new Set(group.map((member) => `${member.case.id} ${member.finding?.fingerprint ?? ''}`))],
    fingerprints: [...new Set(findings.map(({ fingerprint }) => fingerprint))],
    answers: countAnswers(counted),
    statuses: [...new Set(findings.flatMap(({ status }) => status ?? []))].toSorted((left, right) => left - right),
    places: findings.reduce((sum, { more }) => sum + 1 + more, 0),
    ...countIntermittent(counted),
  };
}

/** A case without a request of its own looks at the answers that other cases got. */
function withoutTwice(group: readonly Member[]): readonly Member[] {
  const own = group.filter((member) => member.case.exchange !== undefined);
  const looked = group.filter((member) => member.case.exchange === undefined);
  return countAnswers(looked) >= countAnswers(own) ? looked : own;
}

function countAnswers(members: readonly Member[]): number {
  const findings = members.flatMap(({ finding }) => finding ?? []);
  const answers = new Set(findings.map(({ exchange, attempt }) => `${exchange}#${attempt}`));
  return findings.reduce((sum, { moreAnswers = 0 }) => sum + moreAnswers, answers.size);
}

function countIntermittent(group: readonly Member[]): Pick<Entry, 'intermittent'> {
  const expectations = [...new Set(group.map(({ expectation }) => expectation))];
  if (!expectations.some(({ intermittent }) => intermittent)) return {};
  const findings = new Set(group.map(({ finding }) => finding));
  // Some answers may have broken the clause in another way, which is another entry.
  const isPart = expectations.some((each) => each.findings.some((finding) => !findings.has(finding)));
  const sumOf = (rows: readonly (Tally | undefined)[], members: readonly Member[]): Tally => {
    const wrong = sum(rows.map((row) => row?.broken ?? 0));
    return {
      broken: isPart ? Math.min(countAnswers(members), wrong) : wrong,
      judged: sum(rows.map((row) => row?.judged ?? 0)),
    };
  };
  const statuses = [...new Set(group.flatMap(({ finding }) => finding?.status ?? []))].flatMap((status) => {
    const rows = expectations.flatMap(({ answers }) => answers?.statuses?.find((row) => row.status === status) ?? []);
    const members = group.filter(({ finding }) => finding?.status === status);
    return rows.length > 0 ? [{ status, ...sumOf(rows, members) }] : [];
  });
  if (statuses.length === 0)
    return {
      intermittent: sumOf(
        expectations.map(({ answers }) => answers),
        group,
      ),
    };
  const inAll = (name: keyof Tally): number => sum(statuses.map((row) => row[name]));
  return { intermittent: { broken: inAll('broken'), judged: inAll('judged'), statuses } };
}

type Tally = Pick<CountedAnswers, 'broken' | 'judged'>;

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

const VERDICT_ORDER: readonly Entry['verdict'][] = ['fail', 'warn'];
const LEVEL_ORDER: readonly ExpectationReport['level'][] = ['must', 'should', 'observe'];

/** Given where a refusal was due. */
const GIVEN: readonly FindingReport['mismatch'][] = ['completion', 'accepted', 'listed'];

function rankOf({ expectation: { clause }, finding }: Entry, harmful: ReadonlySet<string>): number {
  if (harmful.has(clause)) return 0;
  return finding && GIVEN.includes(finding.mismatch) ? 1 : 2;
}

function compareEntries(left: Entry, right: Entry, harmful: ReadonlySet<string>): number {
  const spread = ({ answers, cases }: Entry): number => Math.max(answers, cases.length);
  return (
    VERDICT_ORDER.indexOf(left.verdict) - VERDICT_ORDER.indexOf(right.verdict) ||
    LEVEL_ORDER.indexOf(left.expectation.level) - LEVEL_ORDER.indexOf(right.expectation.level) ||
    rankOf(left, harmful) - rankOf(right, harmful) ||
    spread(right) - spread(left)
  );
}

/** What the other end of a relay sent in one call, which differs from call to call. */
const OF_CALL = ['upstream-text', 'client-text', 'upstream-value', 'client-value', 'retry-after'];

function isOfCall(kind: FindingReport['expected']['kind']): boolean {
  return OF_CALL.includes(kind);
}

/** Findings that count never share an entry with excused ones. */
function rootCause(
  { verdict, expectation: { clause, excused }, finding }: Member,
  exchanges: ReadonlyMap<string, ExchangeReport>,
): string {
  if (finding === undefined) return JSON.stringify([verdict, clause, excused]);
  const { mismatch, pointer = '', expected, actualType, actual, waiver, since } = finding;
  const place = pointer.replaceAll(/\/\d+(?=\/|$)/g, '/*');
  // A key is repeated whatever the error.
  const cause = mismatch === 'echo' ? [] : errorBehind(finding, exchanges.get(finding.exchange));
  return JSON.stringify([
    verdict,
    clause,
    mismatch,
    place,
    isOfCall(expected.kind) ? expected.kind : expected,
    actualType,
    nameField(actual),
    waiver,
    since,
    cause,
  ]);
}

/**
 * Status, type and code of an error answer stand for its cause. A wrong body is wrong whatever its status: the same code
 * writes them all.
 */
function errorBehind({ attempt, status }: FindingReport, exchange: ExchangeReport | undefined): readonly unknown[] {
  const answer = exchange?.attempts[attempt]?.answer;
  if (answer === undefined || answer.status < 400 || status !== undefined) return [];
  const error = memberOf(parseBody(answer.body), 'error');
  return [answer.status, memberOf(error, 'type'), memberOf(error, 'code')];
}

function parseBody({ text, bytes, shown }: { text: string; bytes: number; shown: number }): unknown {
  return shown < bytes ? undefined : parseJson(text);
}
