/**
 * One root cause, one entry. Display only: verdicts and exit code come from the unfolded findings. In counts, a `cause`
 * is an entry and a `finding` is one of the findings behind it.
 */
import { sortByPlainness } from '../exchange/reading/plainness.ts';
import { memberOf, parseJson } from '../json.ts';
import { oncePer } from '../once-per.ts';
import { groupBy } from '../report/counts.ts';
import type { CaseReport, Counts, ExchangeReport, ExpectationReport, FindingReport, Report } from '../report/report.ts';
import type { Excuse } from '../report/excuses/excuse-report.ts';
import { traitsOf } from '../report/subject-traits.ts';
import { messageForm } from '../text/error-message.ts';
import type { Quote } from '../text/quote.ts';
import { maskScenarioWord } from '../text/scenario-word.ts';
import { isCompletion, nameField } from '../verdict/actual.ts';
import type { CountedAnswers, Finding } from '../verdict/verdict.ts';
import { isAboutRequests } from './client-text.ts';
import type { Tone } from './document/document.ts';
import { excuseOf, type BrokenMember, membersOf } from './excused.ts';
import { type Lookup, lookUp } from './lookup.ts';

export type VerdictName = keyof Counts;

/** The finding with the plainest request, and what all of its kind add up to. */
export interface RootCause extends BrokenMember {
  /** Why it does not count. */
  readonly excused?: Excuse;
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
  /** The statuses of these answers, for bodies of errors. */
  readonly statuses: readonly number[];
  /** Places in the only answer that shows it, the first one included. */
  readonly places: number;
  /** How many answers broke it, of how many, if the same request sometimes kept the clause. */
  readonly intermittent?: CountedAnswers;
  /** The same counts if other answers of the same kind kept the clause, each to another request. */
  readonly share?: CountedAnswers;
  /** Other forms that the fault takes, such as a list of models beside a completion: completions first, then the most frequent. */
  readonly forms: readonly Form[];
}

export type Group = RootCause['verdict'] | Excuse;

/** Findings that count come before those that do not. `id`: of their section of a page. */
export const GROUPS: Readonly<Record<Group, { id: string; title: string; tone: Tone; lead: string }>> = {
  fail: { id: 'failures', title: 'Broken', tone: 'bad', lead: 'One entry per cause.' },
  warn: {
    id: 'warnings',
    title: 'Warnings',
    tone: 'warn',
    lead: 'Broken should clauses do not fail the run unless it is strict.',
  },
  known: {
    id: 'known',
    title: 'In the baseline',
    tone: 'warn',
    lead: 'Also broken in the baseline. Only findings that are not in the baseline count.',
  },
  waived: { id: 'waived', title: 'Waived', tone: 'warn', lead: 'Broken, and accepted for now by a waiver.' },
};

export const GROUP_NAMES = Object.keys(GROUPS) as readonly Group[];

export function groupOf({ excused, verdict }: Pick<RootCause, 'excused' | 'verdict'>): Group {
  return excused ?? verdict;
}

type Form = BrokenMember & Pick<RootCause, 'seen'>;

/** It finds none for clients: the scenario decides how a client is answered, so answers do not tell causes apart. */
type Find = Lookup['exchange'];

/** A finding of a case. */
type ShownMember = Pick<RootCause, 'case'> & { readonly finding?: FindingReport | undefined };

/**
 * Failures first, then warnings; within them by level, then what harms users, such as an answer without a valid key, then
 * completions that should have been refused, then by the number of answers or cases that show it.
 */
export const foldFindings = oncePer((report: Report): readonly RootCause[] => {
  const { isCaller } = traitsOf(report);
  const find: Find = isCaller ? () => undefined : lookUp(report).exchange;
  const explored = new Map(
    report.explore?.findings.flatMap(({ exchange, alike }) =>
      [exchange, ...(alike ?? [])].map((own) => [own, { exchange, isAnyClause: alike !== undefined }] as const),
    ),
  );
  const members = report.cases.flatMap(membersOf);
  const keyFaults = keyFaultsOf(members, report.cases, find);
  const groups = groupBy(members, (member) => {
    const front = lookUp(report).exchange(member.finding?.exchange)?.cause ?? member.finding?.exchange ?? '';
    const cause = rootCause(member, find, keyFaults.get(rootCause(member, find)));
    // An exploration has told apart what leads to each of its findings.
    const own = explored.get(front);
    if (!own) return cause;
    return own.isAnyClause ? JSON.stringify([member.verdict, excuseOf(member), own.exchange]) : `${cause}${front}`;
  });
  const harmful = new Set(report.clauses.flatMap(({ id, safety }) => (safety ? [id] : [])));
  return [...groups.values()]
    .map((group) => entryOf(group, report))
    .toSorted((left, right) => compareEntries(left, right, harmful));
});

function entryOf(group: readonly BrokenMember[], report: Report): RootCause {
  const { exchange: find } = lookUp(report);
  // If some answers keep the clause, with a command that repeats the request until one breaks it; otherwise with one that sends it once.
  const { findings: explored = [] } = report.explore ?? {};
  const smallest = preferred(group, ({ finding }) => explored.some(({ exchange }) => exchange === finding?.exchange));
  const members = preferred(smallest, ({ expectation }) => expectation.intermittent !== undefined);
  // A completion that was given away is worse than a list of models, or than a refusal for another reason.
  const worst = preferred(members, (member) => rankOfForm(member) === 0);
  const repeated = preferred(worst, ({ finding }) => find(finding?.exchange)?.repeat !== undefined);
  const [shown] = sortByPlainness(repeated, ({ finding }) => find(finding?.exchange));
  if (!shown) throw new Error('A group has at least one member.');
  const findings = group.flatMap(({ finding }) => finding ?? []);
  const counted = withoutTwice(group, countAnswers);
  const answers = countAnswers(counted);
  const unit = unitOf(report, [shown, ...group]);
  const excused = excuseOf(shown);
  return {
    ...shown,
    ...(excused && { excused }),
    cases: [...new Set(group.map((member) => member.case.id))],
    findings: [...new Set(group.map((member) => `${member.case.id} ${member.finding?.fingerprint ?? ''}`))],
    fingerprints: [...new Set(findings.map(({ fingerprint }) => fingerprint))],
    answers,
    statuses: [...new Set(findings.flatMap(({ status }) => status ?? []))].toSorted((left, right) => left - right),
    places: answers > 1 ? 1 : findings.reduce((sum, { more }) => sum + 1 + more, 0),
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

/** Those of a kind, or all if there are none. */
function preferred<Item>(all: readonly Item[], isMeant: (item: Item) => boolean): readonly Item[] {
  const some = all.filter(isMeant);
  return some.length > 0 ? some : all;
}

function rankOfForm({ finding }: BrokenMember): number {
  return finding && isCompletion(finding.actual) ? 0 : 1;
}

/** A relay has the same fault with whatever status its answer has. */
function formOf({ expectation, finding }: BrokenMember): string {
  if (!finding) return '';
  const { mismatch, actualType, actual } = finding;
  if (!isOneThing(expectation, finding)) return formOfActual(finding);
  return [mismatch, actualType, ...(actual.kind === 'answer' ? [actual.content?.kind] : [])].join(' ');
}

function otherForms(group: readonly BrokenMember[], shown: BrokenMember, unit: SeenUnit): readonly Form[] {
  const others = groupBy(
    group.filter((member) => formOf(member) !== formOf(shown)),
    formOf,
  );
  return [...others.values()]
    .flatMap((members) => members.slice(0, 1).map((first) => ({ ...first, seen: countSeen(unit, members) })))
    .toSorted((left, right) => rankOfForm(left) - rankOfForm(right) || right.seen - left.seen);
}

/** A case without a request of its own looks at the answers that other cases got: those count that have more of them. */
export function withoutTwice<Of extends Pick<BrokenMember, 'case'>>(
  group: readonly Of[],
  countIn: (some: readonly Of[]) => number,
): readonly Of[] {
  const own = group.filter((member) => member.case.exchange !== undefined);
  const looked = group.filter((member) => member.case.exchange === undefined);
  return countIn(looked) >= countIn(own) ? looked : own;
}

/** What the shape of an answer is, whatever was asked. Other clauses depend on the request. */
const OF_SHAPE: readonly FindingReport['mismatch'][] = ['absent', 'type', 'value', 'empty'];

function countIntermittent(group: readonly BrokenMember[]): Pick<RootCause, 'intermittent' | 'share'> {
  const expectations = [...new Set(group.map(({ expectation }) => expectation))];
  if (expectations.some(({ intermittent }) => intermittent)) return { intermittent: countBroken(group, expectations) };
  // A case with a request of its own says nothing about the requests of others.
  if (group.some((member) => member.case.exchange !== undefined)) return {};
  if (!group.every(({ finding }) => finding && OF_SHAPE.includes(finding.mismatch))) return {};
  const share = countBroken(group, expectations);
  return share.broken > 0 && share.broken < share.judged ? { share } : {};
}

function countBroken(group: readonly BrokenMember[], expectations: readonly ExpectationReport[]): CountedAnswers {
  const findings = new Set(group.map(({ finding }) => finding));
  // Some answers may have broken the clause in another way, which is another entry.
  const isPart = expectations.some((each) => each.findings.some((finding) => !findings.has(finding)));
  const sumOf = (rows: readonly Tally[], members: readonly BrokenMember[]): Tally => {
    const { broken, judged } = addTallies(rows);
    return { broken: isPart ? Math.min(countAnswers(members), broken) : broken, judged };
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
  if (statuses.length > 0) return { ...addTallies(statuses), statuses };
  const answers = expectations.flatMap((each) => each.answers ?? []);
  return sumOf(answers, group);
}

type Tally = Pick<CountedAnswers, 'broken' | 'judged'>;

export function addTallies(rows: readonly Tally[]): Tally {
  const sumOf = (name: keyof Tally): number => rows.reduce((sum, row) => sum + row[name], 0);
  return { broken: sumOf('broken'), judged: sumOf('judged') };
}

/** The strictest first. */
export const STRICTEST_FIRST: readonly ExpectationReport['level'][] = ['must', 'should', 'observe'];

/** Given where a refusal was due. */
const GIVEN: readonly FindingReport['mismatch'][] = ['completion', 'accepted', 'listed'];

function rankOf({ expectation: { clause }, finding }: RootCause, harmful: ReadonlySet<string>): number {
  if (harmful.has(clause)) return 0;
  return finding && GIVEN.includes(finding.mismatch) ? 1 : 2;
}

function compareEntries(left: RootCause, right: RootCause, harmful: ReadonlySet<string>): number {
  const spread = ({ answers, cases }: RootCause): number => Math.max(answers, cases.length);
  return (
    Number(left.verdict === 'warn') - Number(right.verdict === 'warn') ||
    STRICTEST_FIRST.indexOf(left.expectation.level) - STRICTEST_FIRST.indexOf(right.expectation.level) ||
    rankOf(left, harmful) - rankOf(right, harmful) ||
    spread(right) - spread(left)
  );
}

/**
 * Why requests with an invalid key do not get the status that is due: the key is not looked at (`open`), or the rest of
 * the request is looked at first (`late`). Either shows in several statuses.
 */
type KeyFault = 'open' | 'late';

/** Faults by the root cause without them: the same error has the same fault, whichever key got it. */
function keyFaultsOf(
  members: readonly BrokenMember[],
  cases: readonly CaseReport[],
  find: Find,
): ReadonlyMap<string, KeyFault> {
  const keyIn = (clause: string, exchange: string | undefined): string => `${clause} ${find(exchange)?.key}`;
  // Clauses and uses of the key for which any answer of the report refused it, as it should, or accepted it.
  const refused = new Set<string>();
  const opened = new Set<string>();
  for (const { exchange, expectations } of cases)
    for (const { clause, verdict, findings } of expectations) {
      if (verdict === 'pass') refused.add(keyIn(clause, exchange));
      for (const each of findings) if (isStatusOf(each, 200)) opened.add(keyIn(clause, each.exchange));
    }
  const found = members.flatMap((member): readonly (readonly [string, KeyFault])[] => {
    const { finding, expectation } = member;
    // A 403 is about the key.
    const isOther = (each: FindingReport): boolean =>
      isStatusOf(each, 200) || (isStatusOf(each, 400) && formOfActual(each) !== '403');
    if (!finding || !find(finding.exchange) || !isOther(finding)) return [];
    const key = keyIn(expectation.clause, finding.exchange);
    if (opened.has(key)) return [[rootCause(member, find), 'open']];
    return refused.has(key) ? [[rootCause(member, find), 'late']] : [];
  });
  // One key that is not looked at explains the error for all.
  return new Map([...found.filter(([, fault]) => fault === 'late'), ...found.filter(([, fault]) => fault === 'open')]);
}

/**
 * What compares both ends, or a reply with its limit, fails at one thing: plain or streamed, lost or altered, whatever was
 * asked. What sends the bytes of any answer fails at one thing for each kind of what was found.
 */
function isOneThing({ clause }: ExpectationReport, { expected }: FindingReport): boolean {
  return /^(?:relay|load|wire)\./.test(clause) || expected.kind === 'token-limit';
}

/** Findings that count never share an entry with excused ones. */
function rootCause(
  { verdict, case: testCase, expectation, finding }: BrokenMember,
  find: Find,
  keyFault?: KeyFault,
): string {
  const { clause, excused } = expectation;
  if (finding === undefined) return JSON.stringify([verdict, clause, excused]);
  const { mismatch, pointer = '', actualType, actual, waiver, since } = finding;
  const place = pointer.replaceAll(/\/\d+(?=\/|$)/g, '/*');
  if (isOneThing(expectation, finding)) {
    // Text without a count also shows that a limit was exceeded.
    const at = finding.expected.kind === 'token-limit' ? '' : place;
    const found = /^(?:load|wire)\./.test(clause) ? [mismatch, actualType] : [];
    return JSON.stringify([verdict, clause, at, found, waiver, since]);
  }
  // A key is repeated whatever the error.
  const isAnyError = mismatch === 'echo' || keyFault !== undefined;
  const cause = isAnyError ? [] : errorBehind(finding, find(finding.exchange));
  return JSON.stringify([
    verdict,
    clause,
    mismatch,
    place,
    // The text that a client has to return is one of a scenario.
    finding.expected.kind === 'exact-text' ? formOfClient(testCase, finding) : finding.expected,
    keyFault ?? actualType,
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
  const { text, bytes, shown } = answer.body;
  const error = memberOf(shown < bytes ? undefined : parseJson(text), 'error');
  return [answer.status, memberOf(error, 'type'), memberOf(error, 'code')];
}

/** Findings of one fault with the same form differ in nothing that a reader would want to know. */
function formOfActual({ actual }: Pick<Finding, 'actual'>): string {
  if (actual.kind === 'answer') return `${actual.status} ${actual.content?.kind ?? ''}`;
  return actual.kind === 'status' ? String(actual.status) : '';
}

/** Whether a 401 was due, and a status of this hundred came. */
function isStatusOf({ mismatch, expected, actual }: Finding, hundred: number): boolean {
  if (mismatch !== 'status' || expected.kind !== 'status' || expected.status !== 401) return false;
  return 'status' in actual && typeof actual.status === 'number' && Math.floor(actual.status / 100) * 100 === hundred;
}

/**
 * The same error, or the same text beside the random word, is one fault in however many scenarios. A client that hangs,
 * or loses the text without a word, shows nothing of its fault: each scenario may have its own.
 */
function formOfClient({ id, client }: Pick<CaseReport, 'id' | 'client'>, { actual }: FindingReport): unknown {
  if (!client) return id;
  const ofText = (text: string): string => maskScenarioWord(text, client.text ?? '');
  const ofError = (text: string): string => messageForm(ofText(text));
  if (actual.kind === 'gave-up' && actual.complaint.length > 0) {
    const { exit, signal, complaint } = actual;
    // The first words are those of all that it printed. The evidence has the other lines of a message, unless it was cut.
    return [exit, signal, formOfQuote(complaint, ofError), formOfQuote(client.complaint, ofError)];
  }
  return actual.kind === 'returned' && client.said.length > 0 ? formOfQuote(client.said, ofText) : id;
}

/** Where the text was left out, its length stands for it. */
function formOfQuote({ quote, length }: Quote, formOf: (text: string) => string): string | number {
  return quote === null ? length : formOf(quote);
}

export type SeenUnit = 'answer' | 'request' | 'scenario' | 'case' | 'call of its case' | 'upstream call';

/** What is counted. `members` are all that show the fault, led by the one that is shown. */
export function unitOf(report: Report, members: readonly ShownMember[]): SeenUnit {
  const [first] = members;
  const { isCaller, hasUpstream } = traitsOf(report);
  // A client is judged by what it made of a scenario, or by a request that it sent.
  if (isCaller) return first && isAboutRequests(first.case) ? 'request' : 'scenario';
  // Every drawn request is judged by every clause that holds for it.
  if (!hasUpstream || report.explore) return 'answer';
  // Other answers of a relay may have the same fault, but no case compared them with the upstream in this.
  if (members.every((member) => member.case.exchange !== undefined)) {
    return countCases(members) === 1 && countAnswers(members) > 1 ? 'call of its case' : 'case';
  }
  return lookUp(report).exchange(first?.finding?.exchange)?.side === 'upstream' ? 'upstream call' : 'answer';
}

export function countSeen(unit: SeenUnit, members: readonly ShownMember[]): number {
  return unit === 'case' ? countCases(members) : countAnswers(members);
}

function countCases(members: readonly ShownMember[]): number {
  return new Set(members.map((member) => member.case.id)).size;
}

function countAnswers(members: readonly ShownMember[]): number {
  const findings = members.flatMap(({ finding }) => finding ?? []);
  const answers = new Set(findings.map(({ exchange, attempt }) => `${exchange}#${attempt}`));
  return findings.reduce((sum, { moreAnswers = 0 }) => sum + moreAnswers, answers.size);
}
