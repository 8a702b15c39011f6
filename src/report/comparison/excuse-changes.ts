/** Changes that the waiver file accepts for a time, and removals that were announced (part 9.5): legal from their day on. */
import { matchesGlob } from '../../plan/select.ts';
import { subjectOf } from '../exemptions/waiver-notices.ts';
import { matchesCase, type WaiverEntry, type Waivers } from '../exemptions/waivers.ts';
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

export interface ExcusedChanges {
  readonly changes: readonly Change[];
  /** On entries that did not do what they were written for. */
  readonly notices: readonly string[];
}

/** `today` as `2030-12-31`. */
export function excuseChanges(changes: readonly Change[], waivers: Waivers | undefined, today: string): ExcusedChanges {
  if (!waivers) return { changes, notices: [] };
  const entries = waivers.waivers.map(({ entry }) => entry);
  return {
    changes: changes.map((change) => {
      const named = entries.filter((entry) => names(entry, change));
      return excuseOne(change, named, today);
    }),
    notices: waivers.waivers.flatMap(({ entry, line }) => {
      const sentence = sentenceOn(entry, changes, today);
      return sentence === undefined ? [] : [`${waivers.file}:${line}: the waiver of ${subjectOf(entry)} ${sentence}`];
    }),
  };
}

/** That it is of no use is not said: the file may be that of a run, where it has one. */
function sentenceOn(entry: WaiverEntry, changes: readonly Change[], today: string): string | undefined {
  const { until, announced } = entry;
  const isUsed = changes.some((change) => names(entry, change) && (!announced || REMOVALS.includes(change.what)));
  const isExpired = until !== undefined && until < today;
  if (isUsed) {
    return isExpired
      ? `expired on ${until}: what it names counts again. Have it put right, or set a later date.`
      : undefined;
  }
  // What is to go later is still there, as it has to be.
  if (announced && announced.date > today) return undefined;
  const idle = `names nothing that ${announced ? 'went' : 'changed'} from the one run to the other.`;
  return isExpired ? `expired on ${until}, and ${idle}` : idle;
}

function excuseOne(change: Change, named: readonly WaiverEntry[], today: string): Change {
  const announcements = REMOVALS.includes(change.what)
    ? named.flatMap(({ announced, reason }) => (announced ? [{ ...announced, reason }] : []))
    : [];
  const due = announcements.find(({ date }) => date <= today);
  if (due) {
    const { reason, date, link } = due;
    return { ...change, clause: ANNOUNCED_CLAUSE, excused: { by: 'announcement', reason, date, link } };
  }
  const [early] = announcements;
  // Until its day, a removal that was announced is just what the announcement promised not to do.
  const dated: Change = early
    ? { ...change, kind: 'breaking', clause: ANNOUNCED_CLAUSE, announcedFor: early.date }
    : change;
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
    (fingerprint === undefined || matchesGlob(fingerprint, change.fingerprint)) &&
    (clause === undefined || (change.clause !== undefined && matchesGlob(clause, change.clause))) &&
    (id === undefined || (change.place.case !== undefined && matchesCase(id, change.place.case)))
  );
}
