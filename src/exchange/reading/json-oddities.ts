/** Finds what JSON.parse silently accepts. */
import { walkJson } from './json-walk.ts';

/** Harmless, but worth mentioning. */
export type JsonNote = 'byte-order-mark' | 'duplicate-member' | 'unsafe-number' | 'lone-surrogate' | 'proto-member';

/** Takes valid JSON. Returns each oddity once, in order of appearance. */
export function findOddities(text: string): readonly JsonNote[] {
  const notes = new Set<JsonNote>();
  const names: Set<string>[] = [];
  walkJson(text, {
    open: () => names.push(new Set()),
    close: () => names.pop(),
    name: (start, end) => {
      const name = unescape(text, start, end, notes);
      const seen = names.at(-1);
      if (seen?.has(name)) notes.add('duplicate-member');
      seen?.add(name);
      if (name === '__proto__') notes.add('proto-member');
    },
    string: (start, end) => void unescape(text, start, end, notes),
    number: (start, end) => {
      if (!roundTrips(text.slice(start, end))) notes.add('unsafe-number');
    },
  });
  return [...notes];
}

function unescape(text: string, start: number, end: number, notes: Set<JsonNote>): string {
  const raw = text.slice(start, end);
  if (!raw.includes('\\')) return raw;
  const value = JSON.parse(`"${raw}"`) as string;
  if (/\p{Surrogate}/u.test(value)) notes.add('lone-surrogate');
  return value;
}

/** RFC 8259 section 6: parsers differ on integers that a double cannot represent, and on numbers too large for one. */
function roundTrips(text: string): boolean {
  const value = Number(text);
  if (!Number.isFinite(value)) return false;
  if (Number.isSafeInteger(value) || !/^-?[0-9]+$/.test(text)) return true;
  return BigInt(text) === BigInt(value);
}
