/** Finds what may be packed in the digits of base64 and hex. */
import type { Finds, Form } from './marks.ts';
import type { Gram } from './secret-forms.ts';

export type Packing = 'base64' | 'hex';

/** A shorter run holds no packed secret of eight characters that the plain search would not find. */
const SHORTEST: Readonly<Record<Packing, number>> = { base64: 24, hex: 32 };
/** Of either alphabet, and either case. */
const DIGITS: Readonly<Record<Packing, readonly string[]>> = {
  base64: [
    'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
    'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_',
  ],
  hex: ['0123456789abcdef', '0123456789ABCDEF'],
};
const NO_DIGIT = 255;
const VALUES: Readonly<Record<Packing, Uint8Array>> = {
  base64: valuesOf(DIGITS.base64),
  hex: valuesOf(DIGITS.hex),
};
const BITS: Readonly<Record<Packing, number>> = { base64: 6, hex: 4 };
/** Keeps what was in one run apart from what was in the next. */
const BETWEEN = 0x0a;
/** Digits to unpack at a time, and how many of them again with the next: whole groups of either packing. */
const PIECE = 512 * 1024;
const OVERLAP = 4 * 1024;

/** Memory to unpack into. */
export const LAYER_SIZE = 2 * PIECE;

/** What was packed in some bytes, one run after the other. */
interface Layer {
  readonly content: Buffer;
  readonly runs: readonly Run[];
}

interface Run {
  /** Where it stands in the bytes. */
  readonly start: number;
  readonly end: number;
  /** Where what was in it begins in the content of the layer. */
  readonly at: number;
}

/**
 * What is in every run of such digits. What stands right before them may look like some of them, so each run is read
 * once for every number of digits to skip. A layer is to be looked at before the next one is asked for: it stands in the
 * same memory, since a body may hold nothing but digits.
 */
export function* unpackLayers(
  bytes: Buffer,
  packing: Packing,
  skips: readonly number[],
  memory: Buffer,
): Generator<Layer> {
  let runs: Run[] = [];
  let length = 0;
  for (const [start, end] of runsOf(bytes, VALUES[packing], SHORTEST[packing])) {
    for (const skip of skips) {
      for (const [from, to] of piecesOf(start + skip, end)) {
        if (memory.length - length <= PIECE) {
          yield { content: memory.subarray(0, length), runs };
          [runs, length] = [[], 0];
        }
        runs.push({ start: from, end: to, at: length });
        length = unpack(bytes, from, to, packing, memory, length);
        memory[length++] = BETWEEN;
      }
    }
  }
  if (length > 0) yield { content: memory.subarray(0, length), runs };
}

function* piecesOf(start: number, end: number): Generator<readonly [from: number, to: number]> {
  for (let from = start; from < end; from += PIECE - OVERLAP) {
    const to = Math.min(end, from + PIECE);
    yield [from, to];
    if (to === end) return;
  }
}

/** Without a string in between, since there may be many megabytes. Where it ends in the memory. */
function unpack(bytes: Buffer, from: number, to: number, packing: Packing, memory: Buffer, at: number): number {
  const values = VALUES[packing];
  const width = BITS[packing];
  let end = at;
  let bits = 0;
  let held = 0;
  for (let place = from; place < to; place++) {
    held = (held << width) | values[bytes[place]!]!;
    bits += width;
    if (bits < 8) continue;
    bits -= 8;
    memory[end++] = held >> bits;
    held &= (1 << bits) - 1;
  }
  return end;
}

/** All of a run is marked if there is anything in it. */
export class LayerFinds implements Finds {
  readonly #layer: Layer;
  readonly #packing: Packing;
  readonly #outer: Finds;
  #marked: Run | undefined;

  constructor(layer: Layer, packing: Packing, outer: Finds) {
    this.#layer = layer;
    this.#packing = packing;
    this.#outer = outer;
  }

  see(gram: Gram, _form: Form, place: number): void {
    const { start, end } = this.#runAt(place);
    this.#outer.see(gram, this.#packing, start, end);
  }

  mark(place: number): void {
    const run = this.#runAt(place);
    if (run === this.#marked) return;
    this.#marked = run;
    this.#outer.mark(run.start, run.end);
  }

  /** The run that this place of the layer came from. */
  #runAt(place: number): Run {
    const { runs } = this.#layer;
    let [low, high] = [0, runs.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (runs[middle]!.at > place) high = middle - 1;
      else low = middle;
    }
    return runs[low]!;
  }
}

/** Looks at the last byte first that a run of the shortest length would have: in most texts that is the end of it. */
function* runsOf(
  bytes: Buffer,
  values: Uint8Array,
  shortest: number,
): Generator<readonly [start: number, end: number]> {
  let start = 0;
  while (start + shortest <= bytes.length) {
    let at = start + shortest - 1;
    while (at >= start && values[bytes[at]!] !== NO_DIGIT) at--;
    if (at < start) {
      at = start + shortest;
      while (at < bytes.length && values[bytes[at]!] !== NO_DIGIT) at++;
      yield [start, at];
    }
    start = at + 1;
  }
}

/** Indexed by byte. */
function valuesOf(alphabets: readonly string[]): Uint8Array {
  const values = new Uint8Array(256).fill(NO_DIGIT);
  for (const letters of alphabets)
    for (const [value, letter] of Array.from(letters).entries()) values[letter.charCodeAt(0)] = value;
  return values;
}
