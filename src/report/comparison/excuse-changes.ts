/** Changes that a waiver accepts, and announced removals (part 9.5), which are allowed from their date on. */
import { matchesGlob } from '../../plan/select.ts';
import { nameWaived } from '../../exchange/notice.ts';
import { matchesCase, type WaiverEntry, type Waivers } from '../excuses/waivers.ts';
import { type Change, CHANGES } from './comparison.ts';

const ANNOUNCED_CLAUSE = 'versioning.works-until-removal';

export interface ExcusedChanges {
  readonly changes: readonly Change[];
  /** About waivers that expired or match nothing. */
  readonly notices: readonly string[];
}

/** `today` as `2030-12-31`. */
export function excuseChanges(changes: readonly Change[], waivers: Waivers | undefined, today: string): ExcusedChanges {
  if (!waivers) return { changes, notices: [] };
  const entries = waivers.waivers.map(({ entry }) => entry);
  return {
    changes: changes.map((change) => {
      const named = entries.filter((entry) => matchesChange(entry, change));
      return excuseChange(change, named, today);
    }),
    notices: waivers.waivers.flatMap(({ entry, line }) => {
      const sentence = formatNotice(entry, changes, today);
      return sentence === undefined ? [] : [`${waivers.file}:${line}: the waiver for ${nameWaived(entry)} ${sentence}`];
    }),
  };
}

/** An unused waiver is not a problem: the same file may serve a run. */
function formatNotice(entry: WaiverEntry, changes: readonly Change[], today: string): string | undefined {
  const { until, announced } = entry;
  const isUsed = changes.some(
    (change) => matchesChange(entry, change) && (!announced || CHANGES[change.what].isRemoval),
  );
  const isExpired = until !== undefined && until < today;
  if (isUsed) {
    return isExpired ? `expired on ${until}, so its changes count again. Fix them, or set a later date.` : undefined;
  }
  // The announced date is still ahead.
  if (announced && announced.date > today) return undefined;
  const idle = `matches nothing that ${announced ? 'was removed' : 'changed'} between the two runs.`;
  return isExpired ? `expired on ${until}, and ${idle}` : idle;
}

function excuseChange(change: Change, named: readonly WaiverEntry[], today: string): Change {
  const announcements = CHANGES[change.what].isRemoval
    ? named.flatMap(({ announced, reason }) => (announced ? [{ ...announced, reason }] : []))
    : [];
  const due = announcements.find(({ date }) => date <= today);
  if (due) {
    const { reason, date, link } = due;
    return { ...change, clause: ANNOUNCED_CLAUSE, excused: { by: 'announcement', reason, date, link } };
  }
  const [early] = announcements;
  // Before its date, an announced removal breaks the announcement.
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

function matchesChange({ fingerprint, clause, case: id }: WaiverEntry, change: Change): boolean {
  return (
    (fingerprint === undefined || [change.fingerprint, change.cause].some((own) => matchesGlob(fingerprint, own))) &&
    (clause === undefined || (change.clause !== undefined && matchesGlob(clause, change.clause))) &&
    (id === undefined || (change.place.case !== undefined && matchesCase(id, change.place.case)))
  );
}
