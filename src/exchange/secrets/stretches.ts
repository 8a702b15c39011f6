/** Reads only those stretches of bytes that mean something else than themselves. */
import type { Reading } from './reading.ts';

export interface StretchReader {
  readonly bytes: Buffer;
  /** By byte: 0 where it always means itself. */
  readonly suspects: Uint8Array;
  /** Whether something stands here that is not to be read as it is. */
  read(at: number): boolean;
  /** Where that ends. */
  readonly end: number;
  /** Hands on what it means. */
  pushTo(reading: Reading, at: number): void;
}

/** A stretch has so many bytes on either side that a secret which is only partly changed is within it. */
export function readStretches(reader: StretchReader, reach: number, reading: Reading): void {
  const { bytes, suspects } = reader;
  let done = 0;
  for (let at = 0; at < bytes.length; at++) {
    if (suspects[bytes[at]!] === 0 || !reader.read(at)) continue;
    done = readStretch(reader, Math.max(done, at - reach), reach, reading);
    reading.break(done);
    at = done - 1;
  }
  reading.end();
}

/** To where nothing of the kind is near any more. */
function readStretch(reader: StretchReader, start: number, reach: number, reading: Reading): number {
  let at = start;
  let until = start + 2 * reach;
  while (at < until) {
    const to = Math.min(until, reader.bytes.length);
    const next = nextOf(reader, at, to);
    reading.pushPlain(reader.bytes, at, next);
    if (next === to) return to;
    reader.pushTo(reading, next);
    at = reader.end;
    until = at + reach;
  }
  return at;
}

/** Everything from one position to another. */
export function readRange(reader: StretchReader, from: number, to: number, reading: Reading): void {
  for (let at = from; at < to;) {
    const next = nextOf(reader, at, to);
    reading.pushPlain(reader.bytes, at, next);
    if (next === to) return;
    reader.pushTo(reading, next);
    at = reader.end;
  }
}

/** Where the next one stands, which has then been read; or where to look no further. */
function nextOf(reader: StretchReader, from: number, to: number): number {
  const { bytes, suspects } = reader;
  let at = from;
  while (at < to && (suspects[bytes[at]!] === 0 || !reader.read(at))) at++;
  return at;
}
