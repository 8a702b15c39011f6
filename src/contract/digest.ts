/** Identifies a value, however its file is written. */
import { createHash } from 'node:crypto';
import { isObject } from '../json.ts';

/** Characters that are held before they are hashed. */
const PIECE = 64 * 1024;

/** SHA-256 over the canonical JSON of a value (RFC 8785): members sorted by name, no white space. */
export function digestOf(value: unknown): string {
  const hash = createHash('sha256');
  let held = '';
  writeCanonical(value, (text) => {
    held += text;
    if (held.length < PIECE) return;
    hash.update(held);
    held = '';
  });
  return hash.update(held).digest('hex');
}

function writeCanonical(value: unknown, write: (text: string) => void): void {
  if (Array.isArray(value)) {
    write('[');
    for (const [index, item] of value.entries()) {
      if (index > 0) write(',');
      writeCanonical(item, write);
    }
    write(']');
  } else if (isObject(value)) {
    // As in JSON.stringify, an undefined member is none.
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    write('{');
    for (const [index, [name, member]] of members.toSorted(([a], [b]) => (a < b ? -1 : Number(a > b))).entries()) {
      write(`${index > 0 ? ',' : ''}${JSON.stringify(name)}:`);
      writeCanonical(member, write);
    }
    write('}');
  } else {
    write(JSON.stringify(value ?? null));
  }
}
