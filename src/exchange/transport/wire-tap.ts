/**
 * Listens at the socket for what undici does not report: the HTTP version, a reset that it takes for a proper end, and bytes
 * beyond the stated length. Also removes `100 Continue`: RFC 9110 section 15.2 requires clients to accept an unexpected one, but undici drops the
 * connection.
 */
import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';

export interface WireListener {
  /** The connection that the request was written to, counted from 1. */
  connection: number | undefined;
  httpVersion: string;
  /** What broke the connection. */
  broken: Error | undefined;
  /** An interim answer was removed. */
  interim(): void;
  /** More bytes came than the length that the head states. */
  surplus(): void;
  /** Bytes of the head or the body. */
  arrived(bytes: number): void;
}

/** The part of a status line with version and status. */
const STATUS_LINE = /^HTTP\/(\d\.\d) (\d{3})/;
const STATUS_LINE_LENGTH = 12;
const HEAD_END = '\r\n\r\n';

export class WireTap {
  readonly #maxHeaders: number;
  #next: WireListener | undefined;
  #connections = 0;

  constructor(maxHeaders: number) {
    this.#maxHeaders = maxHeaders;
  }

  /** Call right before a request is written: undici writes it in the same turn. */
  expect(listener: WireListener): void {
    this.#next = listener;
  }

  wrap(connect: buildConnector.connector): buildConnector.connector {
    return (options, callback) =>
      connect(options, (...result) => {
        // Undici's types promise null on failure, but its connector passes only the error.
        const socket: Socket | null | undefined = result[1];
        if (socket) watchSocket(socket, this.watch());
        callback(...result);
      });
  }

  /** Watches a connection that was opened. */
  watch(): WireWatcher {
    this.#connections += 1;
    const connection = this.#connections;
    let listener: WireListener | undefined;
    let filter: ReturnType<typeof filterHead> | undefined;
    let countBody: ReturnType<typeof countStatedLength> | undefined;
    return {
      writing: () => {
        if (this.#next === undefined) return;
        listener = this.#next;
        this.#next = undefined;
        listener.connection = connection;
        filter = filterHead(listener, this.#maxHeaders);
        countBody = countStatedLength(listener, this.#maxHeaders);
      },
      reading: (chunk) => {
        listener?.arrived(chunk.length);
        const passed = filter?.(chunk) ?? chunk;
        // Before undici sees them, which may end the answer with these bytes.
        countBody?.(passed);
        return passed;
      },
      broken: (error) => {
        if (listener) listener.broken = error;
      },
    };
  }
}

const NOTHING = Buffer.alloc(0);

/** Whether these bytes may still become a status line. */
const OPEN_START = /^(H|HT|HTT|HTTP|HTTP\/[\d. ]*|)$/;

/** Reads the first bytes of the answer to one request, without interim answers with status 100, and passes everything after them on. */
function filterHead(listener: WireListener, maxHeaders: number): (chunk: Buffer) => Buffer {
  /** Undefined once they pass. */
  let held: Buffer | undefined = NOTHING;
  return (chunk) => {
    if (held === undefined) return chunk;
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    for (;;) {
      const start = held.toString('latin1', 0, STATUS_LINE_LENGTH);
      if (start.length < STATUS_LINE_LENGTH && OPEN_START.test(start)) return NOTHING;
      const [, version = listener.httpVersion, status] = STATUS_LINE.exec(start) ?? [];
      listener.httpVersion = version;
      const end = held.indexOf(HEAD_END);
      const isContinue = status === '100';
      if (isContinue && end === -1 && held.length <= maxHeaders) return NOTHING;
      if (!isContinue || end === -1) {
        const passed = held;
        held = undefined;
        return passed;
      }
      listener.interim();
      held = held.subarray(end + HEAD_END.length);
    }
  };
}

/** Heads of interim answers, before the one that counts. */
const INTERIM_HEADS = /^(?:HTTP\/\S+ 1\d\d[^]*?\r\n\r\n)+/;

/** Counts the bytes of a body whose length the head states. */
function countStatedLength(listener: WireListener, maxHeaders: number): (chunk: Buffer) => void {
  /** Undefined once it is read. */
  let head: string | undefined = '';
  /** Bytes of the body that are still to come, if the head states a length. */
  let left = Infinity;
  return (chunk) => {
    if (head === undefined) left -= chunk.length;
    else {
      head = (head + chunk.toString('latin1')).replace(INTERIM_HEADS, '');
      const end = head.indexOf(HEAD_END);
      if (end === -1) {
        if (head.length > maxHeaders) head = undefined;
        return;
      }
      const [whole, body] = [head.slice(0, end), head.length - end - HEAD_END.length];
      head = undefined;
      // A body in pieces has no stated length.
      const isInPieces = /\r\ntransfer-encoding:/i.test(whole);
      const stated = /\r\ncontent-length:[ \t]*(\d{1,15})[ \t]*(?=\r\n|$)/i.exec(whole)?.[1];
      left = (isInPieces || stated === undefined ? Infinity : Number(stated)) - body;
    }
    if (left < 0) listener.surplus();
  };
}

// Sees the bytes of both ways of a socket, and may change those that are read. Its own methods are replaced: a stream
// between undici and the socket would cost more than the rest of an answer.

export interface WireWatcher {
  /** Before undici writes. */
  writing(): void;
  /** Returns the bytes that undici gets to see. */
  reading(chunk: Buffer): Buffer;
  /** Before undici learns of it. */
  broken(error: Error): void;
}

/** Call before undici gets the socket, so that it learns of an error last. */
export function watchSocket(socket: Socket, watcher: WireWatcher): void {
  socket.on('error', (error) => watcher.broken(error));
  watchWrites(socket, watcher);
  watchReads(socket, watcher);
}

function watchWrites(socket: Socket, watcher: WireWatcher): void {
  const write: (chunk: string | Uint8Array, encoding?: BufferEncoding) => boolean = socket.write.bind(socket);
  // Undici passes no callback.
  socket.write = (chunk: string | Uint8Array, encoding?: unknown) => {
    watcher.writing();
    return write(chunk, encoding as BufferEncoding);
  };
}

function watchReads(socket: Socket, watcher: WireWatcher): void {
  const read = socket.read.bind(socket);
  const unshift = socket.unshift.bind(socket);
  /** Bytes that undici gave back, since it was paused. They have been seen. */
  let known = 0;
  socket.unshift = (chunk: Buffer) => {
    known += chunk.length;
    unshift(chunk);
  };
  socket.read = (size?: number) => {
    // Node itself asks for 0 bytes, to begin a read.
    if (size === 0) return read(0) as null;
    // Undici takes an empty read for one with bytes, and null for none.
    for (;;) {
      const chunk = read() as Buffer | null;
      if (chunk === null) return null;
      if (known === 0) {
        const seen = watcher.reading(chunk);
        if (seen.length > 0) return seen;
        continue;
      }
      const shown = chunk.subarray(0, known);
      known -= shown.length;
      const fresh = chunk.subarray(shown.length);
      return fresh.length === 0 ? shown : Buffer.concat([shown, watcher.reading(fresh)]);
    }
  };
}
