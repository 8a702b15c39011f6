/** Reads the bytes that lists of decimal numbers stand for, as `[115, 107, 45]`: so programs write down their buffers. */
import { digitsAt } from './digits.ts';
import type { Reading } from './reading.ts';

const OTHER = 0;
const DIGIT = 1;
/** Between two numbers of a list. */
const BETWEEN = 2;
const KINDS = new Uint8Array(256).fill(BETWEEN, 0, 0x21);
KINDS.fill(DIGIT, 0x30, 0x3a);
KINDS[','.charCodeAt(0)] = BETWEEN;

/** A list with fewer numbers holds no secret. */
const SHORTEST_LIST = 8;

export function readDecimals(bytes: Buffer, reading: Reading): void {
  for (let at = 0; at < bytes.length;) {
    if (KINDS[bytes[at]!] === DIGIT) at = readList(bytes, at, reading);
    else at++;
  }
  reading.end();
}

/** Where the list ends. */
function readList(bytes: Buffer, start: number, reading: Reading): number {
  const end = endOfList(bytes, start);
  // The shortest one has a digit and a comma for each number.
  if (end - start < 2 * SHORTEST_LIST - 1) return end;
  for (let at = start; at < end;) {
    if (KINDS[bytes[at]!] === BETWEEN) {
      at++;
      continue;
    }
    const { value = 0, end: behind } = digitsAt(bytes, at, end, 10);
    if (value < 256) reading.push(value, at, behind, 'none');
    else reading.break(at);
    at = behind;
  }
  reading.break(end);
  return end;
}

function endOfList(bytes: Buffer, start: number): number {
  let end = start;
  while (end < bytes.length && KINDS[bytes[end]!] !== OTHER) end++;
  return end;
}
