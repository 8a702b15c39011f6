/** Clauses that held and are broken now: what a shape does not show, such as a kind marker, a label or an order of events. */
import type { Endpoint, Mode } from '../../plan/plan.ts';
import { starIndices } from '../../verdict/finding.ts';
import type { CaseReport, ExpectationReport, Report } from '../report.ts';
import type { CasePair } from './compare-cases.ts';
import type { Change, ChangeName, ChangePlace } from './comparison.ts';
import type { ObservedRun } from './observed-run.ts';

/** `told`: what was found already by looking at answers, which says the same in fewer words. */
export function compareClauses(
  pairs: readonly CasePair[],
  older: ObservedRun,
  newer: ObservedRun,
  told: readonly Change[],
): readonly Change[] {
  const brokenBefore = new Set(
    older.report.cases.flatMap(({ expectations }) => expectations.filter(isBroken).map(({ clause }) => clause)),
  );
  const summaries = new Map(newer.report.clauses.map(({ id, summary }) => [id, summary]));
  return pairs.flatMap(({ before, now }) =>
    newlyBroken(before, now).flatMap(({ held, broken }) => {
      // Broken in some cases and not in others: that it is another one this time may be chance.
      const breaks = broken.level === 'must' && !brokenBefore.has(broken.clause);
      return broken.findings.flatMap((finding): readonly Change[] => {
        const asked = newer.askedBy(finding.exchange);
        if (!asked) return [];
        const { expected, actualType, actual } = finding;
        const pointer = finding.pointer === undefined ? undefined : pointerIn(finding.pointer, asked.mode);
        const place = { case: now.id, ...asked, ...(pointer !== undefined && { pointer }) };
        if (told.some((change) => tells(change, place, broken, breaks))) return [];
        return [
          {
            kind: breaks ? 'breaking' : 'warning',
            what: 'clause-broken',
            clause: broken.clause,
            place,
            old: { value: summaries.get(broken.clause) ?? broken.clause, exchanges: held.exchanges },
            new: { finding: { expected, actualType, actual }, exchanges: [finding.exchange] },
            // That of the finding, so that a waiver for the run is one for the comparison.
            fingerprint: finding.fingerprint,
          },
        ];
      });
    }),
  );
}

/** The other way round. */
export function fixedClauses(pairs: readonly CasePair[], { clauses }: Report): readonly string[] {
  const holds = new Set(clauses.filter(({ verdict }) => verdict === 'pass').map(({ id }) => id));
  const fixed = pairs.flatMap(({ before, now }) => newlyBroken(now, before).map(({ broken }) => broken.clause));
  return [...new Set(fixed)].filter((clause) => holds.has(clause));
}

/** Something to be looked at is not told beside the must that it breaks. */
export function isOutdone({ kind, what, place }: Change, broken: readonly Change[]): boolean {
  if (kind !== 'warning') return false;
  return broken.some((change) => {
    if (change.kind !== 'breaking') return false;
    if (what === 'field-type') return isAt(place, change.place);
    if (what === 'body-type') return place.endpoint === change.place.endpoint && place.mode === change.place.mode;
    return BY_CASE.includes(what) && change.place.case === place.case;
  });
}

const BY_CASE: readonly ChangeName[] = ['refusal-status', 'refusal-code', 'answer-lost', 'acceptance-lost'];

interface NewlyBroken {
  readonly held: ExpectationReport;
  readonly broken: ExpectationReport;
}

function newlyBroken({ expectations: old }: CaseReport, { expectations }: CaseReport): readonly NewlyBroken[] {
  return expectations.filter(isBroken).flatMap((broken) => {
    const held = old.find(({ clause, check }) => clause === broken.clause && check === broken.check);
    return held?.verdict === 'pass' && !held.flaky && !broken.flaky ? [{ held, broken }] : [];
  });
}

function isBroken({ verdict }: ExpectationReport): boolean {
  return verdict === 'fail' || verdict === 'warn';
}

interface BrokenPlace {
  readonly case: string;
  readonly endpoint: Endpoint;
  readonly mode: Mode;
  readonly pointer?: string;
}

function tells(change: Change, at: BrokenPlace, { check }: ExpectationReport, breaks: boolean): boolean {
  const { what, place, kind } = change;
  const isAsBad = kind === 'breaking' || !breaks;
  if (BY_CASE.includes(what)) return isAsBad && place.case === at.case;
  // The letter of part 9 asks for three answers before it calls a field gone.
  if (what === 'field-gone') return isAt(place, at);
  if (what === 'field-type') return isAsBad && isAt(place, at);
  if (what === 'body-type') return isAsBad && place.endpoint === at.endpoint && place.mode === at.mode;
  return what === 'stream-lost' ? at.mode === 'stream' : what === 'end-marker-lost' && check === 'stream-done';
}

function isAt({ endpoint, pointer: outer }: ChangePlace, { endpoint: own, pointer }: ChangePlace): boolean {
  if (endpoint !== own || outer === undefined || pointer === undefined) return false;
  return pointer === outer || pointer.startsWith(`${outer}/`);
}

/** In a stream the first token is the number of the event. */
function pointerIn(pointer: string, mode: Mode): string {
  return starIndices(mode === 'stream' ? pointer.replace(/^\/\d+(?=\/|$)/, '') : pointer);
}
