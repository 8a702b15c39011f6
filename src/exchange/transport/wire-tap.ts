/**
 * Listens at the socket for what undici does not report: the HTTP version, a reset that it takes for a proper end, and bytes
 * beyond the stated length. Also removes `100 Continue`: RFC 9110 section 15.2 requires clients to accept an unexpected one, but undici drops the
 * connection.
 */
import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';

export interface WireListener {
  /** Written to this connection, counted from 1. */
  connected(connection: number): void;
  version(version: string): void;
  /** An interim answer that was removed. */
  interim(): void;
  broken(error: Error): void;
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
    let head: ResponseHead | undefined;
    let length: StatedLength | undefined;
    return {
      writing: () => {
        if (this.#next === undefined) return;
        head = new ResponseHead(this.#next, this.#maxHeaders);
        length = new StatedLength(this.#next, this.#maxHeaders);
        this.#next.connected(connection);
        this.#next = undefined;
      },
      reading: (chunk) => {
        head?.listener.arrived(chunk.length);
        const passed = head?.filter(chunk) ?? chunk;
        // Before undici sees them, which may end the answer with these bytes.
        length?.count(passed);
        return passed;
      },
      broken: (error) => head?.listener.broken(error),
    };
  }
}

/** Reads the first bytes of the answer to one request, and passes everything after them on. */
class ResponseHead {
  readonly listener: WireListener;
  readonly #maxHeaders: number;
  #held: Buffer = Buffer.alloc(0);
  #state: 'status-line' | 'continue' | 'passing' = 'status-line';

  constructor(listener: WireListener, maxHeaders: number) {
    this.listener = listener;
    this.#maxHeaders = maxHeaders;
  }

  filter(chunk: Buffer): Buffer {
    if (this.#state === 'passing') return chunk;
    this.#held = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    for (;;) {
      if (this.#state === 'status-line' && !this.#readStatusLine()) return this.#passUnlessOpen();
      const end = this.#held.indexOf(HEAD_END);
      if (end === -1) return this.#held.length > this.#maxHeaders ? this.#pass() : Buffer.alloc(0);
      this.listener.interim();
      this.#held = this.#held.subarray(end + HEAD_END.length);
      this.#state = 'status-line';
    }
  }

  /** True if an answer with status 100 begins here. */
  #readStatusLine(): boolean {
    const match = STATUS_LINE.exec(this.#held.toString('latin1', 0, STATUS_LINE_LENGTH));
    if (match === null) return false;
    this.listener.version(match[1]!);
    if (match[2] !== '100') return false;
    this.#state = 'continue';
    return true;
  }

  /** Holds bytes back while they may still become a status line. */
  #passUnlessOpen(): Buffer {
    const start = this.#held.toString('latin1', 0, STATUS_LINE_LENGTH);
    const isOpen = start.length < STATUS_LINE_LENGTH && /^(H|HT|HTT|HTTP|HTTP\/[\d. ]*|)$/.test(start);
    return isOpen ? Buffer.alloc(0) : this.#pass();
  }

  #pass(): Buffer {
    this.#state = 'passing';
    const held = this.#held;
    this.#held = Buffer.alloc(0);
    return held;
  }
}

/** Counts the bytes of a body whose length the head states. */
class StatedLength {
  readonly #listener: WireListener;
  readonly #maxHeaders: number;
  #head = '';
  /** Bytes of the body that are still to come; undefined as long as the head has not come, or if it states no length. */
  #left: number | undefined;
  #isRead = false;

  constructor(listener: WireListener, maxHeaders: number) {
    this.#listener = listener;
    this.#maxHeaders = maxHeaders;
  }

  count(chunk: Buffer): void {
    const body = this.#isRead ? chunk.length : this.#readHead(chunk);
    if (this.#left === undefined) return;
    this.#left -= body;
    if (this.#left < 0) this.#listener.surplus();
  }

  /** Returns the bytes that follow the head. */
  #readHead(chunk: Buffer): number {
    this.#head += chunk.toString('latin1');
    const end = this.#head.indexOf(HEAD_END);
    this.#isRead = end !== -1 || this.#head.length > this.#maxHeaders;
    if (end === -1) return 0;
    const head = this.#head.slice(0, end);
    const rest = this.#head.length - end - HEAD_END.length;
    this.#head = '';
    // After an interim answer, the next head follows. A body in pieces has no stated length.
    if (/^HTTP\/\S+ 1\d\d/.test(head)) return this.#skipInterim(chunk, rest);
    const stated = /\r\ntransfer-encoding:/i.test(head)
      ? null
      : /\r\ncontent-length:[ \t]*(\d{1,15})[ \t]*(?=\r\n|$)/i.exec(head);
    this.#left = stated === null ? undefined : Number(stated[1]);
    return rest;
  }

  #skipInterim(chunk: Buffer, rest: number): number {
    this.#isRead = false;
    return rest === 0 ? 0 : this.#readHead(chunk.subarray(chunk.length - rest));
  }
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
