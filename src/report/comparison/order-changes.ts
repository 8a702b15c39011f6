/** The order of changes: the worst kind first, and in it what harms users, then what was given and should have been refused. Of one cause, the kind with the most answers, then completions, then what is no stream. */
import { isCompletion } from '../../verdict/actual.ts';
import { groupBy } from '../counts.ts';
import type { Report } from '../report.ts';
import { type Change, CHANGE_KINDS } from './comparison.ts';

export function orderChanges(changes: readonly Change[], { clauses }: Report): readonly Change[] {
  const harmful = new Set(clauses.flatMap(({ id, safety }) => (safety ? [id] : [])));
  const ordered = changes.toSorted(
    (a, b) => CHANGE_KINDS.indexOf(a.kind) - CHANGE_KINDS.indexOf(b.kind) || rankOf(a, harmful) - rankOf(b, harmful),
  );
  const causes = groupBy(ordered, ({ kind, cause }) => `${kind} ${cause}`);
  return [...causes.values()].flatMap((places) => places.toSorted(compareShown));
}

/** A completion that was given away is worse than a list of models. */
function compareShown(a: Change, b: Change): number {
  return answersOf(b) - answersOf(a) || rankOfForm(a) - rankOfForm(b) || rankOfMode(a) - rankOfMode(b);
}

function rankOfForm({ new: { finding } }: Change): number {
  return finding && isCompletion(finding.actual) ? 0 : 1;
}

function rankOfMode({ place: { mode } }: Change): number {
  return mode === 'stream' ? 1 : 0;
}

function answersOf({ old, new: now }: Change): number {
  return (old.answers ?? 0) + (now.answers ?? 0);
}

function rankOf({ what, clause = '', new: { finding } }: Change, harmful: ReadonlySet<string>): number {
  if (what !== 'clause-broken') return 2;
  if (harmful.has(clause)) return 0;
  return finding?.expected.kind === 'refusal' && finding.actualType === '2xx' ? 1 : 2;
}
