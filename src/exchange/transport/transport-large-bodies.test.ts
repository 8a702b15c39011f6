import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { FilledRequest } from '../../plan/bind-request.ts';
import { answerOf, rawTarget, textOf, transportTo } from '../../../test/kit/raw-target.ts';

const SIZE = 8 * 1024 * 1024;
const REQUEST: FilledRequest = {
  endpoint: 'chat',
  mode: 'plain',
  method: 'POST',
  path: '/chat/completions',
  headers: { 'content-type': 'application/json' },
  body: '{"wirecheck_unknown": "${filler}"}',
  filler: { kind: 'letters', count: SIZE },
  key: 'full',
};
const REFUSAL = 'HTTP/1.1 413 Too Large\r\nContent-Length: 13\r\n\r\n{"error": {}}';

/** A server that reads only the start of a request. */
async function impatient(end: (socket: Socket) => void): Promise<string> {
  const { baseUrl } = await rawTarget((socket) => {
    if (socket.isPaused()) return;
    socket.pause();
    end(socket);
  });
  return baseUrl;
}

describe('a large body', () => {
  it('is sent whole, and kept by its size and its beginning', async () => {
    let received = 0;
    const { baseUrl } = await rawTarget((socket, part) => {
      received += part.length;
      if (received > SIZE) socket.write(REFUSAL);
    });
    const transport = transportTo(baseUrl);
    expect(answerOf(await transport.send(REQUEST)).status).toBe(413);
    expect(transport.describe(REQUEST)).toMatchObject({
      body: '{"wirecheck_unknown": "xxxxxxxxxxxx… (8,388,608 letters)"}',
      filler: { kind: 'letters', count: SIZE },
    });
  });

  it.each<[string, (socket: Socket) => void]>([
    ['stops reading', (socket) => socket.write(REFUSAL)],
    ['closes the connection', (socket) => socket.end(REFUSAL)],
    ['destroys the connection', (socket) => socket.write(REFUSAL, () => socket.destroy())],
    ['resets the connection', (socket) => socket.write(REFUSAL, () => setImmediate(() => socket.resetAndDestroy()))],
  ])('is answered by a server that %s before it has read all', async (_, end) => {
    const sent = await transportTo(await impatient(end)).send(REQUEST);
    expect([answerOf(sent).status, textOf(sent)]).toEqual([413, '{"error": {}}']);
  });

  it('has no answer if the connection is reset without one', async () => {
    const baseUrl = await impatient((socket) => void socket.resetAndDestroy());
    const { outcome } = await transportTo(baseUrl).send(REQUEST);
    expect(outcome).toMatchObject({ kind: 'none', failure: { kind: 'closed' } });
  });
});
