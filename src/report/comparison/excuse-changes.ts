/** Changes that a waiver accepts, and announced removals (part 9.5), which are allowed from their date on. */

import type { NamedWaiver } from '../../exchange/notice.ts';
import { withoutUndefined } from '../../json.ts';
import { matchesGlob } from '../../plan/select.ts';
import { excuses, nameWaiver } from '../excuses/apply-excuses.ts';
import { matchesCase, type WaiverEntry, type Waivers } from '../excuses/waivers.ts';
import { type Change, CHANGES, type ComparisonNotice, type Excused } from './comparison.ts';

const ANNOUNCED_CLAUSE = 'versioning.works-until-removal';

/** `today` as `2030-12-31`. The notices are about waivers that expired or match nothing. */
export function excuseChanges(changes: readonly Change[], waivers: Waivers | undefined, today: string) {
  if (!waivers) return { changes, notices: [] };
  const entries = waivers.waivers.map(({ entry }) => entry);
  return {
    changes: changes.map((change) => {
      const named = entries.filter((entry) => matchesChange(entry, change));
      return excuseChange(change, [...named, ...waiversOfClauses(change, entries, today)], today);
    }),
    notices: waivers.waivers.flatMap(({ entry, line }) =>
      noticeOn(entry, nameWaiver(waivers.file, { ...entry, line }), changes, today),
    ),
  };
}

type Notices = readonly ComparisonNotice[];

/** An unused waiver is not a problem: the same file may serve a run. */
function noticeOn(entry: WaiverEntry, named: NamedWaiver, changes: readonly Change[], today: string): Notices {
  const { until, announced } = entry;
  const matched = changes.filter(
    (change) => matchesChange(entry, change) || change.breaks?.some((broken) => excuses({ entry }, broken)),
  );
  const isUsed = announced
    ? matched.some((change) => matchesChange(entry, change) && CHANGES[change.what].isRemoval)
    : matched.length > 0;
  const expired = until !== undefined && until < today ? until : undefined;
  if (isUsed) return expired === undefined ? [] : [{ kind: 'waiver-expired', until: expired, ...named }];
  // What was announced is still there.
  if (announced && announced.date > today && !matched.some(isLoss)) return [];
  const over = expired !== undefined && { expired };
  const apart = changes.some((change) => isApart(change, entry)) && ({ isOfNoCase: true } as const);
  return [{ kind: 'waiver-idle', ...over, isAnnounced: announced !== undefined, ...apart, ...named }];
}

function isLoss({ kind }: Change): boolean {
  return kind !== 'additive';
}

/** Only the case keeps the waiver from it, and the change has none. */
function isApart(change: Change, { case: id, ...entry }: WaiverEntry): boolean {
  if (id === undefined || change.place.case !== undefined || !isLoss(change)) return false;
  return matchesChange(entry, change) && (!entry.announced || CHANGES[change.what].isRemoval === true);
}

function excuseChange(change: Change, named: readonly WaiverEntry[], today: string): Change {
  const announcements = CHANGES[change.what].isRemoval
    ? named.flatMap(({ announced, reason, owner }) => (announced ? [{ announced, reason, owner }] : []))
    : [];
  const due = announcements.find(({ announced }) => announced.date <= today);
  if (due) {
    const { reason, owner, announced } = due;
    const excused: Excused = {
      by: 'announcement',
      reason,
      ...withoutUndefined({ owner, link: announced.link, date: announced.date }),
    };
    return { ...change, clause: ANNOUNCED_CLAUSE, excused };
  }
  const [early] = announcements;
  // Before its date, an announced removal breaks the announcement.
  const dated: Change = early
    ? { ...change, kind: 'breaking', clause: ANNOUNCED_CLAUSE, announcedFor: early.announced.date }
    : change;
  const waiver = named.find(({ until }) => until !== undefined && today <= until);
  if (!waiver) return dated;
  const { reason, owner, link, until: date } = waiver;
  return { ...dated, excused: { by: 'waiver', reason, ...withoutUndefined({ owner, link, date }) } };
}

/** A change that breaks clauses is accepted as well if each of them is waived in each case, as a run accepts it. */
function waiversOfClauses(change: Change, entries: readonly WaiverEntry[], today: string): readonly WaiverEntry[] {
  const valid = entries.filter(({ until }) => until !== undefined && today <= until);
  const found = (change.breaks ?? []).map((broken) => valid.find((entry) => excuses({ entry }, broken)));
  const named = found.filter((entry) => entry !== undefined);
  return named.length === found.length ? named : [];
}

function matchesChange({ fingerprint, clause, case: id }: WaiverEntry, change: Change): boolean {
  return (
    (fingerprint === undefined || [change.fingerprint, change.cause].some((own) => matchesGlob(fingerprint, own))) &&
    (clause === undefined || (change.clause !== undefined && matchesGlob(clause, change.clause))) &&
    (id === undefined || (change.place.case !== undefined && matchesCase(id, change.place.case)))
  );
}
