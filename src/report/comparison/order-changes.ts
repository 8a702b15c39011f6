/** The order of changes: the worst kind first, and in it what harms users, then what was given and should have been refused. */
import type { Report } from '../report.ts';
import { type Change, CHANGE_KINDS } from './comparison.ts';

export function orderChanges(changes: readonly Change[], { clauses }: Report): readonly Change[] {
  const harmful = new Set(clauses.flatMap(({ id, safety }) => (safety ? [id] : [])));
  return changes.toSorted(
    (a, b) => CHANGE_KINDS.indexOf(a.kind) - CHANGE_KINDS.indexOf(b.kind) || rankOf(a, harmful) - rankOf(b, harmful),
  );
}

function rankOf({ what, clause = '', new: { finding } }: Change, harmful: ReadonlySet<string>): number {
  if (what !== 'clause-broken') return 2;
  if (harmful.has(clause)) return 0;
  return finding?.expected.kind === 'refusal' && finding.actualType === '2xx' ? 1 : 2;
}
