/** Cases of both runs: answers that became refusals, refusals that changed, and clauses that held and are broken now. */
import type { Mode } from '../../plan/plan.ts';
import type { Check, Checks } from '../../verdict/check.ts';
import { CHECKS } from '../../verdict/checks/index.ts';
import { maskIndices } from '../../verdict/finding.ts';
import type { Finding } from '../../verdict/verdict.ts';
import { isBroken } from '../excuses/expected.ts';
import type { CaseReport, ExpectationReport, Report } from '../report.ts';
import {
  causeOf,
  type Change,
  type ChangeKind,
  type ChangeName,
  changeOf,
  type ChangePlace,
  type Comparison,
  LEFT_OUT_FOR,
  type LeftOutFor,
  type Side,
} from './comparison.ts';
import { type CaseAnswer, isComparable, type ObservedRun } from './observed-run.ts';

export interface CasePair {
  readonly before: CaseReport;
  readonly now: CaseReport;
}

export interface CasePairs {
  /** Every case of both runs: where one clause could not be judged, another may have been. */
  readonly both: readonly CasePair[];
  /** Those that both runs settled. */
  readonly pairs: readonly CasePair[];
  /** Cases of both runs that one of them could not settle. */
  readonly leftOut: Comparison['compared']['casesLeftOut'];
  /** Cases that kept a must in the older run, while the newer could not judge it. */
  readonly undecided: readonly string[];
}

export function pairCases(older: Report, newer: Report): CasePairs {
  const known = new Map(newer.cases.map((testCase) => [testCase.id, testCase]));
  const both = older.cases.flatMap((before) => {
    const now = known.get(before.id);
    return now ? [{ before, now }] : [];
  });
  const pairs = both.filter(({ before, now }) => isComparable(before) && isComparable(now));
  const leftOut: Record<LeftOutFor, number> = { inconclusive: 0, skipped: 0, flaky: 0 };
  for (const pair of both) {
    if (pairs.includes(pair)) continue;
    const verdicts: readonly string[] = [pair.before.verdict, pair.now.verdict];
    leftOut[LEFT_OUT_FOR.find((name) => verdicts.includes(name)) ?? 'flaky'] += 1;
  }
  return { both, pairs, leftOut, undecided: both.filter(isUndecided).map(({ now }) => now.id) };
}

function isUndecided({ before, now }: CasePair): boolean {
  const kept = new Set(before.expectations.filter(({ verdict }) => verdict === 'pass').map(({ clause }) => clause));
  return now.expectations.some(
    ({ verdict, level, clause }) => verdict === 'inconclusive' && level === 'must' && kept.has(clause),
  );
}

export function compareCases(pairs: readonly CasePair[], older: ObservedRun, newer: ObservedRun): readonly Change[] {
  const [brokenBefore, brokenNow] = [brokenIn(older.report), brokenIn(newer.report)];
  const changes = pairs.flatMap((pair) => {
    const [old, now] = [older.answerOf(pair.before), newer.answerOf(pair.now)];
    const faults = { before: isToBlame(pair.before, brokenBefore), now: isToBlame(pair.now, brokenNow) };
    const change = old && now && compareAnswers(pair, old, now, faults);
    if (!change) return [];
    const [kind, what] = change;
    const place = { case: pair.before.id, endpoint: old.endpoint, mode: old.mode };
    return [changeOf({ kind, what, place, old: old.side, new: now.side })];
  });
  return [...findLostStream(pairs), ...changes];
}

/** Clauses that some case of the run breaks. */
function brokenIn({ cases }: Report): ReadonlySet<string> {
  return new Set(cases.flatMap(({ expectations }) => expectations.filter(isBroken).map(({ clause }) => clause)));
}

/** The answer breaks a clause, or was not judged since it only follows from a clause that other cases break. */
function isToBlame({ expectations }: CaseReport, broken: ReadonlySet<string>): boolean {
  return expectations.some(
    (each) => isBroken(each) || (each.reason?.kind === 'see-clause' && broken.has(each.reason.clause)),
  );
}

type NamedChange = readonly [ChangeKind, ChangeName];

/** Whether the answer of each run is to blame. */
interface Faults {
  readonly before: boolean;
  readonly now: boolean;
}

function compareAnswers(
  { before, now }: CasePair,
  { endpoint, side: old }: CaseAnswer,
  { side: fresh }: CaseAnswer,
  faults: Faults,
): NamedChange | undefined {
  const [wasGiven, isGiven] = [isSuccess(old.status), isSuccess(fresh.status)];
  if (wasGiven && isGiven) return undefined;
  if (wasGiven) return judgeLostAnswer(before, now, faults);
  // Requests outside the contract are not retried, so a 5xx there may be transient.
  if (endpoint === 'other' && Math.max(old.status, fresh.status) >= 500) return undefined;
  // Fixed clauses are in a notice, and newly broken ones are changes of their own.
  if (isGiven) return faults.before || faults.now ? undefined : ['additive', 'answer-new'];
  if (old.status !== fresh.status) return ['warning', 'refusal-status'];
  const hasCodes = old.code !== undefined && fresh.code !== undefined;
  return hasCodes && old.code !== fresh.code ? ['warning', 'refusal-code'] : undefined;
}

function judgeLostAnswer(before: CaseReport, now: CaseReport, faults: Faults): NamedChange | undefined {
  const promised = before.expectations.find(({ check }) => traitsOf(check).expectsAnswer);
  // Accepting it was the fault, and its clause is among those that are fixed.
  if (!promised) return faults.before ? undefined : ['warning', 'acceptance-lost'];
  // Losing an answer is breaking only where the contract states that the request must be answered.
  const breaks =
    promised.kind === 'stated' &&
    promised.verdict === 'pass' &&
    now.expectations.some((expectation) => expectation.clause === promised.clause && isBroken(expectation));
  return [breaks ? 'breaking' : 'warning', 'answer-lost'];
}

/** Of clients and relays, no check has any of them. */
function traitsOf(check: string): Partial<Check> {
  const checks: Checks = CHECKS;
  return checks[check] ?? {};
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

function findsLostStream({ check }: ExpectationReport): boolean {
  return traitsOf(check).findsLostStream ?? false;
}

/** Reported once, however many streams there were. */
function findLostStream(pairs: readonly CasePair[]): readonly Change[] {
  for (const { before, now } of pairs) {
    const old = before.expectations.filter(findsLostStream).find(({ verdict }) => verdict === 'pass');
    const fresh = now.expectations.filter(findsLostStream).find(({ clause }) => clause === old?.clause);
    if (!old || fresh?.verdict !== 'fail') continue;
    const [found] = fresh.findings;
    return [
      changeOf({
        kind: 'breaking',
        what: 'stream-lost',
        place: { case: before.id, endpoint: 'chat', mode: 'stream' },
        old: { value: 'an event stream', exchanges: old.exchanges },
        new: { ...(found && { finding: pickFacts(found) }), exchanges: fresh.exchanges },
      }),
    ];
  }
  return [];
}

function pickFacts({ expected, actualType, actual }: Finding): NonNullable<Side['finding']> {
  return { expected, actualType, actual };
}

/**
 * Broken clauses show what a shape does not: a kind marker, a label, an order of events.
 * `reported`: changes found in the answers themselves, which say the same in fewer words.
 */
export function compareClauses(
  pairs: readonly CasePair[],
  older: ObservedRun,
  newer: ObservedRun,
  reported: readonly Change[],
): readonly Change[] {
  const brokenBefore = brokenIn(older.report);
  const summaries = new Map(newer.report.clauses.map(({ id, summary }) => [id, summary]));
  return pairs.flatMap(({ before, now }) =>
    newlyBroken(before, now).flatMap(({ held, broken: { clause, check, level, findings } }) => {
      // If the older run broke the clause in other cases, the difference may be chance.
      const kind = level === 'must' && !brokenBefore.has(clause) ? 'breaking' : 'warning';
      return findings.flatMap((found): readonly Change[] => {
        const asked = newer.askedBy(found.exchange);
        if (!asked) return [];
        const pointer = found.pointer === undefined ? undefined : pointerIn(found.pointer, asked.mode);
        const place = { case: now.id, ...asked, ...(pointer !== undefined && { pointer }) };
        if (reported.some((change) => covers(change, place, check, kind))) return [];
        const change = {
          kind,
          what: 'clause-broken',
          clause,
          place,
          old: { value: summaries.get(clause) ?? clause, exchanges: held.exchanges },
          new: { finding: pickFacts(found), exchanges: [found.exchange] },
        } as const;
        // The finding's own, so a waiver for the run also covers the comparison.
        return [{ ...change, fingerprint: found.fingerprint, cause: causeOf(change) }];
      });
    }),
  );
}

/** In a stream, the first token is the index of the event. */
function pointerIn(pointer: string, mode: Mode): string {
  return maskIndices(mode === 'stream' ? pointer.replace(/^\/\d+(?=\/|$)/, '') : pointer);
}

export function fixedClauses(pairs: readonly CasePair[], { clauses }: Report): readonly string[] {
  const holds = new Set(clauses.filter(({ verdict }) => verdict === 'pass').map(({ id }) => id));
  const fixed = pairs.flatMap(({ before, now }) => newlyBroken(now, before).map(({ broken }) => broken.clause));
  return [...new Set(fixed)].filter((clause) => holds.has(clause));
}

function newlyBroken({ expectations: old }: CaseReport, { expectations }: CaseReport) {
  return expectations.filter(isBroken).flatMap((broken) => {
    const held = old.find(({ clause, check }) => clause === broken.clause && check === broken.check);
    return held?.verdict === 'pass' && !held.flaky && !broken.flaky && !broken.intermittent ? [{ held, broken }] : [];
  });
}

/** A warning is dropped if a broken must clause reports the same place. */
export function isOutweighed(change: Change, broken: readonly Change[]): boolean {
  return (
    change.kind === 'warning' && broken.some(({ kind, place }) => kind === 'breaking' && isSamePlace(change, place))
  );
}

function covers(change: Change, at: ChangePlace, check: string, broken: ChangeKind): boolean {
  const { what, place, kind } = change;
  // The letter of part 9 asks for three answers before it calls a field gone.
  if (what === 'field-gone') return isWithin(at, place);
  if (what === 'stream-lost') return at.mode === 'stream';
  if (what === 'end-marker-lost') return traitsOf(check).findsLostEndMarker ?? false;
  return (kind === 'breaking' || broken === 'warning') && isSamePlace(change, at);
}

const BY_CASE: readonly ChangeName[] = ['refusal-status', 'refusal-code', 'answer-lost', 'acceptance-lost'];

export function isSamePlace({ what, place }: Change, at: ChangePlace): boolean {
  if (what === 'field-type') return isWithin(at, place);
  if (what === 'body-type') return place.endpoint === at.endpoint && place.mode === at.mode;
  return BY_CASE.includes(what) && place.case === at.case;
}

function isWithin({ endpoint, pointer }: ChangePlace, { endpoint: other, pointer: outer }: ChangePlace): boolean {
  if (endpoint !== other || outer === undefined || pointer === undefined) return false;
  return pointer === outer || pointer.startsWith(`${outer}/`);
}
