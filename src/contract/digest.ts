/** Identifies a value, however its file is written. */
import { createHash } from 'node:crypto';
import { isObject } from '../json.ts';

/** SHA-256 over the canonical JSON of a value: members sorted by name, no white space. */
export function digestOf(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex');
}

function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) =>
    isObject(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : Number(a > b))))
      : member,
  );
}
