/** What was answered and is refused now, and refusals that are not what they were. */
import type { CaseReport, ExpectationReport, Report } from '../report.ts';
import { ADDITIVE_CLAUSE, BREAKING_CLAUSE, changeOf } from './change.ts';
import type { Change, ChangePlace, Comparison, LeftOutFor, Side } from './comparison.ts';
import { type CaseAnswer, isComparable, type ObservedRun } from './observed-run.ts';

export interface CasePair {
  readonly before: CaseReport;
  readonly now: CaseReport;
}

export interface CasePairs {
  /** Every case of both runs: where one clause could not be told, another may have been. */
  readonly both: readonly CasePair[];
  /** Those that both runs settled. */
  readonly pairs: readonly CasePair[];
  /** Cases of both runs that one of them could not settle. */
  readonly leftOut: Comparison['compared']['casesLeftOut'];
  /** Of these, the cases that kept a must in the older run, of which the newer cannot tell whether it is kept. */
  readonly undecided: readonly string[];
}

export function pairCases(older: Report, newer: Report): CasePairs {
  const known = new Map(newer.cases.map((one) => [one.id, one]));
  const both = older.cases.flatMap((before) => {
    const now = known.get(before.id);
    return now ? [{ before, now }] : [];
  });
  const pairs = both.filter(({ before, now }) => isComparable(before) && isComparable(now));
  const why = both.filter((pair) => !pairs.includes(pair)).map(({ before, now }) => whyLeftOut([before, now]));
  const count = (name: LeftOutFor): number => why.filter((one) => one === name).length;
  return {
    both,
    pairs,
    leftOut: { inconclusive: count('inconclusive'), skipped: count('skipped'), flaky: count('flaky') },
    undecided: both.filter(({ before, now }) => isUndecided(before, now)).map(({ now }) => now.id),
  };
}

function isUndecided({ expectations: old }: CaseReport, { expectations }: CaseReport): boolean {
  const kept = new Set(old.filter(({ verdict }) => verdict === 'pass').map(({ clause }) => clause));
  return expectations.some(
    ({ verdict, level, clause }) => verdict === 'inconclusive' && level === 'must' && kept.has(clause),
  );
}

function whyLeftOut(cases: readonly CaseReport[]): LeftOutFor {
  const verdicts = cases.map(({ verdict }) => verdict);
  if (verdicts.includes('inconclusive')) return 'inconclusive';
  return verdicts.includes('skipped') ? 'skipped' : 'flaky';
}

export function compareCases(pairs: readonly CasePair[], older: ObservedRun, newer: ObservedRun): readonly Change[] {
  const streamLost = lostStream(pairs);
  const changes = pairs.flatMap((pair) => {
    const [old, now] = [older.answerOf(pair.before), newer.answerOf(pair.now)];
    return old && now ? (compareAnswers(pair, old, now) ?? []) : [];
  });
  return [...(streamLost ? [streamLost] : []), ...changes];
}

function compareAnswers({ before, now }: CasePair, old: CaseAnswer, fresh: CaseAnswer): Change | undefined {
  const place: ChangePlace = { case: before.id, endpoint: old.endpoint, mode: old.mode };
  const sides = { old: sideOf(old), new: sideOf(fresh) };
  const [wasGiven, isGiven] = [isSuccess(old), isSuccess(fresh)];
  if (wasGiven && isGiven) return undefined;
  if (wasGiven) {
    const promised = before.expectations.find(({ check }) => check === 'answered');
    // In range or not, whoever sent it was answered; that it has to be is stated only for some.
    const breaks = promised?.kind === 'stated' && promised.verdict === 'pass' && isBroken(now, promised.clause);
    const what = promised ? 'answer-lost' : 'acceptance-lost';
    return changeOf({ kind: breaks ? 'breaking' : 'warning', what, clause: BREAKING_CLAUSE, place, ...sides });
  }
  // Outside the contract nothing is tried again, so that a 5xx there may be gone the next moment.
  if (old.endpoint === 'other' && Math.max(old.status, fresh.status) >= 500) return undefined;
  if (isGiven) {
    // What had to be answered is told as put right, and what had to be refused as a clause that is broken now.
    if ([...before.expectations, ...now.expectations].some(isViolated)) return undefined;
    return changeOf({ kind: 'additive', what: 'answer-new', clause: ADDITIVE_CLAUSE, place, ...sides });
  }
  if (old.status !== fresh.status) {
    return changeOf({ kind: 'warning', what: 'refusal-status', clause: BREAKING_CLAUSE, place, ...sides });
  }
  if (old.code === undefined || fresh.code === undefined || old.code === fresh.code) return undefined;
  return changeOf({ kind: 'warning', what: 'refusal-code', clause: BREAKING_CLAUSE, place, ...sides });
}

function isBroken({ expectations }: CaseReport, clause: string): boolean {
  return expectations.some((one) => one.clause === clause && isViolated(one));
}

function isViolated({ verdict }: ExpectationReport): boolean {
  return verdict === 'fail' || verdict === 'warn';
}

function isSuccess({ status }: CaseAnswer): boolean {
  return status >= 200 && status < 300;
}

function sideOf({ status, code, exchange }: CaseAnswer): Side {
  return { status, ...(code !== undefined && { code }), exchanges: [exchange] };
}

/** Said once, however many streams there were. */
function lostStream(pairs: readonly CasePair[]): Change | undefined {
  for (const { before, now } of pairs) {
    const old = before.expectations.find(({ check, verdict }) => check === 'event-stream' && verdict === 'pass');
    const fresh = now.expectations.find(({ check, clause }) => check === 'event-stream' && clause === old?.clause);
    if (!old || fresh?.verdict !== 'fail') continue;
    return changeOf({
      kind: 'breaking',
      what: 'stream-lost',
      clause: BREAKING_CLAUSE,
      place: { case: before.id, endpoint: 'chat', mode: 'stream' },
      old: { value: 'an event stream', exchanges: old.exchanges },
      new: { value: fresh.findings[0]?.actualType ?? 'something else', exchanges: fresh.exchanges },
    });
  }
  return undefined;
}
