import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { expect, it, vi } from 'vitest';
import { failedAttempt, failure, plainExchange } from '../../../test/kit/exchanges.ts';
import { Channel } from '../../exchange/channel/channel.ts';
import type { Sent, Transport } from '../../exchange/transport/transport.ts';
import type { FilledRequest } from '../../plan/bind-request.ts';
import { DEFAULT_SETTINGS } from '../../settings.ts';
import { AnswerMemory, GivingUp, LoadConnections, sendCall } from './send-call.ts';

const CALL = {
  kind: 'plain',
  mode: 'plain',
  profile: 'short',
  connection: 'kept-connection',
  usesOtherKey: false,
  leaves: 'before-headers',
  leavesAfter: 1,
  id: 'own',
  stage: 0,
  number: 1,
} as const;

const ABORTED = failedAttempt(failure('aborted'));
const CLOSED = failedAttempt(failure('closed'));

/** What comes of the call of a client that leaves, if its sendings end so. */
async function sendWith(...endings: readonly Sent[]) {
  const left = [...endings];
  const transport = {
    describe: () => plainExchange().request,
    send: () => Promise.resolve(left.shift()),
  } as unknown as Transport;
  const settings = { ...DEFAULT_SETTINGS, baseUrl: 'http://127.0.0.1/v1' };
  const channel = new Channel({ settings, keys: {}, transport });
  const connections = new LoadConnections(() => transport, 1);
  const sent = await sendCall(CALL, {} as FilledRequest, new AnswerMemory(0).open(false), {
    connections,
    channel,
    until: channel.signal,
  });
  return { isSent: sent !== undefined, requests: channel.ledger.used.requests };
}

it.each([
  ['before its request was sent', [ABORTED], false, 0],
  ['after its request was sent', [{ ...ABORTED, connection: 1 }], true, 1],
  ['before it was sent again', [{ ...CLOSED, connection: 1 }, ABORTED], true, 1],
  [
    'after it was sent again',
    [
      { ...CLOSED, connection: 1 },
      { ...ABORTED, connection: 2 },
    ],
    true,
    2,
  ],
] as const)('If a client leaves %s, only what was sent is a request', async (_when, endings, isSent, requests) => {
  expect(await sendWith(...endings)).toEqual({ isSent, requests });
});

it('What arrived while the checker was busy is read before calls are given up', async () => {
  const order: string[] = [];
  const server = createServer((socket) => {
    socket.write('answer');
    const givingUp = new GivingUp(new AbortController().signal, 1);
    givingUp.signal.addEventListener('abort', () => (order.push('given up'), socket.destroy(), server.close()));
    const until = performance.now() + 20;
    while (performance.now() < until);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.on('data', () => order.push('read'));
  await once(client, 'close');
  expect(order).toEqual(['read', 'given up']);
});

it('The time to give up ends with the calls, also if they fail', async () => {
  vi.useFakeTimers();
  const givingUp = new GivingUp(new AbortController().signal, 2 ** 40);
  expect(vi.getTimerCount()).toBe(1);
  await expect(givingUp.during(Promise.reject(new Error('bug')))).rejects.toThrow('bug');
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

it('A call is sent on its connection: a new one, one of two pools in turn, or one that was idle', () => {
  let opened = 0;
  const connections = new LoadConnections(
    () => ({ number: opened++, renew: () => Promise.resolve(), close: () => Promise.resolve() }),
    8,
  );
  const chosen = (['new-connection', 'kept-connection', 'kept-connection', 'kept-connection'] as const).map((use) => {
    const line = connections.choose(use);
    return [line.transport.number, line.use];
  });
  const kept = 'kept-connection';
  expect(chosen).toEqual([
    [0, 'new-connection'],
    [0, kept],
    [1, kept],
    [0, kept],
  ]);
  const idle = Array.from({ length: 5 }, () => connections.choose('after-idle'));
  expect(idle.map(({ transport, use }) => [transport.number, use])).toEqual([
    ...[2, 3, 4, 5].map((number) => [number, 'after-idle']),
    [1, kept],
  ]);
  idle[0]?.release();
  expect(connections.choose('after-idle').use).toBe(kept);
});
