/** Groups the changes of a comparison by kind and cause. */
import { type Change, CHANGE_KINDS, type ChangeKind, type Comparison } from '../../report/comparison/comparison.ts';
import { KIND_LOOKS } from './change-kinds.ts';
import { groupBy } from '../../report/counts.ts';

/** Changes that differ only in their place, shown as one entry. */
export interface FoldedChange {
  readonly change: Change;
  readonly others: readonly Change[];
}

interface Section {
  readonly kind: ChangeKind;
  readonly title: string;
  readonly changes: number;
  readonly entries: readonly FoldedChange[];
}

/** One for each kind that occurs, the worst first. */
export function sectionsOf({ changes }: Comparison): readonly Section[] {
  return CHANGE_KINDS.flatMap((kind) => {
    const own = changes.filter((change) => change.kind === kind);
    return own.length === 0
      ? []
      : [{ kind, title: KIND_LOOKS[kind].title, changes: own.length, entries: foldChanges(own) }];
  });
}

function foldChanges(changes: readonly Change[]): readonly FoldedChange[] {
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
