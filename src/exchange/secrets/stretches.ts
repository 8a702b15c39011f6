/** Reads only those stretches of bytes that mean something else than themselves. */
import type { Reading } from './reading.ts';

export interface StretchReader {
  readonly bytes: Buffer;
  /** Whether something stands here that is not to be read as it is. */
  read(at: number): boolean;
  /** Where that ends. */
  readonly end: number;
  /** Hands on what it means. */
  pushTo(reading: Reading, at: number): void;
}

/** A stretch has so many bytes on either side that a secret which is only partly changed is within it. */
export function readStretches(reader: StretchReader, reach: number, reading: Reading): void {
  const { bytes } = reader;
  let done = 0;
  for (let at = 0; at < bytes.length; at++) {
    if (!reader.read(at)) continue;
    done = readStretch(reader, Math.max(done, at - reach), reach, reading);
    reading.break(done);
    at = done - 1;
  }
  reading.end();
}

/** To where nothing of the kind is near any more. */
function readStretch(reader: StretchReader, start: number, reach: number, reading: Reading): number {
  const { bytes } = reader;
  let until = start + 2 * reach;
  let at = start;
  while (at < until && at < bytes.length) {
    if (reader.read(at)) {
      reader.pushTo(reading, at);
      at = reader.end;
      until = at + reach;
    } else {
      reading.push(bytes[at]!, at, at + 1, 'none');
      at++;
    }
  }
  return at;
}

/** Everything from one position to another. */
export function readRange(reader: StretchReader, from: number, to: number, reading: Reading): void {
  for (let at = from; at < to;) {
    const isOdd = reader.read(at);
    if (isOdd) reader.pushTo(reading, at);
    else reading.push(reader.bytes[at]!, at, at + 1, 'none');
    at = isOdd ? reader.end : at + 1;
  }
}
