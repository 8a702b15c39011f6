/** How much of a report a waiver covers, in causes as every format counts them. Findings are waived one by one. */
import { excuses } from '../report/excuses/apply-excuses.ts';
import type { WaiverEntry } from '../report/excuses/waivers.ts';
import { count } from '../text/layout.ts';
import type { Entry } from './fold.ts';

interface CoveredCause {
  readonly clause: string;
  /** The cases of its findings, by whether the waiver covers them. One case may have some of both. */
  readonly covered: readonly string[];
  readonly left: readonly string[];
}

function coverCause(waiver: WaiverEntry, { expectation: { clause }, findings }: Entry): CoveredCause {
  const covered: string[] = [];
  const left: string[] = [];
  for (const finding of findings) {
    const [id = '', fingerprint = ''] = finding.split(' ');
    const isCovered = excuses({ entry: waiver }, { case: id, clause }, fingerprint === '' ? undefined : fingerprint);
    (isCovered ? covered : left).push(id);
  }
  return { clause, covered, left };
}

/** Every cause, whether the waiver covers some of it or not. */
export function coverCauses(waiver: WaiverEntry, entries: readonly Entry[]): readonly CoveredCause[] {
  return entries.map((entry) => coverCause(waiver, entry));
}

/** `1 cause in 7 cases`; `3 causes, 1 of them in part, in 3 cases` */
export function formatCovered(causes: readonly CoveredCause[], caseWord: string): string {
  const covered = causes.filter((cause) => cause.covered.length > 0);
  if (covered.length === 0) return 'no cause';
  const parts = covered.filter(({ left }) => left.length > 0).length;
  const cases = `in ${count(countIds(covered.flatMap((cause) => cause.covered)), caseWord)}`;
  if (parts === 0) return `${count(covered.length, 'cause')} ${cases}`;
  if (parts === covered.length) return `a part of ${count(parts, 'cause')}, ${cases}`;
  return `${count(covered.length, 'cause')}, ${parts} of them in part, ${cases}`;
}

/** How many different ones. */
export function countIds(ids: readonly string[]): number {
  return new Set(ids).size;
}
