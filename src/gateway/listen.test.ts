/** Connections that were idle, and requests that come as they are closed. */
import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { listen, type Listening, metIdleClose } from './listen.ts';

/** Milliseconds. */
const IDLE = 60;

let server: Listening | undefined;
let client: Socket | undefined;

afterEach(async () => {
  client?.destroy();
  await server?.close();
});

/** Whether each request that arrived met the close of its connection. */
async function start() {
  const met: boolean[] = [];
  server = await listen(
    async (request, response) => {
      met.push(metIdleClose(request));
      response.end('here');
    },
    { idleMs: IDLE },
  );
  client = connect({ port: Number(new URL(server.origin).port), host: '127.0.0.1', allowHalfOpen: true });
  let received = '';
  client.on('data', (bytes) => (received += String(bytes)));
  const send = () => client?.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  send();
  await once(client, 'data');
  return { met, send, answers: () => received.split('HTTP/1.1 200').length - 1 };
}

it('A request that waits when the idle time is up is answered', async () => {
  const { met, send, answers } = await start();
  await pause(IDLE / 2);
  send();
  // The loop is so busy that the timer is due before the request is read.
  for (const until = performance.now() + 2 * IDLE; performance.now() < until;);
  await expect.poll(() => [met, answers()]).toEqual([[false, false], 2]);
});

it('A request on a connection that was closed as idle is known for one', async () => {
  const { met, send, answers } = await start();
  await once(client!, 'end');
  send();
  await expect.poll(() => met).toEqual([false, true]);
  expect(answers()).toBe(1);
});
