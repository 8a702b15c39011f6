/** The entries of the page, in its order, and their anchors: the id of the clause, so that a link can be written by hand. */
import type { Report } from '../../report/report.ts';
import { type Entry, foldFindings } from '../fold.ts';

/** Findings that count come before those that do not. */
export const ENTRY_GROUPS = ['failures', 'warnings', 'known', 'waived'] as const;
export type Group = (typeof ENTRY_GROUPS)[number];

export interface PageEntry extends Entry {
  readonly group: Group;
  readonly anchor: string;
}

/** A foreign report may hold anything. The dot keeps the id apart from every other anchor of the page. */
const CLAUSE_ID = /^[a-z][a-z0-9-]{0,59}\.[a-z0-9-]{1,60}$/;

export function looksLikeClauseId(id: string): boolean {
  return CLAUSE_ID.test(id);
}

/** `errors.code`, `errors.code.2` for the second cause; no clause id has two dots. */
export function listEntries(report: Report): readonly PageEntry[] {
  const sorted = foldFindings(report)
    .map((entry) => ({ ...entry, group: groupOf(entry) }))
    .toSorted((a, b) => ENTRY_GROUPS.indexOf(a.group) - ENTRY_GROUPS.indexOf(b.group));
  const seen = new Map<string, number>();
  return sorted.map((entry, at) => {
    const { clause } = entry.expectation;
    const number = (seen.get(clause) ?? 0) + 1;
    seen.set(clause, number);
    const name = number === 1 ? clause : `${clause}.${number}`;
    return { ...entry, anchor: looksLikeClauseId(clause) ? name : `entry-${at + 1}` };
  });
}

function groupOf({ excused, verdict }: Entry): Group {
  return excused ?? (verdict === 'fail' ? 'failures' : 'warnings');
}
