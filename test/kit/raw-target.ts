/** A target whose every byte a test decides, and a transport pointed at it. */
import { createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { DEFAULT_SETTINGS, type Keys, type Settings } from '../../src/settings.ts';
import type { Answer, Failure } from '../../src/exchange/exchange.ts';
import type { FilledRequest } from '../../src/plan/bind-request.ts';
import { createTransport, type Sent, type Transport } from '../../src/exchange/transport/transport.ts';

export const FULL_KEY = 'sk-service-Qk7Zr2Xw9Lm4Tn6Bv1Cs8Dp3';

export interface RawTarget {
  readonly baseUrl: string;
  /** What came in, one text for each connection. */
  readonly received: string[];
  readonly connections: number;
}

/** `answer` is called with each request that has come in whole (none of them has a body longer than one read). */
export async function rawTarget(answer: (socket: Socket, request: string) => void): Promise<RawTarget> {
  const received: string[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    const connection = connections++;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    socket.on('data', (data) => {
      received[connection] = (received[connection] ?? '') + data.toString('latin1');
      answer(socket, data.toString('latin1'));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as { port: number };
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    received,
    get connections() {
      return connections;
    },
  };
}

export interface Changes extends Partial<Omit<Settings, 'limits' | 'timeouts'>> {
  readonly limits?: Partial<Settings['limits']>;
  readonly timeouts?: Partial<Settings['timeouts']>;
  readonly encodings?: readonly string[];
}

export function transportTo(baseUrl: string, changes: Changes = {}, keys: Keys = { full: FULL_KEY }): Transport {
  const { limits, timeouts, encodings, ...others } = changes;
  const transport = createTransport(
    {
      ...DEFAULT_SETTINGS,
      baseUrl,
      ...others,
      limits: { ...DEFAULT_SETTINGS.limits, ...limits },
      timeouts: { ...DEFAULT_SETTINGS.timeouts, ...timeouts },
    },
    keys,
    encodings ? { encodings } : {},
  );
  onTestFinished(() => transport.close());
  return transport;
}

export const GET_MODELS: FilledRequest = {
  endpoint: 'models',
  mode: 'plain',
  method: 'GET',
  path: '/models',
  headers: {},
  key: 'full',
};

export const STREAM_CHAT: FilledRequest = {
  endpoint: 'chat',
  mode: 'stream',
  method: 'POST',
  path: '/chat/completions',
  headers: { 'Content-Type': 'application/json' },
  body: '{"stream":true}',
  key: 'full',
};

/** One answer, sent in these pieces, and then the connection ended if that is asked for. */
export async function receivePieces(
  pieces: readonly (string | Uint8Array)[],
  end: 'open' | 'end' | 'reset' = 'open',
  changes: Changes = {},
): Promise<Sent> {
  const { baseUrl } = await rawTarget((socket) => {
    const next = (index: number) => {
      if (index < pieces.length) socket.write(pieces[index]!, () => setImmediate(next, index + 1));
      else if (end === 'end') socket.end();
      // Not before what was written has had time to arrive: a reset overtakes it.
      else if (end === 'reset') setTimeout(() => socket.resetAndDestroy(), 30);
    };
    next(0);
  });
  return transportTo(baseUrl, changes).send(GET_MODELS);
}

export function answerOf({ outcome }: Sent): Answer {
  if (outcome.kind !== 'answer') throw new Error(`no answer: ${JSON.stringify(outcome.failure)}`);
  return outcome.answer;
}

export function failureIn({ outcome }: Sent): Failure {
  if (outcome.kind !== 'none') throw new Error(`an answer came: ${outcome.answer.status}`);
  return outcome.failure;
}

export function textOf(sent: Sent): string {
  return Buffer.from(answerOf(sent).body.bytes).toString();
}

/** Sends one answer with its length stated. */
export function counted(body: string | Uint8Array, headers: readonly string[] = [], status = '200 OK'): Buffer {
  const bytes = Buffer.from(body as Uint8Array);
  const head = [`HTTP/1.1 ${status}`, `Content-Length: ${bytes.length}`, ...headers].join('\r\n');
  return Buffer.concat([Buffer.from(`${head}\r\n\r\n`, 'latin1'), bytes]);
}

export const EVENT_STREAM_HEAD =
  'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n';

export function chunked(text: string | Uint8Array): Buffer {
  const bytes = Buffer.from(text as Uint8Array);
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
}

export const LAST_CHUNK = '0\r\n\r\n';
