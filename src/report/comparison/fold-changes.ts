/** One cause, one entry: changes that differ only in their place. Every format counts entries. */
import { groupBy } from '../counts.ts';
import type { Change, Comparison } from './comparison.ts';

export interface FoldedChange {
  readonly change: Change;
  readonly others: readonly Change[];
}

export function foldChanges(changes: readonly Change[]): readonly FoldedChange[] {
  return [...groupBy(changes, entryOf).values()].flatMap(([change, ...others]) => (change ? [{ change, others }] : []));
}

/** New models, and models that are gone alike, share an entry, though each is a cause of its own. */
function entryOf(change: Change): string {
  const { kind, what, clause, cause, new: now, excused, scant, mended, announcedFor } = change;
  const group = isOfModels(change) ? [what, clause, what === 'model-gone' ? now.value : ''] : [cause];
  return JSON.stringify([kind, group, excused, scant, mended, announcedFor]);
}

export function isOfModels({ what }: Change): boolean {
  return what === 'model-gone' || what === 'model-new';
}

/** Entries by kind. A waived one is counted as waived, and not by its kind. */
export function countEntries(changes: readonly Change[]): Comparison['counts'] {
  const entries = foldChanges(changes);
  const of = (name: keyof Comparison['counts']): number =>
    entries.filter(({ change: { kind, excused } }) => (excused ? 'waived' : kind) === name).length;
  return {
    breaking: of('breaking'),
    warning: of('warning'),
    additive: of('additive'),
    drift: of('drift'),
    waived: of('waived'),
  };
}
