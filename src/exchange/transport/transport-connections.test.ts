import { describe, expect, it, onTestFinished } from 'vitest';
import type { FilledRequest } from '../../plan/bind-request.ts';
import {
  counted,
  FULL_KEY,
  GET_MODELS,
  rawTarget,
  receivePieces,
  textOf,
  transportTo,
} from '../../../test/kit/raw-target.ts';
import { tunnelProxy } from '../../../test/kit/tunnel-proxy.ts';

describe('connections', () => {
  it('are reused, unless a new one is requested', async () => {
    const target = await rawTarget((socket) => void socket.write(counted('ok')));
    const transport = transportTo(target.baseUrl, { concurrency: 1 });
    for (const fresh of [false, false, false]) await transport.send(GET_MODELS, { fresh });
    expect(target.connections).toBe(1);
    await transport.send(GET_MODELS, { fresh: true });
    expect(target.connections).toBe(2);
    await transport.send(GET_MODELS);
    expect(target.connections).toBe(2);
  });

  it('are as many as the concurrency allows', async () => {
    const target = await rawTarget((socket) => void setTimeout(() => socket.write(counted('ok')), 50));
    const transport = transportTo(target.baseUrl, { concurrency: 3 });
    await Promise.all([1, 2, 3].map(() => transport.send(GET_MODELS)));
    expect(target.connections).toBe(3);
  });

  it('ignore proxies from the environment', async () => {
    process.env['HTTP_PROXY'] = process.env['http_proxy'] = 'http://127.0.0.1:1';
    onTestFinished(() => {
      delete process.env['HTTP_PROXY'];
      delete process.env['http_proxy'];
    });
    expect(textOf(await receivePieces([counted('ok')]))).toBe('ok');
  });

  it('go through the configured proxy, which sees no key', async () => {
    const target = await rawTarget((socket) => void socket.write(counted('ok')));
    const { proxy, tunnels } = await tunnelProxy();
    const transport = transportTo(target.baseUrl, { proxy });
    expect(textOf(await transport.send(GET_MODELS))).toBe('ok');
    expect(textOf(await transport.send(GET_MODELS, { fresh: true }))).toBe('ok');
    expect(tunnels).toHaveLength(2);
    expect(tunnels.join('')).not.toContain(FULL_KEY);
  });

  it('report a proxy that refuses them', async () => {
    const { baseUrl } = await rawTarget((socket) => void socket.end('HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n'));
    const sent = await transportTo('http://127.0.0.1:9/v1', { proxy: baseUrl.replace('/v1', '') }).send(GET_MODELS);
    expect(sent.outcome).toMatchObject({
      kind: 'none',
      failure: { kind: 'refused', detail: expect.stringContaining('403') },
    });
  });
});

it('A held connection stays open although the target announces that it closes it soon', async () => {
  const { baseUrl } = await rawTarget((socket) => {
    socket.write('HTTP/1.1 200 OK\r\nKeep-Alive: timeout=1\r\nContent-Length: 2\r\n\r\n{}');
  });
  const transport = transportTo(baseUrl);
  const on = (idle: NonNullable<FilledRequest['idle']>) => transport.send({ ...GET_MODELS, idle });
  const opening = await on({ pause: 6000, on: 'opening', connection: 'a' });
  const kept = await on({ pause: 6000, on: 'kept', connection: 'a' });
  const others = [
    await on({ pause: 6000, on: 'new' }),
    await on({ pause: 6000, on: 'opening', connection: 'b' }),
    await transport.send(GET_MODELS),
  ];
  expect(kept.connection).toBe(opening.connection);
  expect(new Set([opening, ...others].map(({ connection }) => connection)).size).toBe(4);
});
