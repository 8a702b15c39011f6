/** Changes that the waiver file accepts for a time, and removals that were announced (part 9.5): legal from their day on. */
import { globMatches } from '../../plan/select.ts';
import { matchesCase, type WaiverEntry, type Waivers } from '../waivers.ts';
import { ANNOUNCED_CLAUSE } from './change.ts';
import type { Change, ChangeName } from './comparison.ts';

/** What an announcement can be about: something that is there no longer. */
const REMOVALS: readonly ChangeName[] = [
  'field-gone',
  'body-type',
  'answer-lost',
  'acceptance-lost',
  'stream-lost',
  'end-marker-lost',
  'model-gone',
];

/** `today` as `2030-12-31`. */
export function excuseChanges(
  changes: readonly Change[],
  waivers: Waivers | undefined,
  today: string,
): readonly Change[] {
  if (!waivers) return changes;
  const entries = waivers.waivers.map(({ entry }) => entry);
  return changes.map((change) => {
    const named = entries.filter((entry) => names(entry, change));
    return excuseOne(change, named, today);
  });
}

function excuseOne(change: Change, named: readonly WaiverEntry[], today: string): Change {
  const announced = REMOVALS.includes(change.what) ? named.find((entry) => entry.announced) : undefined;
  // Until its day, a removal that was announced is just what the announcement promised not to do.
  const dated = announced ? { ...change, clause: ANNOUNCED_CLAUSE } : change;
  if (announced?.announced && announced.announced.date <= today) {
    const { date, link } = announced.announced;
    return { ...dated, excused: { by: 'announcement', reason: announced.reason, date, link } };
  }
  const waiver = named.find(({ until }) => until !== undefined && today <= until);
  if (!waiver) return dated;
  const { reason, link, until } = waiver;
  return {
    ...dated,
    excused: { by: 'waiver', reason, ...(link !== undefined && { link }), ...(until !== undefined && { date: until }) },
  };
}

function names({ fingerprint, clause, case: id }: WaiverEntry, change: Change): boolean {
  return (
    (fingerprint === undefined || globMatches(fingerprint, change.fingerprint)) &&
    (clause === undefined || (change.clause !== undefined && globMatches(clause, change.clause))) &&
    (id === undefined || (change.place.case !== undefined && matchesCase(id, change.place.case)))
  );
}
