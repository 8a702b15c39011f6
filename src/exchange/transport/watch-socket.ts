/**
 * Sees the bytes of both ways of a socket, and may change those that are read. Its own methods are replaced: a stream
 * between undici and the socket would cost more than the rest of an answer.
 */
import type { Socket } from 'node:net';

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
