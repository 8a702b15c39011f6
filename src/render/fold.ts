/**
 * One root cause, one entry. Display only: verdicts and exit code come from the unfolded findings. In counts, a `cause`
 * is an entry and a `finding` is one of the findings behind it.
 */
import { sortByPlainness } from '../exchange/reading/plainness.ts';
import { groupBy } from '../report/counts.ts';
import type { CaseReport, Counts, Report } from '../report/report.ts';
import type { ExchangeReport } from '../report/exchange-report.ts';
import { traitsOf } from '../report/subject-traits.ts';
import type { Excuse } from '../report/excuses/excuse-report.ts';
import { isCompletion } from '../verdict/actual.ts';
import type { CountedAnswers } from '../verdict/verdict.ts';
import { countAnswers, countSeen, type SeenUnit, unitOf } from './count-seen.ts';
import { excuseOf } from './excused.ts';
import { formOfActual } from './forms.ts';
import { keyFaultsOf, rootCause } from './root-cause.ts';

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
  /** What is counted in `seen`, `alike` and `forms`. */
  readonly unit: SeenUnit;
  /** How many of them show it, the first one included. */
  readonly seen: number;
  /** Those of the form that `finding` has. The rest is in `forms`. */
  readonly alike: number;
  /** For bodies of errors: the statuses of these answers. */
  readonly statuses: readonly number[];
  /** Places in these answers, the first one included. */
  readonly places: number;
  /** If the same request sometimes kept the clause: how many answers broke it, of how many. */
  readonly intermittent?: CountedAnswers;
  /** The same counts if other answers of the same kind kept the clause, each to another request. */
  readonly share?: CountedAnswers;
  /** Other forms that the fault takes, such as a list of models beside a completion: completions first, then the most frequent. */
  readonly forms: readonly Form[];
}

export type Form = Member & Pick<Entry, 'seen'>;

/** For clients: the scenario decides how a client is answered, so answers do not tell causes apart. */
const NO_EXCHANGES: ReadonlyMap<string, ExchangeReport> = new Map();

/** A finding with its case and its expectation. */
type Member = Pick<Entry, 'verdict' | 'case' | 'expectation' | 'finding'>;

/** Every format of a report asks for them, and so does what is told of it beside. */
const folded = new WeakMap<Report, readonly Entry[]>();

/**
 * Failures first, then warnings; within them by level, then what harms users, such as an answer without a valid key, then
 * completions that should have been refused, then by the number of answers or cases that show it.
 */
export function foldFindings(report: Report): readonly Entry[] {
  const known = folded.get(report) ?? foldReport(report);
  folded.set(report, known);
  return known;
}

function foldReport(report: Report): readonly Entry[] {
  const exchanges = new Map(report.exchanges.map((exchange) => [exchange.id, exchange]));
  const groups = new Map<string, Member[]>();
  const explored = new Set(report.explore?.findings.map(({ exchange }) => exchange));
  const alike = traitsOf(report).isCaller ? NO_EXCHANGES : exchanges;
  const members = report.cases.flatMap(membersOf);
  const keyFaults = keyFaultsOf(members, report.cases, alike);
  for (const member of members) {
    const front = exchanges.get(member.finding?.exchange ?? '')?.cause ?? member.finding?.exchange ?? '';
    // An exploration has told apart what leads to each of its findings.
    const own = explored.has(front) ? front : '';
    const cause = rootCause(member, alike);
    const key = `${rootCause(member, alike, keyFaults.get(cause))}${own}`;
    const group = groups.get(key);
    if (group) group.push(member);
    else groups.set(key, [member]);
  }
  const harmful = new Set(report.clauses.flatMap(({ id, safety }) => (safety ? [id] : [])));
  return [...groups.values()]
    .map((group) => entryOf(group, exchanges, report))
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

function entryOf(group: readonly Member[], exchanges: ReadonlyMap<string, ExchangeReport>, report: Report): Entry {
  // If some answers keep the clause, with a command that repeats the request until one breaks it; otherwise with one that sends it once.
  const unsteady = group.filter(({ expectation }) => expectation.intermittent);
  const members = unsteady.length > 0 ? unsteady : group;
  // A completion that was given away is worse than a list of models, or than a refusal for another reason.
  const given = members.filter((member) => rankOfForm(member) === 0);
  const worst = given.length > 0 ? given : members;
  const preferred = worst.filter(({ finding }) => exchanges.get(finding?.exchange ?? '')?.repeat !== undefined);
  const [shown] = sortByPlainness(preferred.length > 0 ? preferred : worst, ({ finding }) =>
    finding ? exchanges.get(finding.exchange) : undefined,
  );
  if (!shown) throw new Error('A group has at least one member.');
  const findings = group.flatMap(({ finding }) => finding ?? []);
  const counted = withoutTwice(group);
  const unit = unitOf(report, [shown, ...group], exchanges);
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
    unit,
    seen: countSeen(unit, counted),
    alike: countSeen(
      unit,
      counted.filter((member) => formOf(member) === formOf(shown)),
    ),
    forms: otherForms(counted, shown, unit),
  };
}

function rankOfForm({ finding }: Member): number {
  return finding && isCompletion(finding.actual) ? 0 : 1;
}

function formOf({ finding }: Member): string {
  return finding ? formOfActual(finding) : '';
}

function otherForms(group: readonly Member[], shown: Member, unit: SeenUnit): readonly Form[] {
  return [...groupBy(group, formOf)]
    .flatMap(([form, members]) => {
      const [first] = members;
      return form === formOf(shown) || first === undefined ? [] : [{ ...first, seen: countSeen(unit, members) }];
    })
    .toSorted((left, right) => rankOfForm(left) - rankOfForm(right) || right.seen - left.seen);
}

/** A case without a request of its own looks at the answers that other cases got. */
function withoutTwice(group: readonly Member[]): readonly Member[] {
  const own = group.filter((member) => member.case.exchange !== undefined);
  const looked = group.filter((member) => member.case.exchange === undefined);
  return countAnswers(looked) >= countAnswers(own) ? looked : own;
}

/** What the shape of an answer is, whatever was asked. Other clauses depend on the request. */
const OF_SHAPE: readonly FindingReport['mismatch'][] = ['absent', 'type', 'value', 'empty'];

function countIntermittent(group: readonly Member[]): Pick<Entry, 'intermittent' | 'share'> {
  const expectations = [...new Set(group.map(({ expectation }) => expectation))];
  if (expectations.some(({ intermittent }) => intermittent)) return { intermittent: countBroken(group, expectations) };
  // A case with a request of its own says nothing about the requests of others.
  if (group.some((member) => member.case.exchange !== undefined)) return {};
  if (!group.every(({ finding }) => finding && OF_SHAPE.includes(finding.mismatch))) return {};
  const share = countBroken(group, expectations);
  return share.broken > 0 && share.broken < share.judged ? { share } : {};
}

function countBroken(group: readonly Member[], expectations: readonly ExpectationReport[]): CountedAnswers {
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
    const members = group.filter(({ finding }) => finding?.status === status);
    const rows = expectations.flatMap((each): readonly Tally[] => {
      const { statuses: own, judged = 0, broken = 0 } = each.answers ?? {};
      if (own) return own.filter((row) => row.status === status);
      const number = countAnswers(members.filter(({ expectation }) => expectation === each));
      // Without counts for each status, no answer kept the clause.
      return number === 0 || judged !== broken ? [] : [{ broken: number, judged: number }];
    });
    return rows.length > 0 ? [{ status, ...sumOf(rows, members) }] : [];
  });
  const answers = expectations.map((each) => each.answers);
  if (statuses.length === 0) return sumOf(answers, group);
  const inAll = (name: keyof Tally): number => sum(statuses.map((row) => row[name]));
  return { broken: inAll('broken'), judged: inAll('judged'), statuses };
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
