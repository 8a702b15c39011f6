/** Some bytes read in another way: what they mean with escapes undone or gaps left out, and where each byte of it stood. */
import type { Finds, Form } from './marks.ts';
import type { Gram } from './secret-forms.ts';

const ESCAPES = ['none', 'json', 'url', 'html'] as const;
export type Escape = (typeof ESCAPES)[number];

/** Looks for secrets in what was read. */
export type Look = (content: Buffer, finds: Finds) => void;

const NOBODY: Finds = { see: () => {}, mark: () => {} };

/** Stands between what does not follow each other. No secret has it: it is in no text in UTF-8. */
const BREAK = 0xff;

/** It has a fixed size: when it is full it is looked at, and only as much is kept as a secret cut by its end may take up. */
export class Reading implements Finds {
  readonly #look: Look;
  #outer: Finds;
  readonly #kept: number;
  readonly #content: Buffer;
  readonly #starts: Uint32Array;
  readonly #ends: Uint32Array;
  readonly #escapes: Uint8Array;
  #length = 0;
  #lastStart = -1;
  #lastEnd = -1;

  constructor(size: number, kept: number, look: Look, outer: Finds = NOBODY) {
    this.#look = look;
    this.#outer = outer;
    this.#kept = kept;
    const length = Math.max(size, 2 * kept);
    this.#content = Buffer.alloc(length);
    this.#starts = new Uint32Array(length);
    this.#ends = new Uint32Array(length);
    this.#escapes = new Uint8Array(length);
  }

  /** To be used again for other bytes. */
  begin(outer: Finds): void {
    this.#outer = outer;
    this.#length = 0;
  }

  push(byte: number, start: number, end: number, escape: Escape): void {
    if (this.#length === this.#content.length) this.#makeRoom();
    const at = this.#length++;
    this.#content[at] = byte;
    this.#starts[at] = start;
    this.#ends[at] = end;
    this.#escapes[at] = escape === 'none' ? 0 : ESCAPES.indexOf(escape);
  }

  /** Bytes that mean themselves. */
  pushPlain(bytes: Uint8Array, from: number, to: number): void {
    const content = this.#content;
    const starts = this.#starts;
    const ends = this.#ends;
    const escapes = this.#escapes;
    for (let start = from; start < to;) {
      if (this.#length === content.length) this.#makeRoom();
      const end = Math.min(to, start + content.length - this.#length);
      const shift = this.#length - start;
      for (let place = start; place < end; place++) {
        content[place + shift] = bytes[place]!;
        starts[place + shift] = place;
        ends[place + shift] = place + 1;
        escapes[place + shift] = 0;
      }
      this.#length = end + shift;
      start = end;
    }
  }

  /** What comes next does not follow what was read last. */
  break(at: number): void {
    this.push(BREAK, at, at, 'none');
  }

  /** There is nothing more to read. */
  end(): void {
    if (this.#length > 0) this.#lookAt();
    this.#length = 0;
  }

  #makeRoom(): void {
    this.#lookAt();
    const from = this.#length - this.#kept;
    for (const part of [this.#content, this.#starts, this.#ends, this.#escapes]) part.copyWithin(0, from, this.#length);
    this.#length = this.#kept;
  }

  #lookAt(): void {
    this.#lastStart = this.#lastEnd = -1;
    this.#look(this.#content.subarray(0, this.#length), this);
  }

  see(gram: Gram, form: Form, start: number, end: number): void {
    let escape = 0;
    if (form === 'raw') for (let at = start; at < end; at++) escape ||= this.#escapes[at]!;
    this.#outer.see(gram, escape === 0 ? form : (ESCAPES[escape] as Form), this.#starts[start]!, this.#ends[end - 1]!);
  }

  mark(start: number, end: number): void {
    // A packed run is as long as it likes, and each find in it marks all of it.
    if (start === this.#lastStart && end === this.#lastEnd) return;
    [this.#lastStart, this.#lastEnd] = [start, end];
    let from = this.#starts[start]!;
    let to = this.#ends[start]!;
    for (let at = start + 1; at < end; at++) {
      if (this.#starts[at]! > to) {
        this.#outer.mark(from, to);
        from = this.#starts[at]!;
      }
      to = this.#ends[at]!;
    }
    this.#outer.mark(from, to);
  }
}
