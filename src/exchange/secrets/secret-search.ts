/** Looks for secrets in bytes, in every form that a target or a format may give them. */
import { followEscapes } from './escapes.ts';
import type { SecretSeen } from '../exchange.ts';
import { type Escape, type Finder, GramTable } from './gram-table.ts';
import { LAYER_SIZE, type Layer, type Packing, runAt, unpackLayers } from './packings.ts';
import { type Gram, gramsOf } from './secret-forms.ts';
import { type Secret, SHORTEST_RUN } from './secrets.ts';
import { followSpreadTexts } from './spread-secrets.ts';
import { widen } from './widening.ts';

/** From this share on, what is missing of a secret is quickly guessed. */
const WHOLE = 0.75;

const STAR = 0x2a;
const ONE = 0x31;

export type SeenSecret = Omit<SecretSeen, 'place'>;

/** Undefined where there is nothing that could be found. */
export type SecretSearch = (bytes: Uint8Array, isBody: boolean) => Marks | undefined;

/** Packed things within packed things; nobody does more by accident. */
const MOST_LAYERS = 3;
/** What stands right before digits may look like some of them, and all of them are read in groups. Deeper down nothing does. */
const SKIPS: Readonly<Record<Packing, readonly number[]>> = { base64: [0, 1, 2, 3], hex: [0, 1] };
const PACKINGS = ['base64', 'hex'] as const satisfies readonly Packing[];

export function createSearch(secrets: readonly Secret[]): SecretSearch {
  const table = new GramTable(secrets.flatMap(gramsOf));
  const lengths = new Map(secrets.map(({ role, text }) => [role, Buffer.byteLength(text)]));
  const memories = Array.from({ length: MOST_LAYERS }, () => Buffer.alloc(LAYER_SIZE));
  const look = (bytes: Buffer, isBody: boolean, layers: number): Marks => {
    const marks = new Marks(lengths);
    table.scan(bytes, (gram, start, end) => {
      marks.see(gram, 'none');
      marks.add(start, end);
    });
    const finder: Finder = {
      found: (gram, escape) => marks.see(gram, escape),
      at: (start, end) => marks.add(start, end),
    };
    const makeTrail = () => table.follow(finder);
    followEscapes(bytes, table.longest, makeTrail);
    if (isBody) followSpreadTexts(bytes, makeTrail);
    if (layers === 0) return marks;
    for (const packing of PACKINGS) {
      const skips = layers === MOST_LAYERS ? SKIPS[packing] : [0];
      for (const layer of unpackLayers(bytes, packing, skips, memories[layers - 1]!))
        marks.addPacked(layer, look(layer.content, isBody, layers - 1), packing);
    }
    return marks;
  };
  return (bytes, isBody) =>
    table.longest === 0
      ? undefined
      : look(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), isBody, MOST_LAYERS);
}

/** Everything is found before anything is blanked: one find must not hide another that overlaps it. */
export class Marks {
  readonly #ranges: { start: number; end: number }[] = [];
  readonly #packed: { readonly start: number; readonly end: number }[] = [];
  readonly #wholeInside = new Set<string>();
  readonly #seen = new Map<Gram, Set<SecretSeen['form']>>();
  /** Bytes of each role's secret. */
  readonly #lengths: ReadonlyMap<string, number>;

  constructor(lengths: ReadonlyMap<string, number>) {
    this.#lengths = lengths;
  }

  see(gram: Gram, escape: Escape): void {
    this.#see(gram, gram.form === 'raw' && escape !== 'none' ? escape : gram.form);
  }

  #see(gram: Gram, form: SecretSeen['form']): void {
    const forms = this.#seen.get(gram);
    if (forms === undefined) this.#seen.set(gram, new Set([form]));
    else forms.add(form);
  }

  /** All of a packed run is marked if there is anything in it. */
  addPacked(layer: Layer, inside: Marks, packing: Packing): void {
    for (const { role, whole } of inside.seen) if (whole) this.#wholeInside.add(role);
    for (const gram of inside.grams) this.#see(gram, packing);
    for (const { start } of [...inside.#ranges, ...inside.#packed]) this.#packed.push(runAt(layer, start));
  }

  get grams(): Iterable<Gram> {
    return this.#seen.keys();
  }

  get seen(): readonly SeenSecret[] {
    const distinct = new Map<string, SeenSecret>();
    for (const [{ role }, forms] of this.#seen)
      for (const form of forms) distinct.set(`${form} ${role}`, { role, form, whole: this.#isWhole(role) });
    return [...distinct.values()];
  }

  /** So many of its pieces were there; or, in a form that has other pieces for each alignment, one place was so long. */
  #isWhole(role: string): boolean {
    const length = (this.#lengths.get(role) ?? 0) * WHOLE;
    const longest = this.#ranges.reduce((most, { start, end }) => Math.max(most, end - start), 0);
    const pieces = [...this.#seen.keys()].filter((gram) => gram.role === role && gram.form === 'raw').length;
    return longest >= length || pieces > length - SHORTEST_RUN || this.#wholeInside.has(role);
  }

  /** Neighbours are joined, so that a body full of secrets does not make a list longer than itself. */
  add(start: number, end: number): void {
    const last = this.#ranges.at(-1);
    if (last && start <= last.end && end >= last.start) {
      last.start = Math.min(last.start, start);
      last.end = Math.max(last.end, end);
    } else this.#ranges.push({ start, end });
  }

  blank(bytes: Uint8Array): void {
    const widened = [...this.#ranges, ...this.#packed].map(({ start, end }) => widen(bytes, start, end));
    for (const { start, end, isNumber } of widened) bytes.fill(isNumber ? ONE : STAR, start, end);
  }
}
