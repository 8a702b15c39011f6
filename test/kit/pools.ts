/** Gateways behind a balancer, or behind something that answers for them. */
import { createServer, type IncomingMessage, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect, createServer as createTcpServer, type Server } from 'node:net';
import { onTestFinished } from 'vitest';
import { gatewayFor } from './real-run.ts';

/** Passes each request on to the address that is chosen for it. */
export async function passOn(choose: (incoming: IncomingMessage) => string): Promise<string> {
  const server = createServer((incoming, outgoing) => {
    const { hostname, port } = new URL(choose(incoming));
    const { method, url, headers } = incoming;
    const passed = send({ hostname, port, method, path: url, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(passed);
  });
  return listen(server);
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

/** Passes each connection, or each request, on to one of the addresses in turn. */
async function balance(targets: readonly string[], per: 'connection' | 'request'): Promise<string> {
  let turn = 0;
  const next = (): string => targets[(turn += 1) % targets.length]!;
  if (per === 'request') return passOn(next);
  const server = createTcpServer((socket) => {
    const { hostname, port } = new URL(next());
    const upstream = connect(Number(port), hostname);
    socket.pipe(upstream).pipe(socket);
    for (const end of [socket, upstream]) end.on('error', () => [socket, upstream].forEach((each) => each.destroy()));
  });
  return listen(server);
}

/** Three gateways behind a balancer, one of them with a fault. */
export async function poolWith(fault: Parameters<typeof gatewayFor>[0], per: 'connection' | 'request') {
  const gateways = await Promise.all([gatewayFor(), gatewayFor(fault), gatewayFor()]);
  const baseUrl = await balance(
    gateways.map(({ baseUrl: address }) => address),
    per,
  );
  return { baseUrl, keys: { full: gateways[0].keys.full } };
}

/** Passes requests on, except those that it answers itself. */
export async function inFrontOf(target: string, answer: (key: string) => number | undefined): Promise<string> {
  const { hostname, port, pathname } = new URL(target);
  const server = createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming;
    const status = answer(headers.authorization ?? '');
    if (status !== undefined) {
      incoming.resume();
      outgoing.writeHead(status, { 'content-type': 'application/json' });
      outgoing.end(JSON.stringify({ error: { message: 'Blocked.', type: 'blocked', code: 'blocked' } }));
      return;
    }
    const passed = send({ hostname, port, method, path: url, headers }, (back) => {
      outgoing.writeHead(back.statusCode ?? 502, back.headers);
      back.pipe(outgoing);
    });
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}${pathname}`;
}
