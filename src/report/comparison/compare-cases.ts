/** Cases of both runs: answers that became refusals, and refusals that changed. */
import { isValidKey } from '../../suite/case.ts';
import type { Check, Checks } from '../../verdict/check.ts';
import { CHECKS } from '../../verdict/checks/index.ts';
import type { Finding } from '../../verdict/verdict.ts';
import { isBroken } from '../excuses/expected.ts';
import type { CaseReport, ExpectationReport, Report } from '../report.ts';
import { type Change, type ChangeKind, type ChangeName, changeOf, type Side } from './comparison.ts';
import type { CaseAnswer, ObservedRun } from './observed-run.ts';
import type { CasePair } from './pair-cases.ts';

export function compareCases(pairs: readonly CasePair[], older: ObservedRun, newer: ObservedRun): readonly Change[] {
  const [brokenBefore, brokenNow] = [clausesBrokenIn(older.report), clausesBrokenIn(newer.report)];
  const changes = pairs.flatMap((pair) => {
    const [old, now] = [older.answerOf(pair.before), newer.answerOf(pair.now)];
    const faults = {
      before: isToBlame(pair.before, brokenBefore) || needsNoKey(pair.before, older),
      now: isToBlame(pair.now, brokenNow) || needsNoKey(pair.now, newer),
    };
    const change = old && now && compareAnswers(pair, old, now, faults);
    const sides = change && sameRequest(pair, older, newer);
    if (!sides) return [];
    const [kind, what] = change;
    if (compareAnswers(pair, ...sides, faults)?.[1] !== what) return [];
    const [{ endpoint, mode, side }, { side: fresh }] = sides;
    return [changeOf({ kind, what, place: { case: pair.before.id, endpoint, mode }, old: side, new: fresh })];
  });
  return [...findLostStream(pairs), ...changes];
}

/**
 * A request that asks for several things at once answers for many cases. If it is refused, each of them sends its own,
 * which the other run did not: only the shared request was sent by both.
 */
function sameRequest(
  { before, now }: CasePair,
  older: ObservedRun,
  newer: ObservedRun,
): readonly [CaseAnswer, CaseAnswer] | undefined {
  for (const asked of [before, now]) {
    const [old, fresh] = [older.answerTo(asked), newer.answerTo(asked)];
    if (old && fresh) return [old, fresh];
  }
  return undefined;
}

/** Clauses that some case of the run breaks. */
export function clausesBrokenIn({ cases }: Report): ReadonlySet<string> {
  return new Set(cases.flatMap(({ expectations }) => expectations.filter(isBroken).map(({ clause }) => clause)));
}

/** The answer breaks a clause, or was not judged since it only follows from a clause that other cases break. */
function isToBlame({ expectations }: CaseReport, broken: ReadonlySet<string>): boolean {
  return expectations.some(
    (each) => isBroken(each) || (each.reason?.kind === 'see-clause' && broken.has(each.reason.clause)),
  );
}

/**
 * The key is not sent as the contract says, and the same request is answered without any: it says nothing about this way
 * to send a key, and the open endpoint is a change of its own.
 */
function needsNoKey({ base, edits }: CaseReport, run: ObservedRun): boolean {
  if (!edits.some((edit) => edit.kind === 'key' && !isValidKey(edit.use))) return false;
  return run.report.cases.some(
    (other) => other.base === base && isWithoutKey(other) && isSuccess(run.answerOf(other)?.side.status ?? 0),
  );
}

function isWithoutKey({ edits: [first, ...more] }: CaseReport): boolean {
  return first?.kind === 'key' && first.use === 'none' && more.length === 0;
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
  const promised = before.expectations.find(({ check }) => checkTraitsOf(check).expectsAnswer);
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
export function checkTraitsOf(check: string): Partial<Check> {
  const checks: Checks = CHECKS;
  return checks[check] ?? {};
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

function findsLostStream({ check }: ExpectationReport): boolean {
  return checkTraitsOf(check).findsLostStream ?? false;
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

export function pickFacts({ expected, actualType, actual }: Finding): NonNullable<Side['finding']> {
  return { expected, actualType, actual };
}
