/** A target that controls every byte it sends, with an honest gateway behind it for calls that it leaves alone. */
import { request as httpRequest } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { type Gateway, startGateway } from '../../src/gateway/index.ts';

export interface Call {
  /** Counts from 1. */
  readonly number: number;
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly endpoint: 'models' | 'chat' | 'other';
  readonly streamed: boolean;
  /** Every credential in it, as received. */
  readonly credentials: readonly string[];
  readonly socket: Socket;
  /** The honest answer, read to its end. */
  honest(): Promise<HonestAnswer>;
  /** Forwards the honest answer piece by piece. */
  forward(): Promise<void>;
}

export interface HonestAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export type Act = (call: Call) => unknown;

export interface HostileTarget {
  readonly baseUrl: string;
  readonly origin: string;
  readonly key: string;
  /** Every credential received so far. */
  readonly credentials: ReadonlySet<string>;
  readonly calls: number;
  close(): Promise<void>;
}

export async function startHostileTarget(act: Act): Promise<HostileTarget> {
  const gateway = await startGateway({ eventGapMs: 1 });
  const sockets = new Set<Socket>();
  const credentials = new Set<string>();
  let calls = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    // Clients are supposed to give up.
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    readRequests(socket, (head, body) => {
      const call = callOf({ head, body, number: ++calls, socket }, gateway);
      for (const credential of call.credentials) credentials.add(credential);
      Promise.resolve(act(call)).catch(() => socket.destroy());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    origin: `http://127.0.0.1:${port}`,
    key: gateway.keys.full,
    credentials,
    get calls() {
      return calls;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
      await gateway.close();
    },
  };
}

/** Our requests always state their length. */
function readRequests(socket: Socket, each: (head: string, body: string) => void): void {
  let held = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    held = Buffer.concat([held, chunk]);
    for (;;) {
      const end = held.indexOf('\r\n\r\n');
      if (end === -1) return;
      const head = held.toString('latin1', 0, end);
      const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
      if (held.length < end + 4 + length) return;
      const body = held.toString('utf8', end + 4, end + 4 + length);
      held = held.subarray(end + 4 + length);
      each(head, body);
    }
  });
}

interface Incoming extends Pick<Call, 'body' | 'number' | 'socket'> {
  readonly head: string;
}

function callOf({ head, body, number, socket }: Incoming, gateway: Gateway): Call {
  const [first = '', ...lines] = head.split('\r\n');
  const [method = '', path = ''] = first.split(' ');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const [bare = ''] = path.split('?');
  const authorization = headers['authorization'] ?? '';
  const basic = /^Basic (.*)$/.exec(authorization)?.[1];
  const given = [
    basic === undefined ? authorization.replace(/^\S+\s+/, '') : '',
    headers['x-api-key'] ?? '',
    new URLSearchParams(path.slice(bare.length)).get('api_key') ?? '',
    basic === undefined ? '' : readBasic(basic),
  ];
  const ask = () => askGateway(gateway, { method, path, headers, body });
  return {
    number,
    method,
    path,
    headers,
    body,
    endpoint: bare === '/v1/models' ? 'models' : bare === '/v1/chat/completions' ? 'chat' : 'other',
    streamed: asksForStream(body),
    credentials: given.filter((credential) => credential !== ''),
    socket,
    async honest() {
      const answer = await ask();
      const pieces: Buffer[] = [];
      for await (const piece of answer.pieces) pieces.push(piece);
      return { status: answer.status, headers: answer.headers, body: Buffer.concat(pieces) };
    },
    async forward() {
      const { status, headers: shown, pieces } = await ask();
      write(socket, headOf(status, { ...shown, 'transfer-encoding': 'chunked' }));
      for await (const piece of pieces) write(socket, chunk(piece));
      write(socket, LAST_CHUNK);
    },
  };
}

/** Parsed, since cases spell names with escapes and put white space around values. */
function asksForStream(body: string): boolean {
  try {
    return (JSON.parse(body) as { readonly stream?: unknown } | null)?.stream === true;
  } catch {
    return false;
  }
}

/** Some cases send the plain key instead of base64. */
function readBasic(text: string): string {
  const [, user] = /^([!-9;-~]+):[!-~]*$/.exec(Buffer.from(text, 'base64').toString()) ?? [];
  return user ?? text;
}

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface Coming {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly pieces: AsyncIterable<Buffer>;
}

function askGateway({ baseUrl }: Gateway, { method, path, headers, body }: Asked): Promise<Coming> {
  const { 'accept-encoding': _, connection: __, ...others } = headers;
  return new Promise((resolve, reject) => {
    const url = new URL(path, baseUrl);
    const request = httpRequest(url, { method, headers: { ...others, host: url.host } }, (response) => {
      const { 'transfer-encoding': ___, connection: ____, 'content-length': _____, ...shown } = response.headers;
      resolve({ status: response.statusCode ?? 0, headers: shown as Record<string, string>, pieces: response });
    });
    request.on('error', reject);
    request.end(body);
  });
}

export function write(socket: Socket, bytes: string | Uint8Array): boolean {
  return socket.writable && socket.write(bytes);
}

export function headOf(status: number | string, headers: Readonly<Record<string, string>>): Buffer {
  const line = typeof status === 'string' ? status : `${status} ${status < 400 ? 'OK' : 'No'}`;
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  // Bytes above 127 are sent unchanged.
  return Buffer.from(`HTTP/1.1 ${line}\r\n${lines.join('')}\r\n`, 'utf8');
}

/** Sends one complete answer. */
export function reply(
  { socket }: Call,
  status: number | string,
  body: string | Uint8Array,
  headers: Readonly<Record<string, string>> = {},
): void {
  const bytes = Buffer.from(body as Uint8Array);
  write(
    socket,
    headOf(status, { 'content-type': 'application/json', ...headers, 'content-length': `${bytes.length}` }),
  );
  write(socket, bytes);
}

export function chunk(bytes: string | Uint8Array): Buffer {
  const content = Buffer.from(bytes as Uint8Array);
  return Buffer.concat([Buffer.from(`${content.length.toString(16)}\r\n`), content, Buffer.from('\r\n')]);
}

export const LAST_CHUNK = '0\r\n\r\n';
export const STREAM_HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n';

/** Writes for as long as the other side reads. */
export function pour({ socket }: Call, bytes: string | Uint8Array): void {
  const more = () => {
    while (socket.writable && socket.write(bytes)) {
      // Until the buffer is full.
    }
  };
  socket.on('drain', more);
  more();
}

/** Writes again and again, with pauses. */
export function drip({ socket }: Call, bytes: string | Uint8Array, everyMs: number): void {
  const timer = setInterval(() => socket.writable && socket.write(bytes as Uint8Array), everyMs);
  socket.on('close', () => clearInterval(timer));
}
