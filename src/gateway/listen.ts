/** A server on a port of its own that closes at once, together with its connections. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { asRaw, bytesOf, refusalReply } from './answer.ts';
import { refusal } from './refusals.ts';

export interface ListenOptions {
  /** 0, the default, means any free port. */
  readonly port?: number;
  readonly host?: string;
  /** Bytes of headers, and connections. Default: those of Node. */
  readonly maxHeaders?: number;
  readonly maxConnections?: number;
  /** Milliseconds after which an idle connection is closed without having been announced. */
  readonly idleMs?: number;
}

export interface Listening {
  /** The path is left out. */
  readonly origin: string;
  /** Closes at once, including open connections. */
  close(): Promise<void>;
}

/** Milliseconds. Who calls a server keeps connections open between calls: closing one first would look like a failure. */
const KEEP_ALIVE = 120_000;

export async function listen(
  answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
  { port: asked = 0, host = '127.0.0.1', maxHeaders: maxHeaderSize, maxConnections, idleMs }: ListenOptions,
): Promise<Listening> {
  const sockets = new Set<Socket>();
  // Node announces a time limit of its own, and none if it is 0.
  const keepAliveTimeout = idleMs === undefined ? KEEP_ALIVE : 0;
  const server = createServer({ keepAliveTimeout, maxHeaderSize }, (request, response) => {
    if (idleMs !== undefined) closeIdle(request, response, idleMs);
    // A client that disconnects while its request is read is not an error of the server.
    answer(request, response).catch((error: unknown) => {
      if (!request.destroyed || request.complete) server.emit('error', error);
    });
  });
  if (maxConnections !== undefined) server.maxConnections = maxConnections;
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => refuseBrokenRequest(error, socket));

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(asked, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return {
    origin: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

const idleTimers = new WeakMap<Socket, NodeJS.Timeout>();
const closedIdle = new WeakSet<Socket>();

/** The request met the close of its connection, which had been idle. Nothing can be answered. */
export function metIdleClose({ socket }: Pick<IncomingMessage, 'socket'>): boolean {
  return closedIdle.has(socket);
}

function closeIdle({ socket }: IncomingMessage, response: ServerResponse, after: number): void {
  clearTimeout(idleTimers.get(socket));
  response.once('close', () => {
    if (!socket.destroyed) idleTimers.set(socket, setTimeout(() => closeUnlessUsed(socket), after).unref());
  });
}

/** What waits is read before, which takes a turn of the loop: a busy server is late with its timers as well. */
function closeUnlessUsed(socket: Socket): void {
  const { bytesRead } = socket;
  setImmediate(() => {
    if (socket.destroyed || socket.bytesRead !== bytesRead) return;
    closedIdle.add(socket);
    socket.end();
  });
}

/** Answers requests that Node's parser rejects, then closes the connection. */
function refuseBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const tooLong = error.code === 'HPE_HEADER_OVERFLOW';
  const reply = refusalReply(
    tooLong
      ? refusal('invented', 431, 'headers_too_large', 'The headers of the request are too large.')
      : refusal('invented', 400, 'invalid_http', 'The request is not HTTP.'),
  );
  socket.end(bytesOf(asRaw(reply).pieces));
}
