/**
 * The socket that undici gets: a stream between undici and the socket of a connection, which sees and may change the bytes
 * of both ways. Undici's client needs a Duplex, and `ref` and `unref` for connections that idle.
 */
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';

export interface WireWatcher {
  /** Before undici writes. */
  writing(): void;
  /** Returns the bytes that undici gets to see. */
  reading(chunk: Buffer): Buffer;
  /** Before undici learns of it. */
  broken(error: Error): void;
}

export class WireSocket extends Duplex {
  readonly #socket: Socket;
  readonly #watcher: WireWatcher;
  #isAsked = false;

  constructor(socket: Socket, watcher: WireWatcher) {
    // The socket is read only when undici asks, so that bytes do not pile up twice.
    super({ readableHighWaterMark: 0 });
    this.#socket = socket;
    this.#watcher = watcher;
    socket
      .on('readable', () => this.#answer())
      .on('end', () => this.push(null))
      .on('error', (error) => {
        watcher.broken(error);
        this.destroy(error);
      })
      .on('close', () => this.destroy());
  }

  ref(): void {
    this.#socket.ref();
  }

  unref(): void {
    this.#socket.unref();
  }

  override _read(): void {
    this.#isAsked = true;
    this.#answer();
  }

  /**
   * Head and body come together, and leave in one packet. Never waits for the socket to drain: undici hands over whole
   * bodies, and the watcher has to hear of a request in the turn in which undici writes it.
   */
  override _writev(chunks: readonly { readonly chunk: Buffer }[], done: () => void): void {
    this.#watcher.writing();
    this.#socket.cork();
    for (const { chunk } of chunks) this.#socket.write(chunk);
    this.#socket.uncork();
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    if (this.#socket.closed) return done(error);
    this.#socket.once('close', () => done(error)).destroy();
  }

  #answer(): void {
    while (this.#isAsked) {
      const chunk = this.#socket.read() as Buffer | null;
      if (chunk === null) return;
      const seen = this.#watcher.reading(chunk);
      // An empty push would count as an answer, and undici would not ask again.
      if (seen.length === 0) continue;
      this.#isAsked = false;
      this.push(seen);
    }
  }
}
