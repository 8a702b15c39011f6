/**
 * Cases of both runs: answers that became refusals, refusals that changed, and clauses that held and are broken now. What the
 * older run broke is no promise that the newer one breaks.
 */
import { parseJson, valueAt } from '../../json.ts';
import { isValidKey } from '../../suite/case.ts';
import type { Check, Checks } from '../../verdict/check.ts';
import { CHECKS } from '../../verdict/checks/index.ts';
import { maskIndices, typedValue } from '../../verdict/finding.ts';
import { formatObservations } from '../../verdict/observation.ts';
import type { Finding } from '../../verdict/verdict.ts';
import { isBroken } from '../counts.ts';
import type { CaseReport, ExpectationReport, Report } from '../report.ts';
import {
  type BrokenClause,
  causeOf,
  type Change,
  type ChangeKind,
  type ChangeName,
  changeOf,
  type ChangePlace,
  CHANGES,
  type ChangeSide,
} from './comparison.ts';
import type { CaseAnswer, ObservedRun } from './observed-run.ts';
import type { CasePair } from './pair-cases.ts';

export function compareCases(pairs: readonly CasePair[], older: ObservedRun, newer: ObservedRun): readonly Change[] {
  const [brokenBefore, brokenNow] = [brokenIn(older.report), brokenIn(newer.report)];
  const changes = pairs.flatMap((pair) => {
    const [old, now] = [older.answerOf(pair.before), newer.answerOf(pair.now)];
    const faults: Faults = {
      before: isToBlame(pair.before, brokenBefore) || needsNoKey(pair.before, older),
      now: isToBlame(pair.now, brokenNow) || needsNoKey(pair.now, newer),
    };
    const change = old && now && nameChange(pair, old, now, faults);
    const same = change && sameRequest(pair, older, newer);
    if (!same) return [];
    const [kind, what] = change;
    if (nameChange(pair, ...same, faults)?.[1] !== what) return [];
    const { endpoint, mode } = same[0];
    const { id, title } = pair.before;
    return [changeOf({ kind, what, place: { case: id, title, endpoint, mode }, old: old.side, new: now.side })];
  });
  return [...findLostStream(pairs), ...changes.filter((change) => !isExplained(change, changes, pairs))];
}

/** A request that asks for less is no longer answered either: what this one asks for besides is not to blame. */
function isExplained({ what, place }: Change, changes: readonly Change[], pairs: readonly CasePair[]): boolean {
  if (what !== 'acceptance-lost') return false;
  const editsOf = ({ case: id }: ChangePlace): readonly string[] =>
    pairs.find(({ before }) => before.id === id)?.before.edits.map((edit) => JSON.stringify(edit)) ?? [];
  const edits = new Set(editsOf(place));
  return changes.some(
    ({ what: other, place: less }) =>
      other === 'answer-lost' && less.endpoint === place.endpoint && editsOf(less).every((edit) => edits.has(edit)),
  );
}

/**
 * A request that asks for several things at once answers for many cases. If it is refused, each of them sends its own,
 * which the other run did not: only the shared request was sent by both.
 */
function sameRequest({ before, now }: CasePair, older: ObservedRun, newer: ObservedRun) {
  const answers = [before, now].map((asked) => [older.answerTo(asked), newer.answerTo(asked)] as const);
  return answers.find((pair): pair is readonly [CaseAnswer, CaseAnswer] => pair.every((answer) => answer));
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

/**
 * The key is not sent as the contract says, and the same request is answered without any: it says nothing about this way
 * to send a key, and the open endpoint is a change of its own.
 */
function needsNoKey({ base, edits }: CaseReport, run: ObservedRun): boolean {
  if (!edits.some((edit) => edit.kind === 'key' && !isValidKey(edit.use))) return false;
  return run.report.cases.some((other) => {
    const [first, ...more] = other.edits;
    const isWithoutKey = first?.kind === 'key' && first.use === 'none' && more.length === 0;
    return other.base === base && isWithoutKey && isSuccess(run.answerOf(other)?.side.status ?? 0);
  });
}

/** What one call led to at two upstreams: more attempts, or another order. Calls at once may differ by themselves. */
export function compareAttempts(pairs: readonly CasePair[], older: ObservedRun, newer: ObservedRun): readonly Change[] {
  const [before, now] = [attemptsIn(older.report), attemptsIn(newer.report)];
  return pairs.flatMap(({ before: { id, title } }) => {
    const [old, fresh] = [before.get(id), now.get(id)];
    if (old === undefined || fresh === undefined || old === fresh) return [];
    const side = (value: string): ChangeSide => ({ value, exchanges: [id] });
    const place = { case: id, title, endpoint: 'chat' } as const;
    return [changeOf({ kind: 'drift', what: 'attempts', place, old: side(old), new: side(fresh) })];
  });
}

function attemptsIn({ observations }: Report): ReadonlyMap<string, string> {
  const found = observations.filter(({ name }) => name === 'attempts');
  return new Map(
    found.flatMap(({ case: id, value }) => {
      const [text, ...more] = formatObservations([value]);
      return text === undefined || more.length > 0 ? [] : [[id, text] as const];
    }),
  );
}

type NamedChange = readonly [ChangeKind, ChangeName];

/** Whether the answer of each run is to blame. */
type Faults = Readonly<Record<keyof CasePair, boolean>>;

function nameChange(pair: CasePair, before: CaseAnswer, now: CaseAnswer, faults: Faults): NamedChange | undefined {
  const [{ endpoint, side: old }, { side: fresh }] = [before, now];
  const [wasGiven, isGiven] = [isSuccess(old.status), isSuccess(fresh.status)];
  if (wasGiven && isGiven) return undefined;
  if (wasGiven) return judgeLostAnswer(pair, faults);
  // Requests outside the contract are not retried, so a 5xx there may be transient.
  if (endpoint === 'other' && Math.max(old.status, fresh.status) >= 500) return undefined;
  // Fixed clauses are in a notice, and newly broken ones are changes of their own.
  if (isGiven) return faults.before || faults.now ? undefined : ['additive', 'answer-new'];
  if (old.status !== fresh.status) return ['warning', 'refusal-status'];
  const hasCodes = old.code !== undefined && fresh.code !== undefined;
  return hasCodes && old.code !== fresh.code ? ['warning', 'refusal-code'] : undefined;
}

function judgeLostAnswer({ before, now }: CasePair, faults: Faults): NamedChange | undefined {
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

/** Checks of clients and relays have none of these traits. */
function checkTraitsOf(check: string): Partial<Check> {
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
    const place = { case: before.id, endpoint: 'chat', mode: 'stream' } as const;
    const was = { value: 'an event stream', exchanges: old.exchanges };
    const is = { ...(found && { finding: pickFacts(found) }), exchanges: fresh.exchanges };
    return [changeOf({ kind: 'breaking', what: 'stream-lost', place, old: was, new: is })];
  }
  return [];
}

function pickFacts({ expected, actualType, actual }: Finding): NonNullable<ChangeSide['finding']> {
  return { expected, actualType, actual };
}

/** A clause of a case that is broken now. */
interface ClauseChange extends BrokenClause {
  readonly change: Change;
  readonly check: string;
}

/** Clauses that held in the older run and are broken now: they show what a shape does not, such as a label or an order. */
export function compareClauses(pairs: readonly CasePair[], older: ObservedRun, newer: ObservedRun) {
  const brokenBefore = brokenIn(older.report);
  const summaries = new Map(newer.report.clauses.map(({ id, summary }) => [id, summary]));
  return pairs.flatMap(({ before, now }) =>
    newlyBroken(before, now).flatMap(({ held, broken: { clause, check, level, findings } }) => {
      // If the older run broke the clause in other cases, the difference may be chance.
      const kind = level === 'must' && !brokenBefore.has(clause) ? 'breaking' : 'warning';
      return findings.flatMap((found): readonly ClauseChange[] => {
        const asked = newer.askedBy(found.exchange);
        if (!asked) return [];
        // The first token of a pointer into a stream is the index of the event.
        const inEvent = asked.mode === 'stream' ? found.pointer?.replace(/^\/\d+(?=\/|$)/, '') : found.pointer;
        const pointer = inEvent === undefined ? undefined : maskIndices(inEvent);
        const parts = {
          kind,
          what: 'clause-broken',
          clause,
          place: { case: now.id, ...asked, ...(pointer !== undefined && { pointer }) },
          old: keptBy(found, older, newer) ?? { value: summaries.get(clause) ?? clause, exchanges: held.exchanges },
          new: { finding: pickFacts(found), exchanges: [found.exchange] },
        } as const;
        // The finding's own, so a waiver for the run also covers the comparison.
        const change = { ...parts, fingerprint: found.fingerprint, cause: causeOf(parts) };
        return [{ change, clause, case: now.id, check }];
      });
    }),
  );
}

/** What the older run got for the same request, if its status or its value at that place tells the difference. */
function keptBy(found: Finding, older: ObservedRun, newer: ObservedRun): ChangeSide | undefined {
  const [before, now] = [older.answerTo(found), newer.answerTo(found)];
  if (!before || before.side.status !== now?.side.status) return before?.side;
  const { exchange: asked, expected, pointer = '/' } = found;
  const { body } = older.report.exchanges.find(({ id }) => id === asked)?.attempts.at(-1)?.answer ?? {};
  const value = valueAt(parseJson(body?.text), pointer);
  return value === undefined ? undefined : { finding: { expected, ...typedValue(value) }, exchanges: [asked] };
}

export function fixedClauses(pairs: readonly CasePair[], { clauses, ending }: Report): readonly string[] {
  const holds = new Set(clauses.filter(({ verdict }) => verdict === 'pass').map(({ id }) => id));
  const fixed = pairs
    // Without a request of its own it judges the answers to others, and a run that ended early has only some of them.
    .filter(({ before, now }) => {
      const { base, client, relay } = now;
      const isWhole = ending.kind === 'complete' || (base ?? client ?? relay) !== undefined;
      return isWhole && (before.partial || !now.partial);
    })
    .flatMap(({ before, now }) => newlyBroken(now, before).map(({ broken }) => broken.clause));
  return [...new Set(fixed)].filter((clause) => holds.has(clause));
}

function newlyBroken({ expectations: old }: CaseReport, { expectations }: CaseReport) {
  return expectations.filter(isBroken).flatMap((broken) => {
    const held = old.find(({ clause, check }) => clause === broken.clause && check === broken.check);
    return held?.verdict === 'pass' && !held.flaky && !broken.flaky && !broken.intermittent ? [{ held, broken }] : [];
  });
}

/** One entry for one cause: changes found in the answers themselves say the same as broken clauses in fewer words. */
export function joinClauses(changes: readonly Change[], clauses: readonly ClauseChange[]): readonly Change[] {
  const apart = clauses.filter((broken) => !changes.some((change) => covers(change, broken)));
  const worse = apart.flatMap(({ change }) => (change.kind === 'breaking' ? [change.place] : []));
  const joined = changes.flatMap((change) => {
    // A warning is dropped if a broken must clause reports the same place.
    if (change.kind === 'warning' && worse.some((place) => isSameFault(change, place))) return [];
    const own = clauses.filter((broken) => covers(change, broken));
    const named = new Map(own.map(({ clause, case: id }) => [`${clause} ${id}`, { clause, case: id }]));
    return [named.size === 0 ? change : { ...change, breaks: [...named.values()] }];
  });
  return [...joined, ...apart.map(({ change }) => change)];
}

function covers(change: Change, { change: { place: at, kind: broken }, check }: ClauseChange): boolean {
  const { what, place, kind } = change;
  // The letter of part 9 asks for three answers before it calls a field gone.
  if (what === 'field-gone') return place.endpoint === at.endpoint && isWithin(at, place);
  if (what === 'stream-lost') return at.mode === 'stream';
  if (what === 'end-marker-lost') return checkTraitsOf(check).findsLostEndMarker ?? false;
  return (kind === 'breaking' || broken === 'warning') && isSameFault(change, at);
}

/** Errors have one shape, wherever they come from. */
function isSameFault(change: Change, at: ChangePlace): boolean {
  const isOfErrors = change.what === 'field-type' && change.place.pointer?.startsWith('/error/') === true;
  return isSamePlace(change, at) || (isOfErrors && isWithin(at, change.place));
}

function isSamePlace({ what, place }: Change, at: ChangePlace): boolean {
  if (what === 'field-type') return place.endpoint === at.endpoint && isWithin(at, place);
  if (what === 'body-type') return place.endpoint === at.endpoint && place.mode === at.mode;
  return CHANGES[what].isOfCase === true && place.case === at.case;
}

function isWithin({ pointer }: ChangePlace, { pointer: outer }: ChangePlace): boolean {
  if (outer === undefined || pointer === undefined) return false;
  return pointer === outer || pointer.startsWith(`${outer}/`);
}

type ComparedCases = Readonly<Record<'older' | 'newer', ObservedRun>> & { readonly both: readonly CasePair[] };

/** What the older run broke and the newer keeps breaks no contract, though clients may have got used to the old form. */
export function markMended(changes: readonly Change[], cases: ComparedCases): readonly Change[] {
  const { both, older, newer } = cases;
  const reversed = both.map(({ before, now }) => ({ before: now, now: before }));
  const mended = compareClauses(reversed, newer, older).map(({ change }) => change.place);
  return changes.map((change): Change => {
    if (change.kind !== 'breaking' && change.what !== 'refusal-status') return change;
    const places = mended.filter((place) => isSamePlace(change, place));
    // A mended field says nothing of the status.
    const isMended = places.some(({ pointer }) => change.kind === 'breaking' || pointer === undefined);
    return isMended ? { ...change, kind: 'warning', mended: true } : change;
  });
}
