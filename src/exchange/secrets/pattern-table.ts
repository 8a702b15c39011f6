/**
 * The forms in which secrets are looked for, as byte patterns, and a table that finds any of many in one pass: a rolling hash,
 * a bitmap, and only then an exact comparison. Escapes are undone while reading instead (escapes.ts).
 */
import type { Secret } from './secrets.ts';

/** Bytes under the rolling hash. No pattern is shorter. */
export const WINDOW = 8;
const BASE = 0x01000193;
const BASE_TO_WINDOW = Array.from({ length: WINDOW }).reduce<number>((power) => Math.imul(power, BASE), 1);
/** Leaves 2^18 bits: few enough for the processor's cache, and with a thousand patterns few false alarms. */
const HASH_SHIFT = 14;

/** ASCII letters compare equal in either case: header and host names may come back in another case. */
const FOLDED = Uint8Array.from({ length: 256 }, (_, byte) => (byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte));

/** What a byte contributes to the hash when it leaves the window. */
const LEAVING = Int32Array.from(FOLDED, (byte) => -Math.imul(byte, BASE_TO_WINDOW));

/** The hash after one more byte. */
export function roll(hash: number, entering: number, leaving: number): number {
  return (Math.imul(hash, BASE) + FOLDED[entering]! + LEAVING[leaving]!) | 0;
}

/** Bytes that may be part of an escape, and so stand for another byte, or that are left out. */
const IN_ESCAPES = /[A-Za-z0-9#;%&\\\r\n\0]/;

export class PatternTable {
  readonly #bitmap = new Uint8Array(1 << (32 - HASH_SHIFT - 3));
  readonly #patterns = new Map<number, Pattern[]>();
  /** Bytes of the longest pattern; 0 if there is none. */
  readonly longest: number = 0;
  /** Bytes at which nothing is found across: 1 for those in no pattern and in no escape, such as most punctuation. */
  readonly stops = Uint8Array.from({ length: 256 }, (_, byte) => Number(!IN_ESCAPES.test(String.fromCharCode(byte))));
  /** 1 for bytes in no pattern. */
  readonly #absent = new Uint8Array(256).fill(1);

  constructor(patterns: readonly Pattern[]) {
    const known = new Set<string>();
    for (const pattern of patterns) {
      const name = Buffer.from(pattern.bytes.map((byte) => FOLDED[byte]!)).toString('latin1');
      // The first role with a sequence keeps it: near misses of a key share almost all of theirs with it.
      if (known.has(name)) continue;
      known.add(name);
      this.longest = Math.max(this.longest, pattern.bytes.length);
      for (const byte of pattern.bytes) {
        this.stops[byte] = 0;
        this.#absent[FOLDED[byte]!] = 0;
      }
      this.#add(pattern);
    }
    for (let byte = 0; byte < FOLDED.length; byte++) this.#absent[byte] = this.#absent[FOLDED[byte]!]!;
  }

  #add(pattern: Pattern): void {
    let hash = 0;
    for (const byte of pattern.bytes.subarray(-WINDOW)) hash = roll(hash, byte, 0);
    const slot = hash >>> HASH_SHIFT;
    this.#bitmap[slot >>> 3]! |= 1 << (slot & 7);
    const others = this.#patterns.get(hash);
    if (others) others.push(pattern);
    else this.#patterns.set(hash, [pattern]);
  }

  /** The patterns that may end where the window has this hash. */
  candidates(hash: number): readonly Pattern[] | undefined {
    const slot = hash >>> HASH_SHIFT;
    return (this.#bitmap[slot >>> 3]! & (1 << (slot & 7))) === 0 ? undefined : this.#patterns.get(hash);
  }

  /** Reports each pattern in the raw bytes. */
  scan(bytes: Uint8Array, hit: (pattern: Pattern, start: number, end: number) => void): void {
    for (let start = 0; start + WINDOW <= bytes.length;) {
      // From its end: after a byte that no pattern has, everything before it is skipped unread.
      let at = start + WINDOW - 1;
      while (at >= start && this.#absent[bytes[at]!] === 0) at--;
      start = at >= start ? at + 1 : this.#scanRun(bytes, start, hit);
    }
  }

  /** Bytes up to the first that no pattern has. Returns the place after it. */
  #scanRun(bytes: Uint8Array, from: number, hit: (pattern: Pattern, start: number, end: number) => void): number {
    let hash = 0;
    let at = from;
    for (; at < bytes.length && this.#absent[bytes[at]!] === 0; at++) {
      hash = roll(hash, bytes[at]!, at - from < WINDOW ? 0 : bytes[at - WINDOW]!);
      const candidates = this.candidates(hash);
      if (candidates === undefined) continue;
      for (const pattern of candidates) {
        const start = at + 1 - pattern.bytes.length;
        if (start >= from && isSpelled(pattern, bytes, start, -1)) hit(pattern, start, at + 1);
      }
    }
    return at + 1;
  }
}

/** Whether the pattern is at a place in these bytes; `mask` wraps the places in a ring (-1: no ring). */
export function isSpelled({ bytes: pattern }: Pattern, bytes: Uint8Array, start: number, mask: number): boolean {
  for (let index = 0; index < pattern.length; index++)
    if (FOLDED[pattern[index]!] !== FOLDED[bytes[(start + index) & mask]!]) return false;
  return true;
}

/** A byte sequence that must not be shown, in upper or lower case. */
export interface Pattern {
  readonly bytes: Uint8Array;
  readonly role: string;
  readonly form: 'raw' | 'base64' | 'hex';
  /** The run of the secret that it spells. All forms of one run share it, and so do all secrets with that run. */
  readonly run: string;
}

export function patternsOf(secret: Secret): Pattern[] {
  return runsOf(secret).flatMap((bytes) => {
    const run = bytes.toString('latin1');
    const pattern = (form: Pattern['form'], spelled: string): Pattern => ({
      bytes: Buffer.from(spelled, 'latin1'),
      role: secret.role,
      form,
      run,
    });
    return [
      pattern('raw', run),
      pattern('hex', bytes.toString('hex')),
      ...[0, 1, 2].flatMap((before) => {
        const base64 = innerBase64(bytes, before);
        return [base64, base64.replaceAll('+', '-').replaceAll('/', '_')].map((spelled) => pattern('base64', spelled));
      }),
    ];
  });
}

function runsOf({ text, run }: Secret): Buffer[] {
  const isAscii = Buffer.byteLength(text) === text.length;
  return (isAscii ? (['utf8'] as const) : (['utf8', 'latin1'] as const)).flatMap((encoding) => {
    const whole = Buffer.from(text, encoding);
    const length = run === 'whole' ? whole.length : run;
    return Array.from({ length: whole.length - length + 1 }, (_, start) => whole.subarray(start, start + length));
  });
}

/**
 * The base64 digits that depend on these bytes alone, with `before` bytes in front of them. Three bytes make four digits
 * (RFC 4648 section 4), so there are three alignments. The outermost digits may also depend on neighbouring bytes.
 */
function innerBase64(bytes: Buffer, before: number): string {
  const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
  return encoded.slice(Math.ceil((8 * before) / 6), Math.floor((8 * (before + bytes.length)) / 6));
}
