/** Looks for secrets in bytes: as they are, unescaped, and in texts spread over events. */
import { type Escape, readEnds, readEscapedText, type TextSink } from './escapes.ts';
import type { Pattern } from './forms.ts';
import { isSpelled, type PatternTable, roll, WINDOW } from './pattern-table.ts';
import { streamPieces } from './stream-texts.ts';

/** Hears of every find; the places are those of the searched bytes. */
export interface Finds {
  see(pattern: Pattern, escape: Escape): void;
  mark(start: number, end: number): void;
}

export function searchBytes(table: PatternTable, bytes: Buffer, isBody: boolean, finds: Finds): void {
  table.scan(bytes, (pattern, start, end) => {
    finds.see(pattern, 'none');
    finds.mark(start, end);
  });
  // Most texts have nothing to unescape, and a follower takes memory.
  let unescaped: TextFollower | undefined;
  readEscapedText(bytes, table, () => (unescaped ??= new TextFollower(table, finds)));
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
  readonly #finds: Finds;
  /** Places in the ring are counts of bytes under this mask. */
  readonly #mask: number;
  readonly #bytes: Uint8Array;
  readonly #starts: Uint32Array;
  readonly #ends: Uint32Array;
  readonly #escapes: Escape[] = [];
  #count = 0;
  #hash = 0;

  constructor(table: PatternTable, finds: Finds) {
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
