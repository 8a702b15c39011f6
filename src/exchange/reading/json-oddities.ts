/** Looks for what JSON.parse passes over in silence. */
import { walkJson } from './json-walk.ts';

/** Oddities that do no harm but deserve a word. */
export type JsonNote = 'byte-order-mark' | 'duplicate-member' | 'unsafe-number' | 'lone-surrogate' | 'proto-member';

/** Takes valid JSON. In the order of first sight, each at most once. */
export function noteOddities(text: string): readonly JsonNote[] {
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

/** RFC 8259 section 6: whole numbers that a double cannot hold, and numbers too large for one, differ from reader to reader. */
function roundTrips(text: string): boolean {
  const value = Number(text);
  if (!Number.isFinite(value)) return false;
  if (Number.isSafeInteger(value) || !/^-?[0-9]+$/.test(text)) return true;
  return BigInt(text) === BigInt(value);
}
