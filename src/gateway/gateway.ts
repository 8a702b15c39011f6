/** The reference gateway: conforms to the contract except for what its modifiers change. A process can run any number of them. */
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { Socket } from 'node:net';
import { bytesOf, refusalReply, asRaw } from './answer.ts';
import { type BodyRoom, type Call, readRequest } from './call.ts';
import { type DeploymentFacts, type DeploymentOptions, openDeployment } from './open-deployment.ts';
import { refusal } from './refusals.ts';
import { send, type Watcher } from './send.ts';

export interface GatewayOptions extends DeploymentOptions {
  /** 0, the default, means any free port. */
  readonly port?: number;
  readonly host?: string;
  /** Pause before every answer. */
  readonly latencyMs?: number;
  /** Called with every call when it has arrived; what it returns is told what becomes of the answer. */
  readonly watch?: (call: Call, request: IncomingMessage) => Watcher | undefined;
  /** Holds an answer back until it resolves. */
  readonly hold?: (call: Call) => Promise<void> | undefined;
  /** Default: each body has a limit, all of them together have none. */
  readonly room?: BodyRoom;
  /** Bytes of headers, and connections. Default: those of Node. */
  readonly maxHeaders?: number;
  readonly maxConnections?: number;
  /** Milliseconds after which an idle connection is closed without having been announced. */
  readonly idleMs?: number;
}

export interface Gateway extends DeploymentFacts {
  readonly baseUrl: string;
  /** Closes at once, including open connections. */
  close(): Promise<void>;
}

/** Milliseconds. Who calls a server keeps connections open between calls: closing one first would look like a failure. */
const KEEP_ALIVE = 120_000;

export async function startGateway(options: GatewayOptions = {}): Promise<Gateway> {
  const { host = '127.0.0.1', maxHeaders: maxHeaderSize } = options;
  const { basePath, facts, begin } = openDeployment(options);
  const sockets = new Set<Socket>();

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const respondTo = begin(request.socket);
    const { call, answer: reply, ended } = respondTo(await readRequest(request, options.room));
    const watcher = options.watch?.(call, request);
    await options.hold?.(call);
    await send(reply, response, options.latencyMs ?? 0, watcher).finally(ended);
  };

  // A client that disconnects while its request is read is not an error of the gateway.
  const { idleMs } = options;
  // Node announces a time limit of its own, and none if it is 0.
  const keepAliveTimeout = idleMs === undefined ? KEEP_ALIVE : 0;
  const server = createServer({ keepAliveTimeout, maxHeaderSize }, (request, response) => {
    if (idleMs !== undefined) closeIdle(request, response, idleMs);
    answer(request, response).catch((error: unknown) => {
      if (!request.destroyed || request.complete) server.emit('error', error);
    });
  });
  if (options.maxConnections !== undefined) server.maxConnections = options.maxConnections;
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => refuseBrokenRequest(error, socket));

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;

  return {
    baseUrl: `http://${host.includes(':') ? `[${host}]` : host}:${port}${basePath}`,
    ...facts,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

const idleTimers = new WeakMap<Socket, NodeJS.Timeout>();

function closeIdle({ socket }: IncomingMessage, response: ServerResponse, after: number): void {
  clearTimeout(idleTimers.get(socket));
  response.once('close', () => idleTimers.set(socket, setTimeout(() => socket.end(), after).unref()));
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
