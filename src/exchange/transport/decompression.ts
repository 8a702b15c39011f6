/** Undoes the Content-Encoding of an answer while it arrives, chunk by chunk. */
import { pipeline, type Duplex } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import type { Header } from '../exchange.ts';

/** The names that `Accept-Encoding` offers. */
export const ENCODINGS = ['gzip', 'deflate', 'br'];
/** Brotli is left out: its decoder takes up to 16 MiB before it puts out a byte. */
export const LIGHT_ENCODINGS = ['gzip', 'deflate'];

/** More layers than this serve no honest purpose. */
const MAX_LAYERS = 3;
/** Bytes that may wait for decoding. */
const MAX_QUEUED = 64 * 1024;

/** `none` is no coding of RFC 9110, but servers send it to keep proxies from compressing streams. */
const NO_CODING = ['identity', 'none'];

export type EncodingReading =
  | { readonly kind: 'identity' }
  | { readonly kind: 'encoded'; readonly layers: readonly string[] }
  /** One that we could decode, but did not ask for. */
  | { readonly kind: 'unasked' }
  | { readonly kind: 'unknown'; readonly detail: string };

const LAYERS: Readonly<Record<string, (firstByte: number) => Duplex>> = {
  gzip: () => createGunzip(),
  br: () => createBrotliDecompress(),
  // RFC 9110 section 8.4.1.2 means zlib's format; some servers send bare deflate, whose first byte cannot be zlib's.
  deflate: (firstByte) => ((firstByte & 0x0f) === 8 ? createInflate() : createInflateRaw()),
};

/** Layers in the order of decoding: the one that was applied last comes first. */
export function readEncoding(headers: readonly Header[], offered: readonly string[]): EncodingReading {
  const named = headers
    .filter(([name]) => name.toLowerCase() === 'content-encoding')
    .flatMap(([, value]) => value.split(','))
    .map((name) =>
      name
        .trim()
        .toLowerCase()
        .replace(/^x-gzip$/, 'gzip'),
    )
    .filter((name) => name !== '' && !NO_CODING.includes(name));
  if (named.length === 0) return { kind: 'identity' };
  const unknown = named.find((name) => !Object.hasOwn(LAYERS, name));
  if (unknown !== undefined)
    return { kind: 'unknown', detail: `Content-Encoding ${unknown} was not offered in Accept-Encoding` };
  if (!named.every((name) => offered.includes(name))) return { kind: 'unasked' };
  if (named.length > MAX_LAYERS)
    return {
      kind: 'unknown',
      detail: `Content-Encoding has ${named.length} layers, at most ${MAX_LAYERS} are decoded`,
    };
  return { kind: 'encoded', layers: named.toReversed() };
}

export interface DecompressionTarget {
  /** `at`: when the encoded bytes arrived. */
  decoded(chunk: Uint8Array, at: number): void;
  /** Nothing waits any more. */
  caughtUp(): void;
}

export class Decompression {
  readonly #layers: readonly string[];
  readonly #target: DecompressionTarget;
  readonly #queue: { readonly chunk: Uint8Array; readonly at: number }[] = [];
  #queued = 0;
  #first: Duplex | undefined;
  #streams: Duplex[] = [];
  #busy = false;
  #ending = false;
  #stopped = false;
  #at = 0;
  #error: Error | undefined;
  #settle: ((error: Error | undefined) => void) | undefined;

  constructor(layers: readonly string[], target: DecompressionTarget) {
    this.#layers = layers;
    this.#target = target;
  }

  /** Too much waits for decoding: no more should be written until it has caught up. */
  get isBehind(): boolean {
    return this.#queued > MAX_QUEUED;
  }

  write(chunk: Uint8Array, at: number): void {
    this.#queue.push({ chunk, at });
    this.#queued += chunk.length;
    this.#next();
  }

  /** Decodes what is still queued. Resolves to an error if the bytes are not encoded as stated, or end early. */
  end(): Promise<Error | undefined> {
    return new Promise((settle) => {
      this.#settle = settle;
      this.#ending = true;
      if (this.#stopped) settle(this.#error);
      else this.#next();
    });
  }

  /** Drops everything at once. */
  stop(error?: Error): void {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#error = error;
    this.#queue.length = 0;
    for (const stream of this.#streams) stream.destroy();
    this.#settle?.(error);
  }

  #next(): void {
    if (this.#busy || this.#stopped) return;
    const item = this.#queue.shift();
    if (item === undefined) {
      if (!this.#ending) return;
      if (this.#first === undefined) this.stop(new Error('unexpected end of file'));
      else this.#first.end();
      this.#busy = true;
      return;
    }
    this.#busy = true;
    this.#at = item.at;
    this.#first ??= this.#open(item.chunk[0] ?? 0);
    // One chunk at a time, so that decoded bytes get the time of the chunk they came from.
    this.#first.write(item.chunk, () => {
      this.#busy = false;
      this.#queued -= item.chunk.length;
      this.#next();
      if (!this.#busy && !this.#stopped) this.#target.caughtUp();
    });
  }

  #open(firstByte: number): Duplex {
    this.#streams = this.#layers.map((name) => LAYERS[name]!(firstByte));
    const last = this.#streams.at(-1)!;
    last.on('data', (chunk: Uint8Array) => {
      if (!this.#stopped) this.#target.decoded(chunk, this.#at);
    });
    last.on('end', () => this.stop());
    if (this.#streams.length === 1) last.on('error', (error) => this.stop(error));
    else pipeline(this.#streams as [Duplex, ...Duplex[]], (error) => error && this.stop(error));
    return this.#streams[0]!;
  }
}
