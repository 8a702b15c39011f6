import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { Bell, watchPath, watchRestarts } from './triggers.ts';

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

describe('the bell', () => {
  it('gathers what rings together, and what rang before anybody listened', async () => {
    const bell = new Bell();
    const { signal } = new AbortController();
    bell.ring('a/b');
    const next = bell.next(signal);
    bell.ring('a/c');
    bell.ring();
    bell.ring();
    expect([...((await next) ?? [])]).toEqual(['a/b', 'a/c', undefined]);
  });

  it('stops when the watch ends, however often it was heard', async () => {
    const stop = new AbortController();
    const bell = new Bell();
    const next = bell.next(stop.signal);
    stop.abort();
    bell.ring();
    expect(await next).toBeUndefined();
    expect(await bell.next(stop.signal)).toBeUndefined();
  });
});

describe('a path', () => {
  it.each([
    [
      'a file that an editor replaces by another',
      (path: string) => {
        writeFileSync(`${path}.new`, String(performance.now()));
        renameSync(`${path}.new`, path);
      },
    ],
    [
      'a folder that goes away and comes back',
      (path: string) => {
        rmSync(path, { recursive: true });
        mkdirSync(path);
      },
    ],
  ])('is followed: %s', async (what, change) => {
    const folder = mkdtempSync(join(tmpdir(), 'wirecheck-path-'));
    const path = join(folder, 'watched');
    if (what.includes('folder')) mkdirSync(path);
    else writeFileSync(path, '');
    let rung = 0;
    const stop = watchPath(path, () => (rung += 1));
    onTestFinished(() => {
      stop();
      rmSync(folder, { recursive: true });
    });
    for (let times = 0; times < 3; times += 1) {
      const before = rung;
      change(path);
      await vi.waitFor(() => expect(rung).toBeGreaterThan(before), { timeout: 10_000 });
    }
  });
});

describe('a gateway that is watched', () => {
  it('may wait for its last connection to close before it ends', async () => {
    const server = createHttpServer();
    const told: boolean[] = [];
    const connected = once(server, 'connection');
    const stop = watchRestarts(await listen(server), (isAway) => told.push(isAway));
    onTestFinished(stop);
    await connected;
    // Ends the connections that it knows to be idle, and waits for the others.
    await new Promise((resolve) => server.close(resolve));
    await vi.waitFor(() => expect(told).toEqual([true]), { timeout: 10_000 });
  });

  it('was away, however soon it is back', async () => {
    const sockets: Socket[] = [];
    const server = createServer((socket) => sockets.push(socket));
    onTestFinished(() => void server.close());
    const told: boolean[] = [];
    onTestFinished(watchRestarts(await listen(server), (isAway) => told.push(isAway)));
    await vi.waitFor(() => expect(sockets.length).toBe(2), { timeout: 10_000 });
    sockets[1]?.destroy();
    await vi.waitFor(() => expect(told).toEqual([true, false]), { timeout: 10_000 });
  });

  it('is not flooded with connections if it closes each at once', async () => {
    let connections = 0;
    const server = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    onTestFinished(() => void server.close());
    const began = performance.now();
    onTestFinished(watchRestarts(await listen(server), () => undefined));
    await vi.waitFor(() => expect(connections).toBeGreaterThan(10), { timeout: 10_000 });
    expect(performance.now() - began).toBeGreaterThan(200);
  });
});
