/** Keeps what was found until everything has been: one find must not hide another that overlaps it. */
import type { SecretSeen } from '../exchange.ts';
import type { Gram } from './secret-forms.ts';
import { SHORTEST_RUN } from './secrets.ts';
import { widen } from './widening.ts';

/** From this share on, what is missing of a secret is quickly guessed. */
const WHOLE = 0.75;

const STAR = 0x2a;
const ONE = 0x31;
const MARKED = 1;

export type Form = SecretSeen['form'];
export type SeenSecret = Omit<SecretSeen, 'place'>;

/** Hears of every find in some bytes; the places are places in these bytes. */
export interface Finds {
  see(gram: Gram, form: Form, start: number, end: number): void;
  mark(start: number, end: number): void;
}

/** What there is to find of a secret. */
export interface SecretExtent {
  /** In bytes. */
  readonly length: number;
  readonly pieces: ReadonlySet<string>;
}

export class Marks implements Finds {
  readonly #seen = new Map<Gram, Set<Form>>();
  readonly #size: number;
  readonly #extents: ReadonlyMap<string, SecretExtent>;
  /** One for each byte, made at the first find: most bodies have none. */
  #marked: Buffer | undefined;

  constructor(size: number, extents: ReadonlyMap<string, SecretExtent>) {
    this.#size = size;
    this.#extents = extents;
  }

  see(gram: Gram, form: Form): void {
    const forms = this.#seen.get(gram);
    if (forms === undefined) this.#seen.set(gram, new Set([form]));
    else forms.add(form);
  }

  mark(start: number, end: number): void {
    this.#marked ??= Buffer.alloc(this.#size);
    this.#marked.fill(MARKED, start, end);
  }

  get grams(): Iterable<Gram> {
    return this.#seen.keys();
  }

  get seen(): readonly SeenSecret[] {
    const distinct = new Map<string, SeenSecret>();
    const pieces = new Set(Array.from(this.#seen.keys(), ({ piece }) => piece));
    for (const [{ role }, forms] of this.#seen)
      for (const form of forms) distinct.set(`${form} ${role}`, { role, form, whole: this.#isWhole(role, pieces) });
    return [...distinct.values()];
  }

  #isWhole(role: string, seen: ReadonlySet<string>): boolean {
    const extent = this.#extents.get(role);
    if (extent === undefined) return false;
    const { length, pieces } = extent;
    const count = [...pieces].filter((piece) => seen.has(piece)).length;
    return count === pieces.size || count > length * WHOLE - SHORTEST_RUN;
  }

  blank(bytes: Uint8Array): void {
    if (this.#marked === undefined) return;
    for (const [from, to] of rangesOf(this.#marked)) {
      const { start, end, isNumber } = widen(bytes, from, to);
      bytes.fill(isNumber ? ONE : STAR, start, end);
    }
  }
}

function* rangesOf(marked: Buffer): Generator<readonly [start: number, end: number]> {
  for (let start = marked.indexOf(MARKED); start !== -1;) {
    const next = marked.indexOf(0, start);
    const end = next === -1 ? marked.length : next;
    yield [start, end];
    start = marked.indexOf(MARKED, end);
  }
}
