/** Redacts every secret in requests and answers. Nothing leaves this folder without it. */
import type { SecretSeen } from '../exchange.ts';
import { isContinuation, isDigit } from '../reading/json-text.ts';
import { type Escape, readEnds, readEscapedText, type TextSink } from './escapes.ts';
import { isSpelled, type Pattern, patternsOf, PatternTable, roll, WINDOW } from './pattern-table.ts';
import type { Secret } from './secrets.ts';
import { streamPieces } from './stream-texts.ts';

type Seen = Omit<SecretSeen, 'place'>;

export interface Redaction<Value> {
  readonly value: Value;
  readonly seen: readonly Seen[];
}

export interface Redactor {
  text(text: string): Redaction<string>;
  /** Blanks in place, byte for byte, so that lengths and the cuts between reads stay as they are. */
  body(bytes: Uint8Array): Redaction<Uint8Array>;
}

export function createRedactor(secrets: readonly Secret[]): Redactor {
  const patterns = secrets.flatMap(patternsOf);
  const table = new PatternTable(patterns);
  const byRole = new Map(secrets.map((secret) => [secret.role, { secret, runs: new Set<string>() }]));
  for (const { role, run } of patterns) byRole.get(role)?.runs.add(run);
  const isWhole = (role: string, seen: ReadonlySet<string>): boolean => {
    const { secret, runs } = byRole.get(role)!;
    if (secret.run === 'whole') return true;
    const count = [...runs].filter((run) => seen.has(run)).length;
    return count === runs.size || count > Buffer.byteLength(secret.text) * NEARLY_WHOLE - secret.run;
  };

  const redact = (bytes: Buffer, isBody: boolean): readonly Seen[] => {
    if (table.longest === 0) return [];
    // All finds are held until the search is over: overwriting one at once could hide another that overlaps it.
    const finds = new Finds(bytes.length);
    searchBytes(table, bytes, isBody, finds);
    finds.overwrite(bytes);
    return finds.seen(isWhole);
  };
  const recent = new Map<string, Redaction<string>>();
  return {
    body: (bytes) => ({ value: bytes, seen: redact(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), true) }),
    text(text) {
      const known = recent.get(text);
      if (known) return known;
      const bytes = Buffer.from(text);
      const seen = redact(bytes, false);
      const redaction = { value: seen.length === 0 ? text : bytes.toString(), seen };
      if (text.length <= MAX_RECENT_LENGTH) {
        if (recent.size >= MAX_RECENT) recent.clear();
        recent.set(text, redaction);
      }
      return redaction;
    },
  };
}

/** Names and values of headers, most of which every answer has. */
const MAX_RECENT = 500;
const MAX_RECENT_LENGTH = 200;

/** Redacts the secrets of others as well. Only its own are reported as seen, since nobody sent the others. */
export function redactBoth(own: Redactor, others: Redactor): Redactor {
  return {
    text(text) {
      const { value, seen } = own.text(text);
      return { value: others.text(value).value, seen };
    },
    body(bytes) {
      const { seen } = own.body(bytes);
      return { ...others.body(bytes), seen };
    },
  };
}

/** Share of a secret from which the rest is quickly guessed. */
const NEARLY_WHOLE = 0.75;
const MARKED = 1;

/** Hears of every find; the places are those of the searched bytes. */
class Finds {
  readonly #size: number;
  readonly #seen = new Map<Pattern, Set<Escape>>();
  /** One byte for each byte searched, made at the first find: most bodies have none. */
  #marked: Buffer | undefined;

  constructor(size: number) {
    this.#size = size;
  }

  see(pattern: Pattern, escape: Escape): void {
    const escapes = this.#seen.get(pattern);
    if (escapes) escapes.add(escape);
    else this.#seen.set(pattern, new Set([escape]));
  }

  mark(start: number, end: number): void {
    this.#marked ??= Buffer.alloc(this.#size);
    this.#marked.fill(MARKED, start, end);
  }

  overwrite(bytes: Uint8Array): void {
    const marked = this.#marked;
    if (marked === undefined) return;
    for (let start = marked.indexOf(MARKED); start !== -1;) {
      const next = marked.indexOf(0, start);
      const end = next === -1 ? marked.length : next;
      overwrite(bytes, start, end);
      start = marked.indexOf(MARKED, end);
    }
  }

  seen(isWhole: (role: string, seen: ReadonlySet<string>) => boolean): readonly Seen[] {
    const distinct = new Map<string, Seen>();
    const runs = new Set(Array.from(this.#seen.keys(), ({ run }) => run));
    for (const [{ role, form: spelled }, escapes] of this.#seen) {
      for (const escape of escapes) {
        const form = spelled === 'raw' && escape !== 'none' ? escape : spelled;
        const name = `${form} ${role}`;
        if (!distinct.has(name)) distinct.set(name, { role, form, whole: isWhole(role, runs) });
      }
    }
    return [...distinct.values()];
  }
}

/** Overwrites a range of a body. Its length stays the same, text stays text, and JSON stays JSON. */

const STAR = 0x2a;
const ONE = 0x31;
const BACKSLASH = 0x5c;
const MAX_ESCAPE_LENGTH = 6;

function overwrite(bytes: Uint8Array, start: number, end: number): void {
  const [first, last] = widen(bytes, start, end);
  // Asterisks inside a JSON number would make the whole text unreadable.
  bytes.fill(isWithinNumber(bytes, first, last) ? ONE : STAR, first, last);
}

/** Widens a range to whole UTF-8 characters and whole JSON escapes. */
function widen(bytes: Uint8Array, start: number, end: number): readonly [start: number, end: number] {
  let first = start;
  let last = end;
  while (first > 0 && isContinuation(bytes[first])) first--;
  while (isContinuation(bytes[last])) last++;
  first = escapeAround(bytes, first) ?? first;
  for (let at = first; at < last;) {
    at += bytes[at] === BACKSLASH ? escapeLength(bytes, at) : 1;
    if (at > last) last = Math.min(at, bytes.length);
  }
  return [first, last];
}

/** Start of the JSON escape around this position. */
function escapeAround(bytes: Uint8Array, position: number): number | undefined {
  for (let at = position - 1; at >= Math.max(0, position - MAX_ESCAPE_LENGTH + 1); at--) {
    if (bytes[at] !== BACKSLASH) continue;
    let first = at;
    while (first > 0 && bytes[first - 1] === BACKSLASH) first--;
    const isEscape = (at - first) % 2 === 0;
    return isEscape && at + escapeLength(bytes, at) > position ? at : undefined;
  }
  return undefined;
}

function escapeLength(bytes: Uint8Array, at: number): number {
  return bytes[at + 1] === 0x75 ? MAX_ESCAPE_LENGTH : 2;
}

function isWithinNumber(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (!isDigit(bytes[at])) return false;
  let before = start - 1;
  while (isNumeric(bytes[before])) before--;
  while (isOneOf(bytes[before], WHITE_SPACE)) before--;
  let after = end;
  while (isNumeric(bytes[after])) after++;
  while (isOneOf(bytes[after], WHITE_SPACE)) after++;
  return isOneOf(bytes[before], ':,[') && isOneOf(bytes[after], ',]}');
}

const WHITE_SPACE = ' \t\n\r';

function isNumeric(byte: number | undefined): boolean {
  return isDigit(byte) || isOneOf(byte, '+-.eE');
}

function isOneOf(byte: number | undefined, characters: string): boolean {
  return byte !== undefined && characters.includes(String.fromCharCode(byte));
}

// Looks for secrets in bytes: as they are, unescaped, and in texts spread over events.

type Hearing = Pick<Finds, 'see' | 'mark'>;

export function searchBytes(table: PatternTable, bytes: Buffer, isBody: boolean, finds: Hearing): void {
  table.scan(bytes, (pattern, start, end) => {
    finds.see(pattern, 'none');
    finds.mark(start, end);
  });
  // Most texts have nothing to unescape, and a follower takes memory.
  readEscapedText(bytes, table, () => new TextFollower(table, finds));
  if (!isBody) return;
  const followers = new Map<string, TextFollower>();
  for (const { text, start, end } of streamPieces(bytes)) {
    const follower = followers.get(text) ?? new TextFollower(table, finds);
    followers.set(text, follower);
    readEnds(bytes, { start, end }, table, follower);
  }
}

/**
 * Follows a text whose bytes come one by one, each with the place where it is written. Keeps only as many bytes as the
 * longest pattern has.
 */
class TextFollower implements TextSink {
  readonly #table: PatternTable;
  readonly #finds: Hearing;
  /** Places in the ring are counts of bytes under this mask. */
  readonly #mask: number;
  readonly #bytes: Uint8Array;
  readonly #starts: Uint32Array;
  readonly #ends: Uint32Array;
  readonly #escapes: Escape[] = [];
  #count = 0;
  #hash = 0;

  constructor(table: PatternTable, finds: Hearing) {
    this.#table = table;
    this.#finds = finds;
    const size = 2 ** Math.ceil(Math.log2(Math.max(table.longest, 2 * WINDOW)));
    this.#mask = size - 1;
    this.#bytes = new Uint8Array(size);
    this.#starts = new Uint32Array(size);
    this.#ends = new Uint32Array(size);
  }

  push(byte: number, start: number, end: number, escape: Escape): void {
    const at = this.#count & this.#mask;
    const leaving = this.#bytes[(this.#count - WINDOW) & this.#mask]!;
    this.#bytes[at] = byte;
    this.#starts[at] = start;
    this.#ends[at] = end;
    this.#escapes[at] = escape;
    this.#count += 1;
    this.#hash = roll(this.#hash, byte, leaving);
    const candidates = this.#table.candidates(this.#hash);
    if (candidates) for (const pattern of candidates) this.#compare(pattern);
  }

  #compare(pattern: Pattern): void {
    const { length } = pattern.bytes;
    const first = this.#count - length;
    if (first < 0) return;
    // In one piece and without escapes: the scan of the raw bytes has found it.
    const written = this.#ends[(this.#count - 1) & this.#mask]! - this.#starts[first & this.#mask]!;
    if (written === length) return;
    if (isSpelled(pattern, this.#bytes, first, this.#mask)) this.#report(pattern, first);
  }

  /** Marks what spells the secret, and not the line breaks or the framing of events in between. */
  #report(pattern: Pattern, first: number): void {
    let escape: Escape = 'none';
    let [from, to] = [this.#starts[first & this.#mask]!, 0];
    for (let count = first; count < this.#count; count++) {
      const at = count & this.#mask;
      if (count > first && this.#starts[at]! > to) {
        this.#finds.mark(from, to);
        from = this.#starts[at]!;
      }
      to = this.#ends[at]!;
      if (escape === 'none') escape = this.#escapes[at]!;
    }
    this.#finds.mark(from, to);
    this.#finds.see(pattern, escape);
  }
}
