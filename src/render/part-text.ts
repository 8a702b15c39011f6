/** Where a clause comes from, in words. */
import type { ClauseReport } from '../report/report.ts';
import { inert } from '../text/inert.ts';

/** The kind of a clause as people read it. The ids are promises to programs. */
export const KIND_WORDS: Readonly<Record<ClauseReport['kind'], string>> = {
  stated: 'stated',
  implied: 'implied',
  prudent: 'security',
  silent: 'silent',
  outside: 'outside',
};

/** How the contract was read to arrive at a clause. */
export const READINGS: Readonly<Record<ClauseReport['kind'], string>> = {
  stated: 'stated',
  implied: 'implied',
  prudent: 'good security practice',
  silent: 'not specified',
  outside: 'outside: not observable over the wire',
};

/** `part 7`, or how a clause came about that belongs to no part. */
export function formatPart(part: string | undefined, kind: ClauseReport['kind']): string {
  if (part === undefined || part === '-') return READINGS[kind];
  return `${part.includes(',') ? 'parts' : 'part'} ${inert(part, 40)}`;
}
