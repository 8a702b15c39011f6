import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { watchSocket, type WireWatcher } from './wire-tap.ts';

/** A socket that never drains. */
class StuckSocket extends Duplex {
  readonly packets: string[] = [];

  override _writev(chunks: readonly { readonly chunk: Buffer }[]): void {
    this.packets.push(Buffer.concat(chunks.map(({ chunk }) => chunk)).toString());
  }

  override _read(): void {}
}

function watched(socket: Duplex, show: WireWatcher['reading'] = (chunk) => chunk) {
  const seen: string[] = [];
  watchSocket(socket as Socket, {
    writing: () => void seen.push('writing'),
    reading: (chunk) => {
      seen.push(`reading: ${String(chunk)}`);
      return show(chunk);
    },
    broken: ({ message }) => void seen.push(`broken: ${message}`),
  });
  socket.on('error', ({ message }) => void seen.push(`error: ${message}`));
  return seen;
}

/** Reads as undici does. */
function readAll(socket: Duplex): readonly string[] {
  const parts: string[] = [];
  for (;;) {
    const part = socket.read() as Buffer | null;
    if (part === null) return parts;
    parts.push(String(part));
  }
}

async function pushed(socket: Duplex, text: string): Promise<void> {
  socket.push(text);
  await new Promise(setImmediate);
}

describe('a watched socket', () => {
  it('sends head and body in one packet, and tells of each request in the turn that writes it', () => {
    const socket = new StuckSocket();
    const seen = watched(socket);
    socket.cork();
    socket.write('head ', 'latin1');
    socket.write(Buffer.from('body'));
    expect(seen[0]).toBe('writing');
    socket.uncork();
    expect(socket.packets).toEqual(['head body']);
  });

  it('waits for more where the watcher shows nothing', async () => {
    const socket = new StuckSocket();
    watched(socket, (chunk) => (chunk.length < 3 ? Buffer.alloc(0) : chunk));
    await pushed(socket, 'a');
    expect(readAll(socket)).toEqual([]);
    await pushed(socket, 'bb');
    expect(readAll(socket)).toEqual([]);
    await pushed(socket, 'ccc');
    expect(readAll(socket)).toEqual(['ccc']);
  });

  it('shows what the watcher made of the bytes', async () => {
    const socket = new StuckSocket();
    watched(socket, () => Buffer.from('other'));
    await pushed(socket, 'bytes');
    expect(readAll(socket)).toEqual(['other']);
  });

  it('shows the watcher no bytes twice that were given back', async () => {
    const socket = new StuckSocket();
    const seen = watched(socket, (chunk) => Buffer.from(String(chunk).toUpperCase()));
    await pushed(socket, 'abc');
    expect(readAll(socket)).toEqual(['ABC']);
    socket.unshift(Buffer.from('BC'));
    await pushed(socket, 'de');
    expect(readAll(socket).join('')).toBe('BCDE');
    socket.unshift(Buffer.from('E'));
    expect(readAll(socket)).toEqual(['E']);
    expect(seen).toEqual(['reading: abc', 'reading: de']);
  });

  it('ends after the bytes that were given back', async () => {
    const socket = new StuckSocket();
    watched(socket);
    let hasEnded = false;
    socket.on('readable', () => {}).on('end', () => (hasEnded = true));
    await pushed(socket, 'last');
    expect(readAll(socket)).toEqual(['last']);
    socket.unshift(Buffer.from('st'));
    socket.push(null);
    await new Promise(setImmediate);
    expect(hasEnded).toBe(false);
    expect(readAll(socket)).toEqual(['st']);
    await once(socket, 'end');
  });

  it('tells the watcher of an error before anybody else', async () => {
    const socket = new StuckSocket();
    const seen = watched(socket);
    const ends = new Promise((resolve) => socket.on('close', resolve));
    socket.destroy(new Error('reset'));
    await ends;
    expect(seen).toEqual(['broken: reset', 'error: reset']);
  });

  it('takes no more than one read that nobody asks for', async () => {
    const server = createServer((other) => {
      other.on('error', () => {});
      other.write(Buffer.alloc(8 << 20));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const socket = connect((server.address() as { port: number }).port, '127.0.0.1');
    watched(socket, (chunk) => chunk);
    onTestFinished(() => {
      socket.destroy();
      server.close();
    });
    await once(
      socket.on('readable', () => {}),
      'readable',
    );
    for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate);
    expect(socket.readableLength).toBeGreaterThan(0);
    expect(socket.bytesRead).toBeLessThanOrEqual(2 * 64 * 1024);
  });
});
