/** Looks for secrets in bytes, in every form that a target or a format may give them. */
import { unpackCompressed, UnpackingRoom } from './compression.ts';
import { readDecimals } from './decimals.ts';
import { EscapeReader } from './escapes.ts';
import { readWithoutGaps } from './gaps.ts';
import { GramTable } from './gram-table.ts';
import { type Finds, Marks } from './marks.ts';
import { LAYER_SIZE, LayerFinds, type Packing, unpackLayers } from './packings.ts';
import { type Look, Reading } from './reading.ts';
import { gramsOf } from './secret-forms.ts';
import type { Secret } from './secrets.ts';
import { readSpreadTexts } from './spread-secrets.ts';
import { readStretches } from './stretches.ts';

/** Undefined where there is nothing that could be found. */
export type SecretSearch = (bytes: Uint8Array, isBody: boolean) => Marks | undefined;

/** Escapes and packed things within each other; nobody does more by accident. */
const MOST_LAYERS = 4;
/** What stands right before digits may look like some of them, and all of them are read in groups. Within packed things nothing does. */
const SKIPS: Readonly<Record<Packing, readonly number[]>> = { base64: [0, 1, 2, 3], hex: [0, 1] };
const PACKINGS = ['base64', 'hex'] as const satisfies readonly Packing[];

/** Bytes to read at a time; there may be many texts that a stream sends in pieces. */
const READING_SIZE = 64 * 1024;
const SPREAD_READING_SIZE = 4 * 1024;
/** Bytes of text to read on either side of an escape: it may stand in the middle of packed things, as `\/` in base64. */
const REACH_IN_TEXT = 1024;

export function createSearch(secrets: readonly Secret[]): SecretSearch {
  const spelt = secrets.map(({ role, text, ...secret }) => ({ role, text, grams: gramsOf({ role, text, ...secret }) }));
  const table = new GramTable(spelt.flatMap(({ grams }) => grams));
  const extents = new Map(
    spelt.map(({ role, text, grams }) => [
      role,
      { length: Buffer.byteLength(text), pieces: new Set(grams.map(({ piece }) => piece)) },
    ]),
  );
  let outermost = new Layer(table, undefined);
  for (let layers = 0; layers < MOST_LAYERS; layers++) outermost = new Layer(table, outermost);
  return (bytes, isBody) => {
    if (table.longest === 0) return undefined;
    const marks = new Marks(bytes.length, extents);
    const manner = { isBody, isText: true, room: new UnpackingRoom(bytes.length) };
    outermost.look(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), marks, manner);
    return marks;
  };
}

interface Manner {
  readonly isBody: boolean;
  /** Text may have anything in front of what is packed in it. */
  readonly isText: boolean;
  readonly room: UnpackingRoom;
}

/** Looks at bytes, and at what they may mean with the layer below. Its memory is used again and again. */
class Layer {
  readonly #table: GramTable;
  readonly #below: Layer | undefined;
  readonly #memory = Buffer.alloc(LAYER_SIZE);
  readonly #escapes: Reading;
  readonly #plain: Reading;
  #manner: Manner | undefined;

  constructor(table: GramTable, below: Layer | undefined) {
    this.#table = table;
    this.#below = below;
    this.#plain = this.#makeReading(READING_SIZE, this.#scan);
    this.#escapes = this.#makeReading(READING_SIZE, this.#lookBelow);
  }

  look(bytes: Buffer, finds: Finds, manner: Manner): void {
    this.#scan(bytes, finds);
    this.#plain.begin(finds);
    readWithoutGaps(bytes, this.#plain);
    // Both are read to the end before they return, so that one memory serves both.
    this.#plain.begin(finds);
    readDecimals(bytes, this.#plain);
    const below = this.#below;
    if (below === undefined) return;
    this.#manner = { ...manner, isBody: false };
    this.#escapes.begin(finds);
    const reach = Math.max(manner.isText ? REACH_IN_TEXT : 0, this.#table.longest);
    readStretches(new EscapeReader(bytes), reach, this.#escapes);
    if (manner.isBody) readSpreadTexts(bytes, () => this.#makeReading(SPREAD_READING_SIZE, this.#lookBelow, finds));
    const inside = { ...manner, isText: false };
    for (const packing of PACKINGS) {
      const skips = manner.isText ? SKIPS[packing] : [0];
      for (const layer of unpackLayers(bytes, packing, skips, this.#memory))
        below.look(layer.content, new LayerFinds(layer, packing, finds), inside);
    }
    for (const { content, start, end } of unpackCompressed(bytes, manner.room, manner.isText)) {
      const whole: Finds = {
        see: (gram, form) => finds.see(gram, form, start, end),
        mark: () => finds.mark(start, end),
      };
      if (content === undefined) whole.mark(start, end);
      else below.look(content, whole, inside);
    }
  }

  #makeReading(size: number, look: Look, finds?: Finds): Reading {
    return new Reading(size, this.#table.longest, look, finds);
  }

  readonly #scan: Look = (bytes, finds) =>
    this.#table.scan(bytes, (gram, start, end) => {
      finds.see(gram, gram.form, start, end);
      finds.mark(start, end);
    });

  readonly #lookBelow: Look = (bytes, finds) => {
    if (this.#manner !== undefined) this.#below?.look(bytes, finds, this.#manner);
  };
}
