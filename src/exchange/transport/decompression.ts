/** Undoes the Content-Encoding of an answer while it arrives, chunk by chunk. */
import { pipeline, type Duplex } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import type { BodyEnd, Header } from '../exchange.ts';

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

const LAYERS: Readonly<Record<string, (firstByte: number) => Duplex>> = {
  gzip: () => createGunzip(),
  br: () => createBrotliDecompress(),
  // RFC 9110 section 8.4.1.2 means zlib's format; some servers send bare deflate, whose first byte cannot be zlib's.
  deflate: (firstByte) => ((firstByte & 0x0f) === 8 ? createInflate() : createInflateRaw()),
};

/** Layers in the order of decoding: the one that was applied last comes first. `end`: of a body that is not decoded. */
export function readEncoding(
  headers: readonly Header[],
  offered: readonly string[],
): { readonly layers: readonly string[]; readonly end?: BodyEnd } {
  const named = headers
    .filter(([name]) => name.toLowerCase() === 'content-encoding')
    .flatMap(([, value]) => value.split(','))
    .map((name) => name.trim().toLowerCase())
    .map((name) => (name === 'x-gzip' ? 'gzip' : name))
    .filter((name) => name !== '' && !NO_CODING.includes(name));
  const raw = (detail: string) =>
    ({ layers: [], end: { kind: 'undecodable', detail: `Content-Encoding ${detail}`, raw: true } }) as const;
  const unknown = named.find((name) => !Object.hasOwn(LAYERS, name));
  if (unknown !== undefined) return raw(`${unknown} was not offered in Accept-Encoding`);
  // One that we could decode, but did not ask for.
  if (!named.every((name) => offered.includes(name))) return { layers: [], end: { kind: 'limit', limit: 'max-total' } };
  if (named.length > MAX_LAYERS) return raw(`has ${named.length} layers, at most ${MAX_LAYERS} are decoded`);
  return { layers: named.toReversed() };
}

export interface DecompressionTarget {
  /** `at`: when the encoded bytes arrived. */
  decoded(chunk: Uint8Array, at: number): void;
  /** Nothing waits any more. */
  caughtUp(): void;
}

export type Decompression = ReturnType<typeof startDecompression>;

export function startDecompression(layers: readonly string[], target: DecompressionTarget) {
  const queue: { readonly chunk: Uint8Array; readonly at: number }[] = [];
  let queued = 0;
  let streams: readonly Duplex[] = [];
  let isBusy = false;
  let isStopped = false;
  let arrivedAt = 0;
  let stoppedBy: Error | undefined;
  let settle: ((error: Error | undefined) => void) | undefined;

  /** Drops everything at once. */
  const stop = (error?: Error): void => {
    if (isStopped) return;
    isStopped = true;
    stoppedBy = error;
    queue.length = 0;
    for (const stream of streams) stream.destroy();
    settle?.(error);
  };
  const open = (firstByte: number): void => {
    streams = layers.map((name) => LAYERS[name]!(firstByte));
    const last = streams.at(-1)!;
    last.on('data', (chunk: Uint8Array) => {
      if (!isStopped) target.decoded(chunk, arrivedAt);
    });
    last.on('end', () => stop());
    if (streams.length === 1) last.on('error', stop);
    else pipeline(streams as [Duplex, ...Duplex[]], (error) => error && stop(error));
  };
  const next = (): void => {
    if (isBusy || isStopped) return;
    const item = queue.shift();
    if (item === undefined) {
      if (settle === undefined) return;
      isBusy = true;
      if (streams[0] === undefined) stop(new Error('unexpected end of file'));
      else streams[0].end();
      return;
    }
    isBusy = true;
    arrivedAt = item.at;
    if (streams.length === 0) open(item.chunk[0] ?? 0);
    // One chunk at a time, so that decoded bytes get the time of the chunk they came from.
    streams[0]!.write(item.chunk, () => {
      isBusy = false;
      queued -= item.chunk.length;
      next();
      if (!isBusy && !isStopped) target.caughtUp();
    });
  };

  return {
    /** Too much waits for decoding: no more should be written until it has caught up. */
    isBehind: () => queued > MAX_QUEUED,
    write(chunk: Uint8Array, at: number): void {
      queue.push({ chunk, at });
      queued += chunk.length;
      next();
    },
    /** Decodes what is still queued. Resolves to an error if the bytes are not encoded as stated, or end early. */
    end: () =>
      new Promise<Error | undefined>((resolve) => {
        settle = resolve;
        if (isStopped) resolve(stoppedBy);
        else next();
      }),
    stop,
  };
}
