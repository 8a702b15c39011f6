import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WireSocket, type WireWatcher } from './wire-socket.ts';

/** A socket that never drains. */
class StuckSocket extends Duplex {
  readonly packets: string[] = [];
  isHeld = true;

  override _writev(chunks: readonly { readonly chunk: Buffer }[]): void {
    this.packets.push(Buffer.concat(chunks.map(({ chunk }) => chunk)).toString());
  }

  override _read(): void {}

  ref(): void {
    this.isHeld = true;
  }

  unref(): void {
    this.isHeld = false;
  }
}

function watched(socket: Duplex, show: WireWatcher['reading'] = (chunk) => chunk) {
  const seen: string[] = [];
  const wire = new WireSocket(socket as Socket, {
    writing: () => void seen.push('writing'),
    reading: show,
    broken: ({ message }) => void seen.push(`broken: ${message}`),
  });
  wire.on('error', ({ message }) => void seen.push(`error: ${message}`));
  wire.on('close', () => void seen.push('close'));
  return { wire, seen };
}

describe('the socket that undici gets', () => {
  it('sends head and body in one packet, and tells of each request in the turn that writes it', () => {
    const socket = new StuckSocket();
    const { wire, seen } = watched(socket);
    wire.cork();
    wire.write('head ', 'latin1');
    wire.write(Buffer.from('body'));
    wire.uncork();
    expect(socket.packets).toEqual(['head body']);
    wire.write('another');
    expect(seen).toEqual(['writing', 'writing']);
  });

  it('keeps the process alive only while the socket may', () => {
    const socket = new StuckSocket();
    const { wire } = watched(socket);
    wire.unref();
    expect(socket.isHeld).toBe(false);
    wire.ref();
    expect(socket.isHeld).toBe(true);
  });

  it('waits for more where the watcher shows nothing', async () => {
    const socket = new StuckSocket();
    const { wire } = watched(socket, (chunk) => (chunk.length < 3 ? Buffer.alloc(0) : chunk));
    const readable = once(wire, 'readable');
    for (const piece of ['a', 'bb', 'ccc']) {
      socket.push(piece);
      await new Promise(setImmediate);
    }
    await readable;
    expect(String(wire.read())).toBe('ccc');
  });

  it('passes an end on, after the last bytes', async () => {
    const socket = new StuckSocket();
    const { wire, seen } = watched(socket);
    const end = once(wire, 'end');
    wire.on('data', (chunk) => void seen.push(String(chunk)));
    socket.push('last');
    socket.push(null);
    await end;
    expect(seen).toEqual(['last']);
  });

  it('closes when the socket does, and tells the watcher of an error before undici learns of it', async () => {
    const broken = new StuckSocket();
    const { wire, seen } = watched(broken);
    const ends = new Promise((resolve) => wire.on('close', resolve));
    broken.destroy(new Error('reset'));
    await ends;
    expect(seen).toEqual(['broken: reset', 'error: reset', 'close']);
    const closed = new StuckSocket();
    const other = watched(closed);
    closed.destroy();
    await once(other.wire, 'close');
    expect(other.seen).toEqual(['close']);
  });

  it('closes the socket with it', async () => {
    const socket = new StuckSocket();
    const { wire, seen } = watched(socket);
    const closed = once(socket, 'close');
    wire.destroy(new Error('aborted'));
    await closed;
    await new Promise(setImmediate);
    expect(seen).toEqual(['error: aborted', 'close']);
  });

  it('takes no more than one read that nobody asks for', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.write(Buffer.alloc(8 << 20));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const socket = connect((server.address() as { port: number }).port, '127.0.0.1');
    const { wire } = watched(socket);
    onTestFinished(() => {
      wire.destroy();
      server.close();
    });
    await once(
      wire.on('readable', () => {}),
      'readable',
    );
    for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate);
    expect(wire.readableLength).toBeGreaterThan(0);
    // One read of Node's on each side.
    expect(socket.bytesRead).toBeLessThanOrEqual(2 * 64 * 1024);
  });
});
