/** Clauses that held in the older run and are broken now: they show what a shape does not, such as a label or an order. */
import type { Mode } from '../../plan/plan.ts';
import { maskIndices } from '../../verdict/finding.ts';
import { isBroken } from '../excuses/expected.ts';
import type { CaseReport, Report } from '../report.ts';
import { clausesBrokenIn, checkTraitsOf, pickFacts } from './compare-cases.ts';
import type { CasePair } from './pair-cases.ts';
import { type BrokenClause, causeOf, type Change, type ChangeName, type ChangePlace } from './comparison.ts';
import type { ObservedRun } from './observed-run.ts';

export interface ClauseChange extends BrokenClause {
  readonly change: Change;
  readonly check: string;
}

export function compareClauses(
  pairs: readonly CasePair[],
  older: ObservedRun,
  newer: ObservedRun,
): readonly ClauseChange[] {
  const brokenBefore = clausesBrokenIn(older.report);
  const summaries = new Map(newer.report.clauses.map(({ id, summary }) => [id, summary]));
  return pairs.flatMap(({ before, now }) =>
    newlyBroken(before, now).flatMap(({ held, broken: { clause, check, level, findings } }) => {
      // If the older run broke the clause in other cases, the difference may be chance.
      const kind = level === 'must' && !brokenBefore.has(clause) ? 'breaking' : 'warning';
      return findings.flatMap((found): readonly ClauseChange[] => {
        const asked = newer.askedBy(found.exchange);
        if (!asked) return [];
        const pointer = found.pointer === undefined ? undefined : pointerIn(found.pointer, asked.mode);
        const parts = {
          kind,
          what: 'clause-broken',
          clause,
          place: { case: now.id, ...asked, ...(pointer !== undefined && { pointer }) },
          old: { value: summaries.get(clause) ?? clause, exchanges: held.exchanges },
          new: { finding: pickFacts(found), exchanges: [found.exchange] },
        } as const;
        // The finding's own, so a waiver for the run also covers the comparison.
        const change = { ...parts, fingerprint: found.fingerprint, cause: causeOf(parts) };
        return [{ change, clause, case: now.id, check }];
      });
    }),
  );
}

/** In a stream, the first token is the index of the event. */
function pointerIn(pointer: string, mode: Mode): string {
  return maskIndices(mode === 'stream' ? pointer.replace(/^\/\d+(?=\/|$)/, '') : pointer);
}

export function fixedClauses(pairs: readonly CasePair[], { clauses, ending }: Report): readonly string[] {
  const holds = new Set(clauses.filter(({ verdict }) => verdict === 'pass').map(({ id }) => id));
  const fixed = pairs
    .filter(({ before, now }) => (before.partial || !now.partial) && (ending.kind === 'complete' || hasOwnRequest(now)))
    .flatMap(({ before, now }) => newlyBroken(now, before).map(({ broken }) => broken.clause));
  return [...new Set(fixed)].filter((clause) => holds.has(clause));
}

/** Else it judges the answers to others, and a run that ended early has only some of them. */
function hasOwnRequest({ base, client, relay }: CaseReport): boolean {
  return base !== undefined || client !== undefined || relay !== undefined;
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
  const joined = changes.filter((change) => !isOutweighed(change, apart)).map((change) => withBroken(change, clauses));
  return [...joined, ...apart.map(({ change }) => change)];
}

function withBroken(change: Change, clauses: readonly ClauseChange[]): Change {
  const own = clauses.filter((broken) => covers(change, broken));
  const named = new Map(own.map(({ clause, case: id }) => [`${clause} ${id}`, { clause, case: id }]));
  return named.size === 0 ? change : { ...change, breaks: [...named.values()] };
}

/** A warning is dropped if a broken must clause reports the same place. */
function isOutweighed(change: Change, broken: readonly ClauseChange[]): boolean {
  if (change.kind !== 'warning') return false;
  return broken.some(({ change: { kind, place } }) => kind === 'breaking' && isSameFault(change, place));
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

const BY_CASE: readonly ChangeName[] = ['refusal-status', 'refusal-code', 'answer-lost', 'acceptance-lost'];

export function isSamePlace({ what, place }: Change, at: ChangePlace): boolean {
  if (what === 'field-type') return place.endpoint === at.endpoint && isWithin(at, place);
  if (what === 'body-type') return place.endpoint === at.endpoint && place.mode === at.mode;
  return BY_CASE.includes(what) && place.case === at.case;
}

function isWithin({ pointer }: ChangePlace, { pointer: outer }: ChangePlace): boolean {
  if (outer === undefined || pointer === undefined) return false;
  return pointer === outer || pointer.startsWith(`${outer}/`);
}
