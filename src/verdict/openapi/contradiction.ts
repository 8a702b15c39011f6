/** One place where a description says something else than the contract. */
import { cutText } from '../../text/quote.ts';
import { fold } from '../finding.ts';
import type { Finding } from '../verdict.ts';

export type Contradiction = Required<Pick<Finding, 'pointer' | 'mismatch' | 'expected' | 'actualType' | 'actual'>>;

/** Stands in a finding where the id of an exchange would: the description is none. */
const DESCRIPTION = 'openapi';
const MOST_FINDINGS = 50;
/** Characters of a pointer: the names in it are the document's own. */
const LONGEST_POINTER = 300;

/** A schema that several places refer to is one place. */
export function findingsOf(contradictions: readonly Contradiction[]): readonly Finding[] {
  const once = new Map(contradictions.map((one) => [JSON.stringify(one), one]));
  const findings = [...once.values()].map((one) => ({
    ...one,
    pointer: cutPointer(one.pointer),
    exchange: DESCRIPTION,
    attempt: 0,
    more: 0,
  }));
  const folded = fold(findings, []);
  const shown = folded.slice(0, MOST_FINDINGS);
  const last = shown.pop();
  return last ? [...shown, { ...last, more: last.more + folded.length - shown.length - 1 }] : [];
}

/** The form is part of fingerprints. */
function cutPointer(pointer: string): string {
  const start = cutText(pointer, LONGEST_POINTER);
  return start === pointer ? pointer : `${start}… (${pointer.length} characters)`;
}
