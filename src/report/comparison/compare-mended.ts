/** Tells mended forms from breaks: what the older run broke is no promise that the newer one breaks. */
import type { CasePair } from './pair-cases.ts';
import { compareClauses, isSamePlace } from './compare-clauses.ts';
import type { Change } from './comparison.ts';
import type { ObservedRun } from './observed-run.ts';

/** What the older run broke and the newer keeps breaks no contract, though clients may have got used to the old form. */
export function markMended(
  changes: readonly Change[],
  pairs: readonly CasePair[],
  older: ObservedRun,
  newer: ObservedRun,
): readonly Change[] {
  const reversed = pairs.map(({ before, now }) => ({ before: now, now: before }));
  const mended = compareClauses(reversed, newer, older).map(({ change }) => change);
  return changes.map((change): Change => {
    if (change.kind !== 'breaking' && change.what !== 'refusal-status') return change;
    const places = mended.map(({ place }) => place).filter((place) => isSamePlace(change, place));
    // A mended field says nothing of the status.
    const isMended = places.some(({ pointer }) => change.kind === 'breaking' || pointer === undefined);
    return isMended ? { ...change, kind: 'warning', mended: true } : change;
  });
}
